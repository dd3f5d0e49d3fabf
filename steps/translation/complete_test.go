package translation

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"text/template/parse"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// anyVerb is a verb of a format, with its number.
var anyVerb = regexp.MustCompile(`%(?:\[(\d+)\])?[-+# 0]*\d*(?:\.\d+)?([a-zA-Z])`)

// texts are those that the program prints: the form for one thing by that for several, which is the key. Both are equal
// if there is no number.
type texts map[string]string

func (all texts) add(t *testing.T, where, one, several string) {
	t.Helper()
	if several == "" {
		return
	}
	if known, is := all[several]; is && known != one {
		t.Errorf("%s: %q has two forms for one thing: %q and %q", where, several, known, one)
	}
	all[several] = one
}

// Each text of the code and of the templates has a Portuguese one, with the same verbs, and no other text has.
func TestTheCatalogueIsComplete(t *testing.T) {
	t.Parallel()
	printed := textsOfCode(t)
	for _, file := range []string{"../progress/texts.tmpl", "../compare/text.tmpl"} {
		textsOfTemplate(t, file, printed)
	}
	pages, err := filepath.Glob("../report/page/*.html.tmpl")
	require.NoError(t, err)
	require.NotEmpty(t, pages)
	for _, file := range append(pages, "../compare/page.html.tmpl", "../report/github.html.tmpl") {
		textsOfTemplate(t, file, printed)
	}
	require.Greater(t, len(printed), 150)
	var translated map[string]any
	require.NoError(t, yaml.Unmarshal(portuguese, &translated))
	for several, one := range printed {
		entry, is := translated[several]
		if !assert.True(t, is, "pt.yaml lacks %q", several) {
			continue
		}
		switch entry := entry.(type) {
		case string:
			assert.Equal(t, verbsOf(several), verbsOf(entry), "the verbs of %q", several)
			assert.Equal(t, several, one, "pt.yaml has no form for one, and one for others: %q", several)
		case map[string]any:
			require.Len(t, entry, 2, several)
			assert.Equal(t, verbsOf(one), verbsOf(entry["one"].(string)), "the verbs of %q", several)
			assert.Equal(t, verbsOf(several), verbsOf(entry["other"].(string)), "the verbs of %q", several)
		default:
			t.Errorf("pt.yaml: %q is neither a text nor one with the forms one and other", several)
		}
	}
	for key := range translated {
		_, is := printed[key]
		assert.True(t, is, "pt.yaml has a text that nothing prints: %q", key)
	}
}

// textsOfCode are the texts in calls of this package's functions, and the names of verdicts and outcomes.
func textsOfCode(t *testing.T) texts {
	t.Helper()
	all := texts{}
	eachFile(t, func(file string, parsed *ast.File, fset *token.FileSet) {
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if name, ok := n.Fun.(*ast.SelectorExpr); ok && !isOfBaseline(name) {
					all.call(t, fset.Position(n.Pos()).String(), name.Sel.Name, n.Args)
				}
			case *ast.ValueSpec:
				if of, ok := n.Type.(*ast.Ident); ok && (of.Name == "Verdict" || of.Name == "Outcome") && strings.Contains(file, "verdict/verdict.go") {
					all.add(t, file, literal(n.Values[0]), literal(n.Values[0]))
				}
			}
			return true
		})
	})
	return all
}

// isOfBaseline: baselines mark scenarios, which is no text.
func isOfBaseline(name *ast.SelectorExpr) bool {
	of, is := name.X.(*ast.Ident)
	return name.Sel.Name == "Mark" && (!is || of.Name != "translation")
}

// call adds the texts of a call. SayMarked has those that Mark marks elsewhere.
func (all texts) call(t *testing.T, where, name string, args []ast.Expr) {
	text := func(i int) string {
		if i >= len(args) || literal(args[i]) == "" {
			t.Errorf("%s: %s has no literal text, so that nobody knows whether it is translated", where, name)
			return ""
		}
		return literal(args[i])
	}
	switch name {
	case "Say", "Sayf", "Mark":
		all.add(t, where, text(0), text(0))
	case "SayN":
		all.add(t, where, text(1), text(2))
	case "SayCount":
		all.add(t, where, "%d "+text(1), "%d "+text(1)+"s")
	}
}

// What a page shows is outside of actions and markup, and of links that name a file; attributes that are read aloud or
// shown are in actions, too.
var (
	action          = regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	markup          = regexp.MustCompile(`(?s)<style>.*?</style>|<a href="([a-z.]+)">[a-z.]+</a>|<[^>]*>`)
	spokenAttribute = regexp.MustCompile(` (?:aria-label|placeholder|title|alt|data-label)="[^"{]*\pL`)
)

