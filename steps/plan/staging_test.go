package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/target"
)

// A scenario does without the control of settlement if it does not look while a payment waits,
// and nothing but the sandbox decides its outcome.
func TestStaging(t *testing.T) {
	t.Parallel()
	const (
		waits   = "Given settlement waits for the bank; "
		sends   = "When the account sends a cash-out of R$ 1.00; "
		arrives = "Then a CashOut event arrives"
	)
	for steps, want := range map[string]map[int]string{
		waits + sends + "And the bank confirms the payment; " + arrives:                                                                                          {1: "CONFIRMED"},
		waits + sends + "And the bank rejects the payment with BLOCKED_ACCOUNT; " + arrives:                                                                      {1: "BLOCKED_ACCOUNT"},
		waits + sends + "And the bank confirms the payment; Then its state is CONFIRMED":                                                                         {1: "CONFIRMED"},
		waits + sends + "And the bank confirms the payment; Then the payment is listed with: | status | \"CONFIRMED\"":                                           {1: "CONFIRMED"},
		waits + sends + "Then the request is accepted; And the response has: | status | \"PENDING\"; When the bank confirms the payment; " + arrives:             {1: "CONFIRMED"},
		sends + "Then the request is accepted; And a CashOut event arrives":                                                                                      {0: "CONFIRMED"},
		"When the account sends a cash-out with description \"x\"; " + arrives:                                                                                   {0: "CONFIRMED"},
		"When the account sends a QR cash-out with: | value | 1.00 | externalId | a random UUID; " + arrives:                                                     {0: "CONFIRMED"},
		waits + sends + "And the bank rejects the payment with ACCOUNT_CLOSED; " + arrives + "; When the account sends a cash-out; Then the request is accepted": {1: "ACCOUNT_CLOSED"},
		waits + "And the account has sent a cash-out; And the account has sent a cash-out; Then the two responses differ in id; When the bank confirms the first payment; " + arrives + "; When the bank rejects the second payment with X; Then its state is ERROR": nil, // an event is waited for while the second waits
		waits + "And a cash-out fee of R$ 0.50; " + sends + "And the bank confirms the payment; " + arrives + "; And the available balance falls by R$ 1.50":                                                                                                         {2: "CONFIRMED"},
		"When the account sends a cash-out requesting sandbox outcome CONFIRMED; " + arrives:                                                                                                                                                                         {},
		sends + "And the account sends a balance request; And the account sends the request again; " + arrives:                                                                                                                                                       {0: "CONFIRMED"}, // what is sent again is the balance request
		sends + "And the other account sends the request again; " + arrives:                                                                                                                                                                                          {0: "CONFIRMED"},
		sends + "And a payer pays the charge; And the account sends a cash-in; " + arrives:                                                                                                                                                                           {0: "CONFIRMED"},
		sends + "And the account pages through a list-by-key request, 2 items per page; And the account sends the request again; " + arrives:                                                                                                                         {0: "CONFIRMED"},

		waits + sends + "And the bank rejects the first payment with X; Then its state is ERROR": {1: "X"},

		// It is about other payments.
		"When the account sends a transfer; Then a TRANSFER event arrives":                                                              nil,
		"When the account sends a refund; Then a REFUND event arrives":                                                                  nil,
		"When the account sends a balance request; Then the request is accepted":                                                        nil,
		sends + "And the account sends a transfer; " + arrives:                                                                          nil,
		"Given a cash-out that is CONFIRMED; " + sends + arrives:                                                                        nil,
		"When the account has sent 2 cash-outs of R$ 1.00 to one key; " + sends + arrives:                                               nil,
		sends + "And the account pages through a list-by-key request, 2 items per page, sending a cash-out after each page; " + arrives: nil,
		// It looks while the payment waits, or does something else.
		waits + sends + "Then the request is accepted; And the available balance falls by R$ 1.00":                                                                                                                                                   nil,
		waits + sends + "And a cash-out fee of R$ 0.70; And the bank confirms the payment; " + arrives:                                                                                                                                               nil,
		waits + sends + "And the account sends a balance request; And the bank confirms the payment; " + arrives:                                                                                                                                     nil,
		waits + sends + "Then the request should be accepted; When the bank confirms the payment; " + arrives:                                                                                                                                        nil,
		waits + sends + "Then the response's status should be \"PENDING\"; When the bank confirms the payment; " + arrives:                                                                                                                           nil,
		waits + sends + "Then the two events differ in id; When the bank confirms the payment; " + arrives:                                                                                                                                           nil,
		waits + sends + "Then the request is accepted; When the bank confirms the payment; " + arrives + "; And the available balance is unchanged":                                                                                                  nil, // measured from when the payment waited
		waits + sends + "And the account sends a cash-out of R$ 2.00; Then the request is accepted; When the bank rejects the first payment with X; Then its state is ERROR; When the bank confirms the second payment; Then its state is CONFIRMED": nil, // looks for the first while the second waits
		waits + "And the account has sent a cash-out; When the bank confirms the payment; " + arrives + "; And the available balance is unchanged":                                                                                                   nil, // as above
		// It does not wait for the end.
		waits + sends + "And the bank confirms the payment":                                                            nil,
		waits + sends + "And the bank confirms the payment; Then the request is accepted":                              nil,
		waits + sends + "And the bank confirms the payment; Then its state should still be CONFIRMED":                  nil,
		waits + sends + "And the bank confirms the payment; Then the CashOut event arrives again":                      nil,
		waits + sends + "And the bank confirms the payment; Then the CashOut event arrives at that URL":                nil,
		waits + sends + "And the bank confirms the payment; Then if the request was accepted, a CashOut event arrives": nil,
		waits + sends + "And the bank confirms the payment; Then a cash_in event arrives":                              nil,
		waits + sends + "And the bank confirms the payment; Then the payment is listed with: | type | \"PIX\"":         nil,
		waits + sends + "And the bank confirms the payment; Then the response has: | status | \"PENDING\"":             nil,
		// The bank acts on what it cannot, or need not.
		"Given settlement waits for the bank; When the bank confirms the payment; " + arrives:                                                   nil,
		sends + "And the bank confirms the payment; " + arrives:                                                                                 nil,
		waits + sends + "And the bank confirms the second payment; " + arrives:                                                                  nil,
		waits + sends + "And the bank tries to confirm the payment; " + arrives:                                                                 nil,
		waits + sends + "And the bank confirms the payment; " + arrives + "; When the bank rejects the payment with X; Then its state is ERROR": nil,
		// Something else decides the outcome.
		"When the account sends a cash-out with details.key that key; " + arrives:                                       nil,
		sends + "And the account sends a cash-out with details.key that key; " + arrives:                                nil,
		"When the account sends a cash-out with header X-A value; " + arrives:                                           nil,
		"When the account sends a cash-out whose body is {}; " + arrives:                                                nil,
		"When the account sends a cash-out using its first token; " + arrives:                                           nil,
		"When the account sends a cash-out one centavo above that limit; " + arrives:                                    nil,
		"When the other account sends a cash-out; " + arrives:                                                           nil,
		"When the account sends 2 concurrent cash-outs; " + arrives:                                                     nil,
		"When the account sends 2 concurrent balance requests; And the account sends a cash-out; " + arrives:            nil,
		"Given the key directory has a new CPF key; " + sends + arrives:                                                 nil,
		"Given it is 12:00 in São Paulo; " + sends + arrives:                                                            nil,
		"Given the PIX provider is unreachable; " + sends + arrives:                                                     nil,
		sends + "And 1 days pass; " + arrives:                                                                           nil,
		sends + "And the account sends the request again; " + arrives:                                                   nil,
		sends + "Then the request is accepted, or rejected with 400":                                                    nil,
		sends + "Then the request is rejected with 400":                                                                 nil,
		"When the account sends a cash-out requesting sandbox outcome CONFIRMED; Then the request is rejected with 400": nil,
	} {
		s := scenario(t, steps)
		if want == nil {
			assert.Nil(t, s.staging, steps)
			continue
		}
		assert.Equal(t, want, s.staging, steps)
	}
}

