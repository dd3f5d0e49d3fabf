package plan

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// scenario reads steps that "; " separates. A step may have a table: "the response has: | id | 1".
func scenario(t *testing.T, steps string) *Scenario {
	t.Helper()
	s, err := read(example(steps))
	require.NoError(t, err)
	return s
}

func example(steps string) *catalogue.Scenario {
	s := &catalogue.Scenario{Name: "a scenario", Line: 7, Rule: &catalogue.Rule{Name: "a.rule", Feature: &catalogue.Feature{File: "a.feature"}}}
	kind := catalogue.Context
	for _, line := range strings.Split(steps, "; ") {
		cells := strings.Split(line, " | ")
		keyword, text, _ := strings.Cut(cells[0], " ")
		switch keyword {
		case "When":
			kind = catalogue.Action
		case "Then":
			kind = catalogue.Outcome
		}
		step := catalogue.Step{Keyword: keyword, Type: kind, Text: text}
		for row := range slices.Chunk(cells[1:], 2) {
			step.Table = append(step.Table, row)
		}
		s.Steps = append(s.Steps, step)
	}
	return s
}

func controls(all ...target.Control) map[target.Control]bool {
	has := map[target.Control]bool{}
	for _, c := range all {
		has[c] = true
	}
	return has
}

// embedded are the scenarios of the embedded features.
var embedded = sync.OnceValues(func() ([]*catalogue.Scenario, error) {
	all, err := catalogue.Load(features.FS)
	if err != nil {
		return nil, err
	}
	return all.Select(catalogue.Filter{})
})

func everything(t *testing.T) []*catalogue.Scenario {
	t.Helper()
	all, err := embedded()
	require.NoError(t, err)
	return all
}

func TestHarmless(t *testing.T) {
	t.Parallel()
	for steps, want := range map[string]bool{
		"Given an account; When the account sends a balance request; Then the request is accepted":                                                                                       true,
		"Given an account; When the account sends a token request; Then the request is accepted with 201":                                                                                true,
		"Given an account; When the account pages through a MED list request, 2 items per page; Then no item appears twice":                                                              true,
		"Given an account with R$ 1.00 available; When the account sends a cash-out with value -1; Then the request is rejected with 400":                                                true,
		"Given an account; When the account sends a cash-out whose body is {}; And the account sends a cash-out whose body is {}; Then the two rejections have the same status and code": true,
		"Given an account; When the account sends a cash-out; Then the request is accepted":                                                                                              false,
		"Given an account; When the account sends a cash-out; Then the request is accepted, or rejected with 400":                                                                        false,
		"Given an account; When the account sends a cash-out with value \"1\"; Then the request should be rejected with 400":                                                             false,
		"Given an account; When the account sends a cash-out; And the account sends the request again; Then the request is rejected with 400":                                            false,
		"Given an account; And the account has sent a cash-out; When the account sends the request again; Then the request is rejected with 400":                                         false,
		"Given an account; When the account sends a webhook registration with url \"foo\"; Then the request is rejected with 400":                                                        false,
		"Given an account; When 5 hours pass; And the account sends a balance request; Then the request is accepted":                                                                     false,
		"Given a new account; When the account sends a balance request; Then the request is accepted":                                                                                    false,
		"Given an account; When the account sends 8 concurrent cash-outs of R$ 1.00; Then one request is accepted":                                                                       false,
		"Given an account; And no fees; When the account sends a balance request; Then the request is accepted":                                                                          false,
		"Given an account; And no limits; When the account sends a balance request; Then the request is accepted":                                                                        false,
		"Given an account; When the account sends a balance request; Then no event arrives":                                                                                              false,
		"Given an account; When the account pages through a list-by-key request, 2 items per page, sending a cash-out after each page; Then no item appears twice":                       false,
		"Given an account; And the gateway returns sent payments for a list-by-key request; When the account sends a list-by-key request; Then the request is accepted":                  false,
	} {
		require.Equal(t, want, scenario(t, steps).Harmless, steps)
	}
}

