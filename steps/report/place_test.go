package report

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/verdict"
)

// contentOf is a file of a report as text.
func contentOf(t *testing.T, dir, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return string(content)
}

// leftovers returns the files that writing has left behind besides the report.
func leftovers(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, ".*"))
	require.NoError(t, err)
	return found
}

// A run that cannot start leaves nothing behind: neither its lock nor directories.
func TestAPlaceThatIsNotUsedLeavesNothing(t *testing.T) {
	t.Parallel()
	above := t.TempDir()
	place, err := Open(filepath.Join(above, "reports", "today"))
	require.NoError(t, err)
	place.Close()
	assert.NoDirExists(t, filepath.Join(above, "reports"))

	place, err = Open(above)
	require.NoError(t, err)
	place.Close()
	assert.DirExists(t, above, "it existed before")
	assert.Empty(t, leftovers(t, above))

	place, err = Open(filepath.Join(above, "used"))
	require.NoError(t, err)
	require.NoError(t, place.Write(sampleRun()))
	place.Close()
	_, err = Read(filepath.Join(above, "used"))
	require.NoError(t, err)
}

// Another run may remove the directory that it has created, because it could not start.
func TestAPlaceOutlivesItsDirectory(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "report")
	one, err := Open(dir)
	require.NoError(t, err)
	other, err := Open(dir)
	require.NoError(t, err)
	one.Close()
	require.NoError(t, other.Write(sampleRun()))
	other.Close()
	_, err = Read(dir)
	require.NoError(t, err)
}

// If the disk fills up while a report is written, the report lacks requests and responses, has the
// verdicts, and says so.
func TestAFullDiskLeavesTheVerdicts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	earlier := sampleRun()
	earlier.ID = "the-earlier-run"
	require.NoError(t, Write(dir, earlier))

	full := File{Name: RecordsFile, Write: func(w io.Writer) error {
		return &os.PathError{Op: "write", Path: RecordsFile, Err: syscall.ENOSPC}
	}}
	err := Write(dir, sampleRun(), full)
	require.ErrorContains(t, err, "has no requests and responses")
	require.ErrorContains(t, err, "no space left on device; free some disk space")
	past, err := Read(dir)
	require.NoError(t, err)
	assert.Equal(t, sampleRun().ID, past.ID)
	assert.NotNil(t, past.Ended)
	assert.Len(t, past.Scenarios, len(sampleRun().Scenarios))
	assert.Contains(t, contentOf(t, dir, HTMLFile), "Ended early: the report could not be written completely")
	assert.Contains(t, contentOf(t, dir, JUnitFile), `type="ended early"`)
	assert.NoDirExists(t, filepath.Join(dir, EvidenceDir), "that of the earlier run")
	assert.Empty(t, leftovers(t, dir))
}

// If nothing at all can be written, the earlier report is unchanged.
func TestAnEarlierReportSurvives(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, Write(dir, sampleRun()))
	before := contentOf(t, dir, JSONFile)
	place := &Place{dir: dir, most: mostReport}
	failing := File{Name: RecordsFile, Write: func(io.Writer) error { return syscall.EIO }}
	later := sampleRun()
	later.ID = "a-later-run"
	_, err := place.replace(later, []File{failing})
	require.Error(t, err)
	assert.Equal(t, before, contentOf(t, dir, JSONFile))
	assert.FileExists(t, filepath.Join(dir, EvidenceDir, "cash-out.covers-fee", "one-cent-short.har"))
	assert.Empty(t, leftovers(t, dir))
}

// The space that a place reserves is enough for the verdicts if others fill the disk.
func TestARealFullDisk(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("a small disk needs root: %v: %s", err, out)
	}
	defer func() { require.NoError(t, exec.Command("umount", dir).Run()) }()
	place, err := Open(dir)
	require.NoError(t, err)
	defer place.Close()

	other, err := os.Create(filepath.Join(dir, "of-another-program"))
	require.NoError(t, err)
	_, err = io.Copy(other, strings.NewReader(strings.Repeat("x", 3<<20)))
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.NoError(t, other.Close())

	err = place.Write(sampleRun())
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.ErrorContains(t, err, "has no requests and responses")
	past, err := Read(dir)
	require.NoError(t, err)
	assert.NotNil(t, past.Ended)

	_, err = Open(dir)
	require.ErrorContains(t, err, "free some disk space", "said before a run begins")
}

// Runs that write into one directory at the same time leave the report of one of them, whole.
func TestTwoRunsAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var writing sync.WaitGroup
	for i := range 8 {
		writing.Go(func() {
			run := sampleRun()
			run.ID = fmt.Sprintf("run-%d", i)
			if i%2 == 0 {
				run.Scenarios = nil
			}
			assert.NoError(t, Write(dir, run))
		})
	}
	writing.Wait()
	past, err := Read(dir)
	require.NoError(t, err)
	assert.Contains(t, contentOf(t, dir, HTMLFile), past.ID)
	assert.Contains(t, contentOf(t, dir, JUnitFile), past.ID)
	archive := filepath.Join(dir, EvidenceDir, "cash-out.covers-fee", "one-cent-short.har")
	if len(past.Scenarios) > 0 {
		assert.FileExists(t, archive)
	} else {
		assert.NoFileExists(t, archive)
	}
	assert.Empty(t, leftovers(t, dir))
}

// Every file of a report says that the run ended early, and what did not run.
func TestAPartialReportSaysSo(t *testing.T) {
	t.Parallel()
	run := sampleRun()
	run.Strict = true
	run.Ended = &verdict.Ended{Reason: "the target stopped responding at 14:03:07 UTC, after 812 requests", At: time.Date(2026, 3, 1, 14, 3, 7, 0, time.UTC)}
	run.Scenarios[0].Verdict, run.Scenarios[0].Exchanges = verdict.NotRun, nil
	files := written(t, run)

	var document jsonReport
	require.NoError(t, json.Unmarshal([]byte(files[JSONFile]), &document))
	assert.Equal(t, verdict.EndedEarly, document.Outcome)
	assert.Equal(t, 2, document.ExitStatus)
	assert.Equal(t, &jsonEnded{*run.Ended, 1}, document.Ended)
	assert.Equal(t, 1, document.Counts.Scenarios.NotRun)
	assert.True(t, document.Strict)

	assert.Contains(t, files[HTMLFile], "Ended early: the target stopped responding at 14:03:07 UTC, after 812 requests. 1 scenario did not run.")
	assert.Contains(t, files[HTMLFile], "Warnings count as failures (--strict)")

	var junit junitReport
	require.NoError(t, xml.Unmarshal([]byte(files[JUnitFile]), &junit))
	assert.Equal(t, run.Ended.Reason, junit.Suites[0].Cases[0].Error.Message)
	assert.Contains(t, RepeatCommand(run), "--strict")
}
