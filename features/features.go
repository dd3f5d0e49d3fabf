// Package features holds what a conforming gateway does: one feature file an
// endpoint or theme, the wire contract, and the points that the specification
// leaves open. All of it is embedded, so that the command needs no file beside it.
package features

import "embed"

// FS holds the feature files (*.feature), openapi.yaml and open-points.yaml.
//
//go:embed *.feature openapi.yaml open-points.yaml
var FS embed.FS
