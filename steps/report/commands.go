package report

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pixcert/pixcert/steps/shell"
	"github.com/pixcert/pixcert/steps/verdict"
)

// RepeatCommand is the command that repeats a run in the same order. A merged run has an order only if
// all of its parts had the same seed.
func RepeatCommand(run *verdict.Run) string {
	words := append([]string{"pixcert", "certify"}, run.Arguments...)
	switch {
	case strings.Contains(run.Selection, "@"):
		words = append(words, "--tags", run.Selection)
	default:
		for _, rule := range strings.FieldsFunc(run.Selection, func(c rune) bool { return c == ' ' || c == ',' }) {
			words = append(words, "--rule", rule)
		}
	}
	if own := run.Own; own != nil {
		words = append(words, "--features", own.Directory)
	}
	if run.Depth != "" && run.Depth != verdict.Standard {
		words = append(words, "--depth", string(run.Depth))
	}
	if run.Budget > 0 && run.Depth != verdict.Quick {
		words = append(words, "--budget", run.Budget.String())
	}
	if run.Strict {
		words = append(words, "--strict")
	}
	if b := run.Baseline; b != nil {
		words = append(words, "--baseline", b.File)
	}
	if shard := run.Shard.String(); shard != "" {
		words = append(words, "--shard", shard)
	}
	if len(run.Seeds) == 0 {
		words = append(words, "--seed", strconv.FormatInt(run.Seed, 10))
	}
	words = append(words, "--concurrency", strconv.Itoa(run.Concurrency))
	return shell.Command(words...)
}

// ContinueCommand is the command that runs what failed and what did not run. dir is the
// report's directory and baseline the file of known failures; empty for the default and for none.
func ContinueCommand(dir, baseline string) string {
	words := []string{"pixcert", "certify", "--rerun-failed"}
	if dir != "" {
		words = append(words, "--report", dir)
	}
	if baseline != "" {
		words = append(words, "--baseline", baseline)
	}
	return shell.Command(words...)
}

// ReplayCommand is the command that runs a scenario again against the target and the
// reference. dir is the report's directory, empty for the default.
func ReplayCommand(s verdict.Scenario, dir string) string {
	words := []string{"pixcert", "replay", s.Slug()}
	if dir != "" {
		words = append(words, "--report", dir)
	}
	return shell.Command(words...)
}

// UnlessDefault returns a report's directory for printed commands: empty for the default.
func UnlessDefault(dir string) string {
	if standard, err := filepath.Abs("report"); err == nil && dir == standard {
		return ""
	}
	return dir
}