// The balance is read before the When after which a step judges how it moved.
func TestReads(t *testing.T) {
	t.Parallel()
	for steps, want := range map[string][]int{
		"Given an account; When the account sends a cash-out; Then the request is accepted":                                                                                  nil,
		"Given an account; When the account sends a cash-out; Then the available balance is unchanged":                                                                       {1},
		"Given an account; When the account sends a cash-out; And the account sends the request again; Then the available balance does not rise":                             {1},
		"Given an account; When the account sends a cash-out; Then the request is accepted; When the bank confirms the payment; Then the available balance falls by R$ 1.00": {3},
		"Given an account; When the account sends a cash-out; Then the available balance is unchanged; When a payer pays the charge; Then the blocked balance is unchanged":  {1, 3},
		"Given an account; When the account sends a cash-out; Then the request is rejected with 400":                                                                         {1},
		"Given an account; When the account sends a refund; Then the request is rejected with 400":                                                                           {1},
		"Given an account; When the account sends a cash-in; Then the request is rejected with 400":                                                                          nil,
		"Given an account; And the account has sent a cash-out; When the account sends the request again; Then the request is rejected with 400":                             {2},
		"Given an account; And a cash-out that is CONFIRMED; When the account sends a resend request; Then the request is rejected with 400":                                 {2},
		"Given an account; And the available balance is unchanged":                                                                                                           nil,
		"Given an account; When the account sends a cash-in; Then the change in the available balance is recorded for open point \"a point\"":                                {1},
	} {
		var got []int
		s := scenario(t, steps)
		for i := range s.Steps {
			if s.Reads[i] {
				got = append(got, i)
			}
		}
		require.Equal(t, want, got, steps)
	}
}

func TestTurn(t *testing.T) {
	t.Parallel()
	for steps, want := range map[string]int{
		"Given an account; And the account has sent 100 cash-outs of R$ 0.01 to one key; Then no event arrives":    0,
		"Given an account; When the account sends 300 concurrent balance requests; Then every request is accepted": 0,
		"Given an account; Then the available balance stays unchanged; And the request is accepted":                1,
		"Given an account; When the account sends a cash-out; Then a CashOut event arrives":                        2,
	} {
		require.Equal(t, want, scenario(t, steps).Turn(), steps)
	}
}

func TestWhatFollowsFromTheSteps(t *testing.T) {
	t.Parallel()
	s := scenario(t, "Given an account with R$ 1.00 available; And another account; And no fees; And the account receives cash_in webhooks at 3 URLs; "+
		"And the account receives cash_in webhooks; When the account sends a webhook registration; Then the request is rejected with 429")
	require.Equal(t, 2, s.Accounts)
	require.Equal(t, 5, s.Mailboxes)
	require.Equal(t, []string{"cash_in", "cash_out"}, s.Registers())
	require.True(t, s.Throttled && s.JudgesMoney && s.Looks && s.funded && s.registers)
	require.True(t, s.Calls(target.FeesControl))
	require.False(t, s.Calls(target.Funds))

	s = scenario(t, "Given an account; And settlement waits for the bank; And the available balance is unchanged; When the account sends a token request; Then the request is accepted")
	require.False(t, s.Throttled || s.JudgesMoney || s.funded || s.registers, "what a Given states of money is not judged")
	require.True(t, s.Looks && s.Calls(target.Settlement))
	require.Empty(t, s.Registers())

	require.False(t, scenario(t, "Given an account; When the account sends a token request; Then the request is accepted").Looks)
	require.True(t, scenario(t, "Given an account; When the account sends a balance request; Then the request is accepted").Looks)
	require.True(t, scenario(t, "Given an account; When the account sends a cash-out; Then the blocked balance is unchanged").JudgesMoney)
}

