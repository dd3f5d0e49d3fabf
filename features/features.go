// Package features holds what a conforming gateway does: feature files, one for each
// endpoint or theme, the statements of the specification that their rules show, the wire
// contract, and the points that the specification leaves open. All of it is embedded, so
// that the command needs no other files.
package features

import (
	"embed"
	"io/fs"
)

// FS holds the feature files (*.feature), statements.tsv, openapi.yaml and open-points.yaml.
//
//go:embed *.feature statements.tsv openapi.yaml open-points.yaml
var FS embed.FS

//go:embed pt/*.tsv
var translations embed.FS

// Portuguese holds the names of features, the titles of rules, the statements and the open points in Portuguese, in a
// file of tab-separated columns each. It is no part of FS: what a gateway must do, and the edition that a certificate names, do not depend on it.
func Portuguese() fs.FS {
	sub, err := fs.Sub(translations, "pt")
	if err != nil {
		panic(err) // the name is valid
	}
	return sub
}
