package world

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/fake"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/target"
)

// After the last step the balance is read until what was sent explains it, and of money that
// nothing explains until patience ends.
func TestTheMoneyIsLookedAtAfterTheLastStep(t *testing.T) {
	t.Parallel()
	newAccount := func(g *fake.Gateway) target.Profile { return g.Profile() }
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		on   func(*fake.Gateway) target.Profile
		ctx  context.Context
		left string // of R$ 100.00, or of the R$ 500.00 of the profile's, after a cash-out of R$ 10.00
		got  []string
	}{
		"explained":                          {newAccount, t.Context(), "90.00", nil},
		"taken twice":                        {newAccount, t.Context(), "80.00", []string{"fell by R$ 20.00, from R$ 100.00 to R$ 80.00"}},
		"explained, on the profile's":        {on(1), t.Context(), "490.00", nil},
		"taken twice, on the profile's":      {on(1), t.Context(), "480.00", []string{"fell by R$ 20.00, from R$ 500.00 to R$ 480.00"}},
		"interrupted while it might recover": {newAccount, ended, "80.00", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			th := newTheatre(t, c.on)
			th.stage.Terms.Deadlines.Balance = 3 * pollEvery
			w := New(th.stage, th.script("Given an account with R$ 100.00 available\nWhen the account sends a cash-out of R$ 10.00"))
			defer w.Close()
			playOn(t.Context(), w)
			assert.NoError(t, w.controls().SetBalance(t.Context(), w.the().id, c.left))
			w.LookBack(c.ctx)
			var got []string
			for _, met := range w.Judge.Breaches() {
				if met.Rule == "money.outgoing" {
					got = append(got, met.Got)
				}
			}
			assert.Equal(t, c.got, got)
		})
	}
}

// Of an account on which something earlier may still move money, nothing is said.
func TestTheMoneyOfARestlessAccountIsNotLookedAt(t *testing.T) {
	t.Parallel()
	for name, stir := range map[string]func(*FixedAccount){
		"restless": func(a *FixedAccount) { a.restless = true },
		"stirred":  func(a *FixedAccount) { a.stirred = true },
	} {
		th := newTheatre(t, on(1))
		stir(th.fixed[0])
		w := New(th.stage, th.script("Given an account with R$ 100.00 available\nWhen the account sends a cash-out of R$ 10.00"))
		w.JudgesMoney = false
		playOn(t.Context(), w)
		assert.Nil(t, w.Judge.FinalLook(language.TheAccount), name)
		w.Close()
	}
}
