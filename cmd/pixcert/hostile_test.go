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

// shortDeadlines are short, because many will pass against such targets.
var shortDeadlines = target.Deadlines{
	Answer: 500 * time.Millisecond, Control: 500 * time.Millisecond,
	Webhook: 500 * time.Millisecond, Balance: 300 * time.Millisecond, Quiet: 20 * time.Millisecond,
}

// hostileBound is more than a run against any of these targets takes on a slow machine.
const hostileBound = 5 * time.Minute

// Whatever the target or its controls do, from any request on, a run ends with verdicts and a readable
// report. If the target stops responding, the run says so instead of giving a verdict. If the run
// cannot start, the error says what to do. What fails is repeated only where the target misbehaves from
// the start.
func TestHostileTargetsAreJudged(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	for _, name := range sorted(hostile.Spoils) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := notConforming
			if harmless[name] {
				want = anyVerdict
			}
			t.Run("from the start", func(t *testing.T) {
				t.Parallel()
				advice, isNone := notAGateway[name]
				certify := patiently
				if advice == noResponse {
					certify = once
				}
				came := certify(t, run.Options{Tags: "@balance.available or @token.issued"}, func() target.Profile {
					profile := bundledFor(t)
					profile.BaseURL = misbehaving(t, hostile.Config{Upstream: profile.BaseURL, Spoil: hostile.Spoils[name]})
					return profile
				})
				if isNone {
					require.Equal(t, exitNotRun, came.status, came.said)
					require.Contains(t, came.said, advice)
				} else {
					requireStatus(t, want, came)
				}
			})
			t.Run("in the middle", func(t *testing.T) {
				t.Parallel()
				came := patiently(t, run.Options{Tags: "@balance or @delivery.own-type", Once: true}, func() target.Profile {
					profile := bundledFor(t)
					profile.BaseURL = misbehaving(t, hostile.Config{Upstream: profile.BaseURL, After: 40, Spoil: hostile.Spoils[name]})
					return profile
				})
				requireStatus(t, want, came)
			})
			t.Run("of the controls", func(t *testing.T) {
				t.Parallel()
				came := patiently(t, run.Options{Tags: "@balance.available or @token.issued", Once: true}, func() target.Profile {
					profile := bundledFor(t)
					profile.Control.URL = misbehaving(t, hostile.Config{Upstream: profile.Control.URL, After: 5, Spoil: hostile.Spoils[name]})
					return profile
				})
				requireStatus(t, notFailing, came)
			})
		})
	}
}

// requireStatus checks that a run ended with one of these statuses, or because the target stopped
// responding.
func requireStatus(t *testing.T, want []int, got hostileRun) {
	t.Helper()
	if got.status != exitNotRun {
		require.Contains(t, want, got.status, got.said)
		return
	}
	reason := got.said
	if got.result != nil {
		reason = got.result.Ended.Reason
	}
	require.Regexp(t, "stopped responding at|never sent a complete response|cannot be reached: timed out|the test control .* fix the control", reason)
}

// Exit statuses of completed runs.
var (
	notConforming = []int{verdict.DoesNotConform.ExitStatus(), verdict.Incomplete.ExitStatus()}
	notFailing    = []int{verdict.Conforms.ExitStatus(), verdict.Incomplete.ExitStatus()}
	anyVerdict    = append([]int{verdict.Conforms.ExitStatus()}, notConforming...)
)

// harmless are the ways that leave every response, once decoded, as the gateway sent it.
var harmless = map[string]bool{"a second answer at once": true, "resets after the answer": true, "gzip that nobody asked for": true}

const noResponse = "check that the gateway is running"

// notAGateway are responses that no gateway sends, with the advice that pixcert gives for each.
var notAGateway = map[string]string{
	"silence":                   noResponse,
	"half a status line":        noResponse,
	"a byte a second":           noResponse,
	"closes":                    noResponse,
	"resets before the answer":  noResponse,
	"resets in the headers":     noResponse,
	"a status of 000":           noResponse,
	"two Content-Lengths":       noResponse,
	"1xx without end":           noResponse,
	"an endless header":         noResponse,
	"an endless line":           noResponse,
	"a large header":            noResponse,
	"resets in the status line": "correct the port",
	"HTTP/0.9":                  "correct the port",
	"another protocol":          "correct the port",
	"a login page":              "check host, port and path",
	"redirects to itself":       "use the base URL that it redirects to",
}

type hostileRun struct {
	status int
	said   string // the summary of the run, or why it could not start
	result *verdict.Run
}

// judged certifies a target, with short deadlines unless its profile has some, and checks what is true
// of every run.
func judged(t *testing.T, options run.Options) hostileRun {
	t.Helper()
	started := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), 2*hostileBound)
	defer cancel()
	options.Seed = 1
	if options.Target.Deadlines == (target.Deadlines{}) {
		options.Target.Deadlines = shortDeadlines
	}
	result, err := run.Certify(ctx, options)
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

// mostPatience is more than a response takes on a machine that runs a dozen of these tests.
const mostPatience = 10 * time.Second

// patiently certifies a new target with short deadlines, and another one with longer deadlines for as long as they are
// too short for the machine that runs the test: the run did not start, because a target that does respond did not do
// so in time. One that never sends a complete response keeps nobody waiting for minutes.
func patiently(t *testing.T, options run.Options, of func() target.Profile) hostileRun {
	t.Helper()
	for deadlines := shortDeadlines; ; {
		options.Target = of()
		options.Target.Deadlines = deadlines
		came := judged(t, options)
		if came.result != nil || !strings.Contains(came.said, noResponse) || deadlines.Answer > mostPatience {
			return came
		}
		for _, deadline := range []*time.Duration{&deadlines.Answer, &deadlines.Control, &deadlines.Webhook, &deadlines.Balance} {
			*deadline *= 2
		}
	}
}

// once certifies a new target with short deadlines.
func once(t *testing.T, options run.Options, of func() target.Profile) hostileRun {
	t.Helper()
	options.Target = of()
	return judged(t, options)
}

// readable checks that every file of a report can be parsed.
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
