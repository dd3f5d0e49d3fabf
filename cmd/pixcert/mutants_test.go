package main

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/ci/mutants"
)

func TestMutantsAtAnotherFrequency(t *testing.T) {
	t.Parallel()
	status, stdout, stderr := invoke(t, "mutants", "--rule", "balance.overdraft", "--every", "7th")
	assert.Contains(t, []int{0, exitSurvivor}, status, stderr)
	assert.Contains(t, stdout, "grants an overdraft, every 7th time\n")
	assert.Contains(t, stdout, " mutants killed (")
	assert.Regexp(t, ` with --every 7th; the faults of \d+ never occurred\n`, stdout)
	assert.NotContains(t, stdout, "tolerated")

	status, _, stderr = invoke(t, "mutants", "--every", "5th")
	assert.Equal(t, exitNotRun, status)
	assert.Contains(t, stderr, "5th")
}

func TestOnlyThePermittedDifferencesOfAName(t *testing.T) {
	t.Parallel()
	status, stdout, stderr := invoke(t, "mutants", "--permitted", "returns 202 for a transfer", "--rule", "transfer.accepted")
	assert.Zero(t, status, stderr)
	assert.Equal(t, "tolerated                                        returns 202 for a transfer\n\n1 of 1 permitted differences tolerated\n", stdout)

	status, _, stderr = invoke(t, "mutants", "--mutant", "no such fault")
	assert.Equal(t, exitNotRun, status)
	assert.Contains(t, stderr, "--mutant no such fault: none of these mutants has such a name")
	status, _, stderr = invoke(t, "mutants", "--permitted", "pays twice")
	assert.Equal(t, exitNotRun, status)
	assert.Contains(t, stderr, "--permitted pays twice: no permitted difference has such a name")
}

func TestDeepMutants(t *testing.T) {
	t.Parallel()
	status, stdout, stderr := invoke(t, "mutants", "--deep", "--rule", "token.issued")
	assert.Equal(t, exitNotRun, status)
	assert.Contains(t, stderr, "token.issued")
	assert.Empty(t, stdout)

	status, stdout, stderr = invoke(t, "mutants", "--deep", "--rule", "balance.answer")
	assert.Zero(t, status, stderr)
	assert.Contains(t, stdout, "answers a second item once the month has changed (BAL-006)\n")
	assert.NotContains(t, stdout, "tolerated")

	status, _, stderr = invoke(t, "mutants", "--deep", "--every", "7th")
	assert.Equal(t, exitNotRun, status)
	assert.Contains(t, stderr, "--every")
}

func TestASampleOfMutants(t *testing.T) {
	t.Parallel()
	for _, accounts := range []string{"fresh", "fixed"} {
		status, stdout, stderr := invoke(t, "mutants", "--rule", "contract.balances", "--sample", "5", "--every", "always", "--accounts", accounts)
		assert.Zero(t, status, stderr)
		assert.Regexp(t, `^failed        contract.balances .*, fails \S+/.* \(seed 1, shown \d+ times\)\n`, stdout)
		assert.Contains(t, stdout, "\n1 runs with --every always on "+accounts+" accounts: 1 failed, 0 incomplete, 0 conformed although the fault occurred, 0 with the fault only where it may not matter, 0 without the fault\n")
	}
}

func TestASampleIsReproducible(t *testing.T) {
	t.Parallel()
	first := sample(mutants.All(), 10, 1)
	assert.Len(t, first, 10)
	var rules []string
	for i, m := range sample(mutants.All(), 10, 1) {
		assert.Equal(t, first[i].Name, m.Name)
		assert.NotContains(t, rules, m.Rule)
		rules = append(rules, m.Rule)
	}
	alone := slices.DeleteFunc(mutants.All(), func(m mutants.Mutant) bool { return m.Rule != first[0].Rule })
	assert.Equal(t, first[0].Name, sample(alone, 10, 1)[0].Name, "whatever else is selected")
}

func TestMutantsThatExploringFinds(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	status, stdout, stderr := invoke(t, "mutants", "--explore", "5m", "--deep", "--rule", "cob.txid") // the first walks show it
	assert.Zero(t, status, stderr)
	assert.Regexp(t, `^found +\d+\.\d s +\d+ walks? +\d+ steps?, shortened in +\d+\.\d s +cob\.txid +\S.* \(COB-\d+\)\n\n1 of 1 mutant found in 5m0s each \(100 %\); median \d+\.\d s, of which \d+\.\d s to shorten, \d+ walks? and \d+ steps?\n$`, stdout)

	status, stdout, stderr = invoke(t, "mutants", "--explore", "1s", "--permitted", "returns 202 for a transfer")
	assert.Zero(t, status, stderr)
	assert.Contains(t, stdout, "returns 202 for a transfer\n\n1 of 1 permitted difference without a finding in 1s each\n")

	status, _, stderr = invoke(t, "mutants", "--explore=-1s")
	assert.Equal(t, exitNotRun, status)
	assert.Contains(t, stderr, "--explore: expected a duration above zero")
}
