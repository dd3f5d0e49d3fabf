package report

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestARunBeginsWithoutTheReportOfAnother(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "report", "load")
	require.NoError(t, Clear(dir))
	for _, name := range []string{ResultFile, "mine.txt"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("old"), 0o644))
	}
	require.NoError(t, Clear(dir))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1)
	require.Equal(t, "mine.txt", left[0].Name())

	file := filepath.Join(dir, "mine.txt")
	require.ErrorContains(t, Clear(file), "a writable directory")
}
