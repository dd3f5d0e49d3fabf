// Package ci tests rules of the repository.
package ci

import (
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	module  = "github.com/pixcert/pixcert"
	command = module + "/cmd/pixcert"
)

// closed lists the packages of the project that a part may import, in addition to its own.
// The suite reaches a gateway only over HTTP, so steps must not import reference. Only cmd and ci
// see both sides.
var closed = map[string][]string{
	"features":  {},
	"certs":     {},
	"steps":     {"features", "certs"},
	"reference": {"features", "certs"},
	"ci":        {"features", "certs", "steps", "reference"},
}

func TestPartsImportOnlyWhatTheyMay(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		part := partOf(p.ImportPath)
		if part == "cmd" {
			continue // the command connects everything
		}
		require.NotEmpty(t, part, "the root directory has Go files: move them to a folder")
		allowed, known := closed[part]
		require.True(t, known, "%s is a part without import rules: add it to the table", part)
		for _, imported := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			other := partOf(imported)
			if !strings.HasPrefix(imported, module+"/") || other == part {
				continue
			}
			require.Contains(t, allowed, other, "%s imports %s", p.ImportPath, imported)
		}
	}
}

// k6 has another licence: nothing here may link it.
func TestNothingLinksK6(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		for _, imported := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			require.False(t, strings.HasPrefix(imported, "go.k6.io/"), "%s imports %s", p.ImportPath, imported)
		}
	}
}

// The results of a run are values: package report writes and reads them.
func TestVerdictsHaveNoIO(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		if p.ImportPath != module+"/steps/verdict" {
			continue
		}
		for _, imported := range []string{"os", "io", "io/fs", "net", "net/http", "html/template", "encoding/json", "encoding/xml"} {
			require.NotContains(t, p.Imports, imported)
		}
		return
	}
	require.Fail(t, "there is no package steps/verdict")
}

type goPackage struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
}

func packages(t *testing.T) []goPackage {
	t.Helper()
	list := exec.Command("go", "list", "-json=ImportPath,Imports,TestImports,XTestImports", module+"/...")
	out, err := list.Output()
	require.NoError(t, err, "go list")
	var all []goPackage
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := decoder.Decode(&p); err == io.EOF {
			return all
		} else {
			require.NoError(t, err)
		}
		all = append(all, p)
	}
}

// partOf is the top-level folder of a package of the project.
func partOf(importPath string) string {
	inside := strings.TrimPrefix(importPath, module)
	part, _, _ := strings.Cut(strings.TrimPrefix(inside, "/"), "/")
	return part
}
