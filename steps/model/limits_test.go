package model

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/spec"
)

// What was spent counts to a daily limit as long as no day can have ended since: of São Paulo or of UTC.
func TestADailyLimitIsExceededOnOneDay(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]string{
		"": "R$ 50.01", "12:00": "R$ 20.01", "20:50": "R$ 20.01", "20:56": "R$ 50.01", "21:00": "R$ 20.01",
		"23:50": "R$ 20.01", "23:56": "R$ 50.01", "00:00": "R$ 20.01",
	} {
		p := &play{gw: Gateway{Fees: Fees{Known: true}, Limits: spec.Limits{Known: true}.With(spec.Daily, 50_00), Time: Clock{Known: at != ""}}, step: Step{Move: &Move{Noun: "cash-out"}, Way: "daily"}}
		if at != "" {
			clock, err := time.Parse("15:04", at)
			require.NoError(t, err)
			p.gw.Time.Began = time.Duration(clock.Hour())*time.Hour + time.Duration(clock.Minute())*time.Minute
		}
		*p.gw.the() = Account{Open: true, Funds: spec.Exactly(100_00), Spent: spec.Exactly(30_00)}
		require.True(t, (&Move{do: exceed}).perform(p), at)
		assert.Equal(t, "the account sends a cash-out of "+want, p.lines[0].Text, at)
	}
}
