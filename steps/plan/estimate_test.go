package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/translation"
)

// What cannot be tested sends nothing. A run takes its requests at the rate of the profile.
func TestEstimate(t *testing.T) {
	t.Parallel()
	one := scenario(t, "Given an account; When the account sends a balance request; Then the request is accepted")
	burst := scenario(t, "Given an account; When the account sends 8 concurrent cash-outs of R$ 1.00; Then one request is accepted")
	lacking := scenario(t, "Given an account; When the account sends 80 concurrent cash-outs of R$ 1.00; Then one request is accepted")
	lacking.Missing = []string{"funds"}
	few, more := EstimateOf([]*Scenario{one}, Offer{}), EstimateOf([]*Scenario{one, burst, lacking}, Offer{profile: target.Profile{RequestsPerSecond: 2}})
	assert.Positive(t, few.Requests)
	assert.Zero(t, few.Duration)
	assert.Equal(t, one.requests(false)+burst.requests(false), more.Requests)
	assert.GreaterOrEqual(t, more.Requests, few.Requests+8)
	assert.InDelta(t, float64(more.Requests)/2, more.Duration.Seconds(), 0.5)
}

// The estimate is near what a run at the bundled reference sends to the API: of everything, and on one account with some
// controls or none.
func TestTheEstimateOfARun(t *testing.T) {
	t.Parallel()
	bare, some := sandbox(), sandbox()
	bare.Sink = target.Sink{}
	for _, c := range []struct {
		offered Offer
		sent    int
		within  float64 // of that: on one account, what meets another scenario is repeated, and what cannot be tested after all ends early
	}{
		{OfferOf(target.Profile{}, controls(target.AllControls...)), 26_000, 0.1},
		{OfferOf(some, controls(target.Directory, target.Funds, target.Payments, target.Refunds, target.Settlement)), 14_290, 0.25},
		{OfferOf(some, nil), 6_900, 0.15},
		{OfferOf(bare, nil), 6_400, 0.1},
	} {
		all, err := Make(everything(t), c.offered)
		assert.NoError(t, err)
		assert.InEpsilon(t, c.sent, EstimateOf(all, c.offered).Requests, c.within)
	}
}

// sandbox has one account, and no controls.
func sandbox() target.Profile {
	return target.Profile{Accounts: []target.Account{{AccountID: 1, PixKey: "a@b.example"}}, Sink: target.Sink{URL: "https://sink.example"}}
}

// What a run pays comes from the accounts of the profile. Nobody misses the money of accounts that a control creates.
func TestWhatARunSpends(t *testing.T) {
	t.Parallel()
	all := []*Scenario{
		scenario(t, "Given an account with R$ 50.00 available; When the account sends a cash-out of R$ 7.00; Then the request is accepted"),
		scenario(t, "Given an account; When the account sends 8 concurrent cash-outs of R$ 1.00; Then one request is accepted"),
		scenario(t, "Given an account; When the account sends a cash-out of R$ 0.00; Then the request is rejected with 400"),
	}
	profile := sandbox()
	profile.Fees.CashOut = "0.50"
	e := EstimateOf(all, OfferOf(profile, nil))
	assert.Equal(t, money.Centavos(15_00+9*50), e.Spends)
	assert.Equal(t, money.Centavos(50_00+19_50), e.Needed())
	assert.Equal(t, "A run spends about R$ 19.50 from the account. To test everything, each account needs R$ 69.50 available", e.Money(translation.English))
	assert.False(t, e.ToppedUp())
	assert.Empty(t, e.TooLow(69_50))
	assert.Equal(t, "R$ 69.49 available, but this run needs about R$ 69.50: scenarios that need more than is left could not be tested; top the account up, or add the test control funds", e.TooLow(69_49))

	profile.Fees.CashOut = ""
	assert.Contains(t, EstimateOf(all, OfferOf(profile, nil)).Money(translation.English), "R$ 15.00 from the account, plus fees. ")
	topped := EstimateOf(all, OfferOf(profile, controls(target.Funds)))
	assert.Contains(t, topped.Money(translation.English), "; if an account has too little, the control funds tops it up")
	assert.True(t, topped.ToppedUp())
	assert.Empty(t, EstimateOf(all, OfferOf(profile, controls(target.Accounts, target.Funds))).Money(translation.English))
}
