package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// catalogueOf has a rule for each entry, with one scenario for each of its texts: "file/rule".
func catalogueOf(rules ...[]string) []*catalogue.Scenario {
	var all []*catalogue.Scenario
	features := map[string]*catalogue.Feature{}
	for _, r := range rules {
		file, name, _ := strings.Cut(r[0], "/")
		if features[file] == nil {
			features[file] = &catalogue.Feature{File: file, Name: strings.ToUpper(file)}
		}
		rule := &catalogue.Rule{Name: name, Title: "Rule " + name, Feature: features[file]}
		for i, steps := range r[1:] {
			s := example(steps)
			s.Rule, s.Name = rule, fmt.Sprint(i)
			all = append(all, s)
		}
	}
	return all
}

func TestForecast(t *testing.T) {
	t.Parallel()
	selected := catalogueOf(
		[]string{"a/whole", "Given an account; When the account sends a balance request"},
		[]string{"a/part", "Given an account", "Given an account; When a payer pays the charge", "Given an account; When a payer pays the charge; And the payee returns R$ 1.00", "Given an account; When the account sends a cob"},
		[]string{"b/none", "Given a new account", "Given an account; And the account receives cash_in webhooks", "Given an account; And the account receives cash_out webhooks"},
		[]string{"b/outside", "Given an account; When the account sends a cob", "Given an account; When the account sends a refund"},
	)
	tg := &target.Target{
		Profile: target.Profile{Name: "a gateway", Accounts: []target.Account{{AccountID: 1}}, Families: []target.Family{target.Public, target.Webhooks}},
		Has:     controls(target.Settlement),
	}
	all, err := Make(selected, OfferOf(tg.Profile, tg.Has))
	require.NoError(t, err)
	f := Foresee(all, tg)
	require.Equal(t, "a gateway", f.Target)
	require.Equal(t, []string{"public", "webhooks"}, f.Families)
	require.Equal(t, verdict.Reach{Rules: 3, Whole: 1, Part: 1, Inapplicable: 1}, f.Reach)
	require.Equal(t, f.Reach, ReachOf(all))
	outside, hint := []string{"a profile without the families central-bank"}, all[6].Hint
	require.NotEmpty(t, hint)
	require.Equal(t, []FeatureForecast{
		{Name: "A", File: "a", Reach: verdict.Reach{Rules: 2, Whole: 1, Part: 1}, Rules: []RuleForecast{
			{Name: "whole", Title: "Rule whole", Applicable: 1, Testable: 1},
			{Name: "part", Title: "Rule part", Applicable: 3, Testable: 1, Missing: []string{"payments", "returns"}, Outside: outside},
		}},
		{Name: "B", File: "b", Reach: verdict.Reach{Rules: 1, Inapplicable: 1}, Rules: []RuleForecast{
			{Name: "none", Title: "Rule none", Applicable: 3, Missing: []string{"accounts"}, Hints: []string{hint}},
			{Name: "outside", Title: "Rule outside", Outside: outside},
		}},
	}, f.Features)
	require.Equal(t, []Outside{{outside[0], 3}}, f.Outside)
	require.Equal(t, Unlocks(all, tg), f.Unlocks)
}

