package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/run"
)

// A cause becomes the smallest scenario that shows it, which is a rule of the user's from then on.
func TestCertifyShrinksACause(t *testing.T) {
	t.Parallel()
	gateway := faulty(t, "debits a cash-out twice")
	rules := ownDir(t, "Feature: F\n@core.balance\nRule: R\nScenario: S\nGiven an account\nWhen the account sends a balance request\nThen the request is accepted\n")
	dir := t.TempDir()
	status, stdout, stderr := invoke(t, append([]string{"certify", "--rule", "cash-out.debit", "--rule", "core.balance", "--report", dir, "--features", rules}, gateway...)...)
	require.Equal(t, 1, status, "%s%s", stdout, stderr)

	status, stdout, stderr = invoke(t, "certify", "--shrink", "1", "--report", dir)
	require.Equal(t, 1, status, "%s%s", stdout, stderr)
	require.Regexp(t, `(?s)Given an account with R\$ 100\.00 available
      When the account sends a cash-out of R\$ 10\.00
      Then the available balance falls by R\$ 10\.00

3 of 5 steps fail in 8 of 8 attempts\. Written to \S+found-[0-9a-f]{8}\.feature`, stdout)
	written, err := filepath.Glob(filepath.Join(rules, "found-*.feature"))
	require.NoError(t, err)
	require.Len(t, written, 1)
	text, err := os.ReadFile(written[0])
	require.NoError(t, err)
	require.Contains(t, string(text), "# got:      fell by R$ 20.00")

	_, err = run.Suite(catalogue.Own{Sources: []catalogue.Source{{File: written[0], Text: string(text)}}})
	require.NoError(t, err, "it is a feature that certify --features runs")

	for cause, message := range map[string]string{
		"0":                  "expected a number from 1 to 1, the likely causes in the report",
		"9":                  "expected a number from 1 to 1",
		"cash-out.none/such": `the report has no scenario "cash-out.none/such"`,
		"core.balance/s":     "did not fail in the report",
	} {
		status, _, stderr := invoke(t, "certify", "--shrink", cause, "--report", dir)
		require.Equal(t, exitNotRun, status)
		require.Contains(t, stderr, message)
	}

	status, stdout, stderr = invoke(t, "certify", "--shrink", "cash-out.debit/while-it-is-pending", "--report", dir, "--reference")
	require.Zero(t, status, "%s%s", stdout, stderr)
	require.Contains(t, stdout, "It passes now.")
}

// What a scenario shows in passing is shrunk, too, and the rule that it breaks is named with the scenario's.
func TestCertifyShrinksAViolationFoundInPassing(t *testing.T) {
	t.Parallel()
	gateway, dir, rules := faulty(t, "returns a cash-out without its time"), t.TempDir(), ownDir(t, "Feature: F\n@core.balance\nRule: R\nScenario: S\nGiven an account\nWhen the account sends a balance request\nThen the request is accepted\n")
	status, stdout, stderr := invoke(t, append([]string{"certify", "--rule", "contract.cash-out", "--rule", "cash-out.debit", "--report", dir, "--features", rules}, gateway...)...)
	require.Equal(t, 1, status, "%s%s", stdout, stderr)

	status, stdout, stderr = invoke(t, "certify", "--shrink", "1", "--report", dir)
	require.Equal(t, 1, status, "%s%s", stdout, stderr)
	require.Regexp(t, `steps fail in 8 of 8 attempts\. Written to`, stdout)
	require.Regexp(t, `To run it: \S+ certify --features \S+ --rule found\.[0-9a-f]{8} --rule contract\.cash-out`, stdout)

	status, _, stderr = invoke(t, "certify", "--shrink", "1", "--report", dir, "--rerun-failed")
	require.Equal(t, exitNotRun, status)
	require.Contains(t, stderr, "--shrink: it runs the scenario of one failure")
}
