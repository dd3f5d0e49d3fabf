package main

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/ci/hostile"
	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// impatient are deadlines for targets of which many will pass.
var impatient = target.Deadlines{
	Answer: 300 * time.Millisecond, Control: 300 * time.Millisecond,
	Webhook: 500 * time.Millisecond, Balance: 300 * time.Millisecond, Quiet: 20 * time.Millisecond,
}

// hostileBound is more than such a run takes against any target, on a slow machine.
const hostileBound = 2 * time.Minute

// A run ends, with verdicts and a report that can be read, whatever the target or its
// controls do from whichever request on. A target that no longer responds gets no verdict: the
// run says so. Where it cannot be made at all, a sentence says what to do.
func TestHostileTargetsAreJudged(t *testing.T) {
	for _, name := range sorted(hostile.Spoils) {
		t.Run(name, func(t *testing.T) {
			want := notConforming
			if harmless[name] {
				want = anyVerdict
			}
			t.Run("from the start", func(t *testing.T) {
				t.Parallel()
				profile := bundledFor(t)
				profile.BaseURL = misbehaving(t, hostile.Config{Upstream: profile.BaseURL, Spoil: hostile.Spoils[name]})
				came := judged(t, profile, "@balance.available or @token.issued")
				if advice, isNone := notAGateway[name]; isNone {
					require.Equal(t, exitNotRun, came.status, came.said)
					require.Contains(t, came.said, advice)
				} else {
					requireStatus(t, want, came)
				}
			})
			t.Run("in the middle", func(t *testing.T) {
				t.Parallel()
				profile := bundledFor(t)
				profile.BaseURL = misbehaving(t, hostile.Config{Upstream: profile.BaseURL, After: 40, Spoil: hostile.Spoils[name]})
				came := judged(t, profile, "@balance or @delivery.own-type")
				requireStatus(t, want, came)
			})
			t.Run("of the controls", func(t *testing.T) {
				t.Parallel()
				profile := bundledFor(t)
				profile.Control.URL = misbehaving(t, hostile.Config{Upstream: profile.Control.URL, After: 5, Spoil: hostile.Spoils[name]})
				came := judged(t, profile, "@balance.available or @token.issued")
				requireStatus(t, anyVerdict, came)
			})
		})
	}
}

// requireStatus: a run ends with one of these statuses, or because it got no more responses.
func requireStatus(t *testing.T, want []int, came hostileRun) {
	t.Helper()
	if came.status != exitNotRun {
		require.Contains(t, want, came.status, came.said)
		return
	}
	reason := came.said
	if came.result != nil {
		reason = came.result.Ended.Reason
	}
	require.Regexp(t, "stopped responding at|has given no complete response|the test control .* repair the control", reason)
}

// Statuses of runs that were made.
var (
	notConforming = []int{verdict.DoesNotConform.ExitStatus(), verdict.Incomplete.ExitStatus()}
	anyVerdict    = append([]int{verdict.Conforms.ExitStatus()}, notConforming...)
)

// harmless are those after which every answer is still the gateway's own.
var harmless = map[string]bool{"a large header": true, "a second answer at once": true, "resets after the answer": true}

// notAGateway are the ways to answer everything that no gateway has, with what is said to
// do about each.
var notAGateway = map[string]string{
	"silence":                   "check that the gateway runs",
	"half a status line":        "check that the gateway runs",
	"a byte a second":           "check that the gateway runs",
	"closes":                    "check that the gateway runs",
	"resets before the answer":  "check that the gateway runs",
	"resets in the headers":     "check that the gateway runs",
	"a status of 000":           "check that the gateway runs",
	"two Content-Lengths":       "check that the gateway runs",
	"1xx without end":           "check that the gateway runs",
	"an endless header":         "check that the gateway runs",
	"an endless line":           "check that the gateway runs",
	"resets in the status line": "correct the port",
	"HTTP/0.9":                  "correct the port",
	"another protocol":          "correct the port",
	"a login page":              "check the host, the port and the path",
	"redirects to itself":       "give the base URL that it leads to",
}

type hostileRun struct {
	status int
	said   string // what the run came to, or why it was not made
	result *verdict.Run
}

// judged certifies a target, and holds the run against what holds of every run.
func judged(t *testing.T, profile target.Profile, tags string) hostileRun {
	t.Helper()
	started := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), 2*hostileBound)
	defer cancel()
	profile.Deadlines = impatient
	result, err := run.Certify(ctx, run.Options{Target: profile, Tags: tags, Seed: 1})
	took := time.Since(started)
	require.Less(t, took, hostileBound)
	if err != nil {
		return hostileRun{status: exitNotRun, said: err.Error()}
	}
	dir := t.TempDir()
	require.NoError(t, report.Write(dir, result))
	readable(t, dir)
	for _, s := range result.Scenarios {
		require.NotEqual(t, verdict.SuiteError, s.Verdict, "%s/%s: %+v", s.Rule, s.Name, s.Finding)
	}
	return hostileRun{result.Outcome().ExitStatus(), fmt.Sprintf("%v in %v", result.Summary().Scenarios, took), result}
}

// readable: every file of a report can be read by what reads its kind.
func readable(t *testing.T, dir string) {
	t.Helper()
	read(t, filepath.Join(dir, report.JSONFile), func(b []byte) error { return json.Unmarshal(b, &struct{}{}) })
	read(t, filepath.Join(dir, report.JUnitFile), func(b []byte) error {
		var all struct {
			Cases []struct{} `xml:"testsuite>testcase"`
		}
		return xml.Unmarshal(b, &all)
	})
	read(t, filepath.Join(dir, report.HTMLFile), func(b []byte) error {
		require.True(t, strings.HasSuffix(strings.TrimSpace(string(b)), "</html>"))
		require.NotContains(t, string(b), "<script>alert")
		require.NotContains(t, string(b), "\x1b")
		return nil
	})
}

func bundledFor(t testing.TB) target.Profile {
	t.Helper()
	profile, stop, err := bundled(t.Context(), reference.Config{})
	require.NoError(t, err)
	t.Cleanup(stop)
	return profile
}

func misbehaving(t testing.TB, config hostile.Config) (url string) {
	t.Helper()
	proxy, err := hostile.Listen(config)
	require.NoError(t, err)
	t.Cleanup(proxy.Close)
	return proxy.URL
}

func sorted[V any](m map[string]V) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