func TestUnlocks(t *testing.T) {
	t.Parallel()
	pays, returns := "Given an account; When a payer pays the charge", "Given an account; When a payer pays the charge; And the payee returns R$ 1.00"
	one := []target.Account{{AccountID: 1}}
	for name, c := range map[string]struct {
		rules   [][]string
		profile target.Profile
		has     map[target.Control]bool
		want    []string // means: rules +scenarios
	}{
		"nothing is missing": {
			rules: [][]string{{"a/r", "Given an account"}}, profile: target.Profile{Accounts: one},
		},
		"a line of a profile is cheaper than a control": {
			rules: [][]string{{"a/r", "Given an account; And no fees"}}, profile: target.Profile{Accounts: one},
			want: []string{"fees in the profile: r +1"},
		},
		"what adds more for its cost goes first": {
			rules: [][]string{{"a/r", "Given an account"}, {"a/s", "Given a new account"}}, profile: target.Profile{},
			want: []string{"accounts in the profile: one: r +1", "control accounts: s +1"},
		},
		"on top of those before": {
			rules: [][]string{{"a/r", pays}, {"a/s", returns}}, profile: target.Profile{Accounts: one},
			want: []string{"control payments: r +1", "control returns: s +1"},
		},
		"two together, if one adds nothing": {
			rules: [][]string{{"a/r", returns}}, profile: target.Profile{Accounts: one},
			want: []string{"control payments and control returns: r +1"},
		},
		"three together": {
			rules: [][]string{{"a/r", returns}}, profile: target.Profile{},
			want: []string{"accounts in the profile: one and control payments and control returns: r +1"},
		},
		"a rule in part": {
			rules: [][]string{{"a/r", pays, pays, returns}}, profile: target.Profile{Accounts: one},
			want: []string{"control payments:  +2", "control returns: r +1"},
		},
		"what does not apply counts for nothing": {
			rules:   [][]string{{"a/r", pays, "Given an account; When the account sends a cob; And a payer pays the charge"}, {"a/s", "Given an account; When the PSP removes the charge"}},
			profile: target.Profile{Accounts: one, Families: []target.Family{target.Public}},
			want:    []string{"control payments: r +1"},
		},
		"a sandbox instead of the bank": {
			rules: [][]string{{"a/r", "Given an account; And settlement waits for the bank; And the account has sent a cash-out; When the bank confirms the payment; Then its state is CONFIRMED"}}, profile: target.Profile{Accounts: one},
			want: []string{"sandboxScenarios in the profile: r +1"},
		},
		"a sandbox does not stand in for a bank that is looked at": {
			rules: [][]string{
				{"a/r", "Given an account; And settlement waits for the bank; And the account has sent a cash-out; When the bank confirms the payment; Then its state is CONFIRMED"},
				{"a/s", "Given an account; And settlement waits for the bank; And the account has sent a cash-out; When the bank confirms the payment; Then the request is accepted"},
			},
			profile: target.Profile{Accounts: one},
			want:    []string{"sandboxScenarios in the profile: r +1", "control settlement: s +1"},
		},
		"scenarios that ask for a sandbox are no reason to have one": {
			rules: [][]string{{"a/r", "Given an account; When the account sends a cash-out requesting sandbox outcome CONFIRMED"}}, profile: target.Profile{Accounts: one},
		},
		"they are counted besides": {
			rules: [][]string{
				{"a/r", "Given an account; And the account has sent a cash-out; Then a CashOut event arrives"},
				{"a/s", "Given an account; When the account sends a cash-out requesting sandbox outcome CONFIRMED", "Given an account; When the account sends a cash-out requesting sandbox outcome CONFIRMED; And a payer pays the charge"},
				{"a/t", "Given an account; When the account sends a cash-out requesting sandbox outcome CONFIRMED"},
			},
			profile: target.Profile{Accounts: one},
			want:    []string{"sandboxScenarios in the profile: r t +3"},
		},
		"webhook URLs that stay": {
			rules: [][]string{{"a/r", "Given an account; And the account receives cash_in webhooks"}}, profile: target.Profile{Accounts: one},
			want: []string{"sink.listen in the profile: r +1"},
		},
		"ids of accounts": {
			rules: [][]string{{"a/r", pays}}, profile: target.Profile{Accounts: []target.Account{{}}}, has: controls(target.Payments),
			want: []string{"id of each account in the profile: r +1"},
		},
		"the key directory needs no id": {
			rules: [][]string{{"a/r", "Given an account; And the key directory has a new CPF key"}}, profile: target.Profile{Accounts: []target.Account{{}}},
			want: []string{"control directory: r +1"},
		},
		"limits that the profile states, or lifts": {
			rules: [][]string{{"a/r", "Given an account; And no limits"}, {"a/s", "Given an account; And the account has a daily limit"}}, profile: target.Profile{Accounts: one}, has: controls(target.FeesControl),
			want: []string{"limits in the profile: s +1", "control limits: r +1"},
		},
		"two accounts": {
			rules: [][]string{{"a/r", "Given an account; And another account"}}, profile: target.Profile{},
			want: []string{"accounts in the profile: two: r +1"},
		},
		"as much for its cost: the cheaper first": {
			rules:   [][]string{{"a/r", "Given an account; And another account"}, {"a/s", "Given an account; And another account"}, {"a/t", "Given an account; And no fees"}},
			profile: target.Profile{Accounts: one},
			want:    []string{"fees in the profile: t +1", "accounts in the profile: two: r s +2"},
		},
		"all the same: in the order of the list": {
			rules:   [][]string{{"a/r", pays}, {"a/s", "Given an account; And settlement waits for the bank"}},
			profile: target.Profile{Accounts: one},
			want:    []string{"control settlement: s +1", "control payments: r +1"},
		},
		"nothing helps": {
			rules: [][]string{{"a/r", "Given an account; And the account receives cash_in webhooks at 2 URLs"}}, profile: target.Profile{Sink: target.Sink{Paths: []string{"/1"}}}, has: controls(target.Accounts),
		},
	} {
		tg := &target.Target{Profile: c.profile, Has: c.has}
		if tg.Has == nil {
			tg.Has = controls()
		}
		all, err := Make(catalogueOf(c.rules...), OfferOf(tg.Profile, tg.Has))
		require.NoError(t, err)
		var got []string
		for _, u := range Unlocks(all, tg) {
			got = append(got, fmt.Sprintf("%s: %s +%d", u.Name(), strings.Join(u.Rules, " "), u.Scenarios))
			require.NotEmpty(t, u.Effort)
		}
		assert.Equal(t, c.want, got, name)
	}
}

