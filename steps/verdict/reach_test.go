package verdict

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/translation"
)

func TestReach(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		run      *Run
		want     Reach
		complete bool
		text     string
	}{
		{runOf([]Verdict{Pass, Fail, Warning}), Reach{Rules: 1, Whole: 1}, true, "1 of 1 rule judged"},
		{runOf([]Verdict{Pass, CouldNotTest}, []Verdict{Pass}), Reach{Rules: 2, Whole: 1, Part: 1}, false, "1 of 2 rules judged, 1 more in part"},
		{runOf([]Verdict{Fail, CouldNotTest}, []Verdict{CouldNotTest}), Reach{Rules: 2, Whole: 1}, false, "1 of 2 rules judged"},
		{runOf([]Verdict{SuiteError}), Reach{Rules: 1}, false, "0 of 1 rule judged"},
		{runOf([]Verdict{NotApplicable}, []Verdict{Pass, NotApplicable}), Reach{Rules: 1, Whole: 1, Inapplicable: 1}, true, "1 of 1 rule judged; 1 does not apply"},
		{runOf([]Verdict{NotApplicable}, []Verdict{NotApplicable}), Reach{Inapplicable: 2}, true, "0 of 0 rules judged; 2 do not apply"},
		{runOf(nil), Reach{Rules: 1}, false, "0 of 1 rule judged"},
	} {
		reach := c.run.Reach()
		assert.Equal(t, c.want, reach)
		assert.Equal(t, c.complete, reach.Complete(), c.text)
		assert.Equal(t, c.text, reach.Judged(translation.English))
	}
}

func TestUnlock(t *testing.T) {
	t.Parallel()
	u := Unlock{Means: []string{"control clock", "a second account"}, Rules: []string{"a.b"}, Scenarios: 12}
	assert.Equal(t, "control clock and a second account", u.Name())
	assert.Equal(t, "1 rule, 12 scenarios", u.Gain())
}
