package model

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

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
