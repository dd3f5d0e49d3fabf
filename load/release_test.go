package load

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

// A release has a program for each system, of the version of its tag.
func TestAReleaseIsOfItsTag(t *testing.T) {
	t.Parallel()
	xk6 := filepath.Join(t.TempDir(), "xk6")
	require.NoError(t, os.WriteFile(xk6, []byte("#!/bin/sh\n[ \"$1 $2 $3\" = 'build v2.2.0 --with' ] && echo \"$4 for $GOOS/$GOARCH\" >\"$6\"\n"), 0o700)) // a program
	out := t.TempDir()
	release := exec.Command("./release.sh", "load/v1.2.3", out)
	release.Env = append(os.Environ(), "XK6="+xk6)
	text, err := release.CombinedOutput()
	require.NoError(t, err, string(text))
	for file, system := range map[string]string{
		"k6-pix-linux-amd64": "linux/amd64", "k6-pix-linux-arm64": "linux/arm64", "k6-pix-darwin-arm64": "darwin/arm64", "k6-pix-windows-amd64.exe": "windows/amd64",
	} {
		built, err := os.ReadFile(filepath.Join(out, file))
		require.NoError(t, err)
		assert.Equal(t, "github.com/pixcert/pixcert/load@v1.2.3 for "+system+"\n", string(built))
	}
	sums, err := os.ReadFile(filepath.Join(out, "checksums.txt"))
	require.NoError(t, err)
	assert.Len(t, regexp.MustCompile(`(?m)^[0-9a-f]{64} `).FindAllString(string(sums), -1), 4)
	assert.Error(t, exec.Command("./release.sh", "v1.2.3", t.TempDir()).Run(), "a tag of another module")
}

// A tag of an action can be moved to other code. Only the job that publishes may write, and it runs nothing else.
func TestWorkflowsArePinned(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../.github/workflows/*")
	require.NoError(t, err)
	if files == nil {
		t.Skip("this is the module alone, without its repository")
	}
	for _, file := range append(files, "../README.md") {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, used := range regexp.MustCompile(`(?m)^ *- uses: .*`).FindAllString(string(text), -1) {
			assert.Regexp(t, `@[0-9a-f]{40} # v\d+\.\d+\.\d+$`, used, file)
		}
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		type permissions map[string]string
		var workflow struct {
			Permissions *permissions
			Jobs        map[string]struct {
				Permissions permissions
				Steps       []struct{ Uses string }
			}
		}
		require.NoError(t, yaml.Unmarshal(text, &workflow), file)
		require.Equal(t, &permissions{}, workflow.Permissions, "%s: each job names what it needs", file)
		for name, job := range workflow.Jobs {
			if !slices.Contains(slices.Collect(maps.Values(job.Permissions)), "write") {
				continue
			}
			for _, step := range job.Steps {
				assert.NotContains(t, step.Uses, "checkout", "%s: %s can write, so it runs no code of the repository", file, name)
			}
		}
	}
}

// The workflow runs that script with the xk6 that the tests use, and the README names both.
func TestTheWorkflowOfAReleaseIsWhatTheTestsUse(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../.github/workflows/load-release.yml")
	if os.IsNotExist(err) {
		t.Skip("this is the module alone, without its repository")
	}
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, new(any)))
	assert.Contains(t, string(text), "load/release.sh")
	tools, err := os.ReadFile("tools/go.mod")
	require.NoError(t, err)
	used := regexp.MustCompile(`go\.k6\.io/xk6 (v\S+)`).FindSubmatch(tools)
	require.NotNil(t, used)
	own, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	k6 := regexp.MustCompile(`go\.k6\.io/k6/v2 (v\S+)`).FindSubmatch(own)
	require.NotNil(t, k6)
	assert.Contains(t, string(text), "xk6@"+string(used[1]))
	for _, file := range []string{"README.md", "release.sh"} {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Contains(t, string(content), string(k6[1]), file)
	}
}
