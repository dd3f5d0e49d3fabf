package reference

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The page names files of the code; each exists.
func TestFilesOfThePageExist(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("code.md")
	require.NoError(t, err)
	files := regexp.MustCompile("`([a-z]+/[a-z]+\\.go)`").FindAllSubmatch(page, -1)
	require.Greater(t, len(files), 20)
	for _, file := range files {
		assert.FileExists(t, string(file[1]))
	}
}
