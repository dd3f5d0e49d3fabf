package judge

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is judged is what was recorded: whoever judges it again, on another day and another
// machine, must come to the same. So neither the judge nor what it reads with may look at the
// world, the clock or chance.
func TestJudgingIsPure(t *testing.T) {
	t.Parallel()
	forbidden := regexp.MustCompile(`^(net|os|io/ioutil|syscall|context|unsafe|log.*|crypto/rand|math/rand.*|os/.*|net/http/.*|runtime/.*)$`) // runtime itself says only where a row of a table is
	// Of packages that may be imported, what may be used; of time, what may not.
	constants := regexp.MustCompile(`^(Method|Status|Header$)`)
	clock := []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker", "Local", "LoadLocation"}
	for _, dir := range []string{".", "../listing", "../record", "../jsonvalue", "../money", "../brcode", "../language", "../api"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		require.NotEmpty(t, files, dir)
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			code, err := os.ReadFile(name)
			require.NoError(t, err)
			file, err := parser.ParseFile(token.NewFileSet(), name, code, 0)
			require.NoError(t, err)
			for _, imported := range file.Imports {
				path, err := strconv.Unquote(imported.Path.Value)
				require.NoError(t, err)
				assert.NotRegexp(t, forbidden, path, name)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					switch of, _ := s.X.(*ast.Ident); {
					case of == nil:
					case of.Name == "http":
						assert.Regexp(t, constants, s.Sel.Name, name)
					case of.Name == "time":
						assert.False(t, slices.Contains(clock, s.Sel.Name), "%s: time.%s", name, s.Sel.Name)
					}
				}
				return true
			})
		}
	}
}