func TestMissingControls(t *testing.T) {
	t.Parallel()
	limited, unlimited := new("100.00"), target.Limit(nil)
	known := target.Limits{PerTransaction: &limited, Daily: &unlimited, Night: &unlimited}
	none := target.Limits{PerTransaction: &unlimited, Daily: &unlimited, Night: &unlimited}
	one, two := []target.Account{{AccountID: 1}}, []target.Account{{AccountID: 1}, {AccountID: 2}}
	for _, c := range []struct {
		steps   string
		profile target.Profile
		has     map[target.Control]bool
		want    []string
	}{
		{"Given an account", target.Profile{}, nil, []string{"accounts"}},
		{"Given an account", target.Profile{}, controls(target.Accounts), nil},
		{"Given an account", target.Profile{Accounts: one}, nil, nil},
		{"Given another account", target.Profile{Accounts: one}, nil, []string{"accounts"}},
		{"Given another account", target.Profile{Accounts: two}, nil, nil},
		{"Given a new account", target.Profile{Accounts: one}, nil, []string{"accounts"}},
		{"Given an account with R$ 1.00 available", target.Profile{}, controls(target.Accounts), []string{"funds"}},
		{"Given an account with R$ 1.00 available", target.Profile{}, nil, []string{"accounts", "funds"}},
		{"Given an account with R$ 1.00 available", target.Profile{Accounts: one}, nil, nil},
		{"Given an account with R$ 1.00 available", target.Profile{Accounts: one}, controls(target.Accounts), []string{"funds"}},
		{"Given an account with exactly R$ 1.00 available", target.Profile{Accounts: one}, nil, []string{"funds"}},
		{"Given an account; When a payer pays the charge; And a payer pays the charge; Then the charge is ATIVA", target.Profile{Accounts: one}, nil, []string{"payments", "charges"}},
		{"Given an account; When a payer pays the charge; Then the charge is ATIVA", target.Profile{Accounts: one}, controls(target.Payments), []string{"charges"}},

		{"Given an account; And no fees", target.Profile{Accounts: one}, nil, []string{"fees"}},
		{"Given an account; And no fees", target.Profile{Accounts: one, Fees: target.Fees{CashOut: "0.00"}}, nil, []string{"fees"}},
		{"Given an account; And no fees", target.Profile{Accounts: one, Fees: target.Fees{CashOut: "0.00", CashIn: "0.01"}}, nil, []string{"fees"}},
		{"Given an account; And no fees", target.Profile{Accounts: one, Fees: target.Fees{CashOut: "0.01", CashIn: "0.00"}}, nil, []string{"fees"}},
		{"Given an account; And no fees", target.Profile{Accounts: one, Fees: target.Fees{CashOut: "0.00", CashIn: "0"}}, nil, nil},
		{"Given an account; And no fees", target.Profile{Accounts: one}, controls(target.FeesControl), nil},
		{"Given an account; Then the available balance rises by R$ 0.00", target.Profile{Accounts: one}, nil, []string{"fees"}},
		{"Given an account; Then the available balance rises by R$ 1.00", target.Profile{Accounts: one, Fees: target.Fees{CashIn: "0.50"}}, nil, []string{"fees"}},
		{"Given an account; Then the available balance rises by R$ 1.00", target.Profile{Accounts: one, Fees: target.Fees{CashOut: "0.00", CashIn: "0.50"}}, nil, nil},
		{"Given an account; Then the available balance is unchanged", target.Profile{Accounts: one}, nil, nil},

		{"Given an account; And no limits", target.Profile{Accounts: one}, nil, []string{"limits"}},
		{"Given an account; And no limits", target.Profile{Accounts: one, Limits: known}, nil, []string{"limits"}},
		{"Given an account; And no limits", target.Profile{Accounts: one, Limits: none}, nil, nil},
		{"Given an account; And no limits", target.Profile{Accounts: one}, controls(target.LimitsControl), nil},
		{"Given an account; And the account has a per-transaction limit", target.Profile{Accounts: one, Fees: target.Fees{CashOut: "0", CashIn: "0"}, Limits: known}, nil, nil},
		{"Given an account; And the account has a per-transaction limit", target.Profile{Accounts: one, Limits: known}, nil, []string{"fees"}},
		{"Given an account; And the account has a daily limit", target.Profile{Accounts: one, Limits: known}, controls(target.FeesControl), []string{"limits"}},
		{"Given an account; And the account has a night limit", target.Profile{Accounts: one}, controls(target.FeesControl), []string{"limits"}},

		// The controls know an account by its id: without it only the key directory, which all share, can be set.
		{"Given an account; And the key directory has a new CPF key; When a payer pays the charge", target.Profile{Accounts: []target.Account{{}}}, controls(target.Directory, target.Payments), []string{"payments"}},
		{"Given an account; When a payer pays the charge", target.Profile{Accounts: []target.Account{{AccountID: 1}, {}}}, controls(target.Payments), []string{"payments"}},
		{"Given an account; When a payer pays the charge", target.Profile{Accounts: []target.Account{{}}}, controls(target.Accounts, target.Payments), nil},
	} {
		all, err := Make([]*catalogue.Scenario{example(c.steps)}, OfferOf(c.profile, c.has))
		require.NoError(t, err)
		assert.Equal(t, c.want, all[0].Missing, "%s, %+v", c.steps, c.profile)
		assert.Equal(t, len(c.want) == 0, all[0].Runs(), c.steps)
	}
}

