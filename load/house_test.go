package load

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
	parent = "github.com/pixcert/pixcert"
	here   = parent + "/load"
	k6     = "go.k6.io/"
)

// linksK6 are the packages that may link k6. Users and tests of the others do not need k6.
var linksK6 = []string{
	here,
	here + "/internal/module",
	here + "/internal/command",
	here + "/internal/executor",
	here + "/bench",
}

// The load module has k6's licence, the parent module another one: they communicate only over
// HTTP.
func TestTheLoadModuleImportsNothingOfItsParent(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		for _, imported := range p.imports() {
			inside := imported == here || strings.HasPrefix(imported, here+"/")
			ofParent := imported == parent || strings.HasPrefix(imported, parent+"/")
			require.False(t, ofParent && !inside, "%s imports %s", p.ImportPath, imported)
		}
	}
}

func TestK6IsLinkedOnlyWhereItMustBe(t *testing.T) {
	t.Parallel()
	isK6 := func(imported string) bool { return strings.HasPrefix(imported, k6) }
	for _, p := range packages(t) {
		if slices.Contains(linksK6, p.ImportPath) {
			continue
		}
		all := slices.Concat(p.Deps, p.imports())
		require.False(t, slices.ContainsFunc(all, isK6), "%s links k6", p.ImportPath)
	}
}

// Gateways for tests are no part of the product.
func TestOnlyTestsImportGatewaysForTests(t *testing.T) {
	t.Parallel()
	const doubles = here + "/internal/test/"
	for _, p := range packages(t) {
		for _, imported := range p.Imports {
			require.False(t, strings.HasPrefix(imported, doubles), "%s imports %s", p.ImportPath, imported)
		}
	}
}

type goPackage struct {
	ImportPath                               string
	Imports, Deps, TestImports, XTestImports []string
}

func (p goPackage) imports() []string { return slices.Concat(p.Imports, p.TestImports, p.XTestImports) }

func packages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,Deps,TestImports,XTestImports", here+"/...").Output()
	require.NoError(t, err, "go list")
	var all []goPackage
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := decoder.Decode(&p); err == io.EOF {
			break
		} else {
			require.NoError(t, err)
		}
		all = append(all, p)
	}
	require.NotEmpty(t, all)
	return all
}