// Each line of the list holds when what it names is there, on top of the lines before.
func TestUnlocksHold(t *testing.T) {
	t.Parallel()
	read, err := Make(everything(t), Offer{})
	require.NoError(t, err)
	for _, tg := range []*target.Target{
		{Has: controls()},
		{Has: controls(target.Accounts, target.Funds)},
		{Has: controls(target.Funds), Profile: target.Profile{Accounts: []target.Account{{}}, TLS: target.TLS{Handshake: true}}},
		{Has: controls(), Profile: target.Profile{Accounts: []target.Account{{AccountID: 1}}, Families: []target.Family{target.Public}}},
	} {
		offer := OfferOf(tg.Profile, tg.Has)
		before := again(read, offer)
		list := Unlocks(before, tg)
		require.NotEmpty(t, list)
		for _, u := range list {
			for _, a := range additions {
				if slices.Contains(u.Means, a.name) {
					offer = offer.with(a)
				}
			}
			after := again(before, offer)
			require.Equal(t, ReachOf(before).Whole+len(u.Rules), ReachOf(after).Whole, u.Means)
			require.Equal(t, running(before)+u.Scenarios, running(after), u.Means)
			before = after
		}
		require.True(t, ReachOf(before).Complete(), "all of them together let everything be tested")
	}
}

// again is the plan of the same scenarios for another offer.
func again(all []*Scenario, o Offer) []*Scenario {
	var planned []*Scenario
	for _, s := range all {
		anew := *s
		anew.Missing = nil
		anew.meet(o)
		planned = append(planned, &anew)
	}
	return planned
}

func running(all []*Scenario) int {
	n := 0
	for _, s := range all {
		if s.Runs() {
			n++
		}
	}
	return n
}

// What is added to an offer leaves the one before alone.
func TestAdditionsDoNotChangeTheOffer(t *testing.T) {
	t.Parallel()
	profile := target.Profile{Accounts: []target.Account{{}}, SandboxScenarios: map[string]string{"CONFIRMED": "own"}, Fees: target.Fees{CashOut: "0.50"}}
	before := OfferOf(profile, controls(target.Payments))
	after := before.with(additions...)
	require.Equal(t, target.Profile{Accounts: []target.Account{{}}, SandboxScenarios: map[string]string{"CONFIRMED": "own"}, Fees: target.Fees{CashOut: "0.50"}}, before.profile)
	require.Len(t, before.has, 1)
	require.Len(t, after.has, 15)
	require.Len(t, after.profile.Accounts, 2)
	require.NotZero(t, after.profile.Accounts[0].AccountID)
	require.Equal(t, "own", after.profile.SandboxScenarios["CONFIRMED"], "what the profile states stays")
	require.Equal(t, target.Fees{CashOut: "0.50", CashIn: "0.00"}, after.profile.Fees)
}
