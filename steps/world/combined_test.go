package world

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCombinationsAreNamedByWhatTheyHave(t *testing.T) {
	t.Parallel()
	names, sent, _ := variantsOf(t, nil, "the account sends a transaction list request for every pair of:\n"+
		"| token    | query status | query size |\n| its token | absent | absent |\n| no token | PENDING | 1 |")
	assert.Equal(t, []string{
		"its token", "its token, query status PENDING, query size 1",
		"no token, query size 1", "no token, query status PENDING",
	}, names)
	assert.Equal(t, http.StatusOK, sent[0].Status)
	assert.Equal(t, http.StatusUnauthorized, sent[2].Status)
	assert.Len(t, sent[0].Chosen, 3)
}

func TestEachIsSentAgain(t *testing.T) {
	t.Parallel()
	_, sent, _ := variantsOf(t, nil, "the account sends a cash-out for every pair of:\n"+
		"| token    | value |\n| no token | 0.01 |\n| a garbage token | 0.07 |\nAnd the account sends each of them again")
	if assert.Len(t, sent, 4) {
		for _, again := range sent {
			assert.Equal(t, http.StatusCreated, again.Status, again.Variant)
		}
	}
}
