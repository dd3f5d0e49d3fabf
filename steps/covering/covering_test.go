package covering

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestEveryCombinationOccurs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(1, 5), 0, 6).Draw(t, "sizes")
		strength := rapid.IntRange(1, 3).Draw(t, "strength")
		rows := Array(sizes, strength)
		for _, row := range rows {
			for d, choice := range row {
				if choice < 0 || choice >= sizes[d] {
					t.Fatalf("choice %d of a dimension with %d", choice, sizes[d])
				}
			}
		}
		all := make([]int, len(sizes))
		for d := range all {
			all[d] = d
		}
		for _, some := range subsets(all, min(strength, len(sizes))) {
			found := map[string]bool{}
			want := 1
			for _, d := range some {
				want *= sizes[d]
			}
			for _, row := range rows {
				var choices []int
				for _, d := range some {
					choices = append(choices, row[d])
				}
				found[fmt.Sprint(choices)] = true
			}
			if len(found) != want {
				t.Fatalf("of %d combinations of %v, %d occur", want, some, len(found))
			}
		}
	})
}

// The arrays are not much larger than the product of their largest dimensions, which is the least possible.
func TestArraysAreSmall(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sizes    []int
		strength int
		most     int
	}{
		{[]int{5, 4, 3}, 2, 20},
		{slices.Repeat([]int{2}, 12), 2, 10},
		{slices.Repeat([]int{3}, 8), 2, 18},
		{slices.Repeat([]int{4}, 7), 2, 32},
		{[]int{9, 6, 5, 4, 3, 3, 2, 2}, 2, 58},
		{slices.Repeat([]int{3}, 6), 3, 60},
	} {
		n := len(Array(c.sizes, c.strength))
		assert.LessOrEqual(t, n, c.most, "rows of strength %d for %v", c.strength, c.sizes)
	}
}

func TestNoChoicesNoRows(t *testing.T) {
	t.Parallel()
	assert.Empty(t, Array([]int{3, 0}, 2))
	assert.Equal(t, [][]int{{}}, Array(nil, 2))
	assert.Equal(t, Array([]int{4, 3, 2}, 2), Array([]int{4, 3, 2}, 2))
}
