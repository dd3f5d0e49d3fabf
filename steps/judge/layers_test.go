package judge

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// layers are the files of the package, in an order in which each uses what comes before it.
var layers = []string{
	// What judging returns; the record, and what it says of the gateway.
	"result.go", "facts.go", "gateway.go", "fold.go",
	// Silence, money, and the values of sentences.
	"silence.go", "funds.go", "balance.go", "misread.go", "burst.go", "value.go",
	// Lists and MED cases.
	"list.go", "listed.go", "listmatches.go", "steady.go", "listeditem.go",
	// Events.
	"eventcause.go", "event.go", "again.go", "eventorder.go", "eventfields.go", "unreported.go",
	// Single responses, and controls.
	"reread.go", "registration.go", "certificate.go", "contract.go", "refusal.go", "echo.go", "identity.go", "controls.go",
	// Steps that need all of these, the rules that are checked in passing, and which step is judged by what.
	"note.go", "overrun.go", "unchanged.go", "combination.go", "answer.go", "invariants.go", "judge.go",
}

// upward are the uses of what comes later, with the reason.
var upward = map[string]string{
	"facts.go: gateway":   "facts keep the states of the gateway until the record grows",
	"facts.go: reporters": "and what the fold has compared",
	"gateway.go: fold":    "which is folded when it is asked",
	"facts.go: cause":     "a scenario keeps what its last event reports",
	"facts.go: listCheck": "and how far each list was read",
}

func TestFilesUseWhatComesBeforeThem(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("*.go")
	require.NoError(t, err)
	fset, used := token.NewFileSet(), &types.Info{Uses: map[*ast.Ident]types.Object{}}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		require.Contains(t, layers, name, "add the file to layers")
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		files = append(files, f)
	}
	// Nothing is imported: only uses of what the package declares itself count.
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", nil), Error: func(error) {}}
	pkg, _ := config.Check("judge", fset, files, used)
	found := map[string]string{}
	for at, of := range used.Uses {
		f, isFunc := of.(*types.Func)
		if of.Pkg() != pkg || of.Parent() != pkg.Scope() && !(isFunc && f.Signature().Recv() != nil) {
			continue
		}
		user, owner := fset.Position(at.Pos()).Filename, fset.Position(of.Pos()).Filename
		if use := user + ": " + of.Name(); slices.Index(layers, user) < slices.Index(layers, owner) {
			found[use] = upward[use]
		}
	}
	assert.Equal(t, slices.Sorted(maps.Keys(upward)), slices.Sorted(maps.Keys(found)))
}
