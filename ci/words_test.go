package ci

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The words of a step are read in one place: package language maps each sentence to a meaning and
// effects, and planning, acting and judging use only these. Nothing else may read the words. A
// result copies them unchanged, because reports show them.

// wordsOf are the fields that contain the words of a step, by type.
var wordsOf = map[string][]string{
	module + "/steps/catalogue.Step":                  {"Keyword", "Text", "Table", "DocString"},
	module + "/steps/verdict.Step":                    {"Keyword", "Text", "Table"},
	"github.com/cucumber/messages/go/v21.PickleStep":  {"Text", "Argument"},
	"github.com/cucumber/messages/go/v21.PickleTable": {"Rows"},
}

// mayRead are the packages of steps that may read words, or that only show them; of language, only the files
// that read or explain sentences.
var (
	mayRead       = []string{"catalogue", "report", "progress", "verdict"}
	mayReadInside = []string{"burst.go", "guide.go", "language.go", "own.go", "words.go"}
)

// mayTake are the packages whose functions may receive words to show them.
var mayTake = []string{"fmt", "cmp", module + "/steps/exchange"}

func TestNobodyReadsTheWordsOfAStep(t *testing.T) {
	t.Parallel()
	all := compiled(t, command, module+"/steps/...")
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(all[path].Export) })
	checked := 0
	for path, p := range all {
		name, inside := strings.CutPrefix(path, module+"/steps/")
		if !inside && path != command || slices.Contains(mayRead, name) {
			continue
		}
		var files []*ast.File
		for _, file := range p.GoFiles {
			parsed, err := parser.ParseFile(fset, filepath.Join(p.Dir, file), nil, 0)
			require.NoError(t, err)
			files = append(files, parsed)
		}
		for _, found := range readings(t, path, fset, imports, files) {
			if file, _, _ := strings.Cut(filepath.Base(found), ":"); name == "language" && slices.Contains(mayReadInside, file) {
				continue
			}
			t.Errorf("%s: the words of a step are read outside steps/language: switch on its Meaning or its Effects", found)
		}
		checked++
	}
	require.Greater(t, checked, 20, "packages of steps")
}

// The check finds violations.
func TestReadingsOfWordsAreFound(t *testing.T) {
	t.Parallel()
	all := compiled(t, module+"/steps/language", module+"/steps/verdict", "regexp", "slices", "cmp")
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		if all[path].Export == "" {
			return nil, errors.New("not compiled: " + path)
		}
		return os.Open(all[path].Export)
	})
	const head = `package p
import ("cmp"; "fmt"; "regexp"; "slices"; "strings"; "github.com/pixcert/pixcert/steps/catalogue"; "github.com/pixcert/pixcert/steps/language"; "github.com/pixcert/pixcert/steps/verdict")
var _, _, _, _, _ = fmt.Sprint, regexp.MustCompile, slices.Contains[[]string], strings.Contains, cmp.Or[string]
type wrapped struct{ language.Step }
func f(a catalogue.Step, b language.Step, c *wrapped, all []language.Step, r verdict.Step) any {
	`
	for body, reads := range map[string]bool{
		`return strings.Contains(a.Text, "x")`:                                  true,
		`return strings.HasPrefix(b.Text, "x")`:                                 true,
		`return strings.Contains(c.Text, "x")`:                                  true,
		`return strings.Contains(b.Step.Text, "x")`:                             true,
		`return strings.Contains((a.Text), "x")`:                                true,
		`return regexp.MustCompile("x").MatchString(all[0].Text)`:               true,
		`return a.Text == "x"`:                                                  true,
		`return "x" != b.Text + ""`:                                             true,
		`switch b.Text { case "x": return 1 }; return 2`:                        true,
		`switch { case b.Text > "x": return 1 }; return 2`:                      true,
		`text := a.Text; return text == "x"`:                                    true,
		`p := &a.Text; return *p`:                                               true,
		`return a.Text`:                                                         true,
		`return a.Text[0]`:                                                      true,
		`return len(b.Table)`:                                                   true,
		`for _, row := range b.Table { return row }; return nil`:                true,
		`return map[string]int{}[b.Text]`:                                       true,
		`return slices.Contains([]string{"x"}, a.Keyword)`:                      true,
		`return a.DocString == ""`:                                              true,
		`return strings.Contains(r.Text, "x")`:                                  true,
		`return r.Table[0]`:                                                     true,
		`return []string{b.Text}`:                                               true,
		`return verdict.Step{Keyword: a.Keyword, Text: b.Text, Table: c.Table}`: false,
		`return verdict.Step{Text: strings.ToLower(b.Text)}`:                    true,
		`r.Text = "shown"; return r`:                                            false,
		`return fmt.Sprintf("%s", r.Text)`:                                      false,
		`return fmt.Sprint(cmp.Or(r.Text, "x"))`:                                false,
		`return fmt.Sprint(a.Text) == "x"`:                                      true,
		`_, quiet := b.Meaning.(language.NothingArrives); return quiet && a.Type == catalogue.Action && a.Line > 1`: false,
	} {
		file, err := parser.ParseFile(fset, "p.go", head+body+"\n}", 0)
		require.NoError(t, err, body)
		require.Equal(t, reads, len(readings(t, "p", fset, imports, []*ast.File{file})) > 0, body)
	}
}

