package steps

import (
	"regexp"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/target"
)

// bound are all scenarios of the features, by their ids. Tests share them.
func bound(t *testing.T) map[string]*planned {
	t.Helper()
	all, err := boundOnce()
	require.NoError(t, err)
	return all
}

var boundOnce = sync.OnceValues(func() (map[string]*planned, error) {
	all, err := embeddedFeatures()
	if err != nil {
		return nil, err
	}
	bound := map[string]*planned{}
	for _, f := range all.Features {
		for _, r := range f.Rules {
			for _, s := range r.Scenarios {
				if bound[s.ID()], err = bind(s); err != nil {
					return nil, err
				}
			}
		}
	}
	return bound, nil
})

// Every scenario is about the families of what it speaks of.
func TestScenariosAreAboutFamilies(t *testing.T) {
	t.Parallel()
	words := []struct {
		spoken *regexp.Regexp
		family target.Family
	}{
		{regexp.MustCompile(`\bevents? (?:arrives?|holds?)|\bwebhooks?\b|nothing arrives|resend`), target.Webhooks},
		{regexp.MustCompile(`\bMED\b|\bmed_`), target.MEDFamily},
		{regexp.MustCompile(`\b(?:cob|transfer|refund)s?\b(?: of| that|$)`), target.CentralBank},
		{regexp.MustCompile(`\b(?:cash-out|cash-in)s?\b(?: of R| that|$)|(?:transaction|key) list request|payment (?:is|should be) listed`), target.Public},
	}
	for id, p := range bound(t) {
		for _, step := range p.scenario.Steps {
			for _, w := range words {
				if w.spoken.MatchString(step.Text) {
					require.Contains(t, p.families, w.family, "%s: %s", id, step.Text)
				}
			}
		}
	}
	for _, op := range operations {
		none := slices.Contains([]string{"token", "balances", "standardBalance"}, op.id)
		require.Equal(t, none, op.family == "", op.noun)
	}
}

// A scenario does without the control of settlement only where it does not look while a
// payment waits.
func TestStaging(t *testing.T) {
	t.Parallel()
	all := bound(t)
	for id, outcomes := range map[string][]string{
		"cash-out.confirmed/The bank confirms":                                        {"CONFIRMED"},
		"cash-out.confirmed/Settled at once":                                          {"CONFIRMED"},
		"cash-out.error/BLOCKED_ACCOUNT":                                              {"BLOCKED_ACCOUNT"},
		"cash-out.retry/After PAYMENT_EXPIRED":                                        {"PAYMENT_EXPIRED"}, // the second payment may wait
		"cash-out.debit/Once it is confirmed":                                         {"CONFIRMED"},
		"cash-out.value/0.01 is accepted":                                             {"CONFIRMED"},
		"cash-out.confirmed/It stays CONFIRMED":                                       nil, // somebody tries to reject it
		"cash-out.error/The money comes back":                                         nil, // measured from before the rejection
		"cash-out.debit/While it is pending":                                          nil,
		"cash-out.holder-check/The key belongs to somebody else":                      nil, // the directory decides
		"cash-out.tax-id/52998224726":                                                 nil, // the document decides
		"cash-out.covers-fee/Orders at once do not overdraw":                          nil, // some are refused
		"money.outgoing/The fee is that of the time of the order":                     nil, // which ends after another fee is set
		"events.once-settled/A pending cash-out":                                      nil,
		"events.transfer/A settled transfer":                                          nil, // transfers have no sandbox
		"balance.available/Money of a payment in processing does not pay for another": nil,
	} {
		p := all[id]
		if p == nil && outcomes == nil {
			continue
		}
		require.NotNil(t, p, id)
		require.Contains(t, p.needs, target.Settlement, id)
		var came []string
		if p.staging != nil {
			for _, outcome := range p.staging.outcome {
				came = append(came, outcome)
			}
		}
		require.Equal(t, outcomes, came, id)
	}
	if testing.Verbose() {
		for id, p := range all {
			if p.staging != nil && slices.Contains(p.needs, target.Settlement) {
				t.Log(id, p.staging.outcome)
			}
		}
	}
}

// What comes of a payment that was sent, or of a refund, comes when the target likes,
// unless a control brings it about.
func TestEventsOfWhatATargetSettlesNeedTheBank(t *testing.T) {
	t.Parallel()
	all := bound(t)
	for id, control := range map[string]target.Control{
		"events.subscriptions/cash_out":                                            target.Settlement,
		"events.subscriptions/refund_in, of a payment that the account gives back": target.Refunds,
		"events.left-open/A refund of a cash-in, where it is taken":                target.Refunds,
		"events.refund/A refund of a cob":                                          target.Refunds,
		"delivery.own-account/refund_in stays with its own account":                target.Refunds,
		"lists.refund-in/In the list":                                              target.Refunds,
	} {
		require.NotNil(t, all[id], id)
		require.Contains(t, all[id].needs, control, id)
	}
	require.NotContains(t, all["delivery.own-account/cash_in stays with its own account"].needs, target.Refunds)
}
