package ci

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mostMethods is how many methods a type may have without a reason. One with more often does two things,
// each of which can be a type.
const mostMethods = 24

// reason begins the sentence in the comment of a type that says why it has more.
const reason = "Many methods:"

func TestTypesWithManyMethodsSayWhy(t *testing.T) {
	t.Parallel()
	types := typesIn(t, "..")
	require.Greater(t, len(types), 100)
	for name, found := range types {
		switch {
		case found.methods > mostMethods && !found.says:
			t.Errorf("%s has %d methods: make two types of it, or say why not in its comment, after %q", name, found.methods, reason)
		case found.methods <= mostMethods && found.says:
			t.Errorf("%s has only %d methods: its comment says %q", name, found.methods, reason)
		}
	}
}

func TestMethodsAreCountedAcrossFiles(t *testing.T) {
	t.Parallel()
	types := map[string]counted{}
	for _, source := range []string{
		"package p\n// T is both.\n//\n// Many methods: one for each.\ntype T struct{}\nfunc (t T) A() {}\nfunc f() {}",
		"package p\nfunc (t *T) B() {}\ntype (\n// G is generic.\nG[K any] struct{}\n)\nfunc (g *G[K]) A() {}",
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "p.go", source, parser.ParseComments)
		require.NoError(t, err)
		count(types, "p", file)
	}
	require.Equal(t, map[string]counted{"p.T": {2, true}, "p.G": {1, false}}, types)
}

// counted is a type with the number of its methods.
type counted struct {
	methods int
	says    bool // its comment says why it has many
}

// typesIn are the types of all packages below a folder, by folder and name, those of tests left out.
func typesIn(t *testing.T, root string) map[string]counted {
	t.Helper()
	types := map[string]counted{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err == nil {
			count(types, filepath.ToSlash(filepath.Dir(path)), file)
		}
		return err
	})
	require.NoError(t, err)
	return types
}

// count adds the types and methods of a file.
func count(types map[string]counted, folder string, file *ast.File) {
	add := func(name string, methods int, says bool) {
		c := types[folder+"."+name]
		types[folder+"."+name] = counted{c.methods + methods, c.says || says}
	}
	for _, declared := range file.Decls {
		switch declared := declared.(type) {
		case *ast.GenDecl:
			for _, spec := range declared.Specs {
				if spec, ok := spec.(*ast.TypeSpec); ok {
					add(spec.Name.Name, 0, strings.Contains(declared.Doc.Text()+spec.Doc.Text(), reason))
				}
			}
		case *ast.FuncDecl:
			if declared.Recv != nil {
				add(receiver(declared.Recv.List[0].Type), 1, false)
			}
		}
	}
}

// receiver is the name of a method's type, without pointer and type parameters.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	}
	return e.(*ast.Ident).Name
}
