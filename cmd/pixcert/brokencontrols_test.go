package main

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/ci/mutants"
	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// controlOf returns the control that a request calls.
func controlOf(r *http.Request) target.Control {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case parts[0] == "directory":
		return target.Directory
	case parts[0] == "accounts" && len(parts) < 3:
		return target.Accounts
	case len(parts) < 3:
		return ""
	}
	return map[string]target.Control{
		"balance": target.Funds, "fees": target.FeesControl, "limits": target.LimitsControl, "clock": target.Clock,
		"certificates": target.Certificates, "settlement": target.Settlement, "settlements": target.Settlement,
		"payments": target.Payments, "charges": target.Charges, "refunds": target.Refunds, "returns": target.Returns,
		"splits": target.Splits, "meds": target.MED, "faults": target.FaultsControl,
	}[parts[2]]
}

// failures are ways in which a control can break.
var failures = map[string]func(w http.ResponseWriter){
	"does nothing": func(w http.ResponseWriter) { _, _ = io.WriteString(w, `{}`) },
	"cut off": func(w http.ResponseWriter) {
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, `{"accountId":`)
	},
	"endless": func(w http.ResponseWriter) {
		for {
			if _, err := io.WriteString(w, strings.Repeat(" ", 1<<12)); err != nil {
				return
			}
		}
	},
}

// breaking makes a control of the reference fail in this way after some calls.
func breaking(control target.Control, after int64, fail func(http.ResponseWriter)) func(http.Handler) http.Handler {
	var calls atomic.Int64
	return func(controls http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if controlOf(r) == control && calls.Add(1) > after {
				_, _ = io.Copy(io.Discard, r.Body)
				fail(w)
				return
			}
			controls.ServeHTTP(w, r)
		})
	}
}

// sweptAlways are the controls that break in every way in each run of the tests. The others break in the way that is
// hardest to notice; with PIXCERT_SWEEP=1 (make soak), they break in all ways.
var sweptAlways = []target.Control{target.Accounts, target.Clock}

// A control that breaks during a run fails no rule of a correct gateway, and the report names it.
func TestControlsThatBreak(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	sweeps := number(t, "PIXCERT_SWEEP", 0) > 0
	for control, rules := range map[target.Control][]string{
		target.Accounts:      {"balance.answer", "bearer.own-account", "lists.answer"},
		target.Funds:         {"balance.available", "balance.centavos", "cash-out.debit"},
		target.FeesControl:   {"cash-out.covers-fee", "cash-out.transaction-limit", "delivery.cash-out-amounts"},
		target.LimitsControl: {"cash-out.transaction-limit", "cash-out.daily-limit", "cash-out.night-limit"},
		target.Clock:         {"bearer.expiry", "token.lifetime", "cash-out.night-limit"},
		target.Certificates:  {"token.certificate-registered", "token.certificate-revoked", "states.certificate"},
		target.Directory:     {"cash-out.holder-check", "cash-out.name", "contract.transfer"},
		target.Settlement:    {"cash-out.confirmed", "cash-out.error", "balance.blocked"},
		target.Payments:      {"balance.received", "cash-in.paid", "cob.paid"},
		target.Charges:       {"cob.duplicate-txid", "states.charge", "cob.ended"},
		target.Refunds:       {"refund.done", "refund.failed", "money.refund"},
		target.Returns:       {"money.returned", "lists.type"},
		target.Splits:        {"splits.immediate", "splits.division"},
		target.MED:           {"med.case", "med.analysis", "states.med"},
		target.FaultsControl: {"cash-in.provider-minimum", "cash-in.provider-failure", "qr-cash-out.provider-failure", "token.upstream-error", "token.upstream-unavailable"},
	} {
		after := int64(9)
		switch control {
		case target.LimitsControl:
			after = 30 // each scenario calls it to lift the limits
		case target.FaultsControl, target.Directory:
			after = 3 // few scenarios call it
		case target.Returns:
			after = 25 // scenarios call it several times, and some must pass before it breaks
		}
		for name, fail := range failures {
			if name != "does nothing" && !sweeps && !slices.Contains(sweptAlways, control) {
				continue
			}
			t.Run(string(control)+" "+name, func(t *testing.T) {
				t.Parallel()
				result := certifyControlled(t, reference.Config{WrapControls: breaking(control, after, fail)}, rules...)
				require.Equal(t, verdict.Incomplete, result.Outcome(), "%s", whatFell(result))
				isNamed := false
				for _, s := range result.Scenarios {
					require.NotEqual(t, verdict.Fail, s.Verdict, "%s: %+v", s.ID(), s.Finding)
					isNamed = isNamed || s.Verdict == verdict.CouldNotTest && strings.Contains(s.Finding.Expected+s.Finding.Got, "control "+string(control))
				}
				require.True(t, isNamed, "%s", whatFell(result))
				for _, broken := range result.Broken {
					require.Equal(t, string(control), broken.Control)
				}
			})
		}
	}
}

// A control that does nothing from the start, and accepts everything, fails no rule, even if the selection has no other
// scenario that calls it.
func TestControlsThatNeverWorked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		control target.Control
		rule    string
		waits   bool // for what never comes
	}{
		{target.FeesControl, "cash-out.covers-fee", false},
		{target.LimitsControl, "cash-out.transaction-limit", false},
		{target.Certificates, "token.certificate-revoked", false},
		{target.Directory, "transfer.accepted", false},
		{target.FaultsControl, "token.upstream-unavailable", false},
		{target.Returns, "money.returned", true},
		{target.Charges, "cob.ended", true},
		{target.Refunds, "refund.failed", true},
		{target.Splits, "splits.immediate", true},
		{target.MED, "med.analysis", true},
	} {
		t.Run(string(c.control), func(t *testing.T) {
			if c.waits {
				takesMinutes(t)
			}
			t.Parallel()
			result := certifyControlled(t, reference.Config{WrapControls: breaking(c.control, 0, failures["does nothing"])}, c.rule)
			require.Equal(t, verdict.Incomplete, result.Outcome(), "%s", whatFell(result))
		})
	}
}

// Controls that accept calls for what does not exist, but work, do not excuse a gateway.
func TestLenientControlsThatWorkExcuseNothing(t *testing.T) {
	t.Parallel()
	all := mutants.All()
	faulty := all[slices.IndexFunc(all, func(m mutants.Mutant) bool { return m.Name == "reports the per-transaction limit as the daily limit" })]
	lenient := func(controls http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			answer := httptest.NewRecorder()
			if controls.ServeHTTP(answer, r); answer.Code/100 == 4 {
				answer = httptest.NewRecorder()
			}
			maps.Copy(w.Header(), answer.Header())
			w.WriteHeader(answer.Code)
			_, _ = w.Write(answer.Body.Bytes())
		})
	}
	result := certifyControlled(t, reference.Config{Wrap: faulty.API, WrapControls: lenient}, faulty.Rule)
	require.Equal(t, verdict.DoesNotConform, result.Outcome(), "%s", whatFell(result))
}

func certifyControlled(t *testing.T, config reference.Config, rules ...string) *verdict.Run {
	t.Helper()
	profile, stop, err := bundled(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(stop)
	result, err := run.Certify(t.Context(), run.Options{Target: profile, Rules: rules, Seed: 1, Concurrency: 2, Once: true})
	require.NoError(t, err)
	return result
}
