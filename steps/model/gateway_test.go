package model

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/spec"
)

// What is left of R$ 100.00, and of what was spent, if fees are R$ 0.50 for payments and R$ 0.30 for charges.
func TestWhatMovesMoney(t *testing.T) {
	t.Parallel()
	pay := func(g *Gateway) *Thing { return g.acceptPayment(1, "cash-out", language.TheAccount, 10_00) }
	paid := func(g *Gateway) *Thing {
		t := g.createCharge(1, "cob", language.TheAccount, 10_00)
		g.payCharge(t)
		return t
	}
	for name, c := range map[string]struct {
		held         bool
		do           func(*Gateway)
		funds, spent spec.Range
		mayMove      string
	}{
		"a payment":               {false, func(g *Gateway) { pay(g) }, spec.Range{Least: 89_50, Most: 100_00}, spec.Range{Least: 10_00, Most: 10_50}, "rise fall"},
		"one that is held":        {true, func(g *Gateway) { pay(g) }, spec.Range{Least: 89_50, Most: 90_00}, spec.Range{Least: 10_00, Most: 10_50}, ""},
		"one that is confirmed":   {true, func(g *Gateway) { g.confirm(pay(g)) }, spec.Range{Least: 89_50, Most: 90_00}, spec.Range{Least: 10_00, Most: 10_50}, "fall"},
		"one that is rejected":    {true, func(g *Gateway) { g.reject(pay(g)) }, spec.Range{Least: 89_50, Most: 100_00}, spec.Range{Least: 0, Most: 10_50}, "rise fall"},
		"one that is given up":    {true, func(g *Gateway) { pay(g); g.pass(day) }, spec.Range{Least: 89_50, Most: 100_00}, spec.Range{Least: 0, Most: 10_50}, "rise fall"},
		"one that is given back":  {true, func(g *Gateway) { t := pay(g); g.confirm(t); g.returnPart(3, t, 4_00) }, spec.Range{Least: 93_20, Most: 94_00}, spec.Range{Least: 6_00, Most: 10_50}, "rise fall"},
		"one that may be sent":    {true, func(g *Gateway) { g.mayPay(1, 10_50, true) }, spec.Range{Least: 89_50, Most: 100_00}, spec.Range{Least: 0, Most: 10_50}, "rise fall"},
		"several at once":         {true, func(g *Gateway) { g.mayPay(1, 21_00, false) }, spec.Range{Least: 79_00, Most: 100_00}, spec.Range{Least: 0, Most: 21_00}, ""},
		"one of the other":        {true, func(g *Gateway) { g.acceptPayment(1, "cash-out", language.TheOther, 10_00) }, spec.Exactly(100_00), spec.Range{}, ""},
		"a charge":                {true, func(g *Gateway) { g.createCharge(1, "cob", language.TheAccount, 10_00) }, spec.Exactly(100_00), spec.Range{}, ""},
		"one that is paid":        {true, func(g *Gateway) { paid(g) }, spec.Range{Least: 109_70, Most: 110_00}, spec.Range{}, "rise fall"},
		"a refund":                {true, func(g *Gateway) { g.acceptRefund(2, paid(g), 4_00, true) }, spec.Range{Least: 105_20, Most: 110_00}, spec.Range{}, "rise fall refunded"},
		"a case":                  {true, func(g *Gateway) { g.openCase(2, paid(g)) }, spec.Range{Least: 99_70, Most: 110_00}, spec.Range{}, "rise fall"},
		"a case of nobody":        {true, func(g *Gateway) { g.openCase(2, nil) }, spec.Exactly(100_00), spec.Range{}, ""},
		"a day after one is paid": {true, func(g *Gateway) { g.confirm(pay(g)); g.pass(day + 1) }, spec.Range{Least: 89_50, Most: 90_00}, spec.Range{}, "fall"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := &Gateway{}
			if g.hold(true); c.held {
				g.hold(false)
			}
			g.Fees.clear()
			g.Fees.set("cash-out", 50)
			g.Fees.set("cash-in", 30)
			g.open(language.TheAccount, spec.Exactly(100_00), true)
			c.do(g)
			a := g.the()
			assert.Equal(t, c.funds, a.Funds)
			assert.Equal(t, c.spent, a.Spent)
			var moves []string
			for _, m := range []struct {
				may  bool
				what string
			}{{a.MayRise, "rise"}, {a.MayFall, "fall"}, {a.Refunded, "refunded"}} {
				if m.may {
					moves = append(moves, m.what)
				}
			}
			assert.Equal(t, c.mayMove, strings.Join(moves, " "))
		})
	}
}

