package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestMutantsAtAnotherFrequency(t *testing.T) {
	t.Parallel()
	status, stdout, stderr := invoke(t, "mutants", "--rule", "balance.overdraft", "--every", "7th")
	assert.Contains(t, []int{0, exitSurvivor}, status, stderr)
	assert.Contains(t, stdout, "grants an overdraft, every 7th time\n")
	assert.Contains(t, stdout, " mutants killed (")
	assert.Contains(t, stdout, " with --every 7th\n")
	assert.NotContains(t, stdout, "tolerated")

	status, _, stderr = invoke(t, "mutants", "--every", "5th")
	assert.Equal(t, exitNotRun, status)
	assert.Contains(t, stderr, "5th")
}
