package ci

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// The workflow has a job for every step of .ci/run, but for the installation of packages; a job may take two.
func TestTheWorkflowRunsTheStepsOfCI(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("../.ci/run")
	require.NoError(t, err)
	workflow, err := os.ReadFile("../.github/workflows/ci.yml")
	require.NoError(t, err)
	steps := regexp.MustCompile(`(?m)^(?:step|beside) (\S+)`).FindAllSubmatch(script, -1)
	require.Greater(t, len(steps), 5)
	for _, step := range steps {
		if string(step[1]) == "packages" {
			continue
		}
		require.Regexp(t, `\{name: ([\w-]+ and )?`+string(step[1])+`[, ]`, string(workflow))
	}
}

// Actions are pinned by the digest of a commit, which a tag that moves does not change.
func TestActionsArePinned(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir("../.github/workflows")
	require.NoError(t, err)
	for _, entry := range entries {
		workflow, err := os.ReadFile("../.github/workflows/" + entry.Name())
		require.NoError(t, err)
		for _, use := range regexp.MustCompile(`uses: .*`).FindAllString(string(workflow), -1) {
			require.Regexp(t, `^uses: [\w/-]+@[0-9a-f]{40} # v`, use, entry.Name())
		}
	}
}
