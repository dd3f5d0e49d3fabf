package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/target"
)

// What cannot be tested sends nothing. A run takes its requests at the rate of the profile.
func TestEstimate(t *testing.T) {
	t.Parallel()
	one := scenario(t, "Given an account; When the account sends a balance request; Then the request is accepted")
	burst := scenario(t, "Given an account; When the account sends 8 concurrent cash-outs of R$ 1.00; Then one request is accepted")
	lacking := scenario(t, "Given an account; When the account sends 80 concurrent cash-outs of R$ 1.00; Then one request is accepted")
	lacking.Missing = []string{"funds"}
	few, more := EstimateOf([]*Scenario{one}, 0), EstimateOf([]*Scenario{one, burst, lacking}, 2)
	assert.Positive(t, few.Requests)
	assert.Zero(t, few.Duration)
	assert.Equal(t, one.requests()+burst.requests(), more.Requests)
	assert.GreaterOrEqual(t, more.Requests, few.Requests+8)
	assert.InDelta(t, float64(more.Requests)/2, more.Duration.Seconds(), 0.5)
}

// The estimate for everything is near what a run of everything sends: 27.9 thousand requests at the bundled reference.
func TestTheEstimateOfEverything(t *testing.T) {
	t.Parallel()
	all, err := Make(everything(t), OfferOf(target.Profile{}, controls(target.AllControls...)))
	assert.NoError(t, err)
	assert.InEpsilon(t, 27_900, EstimateOf(all, 0).Requests, 0.25)
}
