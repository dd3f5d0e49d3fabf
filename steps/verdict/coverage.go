package verdict

import (
	"github.com/pixcert/pixcert/steps/translation"
)

// Depth is how much of the input space a run tries.
type Depth string

const (
	Quick    Depth = "quick"    // one scenario of each rule, and what else fits in three seconds
	Standard Depth = "standard" // every scenario, and every pair of the choices that they combine
	Thorough Depth = "thorough" // every three of them, and random walks before
)

// Coverage is how much of the input space was sent and judged, from what was recorded.
type Coverage struct {
	Strength   int         `json:"strength"` // 2: pairs of choices are counted, 3: each three of them
	Sent       int         `json:"sent"`
	Of         int         `json:"of"`
	Requests   int         `json:"requests"` // to the API
	Rows       int         `json:"rows"`     // of the lifecycle of payments, charges, refunds and cases that were observed
	OfRows     int         `json:"ofRows"`
	Operations []Operation `json:"operations"`
}

// Operation is the coverage of one operation.
type Operation struct {
	Name    string   `json:"name"` // "transaction list request"
	Sent    int      `json:"sent"` // combinations that were sent in a scenario which was judged
	Of      int      `json:"of"`
	Missing []Unsent `json:"missing,omitempty"`
}

// Unsent are combinations of one scenario that were not sent, or not judged.
type Unsent struct {
	Scenario string   `json:"scenario"`
	Why      string   `json:"why"`
	Count    int      `json:"count"`
	First    []string `json:"first"` // a few of them: "token no token, query page 2"
}

// unsentShown is how many combinations that were not sent a report names, for each scenario.
const unsentShown = 5

// Add adds a combination that was not sent.
func (u *Unsent) Add(combination string) {
	if u.Count++; len(u.First) < unsentShown {
		u.First = append(u.First, combination)
	}
}

// String is "6120 of 6300 pairs of choices". Of the transitions, most say more about the controls than about the run.
func (c Coverage) String() string { return c.In(translation.English) }

// In is String in a language.
func (c Coverage) In(in translation.Language) string {
	if c.Strength > 2 {
		return in.SayN(c.Of, "%d of %d triple of choices", "%d of %d triples of choices", c.Sent, c.Of)
	}
	return in.SayN(c.Of, "%d of %d pair of choices", "%d of %d pairs of choices", c.Sent, c.Of)
}
