package world

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

// dimensionOf has right options and wrong ones: the options of a dimension, some of them wrong.
func dimensionOf(name string, right []string, wrong ...string) dimension {
	d := dimension{name: name}
	for _, words := range right {
		d.options = append(d.options, option{words: words})
	}
	for _, words := range wrong {
		d.options = append(d.options, option{words: words, wrong: true})
	}
	return d
}

func TestEachWrongChoiceMeetsEveryOther(t *testing.T) {
	t.Parallel()
	met := map[string]bool{}
	rows := rowsOf([]dimension{
		dimensionOf("status", []string{"absent", "PENDING", "ERROR"}, "FOO", "*"),
		dimensionOf("size", []string{"absent", "1"}, "0"),
		dimensionOf("page", []string{"absent", "1", "2"}),
	}, 2)
	for _, row := range rows {
		wrong := 0
		for _, c := range row {
			if !c.wrong {
				continue
			}
			wrong++
			for _, other := range row {
				met[fmt.Sprintf("%s %s, %s %s", c.dimension, c.words, other.dimension, other.words)] = true
			}
		}
		assert.Equal(t, 1, wrong, "wrong choices in %v", row)
	}
	assert.Len(t, rows, 3+3+3, "one row for each of the most choices of another dimension")
	for _, pair := range []string{"status FOO, size 1", "status *, page 2", "size 0, status ERROR", "size 0, page absent"} {
		assert.True(t, met[pair], pair)
	}
}

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