// compiledPackage is the output of go list for a package.
type compiledPackage struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
}

// compiled lists packages and all their imports, with their export data.
func compiled(t *testing.T, patterns ...string) map[string]compiledPackage {
	t.Helper()
	list := exec.Command("go", append([]string{"list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles"}, patterns...)...)
	out, err := list.Output()
	require.NoError(t, err, "go list")
	all := map[string]compiledPackage{}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); decoder.More(); {
		var p compiledPackage
		require.NoError(t, decoder.Decode(&p))
		all[p.ImportPath] = p
	}
	return all
}

// readings are the positions at which the words of a step are read.
func readings(t *testing.T, path string, fset *token.FileSet, imports types.Importer, files []*ast.File) []string {
	t.Helper()
	info := &types.Info{Selections: map[*ast.SelectorExpr]*types.Selection{}, Uses: map[*ast.Ident]types.Object{}}
	_, err := (&types.Config{Importer: imports}).Check(path, fset, files, info)
	require.NoError(t, err)
	var found []string
	for _, file := range files {
		ast.PreorderStack(file, nil, func(n ast.Node, above []ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && isWords(info, s) && !isShown(info, s, above) {
				found = append(found, fmt.Sprint(fset.Position(s.Pos())))
			}
			return true
		})
	}
	return found
}

// isWords says whether the expression is a field with words, possibly of an embedded step.
func isWords(info *types.Info, s *ast.SelectorExpr) bool {
	selected := info.Selections[s]
	if selected == nil || selected.Kind() != types.FieldVal {
		return false
	}
	for name, fields := range wordsOf {
		if slices.Contains(fields, s.Sel.Name) && holds(name, selected) {
			return true
		}
	}
	return false
}

// holds says whether the selected field belongs to the type with the given name.
func holds(name string, selected *types.Selection) bool {
	at := selected.Recv()
	for _, i := range selected.Index()[:len(selected.Index())-1] {
		at = structOf(at).Field(i).Type()
	}
	if pointer, ok := at.Underlying().(*types.Pointer); ok {
		at = pointer.Elem()
	}
	named, ok := types.Unalias(at).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path()+"."+named.Obj().Name() == name
}

func structOf(t types.Type) *types.Struct {
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		t = pointer.Elem()
	}
	return t.Underlying().(*types.Struct)
}

// isShown says whether the words are only copied into a result or printed.
func isShown(info *types.Info, s *ast.SelectorExpr, above []ast.Node) bool {
	result := info.Selections[s].Obj().Pkg().Path() == module+"/steps/verdict"
	var below ast.Node = s
	for _, n := range slices.Backward(above) {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			return n.Value == below
		case *ast.AssignStmt:
			return result
		case *ast.CallExpr:
			called, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
			if !ok || !result {
				return false
			}
			f := info.Uses[called.Sel]
			if f == nil || f.Pkg() == nil || !slices.Contains(mayTake, f.Pkg().Path()) {
				return false
			}
		case *ast.ExprStmt, *ast.ReturnStmt:
			return result && below != ast.Node(s)
		case *ast.ParenExpr:
		default:
			return false
		}
		below = n
	}
	return false
}
