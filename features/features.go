// Package features holds what a conforming gateway does: feature files, one for each
// endpoint or theme, the statements of the specification that their rules show, the wire
// contract, and the points that the specification leaves open. All of it is embedded, so
// that the command needs no other files.
package features

import "embed"

// FS holds the feature files (*.feature), statements.tsv, openapi.yaml and open-points.yaml.
//
//go:embed *.feature statements.tsv openapi.yaml open-points.yaml
var FS embed.FS
