package ci

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The race detector watches the tests of every package that starts a goroutine: the Makefile finds them by a pattern.
func TestWhatIsNotRacedStartsNothing(t *testing.T) {
	t.Parallel()
	makefile, err := os.ReadFile("../Makefile")
	require.NoError(t, err)
	found := regexp.MustCompile(`(?m)^CONCURRENT = .*grep -rlE '(.+?)' --include='\*\.go' (.+?) \|`).FindSubmatch(makefile)
	require.NotNil(t, found)
	pattern := regexp.MustCompile("(?m)" + string(found[1]))
	watched := map[string]bool{}
	starting := map[string]string{}
	apart := []string{"../ci", "../ci/mutants", "../ci/slow", "../cmd/pixcert", "../steps/target/container/testdata/target"} // whole runs, and one that is built for a test
	listed := strings.Fields(string(found[2]))
	require.NoError(t, filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" || strings.HasPrefix(path, "../load/") || slices.Contains(apart, filepath.Dir(path)) {
			return err
		}
		text, err := os.ReadFile(path)
		isListed := slices.ContainsFunc(listed, func(dir string) bool { return strings.HasPrefix(path, "../"+dir+"/") })
		watched[filepath.Dir(path)] = watched[filepath.Dir(path)] || isListed && pattern.Match(text)
		if all := starts(t, path); len(all) > 0 {
			starting[filepath.Dir(path)] = path
		}
		return err
	}))
	require.Greater(t, len(starting), 10)
	for dir, file := range starting {
		require.True(t, watched[dir], "%s starts a goroutine or a run", file)
	}
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
