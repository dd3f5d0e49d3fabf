package model

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The same step in the same state says the same: no move draws from a generator that is not seeded by its step.
func TestOnlySeedsDraw(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("*.go")
	require.NoError(t, err)
	uses := 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if of, ok := s.X.(*ast.Ident); ok && of.Name == "rand" {
					uses++
					assert.Contains(t, []string{"Rand", "New", "NewPCG"}, s.Sel.Name, name)
				}
			}
			return true
		})
	}
	assert.Positive(t, uses)
}

// Shrinking leaves out one part of a body after the other: those that stay keep their values.
func TestSimplerDrawsLeaveTheRest(t *testing.T) {
	t.Parallel()
	mixed := func(d Draws) [][]string {
		rows, _ := (&play{step: Step{Draws: d}, chance: d.chance()}).mixed("cash-in", nil)
		return rows
	}
	random, plain := rand.New(rand.NewPCG(1, 0)), 0
	for range 400 {
		d := Draw(random)
		if d.Mixed == 0 {
			plain++
			assert.Empty(t, d.Simpler())
			assert.Empty(t, mixed(d))
		}
		assert.Equal(t, mixed(d), mixed(d))
		for _, simpler := range d.Simpler() {
			assert.Subset(t, mixed(d), mixed(simpler))
		}
	}
	assert.InDelta(t, 200, plain, 40, "half of all bodies are not mixed")
	for noun, parts := range mixable() {
		assert.LessOrEqual(t, len(parts), 8, "%s has more parts than a set can hold", noun)
	}
}

// Which parts a body has is a set of bits.
func TestPartsOfABodyFitIntoASet(t *testing.T) {
	t.Parallel()
	for noun, parts := range mixable() {
		require.True(t, Parts(0xff).has(len(parts)-1), "%s has %d parts", noun, len(parts))
	}
}