// What is known of a thing is a set of states; moves are tabled by one.
func TestStatesByWhichMovesAreTabled(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind spec.Kind
		may  []api.State
		want api.State
	}{
		{spec.Payment, []api.State{api.Pending}, api.Pending},
		{spec.Payment, []api.State{api.Pending, spec.Expired}, overdue},
		{spec.Payment, []api.State{api.Pending, api.Confirmed, api.Failed}, Unknown},
		{spec.Payment, []api.State{spec.Unmade}, Unknown},
		{spec.Transfer, []api.State{api.Pending, spec.Expired}, overdue},
		{spec.Transfer, []api.State{spec.Expired}, expired},
		{spec.CashIn, []api.State{api.Pending, spec.Expired}, Unknown},
		{spec.CashIn, []api.State{spec.Expired}, Unknown},
		{spec.Cob, []api.State{api.Active, api.RemovedByPSP}, Unknown},
		{spec.Cob, []api.State{api.RemovedByPSP}, api.RemovedByPSP},
	} {
		assert.Equal(t, c.want, stateOf(spec.Thing{Kind: c.kind, May: spec.Any(c.may...)}), "%v", c)
	}
}

func TestAClonedGatewayStaysAsItWas(t *testing.T) {
	t.Parallel()
	g := Gateway{}
	paid := g.acceptPayment(1, "cash-out", language.TheAccount, money.Centavos(1))
	g.Certificates.add(Certificate{})
	g.Hooks.register(language.TheAccount, g.Hooks.add(), api.TypeCashOut)
	before := g.clone()
	g.confirm(paid)
	g.Certificates.revoke(0)
	g.Hooks.register(language.TheAccount, 0, api.TypeCashIn)
	assert.Equal(t, Unknown, before.Things[0].State)
	assert.False(t, before.Certificates[0].Revoked)
	assert.Equal(t, []string{api.TypeCashOut}, before.Hooks.types(language.TheAccount, 0))
}

// no imports: what is of other packages has no type.
type none struct{}

func (none) Import(string) (*types.Package, error) { return nil, errors.New("not needed") }

// Moves call transitions of the gateway, which know nothing of moves.
func TestOnlyTheGatewayChangesItsState(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("*.go")
	require.NoError(t, err)
	files := token.NewFileSet()
	var all []*ast.File
	for _, name := range names {
		if !strings.HasSuffix(name, "_test.go") {
			file, err := parser.ParseFile(files, name, nil, 0)
			require.NoError(t, err)
			all = append(all, file)
		}
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	pkg, _ := (&types.Config{Importer: none{}, Error: func(error) {}}).Check("model", files, all, &info)
	ofGateway := func(at token.Pos) bool { return strings.HasPrefix(files.Position(at).Filename, "gateway") }
	for ident, used := range info.Uses {
		if ofGateway(ident.Pos()) && used.Pkg() == pkg {
			assert.True(t, ofGateway(used.Pos()), "%v: %v is none of the gateway's", files.Position(ident.Pos()), used)
		}
	}
	split := pkg.Scope().Lookup("Split").Type().Underlying().(*types.Struct) // moves make these, and hand them over
	given := slices.Collect(split.Fields())
	written := 0
	for _, file := range all {
		ast.Inspect(file, func(n ast.Node) bool {
			for _, field := range fieldsWritten(n) {
				used, isField := info.Uses[field.Sel].(*types.Var)
				if !isField || !ofGateway(used.Pos()) || slices.Contains(given, used) {
					continue
				}
				written++
				assert.True(t, ofGateway(field.Pos()), "%v writes %s, which is the gateway's", files.Position(field.Pos()), used.Name())
			}
			if s, ok := n.(*ast.SelectorExpr); ok && ofGateway(s.Pos()) {
				if of, ok := s.X.(*ast.Ident); ok && of.Name == "language" {
					assert.Contains(t, []string{"Account", "TheAccount", "TheOther"}, s.Sel.Name, "%v", files.Position(s.Pos()))
				}
			}
			return true
		})
	}
	assert.Greater(t, written, 30, "writes of fields of the gateway")
}

// fieldsWritten are the fields that a statement assigns to, or of which it changes an element.
func fieldsWritten(n ast.Node) (all []*ast.SelectorExpr) {
	var to []ast.Expr
	switch n := n.(type) {
	case *ast.AssignStmt:
		to = n.Lhs
	case *ast.IncDecStmt:
		to = []ast.Expr{n.X}
	}
	for _, expr := range to {
		if index, ok := expr.(*ast.IndexExpr); ok {
			expr = index.X
		}
		if field, ok := expr.(*ast.SelectorExpr); ok {
			all = append(all, field)
		}
	}
	return all
}
