package model

import "math/rand/v2"

// Draws are what a step leaves to chance. The same step in the same state says the same.
type Draws struct {
	Seed  uint64 // of what its way does not say; 0 for the first of everything
	Mixed Parts  // into the body of its request: apart from the seed, because shrinking leaves out one after the other
}

// Parts is a set of the parts that a body may have, a bit for each.
type Parts uint8

func (p Parts) has(i int) bool { return p&(1<<i) != 0 }

// Draw draws for a step. Half of all bodies are not mixed.
func Draw(random *rand.Rand) Draws { return draw(random, random.IntN(2) == 0) }

// Again draws once more. The body is mixed if it was.
func (d Draws) Again(random *rand.Rand) Draws { return draw(random, d.Mixed != 0) }

func draw(random *rand.Rand, mixed bool) Draws {
	d := Draws{Seed: random.Uint64()}
	if mixed {
		d.Mixed = Parts(random.Uint32() | random.Uint32()) // three of four parts
	}
	return d
}

// Simpler are the draws that mix less into a body: nothing, or one part less.
func (d Draws) Simpler() (all []Draws) {
	if d.Mixed != 0 {
		all = append(all, Draws{Seed: d.Seed})
	}
	for i := range 8 {
		if without := d.Mixed &^ (1 << i); without != d.Mixed && without != 0 {
			all = append(all, Draws{d.Seed, without})
		}
	}
	return all
}

// chance is what moves ask for whatever the way of a step does not say, in their order.
type chance struct{ random *rand.Rand } // nil for the first of everything

func (d Draws) chance() chance {
	if d.Seed == 0 {
		return chance{}
	}
	return chance{rand.New(rand.NewPCG(d.Seed, 0))}
}

// below is one of the first n numbers from 0.
func (c chance) below(n int) int {
	if c.random == nil {
		return 0
	}
	return c.random.IntN(n)
}

// oneIn reports true once in n times.
func (c chance) oneIn(n int) bool { return c.below(n) == 0 }

// pick is one of several.
func pick[T any](p *play, all []T) T { return all[p.below(len(all))] }
