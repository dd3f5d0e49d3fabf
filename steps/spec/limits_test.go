package spec

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// A limit is surely exceeded by an amount above it, and surely not by one that stays below it with its fee.
func TestLimits(t *testing.T) {
	t.Parallel()
	limits := Limits{Known: true}.With(PerTransaction, 100_00).With(Daily, 150_00).With(Night, 20_00)
	for name, c := range map[string]struct {
		limit Limit
		Spending
		want Done
	}{
		"above":                   {PerTransaction, Spending{Amount: 100_01}, IsDone},
		"the limit itself":        {PerTransaction, Spending{Amount: 100_00}, MayBeDone},
		"above with a fee":        {PerTransaction, Spending{Amount: 99_90, Fee: 50}, MayBeDone},
		"below":                   {PerTransaction, Spending{Amount: 99_98, Fee: 1}, NotDone},
		"above on this day":       {Daily, Spending{Amount: 50_01, Today: Exactly(100_00)}, IsDone},
		"perhaps on this day":     {Daily, Spending{Amount: 50_01, Today: Range{0, 100_00}}, MayBeDone},
		"above at night":          {Night, Spending{Amount: 20_01, AtNight: IsDone}, IsDone},
		"above, perhaps at night": {Night, Spending{Amount: 20_01, AtNight: MayBeDone}, MayBeDone},
		"above by day":            {Night, Spending{Amount: 20_01}, NotDone},
		"the limit itself by day": {Night, Spending{Amount: 20_00}, NotDone},
	} {
		assert.Equal(t, c.want, limits.Exceeds(c.limit, c.Spending), name)
	}
	assert.Equal(t, NotDone, Limits{Known: true}.Exceeds(Daily, Spending{Amount: 1_000_00}), "no limit")
	assert.Equal(t, MayBeDone, Limits{}.Exceeds(Daily, Spending{Amount: 1}), "a limit that is not known")
}

// What was spent counts until a day has ended for sure, and its fees may.
func TestWhatCountsToTheDailyLimit(t *testing.T) {
	t.Parallel()
	today := Counted(Range{}, 10_00, 50, true)
	assert.Equal(t, Range{10_00, 10_50}, today)
	assert.Equal(t, Range{10_00, 15_50}, Counted(today, 5_00, 0, false))
	assert.Equal(t, Range{0, 10_50}, CountedLater(today, time.Hour))
	assert.Equal(t, Range{}, CountedLater(today, 25*time.Hour))
	limits := Limits{Known: true}.With(Daily, 15_00)
	assert.Equal(t, MayBeDone, limits.Exceeds(Daily, Spending{Amount: 4_80, Today: today}), "if fees count")
}
