package ci

import (
	"os"
	"os/exec"
	"path/filepath"
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

// .ci/run, with programs that do nothing instead of make and those it would install, ends with the status of its steps.
func TestCIEndsWithTheStatusOfItsSteps(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]struct {
		makeScript string
		status     int
	}{
		"every step passes":           {"exit 0", 0},
		"the tests fail":              {`[ "$1" != test ]`, 1},
		"a step next to others fails": {`[ "$1" != lint ]`, 1},
		"the first step fails":        {`[ "$1" != k6 ]`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write := func(path, script string) {
				path = filepath.Join(dir, path)
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
				require.NoError(t, os.WriteFile(path, []byte(script), 0o755))
			}
			script, err := os.ReadFile("../.ci/run")
			require.NoError(t, err)
			write(".ci/run", string(script))
			write("load/smoke.sh", "#!/bin/sh\n")
			write("bin/make", "#!/bin/sh\n"+run.makeScript+"\n")
			for _, program := range []string{"nginx", "chromium", "docker", "git"} {
				write("bin/"+program, "#!/bin/sh\n")
			}
			cmd := exec.Command(filepath.Join(dir, ".ci/run"))
			cmd.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"), "TMPDIR="+dir)
			output, err := cmd.CombinedOutput()
			if run.status == 0 {
				require.NoError(t, err, "%s", output)
				return
			}
			var failed *exec.ExitError
			require.ErrorAs(t, err, &failed, "%s", output)
			require.Equal(t, run.status, failed.ExitCode(), "%s", output)
		})
	}
}