func TestHints(t *testing.T) {
	t.Parallel()
	const url = "set sink.listen (with a fixed port) or sink.url in the profile: a webhook URL of an existing account cannot be removed"
	const ids = "add the id of each account to the profile: the test controls identify accounts by it"
	one, receives := []target.Account{{AccountID: 1}}, "Given an account; And the account receives cash_in webhooks at 3 URLs"
	for _, c := range []struct {
		steps   string
		profile target.Profile
		has     map[target.Control]bool
		want    string
	}{
		{receives, target.Profile{}, controls(target.Accounts), ""},
		{receives, target.Profile{Sink: target.Sink{Paths: []string{"/1", "/2", "/3"}}}, controls(target.Accounts), ""},
		{receives, target.Profile{Sink: target.Sink{Paths: []string{"/1", "/2"}}}, controls(target.Accounts), "sink.paths in the profile lists 2 paths: list at least 3"},
		{receives, target.Profile{Accounts: one}, nil, url},
		{receives, target.Profile{Accounts: one}, controls(target.Accounts), ""},
		{receives, target.Profile{Accounts: one, Sink: target.Sink{Listen: "127.0.0.1:0"}}, nil, url},
		{receives, target.Profile{Accounts: one, Sink: target.Sink{Listen: "127.0.0.1:9443"}}, nil, ""},
		{receives, target.Profile{Accounts: one, Sink: target.Sink{URL: "https://sink.example:0"}}, nil, url},
		{receives, target.Profile{Accounts: one, Sink: target.Sink{URL: "https://sink.example", Listen: "127.0.0.1:0"}}, nil, ""},
		{receives, target.Profile{Accounts: one, Sink: target.Sink{URL: "https://sink.example", Paths: make([]string, 7)}}, nil, "sink.paths in the profile lists 7 paths: list at least 8"},
		{receives, target.Profile{Accounts: one, Sink: target.Sink{URL: "https://sink.example", Paths: make([]string, 8)}}, nil, ""},
		{"Given an account", target.Profile{Accounts: one, Sink: target.Sink{Paths: make([]string, 1)}}, nil, ""},
		{"Given an account; When a payer pays the charge", target.Profile{Accounts: []target.Account{{}}}, controls(target.Payments), ids},
		{"Given an account; When a payer pays the charge", target.Profile{Accounts: []target.Account{{}}}, nil, ""},
		{"Given an account", target.Profile{Accounts: []target.Account{{}}}, controls(target.Payments), ""},
	} {
		all, err := Make([]*catalogue.Scenario{example(c.steps)}, OfferOf(c.profile, c.has))
		require.NoError(t, err)
		assert.Equal(t, c.want, all[0].Hint, "%s, %+v", c.steps, c.profile)
		assert.Equal(t, c.want == "" && len(all[0].Missing) == 0, all[0].Runs(), c.steps)
	}
}

func TestWhatDoesNotApply(t *testing.T) {
	t.Parallel()
	public, handshake := target.Profile{Families: []target.Family{target.Public}}, target.Profile{TLS: target.TLS{Handshake: true}}
	sandboxed := "Given an account; When the account sends a cash-out requesting sandbox outcome ORDER_REJECTED"
	for _, c := range []struct {
		steps   string
		profile target.Profile
		want    string
	}{
		{"Given an account; When the account sends a cash-out", public, ""},
		{"Given an account; When the account sends a token request; And the account sends a balance request", public, ""},
		{"Given an account; When the account sends a cob", public, "a profile without the families central-bank"},
		{"Given an account; When the account sends a cob", target.Profile{}, ""},
		{"Given an account; When the account sends a cash-out; Then a CashOut event arrives", public, "a profile without the families webhooks"},
		{"Given an account; And the account receives med_created webhooks", public, "a profile without the families med, webhooks"},
		{"Given an account; And a cob that is ATIVA", public, "a profile without the families central-bank"},
		{"Given an account; When a MED case is opened against the payment", public, "a profile without the families med"},
		{"Given an account; And refunds wait for the bank", public, "a profile without the families central-bank"},
		{"Given an account; And the PSP removes the charge", public, "a profile without the families central-bank"},
		{"Given an account; Then the splits are PAID", public, ""},
		{"Given an account; Then the splits are PAID", target.Profile{Families: []target.Family{target.MEDFamily}}, "a profile without the families public"},
		{"Given an account; And a cash-in fee of R$ 1.00", target.Profile{Families: []target.Family{target.CentralBank}}, ""},

		{`Given an account; When the account requests a token with its certificate in the form "PEM"`, target.Profile{}, ""},
		{`Given an account; When the account requests a token with its certificate in the form "PEM"`, handshake, "a profile whose accounts present certificates in the TLS handshake"},
		{"Given clients present their certificate in the TLS handshake", target.Profile{}, "a profile whose accounts present certificates in the header X-SSL-Client-Cert"},
		{"Given clients present their certificate in the TLS handshake", handshake, ""},

		{sandboxed, target.Profile{}, "a profile without a sandbox scenario for ORDER_REJECTED"},
		{sandboxed, target.Profile{SandboxScenarios: map[string]string{"CONFIRMED": "ok"}}, "a profile without a sandbox scenario for ORDER_REJECTED"},
		{sandboxed, target.Profile{SandboxScenarios: map[string]string{"ORDER_REJECTED": "no"}}, ""},
	} {
		all, err := Make([]*catalogue.Scenario{example(c.steps)}, OfferOf(c.profile, controls(target.Accounts)))
		require.NoError(t, err)
		assert.Equal(t, c.want, all[0].Outside, "%s, %+v", c.steps, c.profile)
		if c.want != "" {
			assert.False(t, all[0].Runs(), c.steps)
		}
	}
	require.Equal(t, []string{"public"}, OfferOf(public, nil).Claimed())
	require.Equal(t, []string{"public", "central-bank", "med", "webhooks"}, OfferOf(handshake, nil).Claimed())
}

