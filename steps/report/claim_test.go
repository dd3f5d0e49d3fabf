package report

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The second of two runs that write into one directory learns of the first.
func TestTwoRunsIntoOneDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	release, shared := Claim(dir)
	assert.False(t, shared)
	releaseSecond, shared := Claim(dir)
	assert.True(t, shared)
	releaseSecond()
	release()
	release, shared = Claim(dir)
	assert.False(t, shared, "the first has ended")
	release()
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
	release, shared = Claim(dir + "/absent")
	assert.False(t, shared)
	release()
}