func TestTheSandboxStandsInForTheBank(t *testing.T) {
	t.Parallel()
	steps := "Given an account; And settlement waits for the bank; And the account has sent a cash-out; When the bank rejects the payment with X; Then its state is ERROR"
	for _, c := range []struct {
		outcomes  map[string]string
		has       map[target.Control]bool
		staged    bool
		missing   []string
		sandboxed map[int]string
	}{
		{nil, controls(target.Accounts), false, []string{"settlement"}, nil},
		{map[string]string{"CONFIRMED": "ok"}, controls(target.Accounts), false, []string{"settlement"}, nil},
		{map[string]string{"X": "bad"}, controls(target.Accounts), true, nil, map[int]string{2: "X"}},
		{map[string]string{"X": "bad"}, controls(target.Accounts, target.Settlement), false, nil, nil},
	} {
		all, err := Make([]*catalogue.Scenario{example(steps)}, OfferOf(target.Profile{SandboxScenarios: c.outcomes}, c.has))
		require.NoError(t, err)
		s := all[0]
		require.Equal(t, c.staged, s.Staged, c)
		require.Equal(t, c.missing, s.Missing, c)
		require.Equal(t, c.sandboxed, s.Sandbox(), c)
	}
	// A scenario that looks while the payment waits needs the bank.
	all, err := Make([]*catalogue.Scenario{example("Given an account; And settlement waits for the bank")}, OfferOf(target.Profile{SandboxScenarios: map[string]string{"CONFIRMED": "ok"}}, controls(target.Accounts)))
	require.NoError(t, err)
	require.Equal(t, []string{"settlement"}, all[0].Missing)
	require.False(t, all[0].Staged)
	// Where nobody holds settlement back, the bank is not missed.
	all, err = Make([]*catalogue.Scenario{example("Given an account; When the account sends a cash-out; Then the request is accepted")}, OfferOf(target.Profile{SandboxScenarios: map[string]string{"CONFIRMED": "ok"}}, controls(target.Accounts)))
	require.NoError(t, err)
	require.False(t, all[0].Staged)
}
