package main

import (
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/report"
)

// bash finds bash, curl and openssl, with which the lines of a report are sent.
func bash(t *testing.T) string {
	t.Helper()
	for _, program := range []string{"bash", "curl", "openssl"} {
		if _, err := exec.LookPath(program); err != nil {
			require.Empty(t, os.Getenv("PIXCERT_REQUIRE_ALL"), program+" is not installed")
			t.Skip(program + " is not installed; it sends the lines of a report as a person would")
		}
	}
	return "bash"
}

// pasted runs lines in a shell, in a directory of its own.
func pasted(t *testing.T, lines string) string {
	t.Helper()
	run := exec.CommandContext(t.Context(), bash(t), "-c", lines)
	run.Dir = t.TempDir()
	out, err := run.CombinedOutput()
	require.NoError(t, err, "%s\n%s", lines, out)
	left, err := os.ReadDir(run.Dir)
	require.NoError(t, err)
	require.Empty(t, left, "keys in the current directory")
	return string(out)
}

// The commands of a report, pasted on another machine, get the same response that failed.
func TestTheCommandsOfAReportGetTheSameResponse(t *testing.T) {
	t.Parallel()
	bash(t)
	dir := t.TempDir()
	status, stdout, stderr := invoke(t, append([]string{"certify", "--report", dir, "--rule", "cash-out.accepted"},
		faulty(t, "confirms a cash-out immediately")...)...)
	require.Equal(t, 1, status, "%s\n%s", stdout, stderr)
	past, err := report.Read(dir)
	require.NoError(t, err)
	failed := past.Failed()
	require.NotEmpty(t, failed)

	t.Run("as a script", func(t *testing.T) {
		script, err := os.ReadFile(filepath.Join(dir, report.EvidenceDir, filepath.FromSlash(failed[0].Slug())+".sh"))
		require.NoError(t, err)
		answers := pasted(t, string(script))
		require.Contains(t, answers, `"status":"CONFIRMED"`)
		require.NotContains(t, answers, "HTTP/1.1 4", "%s\n%s", script, answers)
	})
	t.Run("line by line", func(t *testing.T) {
		page, err := os.ReadFile(filepath.Join(dir, report.HTMLFile))
		require.NoError(t, err)
		var prepare, lines strings.Builder
		evidence := regexp.MustCompile(`(?s)id="failed-` + regexp.QuoteMeta(failed[0].Rule) + `".*?<div class="exchanges">(.*?)class="again"`).FindStringSubmatch(string(page))[1]
		for _, m := range regexp.MustCompile(`(?s)<pre[^>]*>(.*?)</pre>`).FindAllStringSubmatch(string(page), -1) {
			if text := html.UnescapeString(m[1]); strings.Contains(text, "new_account\n") {
				prepare.WriteString(text + "\n")
			}
		}
		for _, m := range regexp.MustCompile(`(?s)<pre[^>]*>(curl.*?)</pre>`).FindAllStringSubmatch(evidence, -1) {
			if line := html.UnescapeString(m[1]); !strings.Contains(line, "/accounts' \\") { // the account is there
				lines.WriteString(line + "\n")
			}
		}
		require.NotEmpty(t, prepare.String())
		require.Contains(t, lines.String(), "$TOKEN")
		answers := pasted(t, prepare.String()+lines.String())
		require.Contains(t, answers, `"status":"CONFIRMED"`)
		require.NotContains(t, answers, "HTTP/1.1 4", "%s\n%s", prepare.String()+lines.String(), answers)
	})
}
