package steps

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSumsOfAmounts(t *testing.T) {
	t.Parallel()
	assert.Empty(t, sumsOf(nil))
	assert.ElementsMatch(t, []centavos{400}, sumsOf([]centavos{400}))
	assert.ElementsMatch(t, []centavos{400, 115, 515}, sumsOf([]centavos{400, 115}))
	assert.ElementsMatch(t, []centavos{400, 800, 1200}, sumsOf([]centavos{400, 400, 400}), "each once")
}

// Only what was accepted before, of the same account, may take its money still.
func TestRefundsBeforeARequest(t *testing.T) {
	t.Parallel()
	s := newScenario()
	other := &actor{name: "the other account"}
	for i, c := range []struct {
		noun, field string
		by          *actor
		status      int
	}{
		{"refund", "valor", s.account, http.StatusOK},
		{"refund", "valor", s.account, http.StatusBadRequest},
		{"refund", "valor", other, http.StatusOK},
		{"cash-out", "value", s.account, http.StatusCreated},
		{"refund", "valor", s.account, http.StatusBadRequest},
		{"refund", "valor", s.account, http.StatusOK},
	} {
		a := answered(c.noun, c.status, `{}`)
		a.index, a.actor, a.body = i, c.by, object{c.field: text("4.00")}
		s.attempts = append(s.attempts, a)
	}
	assert.Equal(t, []centavos{400}, s.refundsBefore(s.attempts[4]))
	assert.Empty(t, s.refundsBefore(s.attempts[0]))
}
