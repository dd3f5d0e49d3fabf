package steps

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
)

func TestEvidenceIsBounded(t *testing.T) {
	t.Parallel()
	var a archive
	body := make([]byte, 1<<20)
	scenario := func() verdict.Scenario {
		return verdict.Scenario{
			Finding:   &verdict.Finding{Exchange: 1},
			Warnings:  []verdict.Finding{{Exchange: 2}},
			Exchanges: []exchange.Exchange{{Body: body}, {Body: body, Operation: "the one"}, {Body: body}},
		}
	}
	whole, one, none := 0, 0, 0
	for range 200 {
		s := scenario()
		a.take(&s)
		assert.Equal(t, 3, len(s.Exchanges)+s.LeftOut)
		switch len(s.Exchanges) {
		case 3:
			assert.Equal(t, 1, s.Finding.Exchange)
			whole++
		case 1:
			assert.Equal(t, "the one", s.Exchanges[0].Operation)
			assert.Equal(t, 0, s.Finding.Exchange)
			assert.Equal(t, -1, s.Warnings[0].Exchange)
			one++
		default:
			assert.Equal(t, -1, s.Finding.Exchange)
			none++
		}
	}
	assert.Equal(t, 21, whole)
	assert.InDelta(t, 64, one, 1)
	assert.Positive(t, none)
	assert.LessOrEqual(t, a.size, keptAtAll)
}

func TestEvidenceOfAPassTakesNoRoom(t *testing.T) {
	t.Parallel()
	var a archive
	s := verdict.Scenario{Verdict: verdict.Pass, ExchangeCount: 3}
	a.take(&s)
	assert.Zero(t, a.size)
	assert.Zero(t, s.LeftOut)
}