func TestSkipped(t *testing.T) {
	t.Parallel()
	s := scenario(t, "Given an account")
	s.Outside = "a profile without the families med"
	require.Equal(t, verdict.NotApplicable, s.Skipped().Verdict)
	require.Equal(t, s.Outside, s.Skipped().Finding.Got)

	s = scenario(t, "Given an account")
	s.Missing = []string{"accounts", "funds"}
	got := s.Skipped()
	require.Equal(t, verdict.Scenario{
		Rule: "a.rule", Name: "a scenario", Line: 7, Verdict: verdict.CouldNotTest, Missing: s.Missing,
		Finding: &verdict.Finding{Expected: "the test controls accounts, funds", Got: "the target does not offer them", Hint: "add these controls to test this rule", Exchange: -1},
	}, got)
	s.Hint = "add an id"
	require.Equal(t, "add an id", s.Skipped().Finding.Hint)

	s.Missing = nil
	require.Equal(t, verdict.CouldNotTest, s.Skipped().Verdict)
	require.Equal(t, "an incomplete profile: add an id", s.Skipped().Finding.Got)
	require.Empty(t, s.Skipped().Missing)
}

func TestAScenarioThatCannotBeReadIsAnError(t *testing.T) {
	t.Parallel()
	_, err := Make([]*catalogue.Scenario{example("Given nonsense")}, Offer{})
	require.ErrorContains(t, err, `a.feature:0: "nonsense" is not a sentence of the vocabulary`)
}

// What an existing account cannot do asks for a new one: several URLs or custom headers, which
// stay registered, and lists of which a scenario counts the items.
func TestWhatNeedsANewAccountSaysSo(t *testing.T) {
	t.Parallel()
	for _, one := range everything(t) {
		s, err := read(one)
		require.NoError(t, err)
		if needsNoHistory(s) {
			require.Contains(t, s.Needs, target.Accounts, s.ID())
		}
	}
}

func needsNoHistory(s *Scenario) bool {
	filtered := false
	for _, step := range s.Steps {
		switch m := step.Meaning.(type) {
		case language.Receive:
			if m.Count > 1 || m.Header != "" {
				return true
			}
		case language.Walk:
			return true
		case language.Send:
			filtered = filtered || m.Operation != nil && m.Operation.Noun == "list-by-key request" || slices.ContainsFunc(m.Changes, func(c language.Change) bool {
				return c.Where == language.Query && (c.Name == "externalId" || c.Name == "endToEndId")
			})
		case language.Has:
			for _, row := range m.Rows {
				counted := strings.HasPrefix(row.Field, "webhooks") || strings.HasPrefix(row.Field, "data[0]") && !strings.Contains(row.Field, "balanceAmount") && !strings.Contains(row.Field, "eventDate")
				if counted || !filtered && (row.Field == "metadata.total" && row.Expected.Words != "a number" || row.Field == "data" && row.Expected.Words == "empty") {
					return true
				}
			}
		}
	}
	return false
}

// Scenarios that send bursts run one at a time; several requests at once disturb nobody.
func TestBursts(t *testing.T) {
	t.Parallel()
	for steps, want := range map[string]bool{
		"Given an account; When the account sends 60 concurrent resend requests; Then every request is accepted":      true,
		"Given an account; When the account sends 2 concurrent resend requests; Then every request is accepted":       true, // they count
		"Given an account; When the account sends 8 concurrent cash-outs of R$ 1.00; Then every request is accepted":  false,
		"Given an account; When the account sends 20 concurrent cash-outs of R$ 1.00; Then every request is accepted": true,
		"Given an account; When the account sends a cash-out of R$ 1.00; Then the request is accepted":                false,
	} {
		require.Equal(t, want, scenario(t, steps).Bursts(), steps)
	}
}