// textsOfTemplate adds the texts of a template, which has no words but those.
func textsOfTemplate(t *testing.T, file string, all texts) {
	t.Helper()
	source, err := os.ReadFile(file)
	require.NoError(t, err)
	isPage := strings.HasSuffix(file, ".html.tmpl")
	if isPage {
		shown := markup.ReplaceAllString(action.ReplaceAllString(string(source), ""), "")
		assert.NotRegexp(t, `\pL{2,}`, shown, "%s has words that are not translated", file)
		assert.NotRegexp(t, spokenAttribute, string(source), "%s has an attribute that is not translated", file)
	}
	trees := map[string]*parse.Tree{}
	tree := parse.New(file)
	tree.Mode = parse.SkipFuncCheck
	_, err = tree.Parse(string(source), "", "", trees)
	require.NoError(t, err)
	for name, tree := range trees {
		inspect(tree.Root, func(n parse.Node) {
			switch n := n.(type) {
			case *parse.TextNode:
				if !isPage {
					assert.NotRegexp(t, `\pL{2,}`, string(n.Text), "%s: %s has words that are not translated", file, name)
				}
			case *parse.CommandNode:
				all.command(t, file+": "+name, n)
			}
		})
	}
}

func (all texts) command(t *testing.T, where string, n *parse.CommandNode) {
	name, is := n.Args[0].(*parse.IdentifierNode)
	if !is {
		return
	}
	text := func(i int) string {
		s, is := n.Args[i].(*parse.StringNode)
		require.True(t, is, "%s: %s has no literal text", where, n)
		return s.Text
	}
	switch name.Ident {
	case "say", "sayf", "sayh", "label", "footer":
		if text(1) != "" {
			all.add(t, where, text(1), text(1))
		}
	case "sayn":
		all.add(t, where, text(2), text(3))
	case "count":
		all.add(t, where, "%d "+text(2), "%d "+text(2)+"s")
	}
}

// inspect visits the nodes of a template.
func inspect(n parse.Node, visit func(parse.Node)) {
	each := func(list *parse.ListNode) {
		if list != nil {
			for _, one := range list.Nodes {
				inspect(one, visit)
			}
		}
	}
	branch := func(b parse.BranchNode) {
		inspect(b.Pipe, visit)
		each(b.List)
		each(b.ElseList)
	}
	visit(n)
	switch n := n.(type) {
	case *parse.ListNode:
		each(n)
	case *parse.ActionNode:
		inspect(n.Pipe, visit)
	case *parse.IfNode:
		branch(n.BranchNode)
	case *parse.RangeNode:
		branch(n.BranchNode)
	case *parse.WithNode:
		branch(n.BranchNode)
	case *parse.TemplateNode:
		if n.Pipe != nil {
			inspect(n.Pipe, visit)
		}
	case *parse.PipeNode:
		for _, c := range n.Cmds {
			inspect(c, visit)
		}
	case *parse.CommandNode:
		for _, a := range n.Args {
			inspect(a, visit)
		}
	}
}

// The fixed parts of each form of a recorded text occur in the code that records texts, in the features or in the
// contract: a text that changed needs another form.
func TestRecordedFormsAreOfTextsThatExist(t *testing.T) {
	t.Parallel()
	var code strings.Builder
	eachFile(t, func(_ string, parsed *ast.File, _ *token.FileSet) {
		ast.Inspect(parsed, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				fmt.Fprintln(&code, literal(l))
			}
			return true
		})
	})
	all, err := filepath.Glob("../../features/*.*")
	require.NoError(t, err)
	for _, file := range all {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		code.Write(text)
	}
	var source struct{ Texts, Requests map[string]string }
	require.NoError(t, yaml.Unmarshal(recordedSource, &source))
	for _, forms := range []map[string]string{source.Texts, source.Requests} {
		for english := range forms {
			for _, part := range strings.Split(verb.ReplaceAllString(english, "\x00"), "\x00") {
				assert.True(t, consistsOf(code.String(), strings.TrimSpace(part), 3), "recorded.pt.yaml: nothing records %q of %q", part, english)
			}
		}
	}
}

// consistsOf reports whether a text is in the code, in at most so many pieces that are joined between words.
func consistsOf(code, text string, pieces int) bool {
	if len(text) < 3 || strings.Contains(code, text) {
		return true
	}
	for i := len(text) - 1; i > 0 && pieces > 1; i-- {
		if text[i] == ' ' && strings.Contains(code, text[:i]) {
			return consistsOf(code, text[i+1:], pieces-1)
		}
	}
	return false
}

// eachFile parses the Go files of the suite and of the command, except tests.
func eachFile(t *testing.T, visit func(file string, parsed *ast.File, fset *token.FileSet)) {
	t.Helper()
	for _, root := range []string{"..", "../../cmd/pixcert", "../../features"} {
		err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || filepath.Base(filepath.Dir(file)) == "translation" {
				return err
			}
			fset := token.NewFileSet()
			parsed, err := parser.ParseFile(fset, file, nil, 0)
			if err == nil {
				visit(filepath.ToSlash(file), parsed, fset)
			}
			return err
		})
		require.NoError(t, err)
	}
}

// literal is the text of a literal, or of several that are joined; empty for anything else.
func literal(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return text
		}
	case *ast.BinaryExpr:
		if e.Op == token.ADD && literal(e.X) != "" && literal(e.Y) != "" {
			return literal(e.X) + literal(e.Y)
		}
	}
	return ""
}
