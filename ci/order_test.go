package ci

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// suite lists the packages of steps from top to bottom, each with those that it may import. Acting
// (world) and planning (plan) do not depend on each other, and reports do not depend on how results
// were produced.
var suite = []struct {
	name string
	may  []string
}{
	{"certificate", []string{"run", "report", "baseline", "plan", "spec", "record", "language", "catalogue"}},
	{"proof", []string{"run", "progress"}},
	{"explore", []string{"run", "plan", "model", "language", "catalogue"}},
	{"run", []string{"progress", "plan", "world", "judge", "record", "dimensions", "language", "catalogue"}},
	{"progress", []string{"report"}},
	{"report", []string{"history"}},
	{"baseline", nil},
	{"compare", []string{"history"}},
	{"history", nil},
	{"merge", nil},
	{"replay", nil},
	{"plan", []string{"dimensions", "language", "catalogue"}},
	{"world", []string{"judge", "listing", "record", "dimensions", "language", "catalogue"}},
	{"judge", []string{"listing", "spec", "record", "dimensions", "language", "catalogue"}},
	{"listing", []string{"record", "language"}},
	{"explain", []string{"dimensions", "language", "catalogue"}},
	{"record", []string{"dimensions", "language", "catalogue"}},
	{"dimensions", []string{"language"}},
	{"model", []string{"spec", "language", "catalogue"}},
	{"spec", nil},
	{"language", []string{"catalogue"}},
	{"catalogue", nil},
	{"fake", nil}, // a gateway for the tests of world and run: nothing else may import it
}

// base are packages that all of these may import; each may import those after it.
var base = []string{
	"profile/setup", "profile", "target/container", "sink", "api", "target", "report/har", "verdict", "exchange",
	"brcode", "covering", "money", "jsonvalue", "plaintext", "shell", "spelling", "translation", "wording", "untrusted",
}

// breach says why an import between two packages of steps is not allowed; empty if it is.
func breach(from, to string) string {
	in := func(name string) int {
		for i, p := range suite {
			if p.name == name {
				return i
			}
		}
		return -1
	}
	i, j, k, l := in(from), in(to), slices.Index(base, from), slices.Index(base, to)
	switch {
	case i < 0 && k < 0:
		return fmt.Sprintf("steps/%s is missing from the order of packages: add it to the table", from)
	case j < 0 && l < 0:
		return fmt.Sprintf("steps/%s is missing from the order of packages: add it to the table", to)
	case i >= 0 && (l >= 0 || slices.Contains(suite[i].may, to)), k >= 0 && k < l:
		return ""
	}
	return fmt.Sprintf("steps/%s imports steps/%s, which the order of packages does not allow", from, to)
}

func TestThePackagesOfTheSuiteKeepTheirOrder(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		from, inside := strings.CutPrefix(p.ImportPath, module+"/steps/")
		for _, imported := range p.Imports {
			if to, steps := strings.CutPrefix(imported, module+"/steps/"); steps && inside {
				require.Empty(t, breach(from, to))
			}
		}
	}
}

// The table itself has no import from a lower to a higher package.
func TestTheOrderRunsOneWay(t *testing.T) {
	t.Parallel()
	var seen []string
	for _, p := range suite {
		require.NotContains(t, seen, p.name, "listed twice")
		seen = append(seen, p.name)
		for _, below := range p.may {
			require.NotContains(t, seen, below, "%s may import %s, which is above it", p.name, below)
		}
	}
	for _, c := range [][2]string{
		{"catalogue", "language"}, {"language", "plan"}, {"judge", "world"}, {"record", "judge"}, {"listing", "judge"}, {"record", "listing"}, {"plan", "world"}, {"plan", "run"}, {"world", "plan"},
		{"report", "run"}, {"report", "judge"}, {"progress", "language"}, {"replay", "world"}, {"run", "proof"}, {"api", "language"}, {"target", "api"},
		{"money", "brcode"}, {"exchange", "verdict"}, {"verdict", "report"}, {"new", "money"}, {"run", "new"},
	} {
		require.NotEmpty(t, breach(c[0], c[1]), "%s imports %s", c[0], c[1])
	}
	for _, c := range [][2]string{{"run", "plan"}, {"plan", "language"}, {"world", "judge"}, {"judge", "listing"}, {"judge", "record"}, {"listing", "record"}, {"catalogue", "spelling"}, {"target", "exchange"}, {"report", "report/har"}} {
		require.Empty(t, breach(c[0], c[1]), "%s imports %s", c[0], c[1])
	}
}

// Judging and planning are pure: they send nothing, read no file and no clock, and start nothing.
func TestJudgingAndPlanningHaveNoIO(t *testing.T) {
	t.Parallel()
	pure := []string{"plan", "judge", "listing", "model", "language", "api", "money", "jsonvalue", "brcode", "covering", "dimensions", "merge"}
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, module+"/steps/")
		if !slices.Contains(pure, name) {
			continue
		}
		for _, imported := range []string{"os", "os/exec", "io", "io/fs", "context", "log", "log/slog", "math/rand", "math/rand/v2", "crypto/rand"} {
			if name == "model" && imported == "math/rand/v2" {
				continue // it draws from the seeds of steps, and from nothing else: see its TestOnlySeedsDraw
			}
			require.NotContains(t, p.Imports, imported, p.ImportPath)
		}
	}
}
