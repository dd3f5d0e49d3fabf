package ci

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What the Makefile tests without the race detector starts no goroutine, and its tests start no run.
func TestWhatIsNotRacedStartsNothing(t *testing.T) {
	t.Parallel()
	makefile, err := os.ReadFile("../Makefile")
	require.NoError(t, err)
	pure := regexp.MustCompile(`(?m)^PURE = (.+)$`).FindSubmatch(makefile)
	require.NotNil(t, pure)
	for dir := range strings.FieldsSeq(string(pure[1])) {
		files, err := filepath.Glob(filepath.Join("..", dir, "*.go"))
		require.NoError(t, err)
		require.NotEmpty(t, files, dir)
		for _, file := range files {
			require.Empty(t, starts(t, file), file)
		}
	}
	require.Contains(t, starts(t, "../steps/proof/proof.go"), "Go", "starts are found")
}

// starts lists what a file starts: go statements, groups of goroutines, and in a test whole runs.
func starts(t *testing.T, file string) (all []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	isTest := strings.HasSuffix(file, "_test.go")
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			all = append(all, "go")
		case *ast.CallExpr:
			name := ""
			switch f := n.Fun.(type) {
			case *ast.Ident:
				name = f.Name
			case *ast.SelectorExpr:
				name = f.Sel.Name
			}
			if name == "Go" || isTest && (name == "Certify" || name == "Explore") {
				all = append(all, name)
			}
		}
		return true
	})
	return all
}
