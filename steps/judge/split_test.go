package judge

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/target"
)

func TestSplitsInTheOrderOfTheRequest(t *testing.T) {
	t.Parallel()
	requested := []any{map[string]any{"pixKey": "a"}, map[string]any{"pixKey": "b"}, map[string]any{"pixKey": "a"}}
	a6, b4, a1, other := target.Split{PixKey: "a", Amount: "6.00"}, target.Split{PixKey: "b", Amount: "4.00"}, target.Split{PixKey: "a", Amount: "1.00"}, target.Split{PixKey: "c"}
	for _, listed := range [][]target.Split{{a6, b4, a1}, {b4, a6, a1}, {a6, a1, b4}} {
		before := append([]target.Split{}, listed...)
		assert.Equal(t, []target.Split{a6, b4, a1}, asRequested(listed, requested))
		assert.Equal(t, before, listed, "the record stays as it is")
	}
	assert.Equal(t, []target.Split{b4, other}, asRequested([]target.Split{other, b4}, requested))
	assert.Equal(t, []target.Split{other, b4}, asRequested([]target.Split{other, b4}, nil))
}
