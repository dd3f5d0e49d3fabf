package ci

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Whoever builds a release as PACKAGES.md says uses the tools of the workflow.
func TestPackagesAreBuiltWithTheSameTools(t *testing.T) {
	t.Parallel()
	workflow, err := os.ReadFile("../.github/workflows/release.yml")
	require.NoError(t, err)
	page, err := os.ReadFile("PACKAGES.md")
	require.NoError(t, err)
	tools := regexp.MustCompile(`go install \S+@v\S+`).FindAllString(string(workflow), -1)
	require.Len(t, tools, 2)
	for _, tool := range tools {
		assert.Contains(t, string(page), tool)
	}
}
