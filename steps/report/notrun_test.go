package report

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A CI server that finds the junit.xml of an earlier run would take it for the result of one that could not start.
func TestJUnitOfARunThatCouldNotStart(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "report")
	reason := errors.New("cannot reach the target <a>\x1b[2J\nat http://127.0.0.1:1")
	require.NoError(t, NotRun(dir, reason))
	assert.NoDirExists(t, dir, "a mistyped command leaves nothing")

	require.NoError(t, Write(dir, sampleRun()))
	require.NoError(t, NotRun(dir, reason))
	text, err := os.ReadFile(filepath.Join(dir, JUnitFile))
	require.NoError(t, err)
	assert.Contains(t, string(text), `<testsuites name="pixcert" tests="1" failures="0" errors="1" time="0.000">`)
	assert.Contains(t, string(text), `message="cannot reach the target &lt;a&gt;\x1b[2J at http://127.0.0.1:1"`)
	_, err = Read(dir)
	require.NoError(t, err, "the rest can be continued")
	assert.Empty(t, leftovers(t, dir))
}
