package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/ci/hostile"
)

// Limits of a run against a hostile target.
const (
	maxCPURatio     = 3 // relative to a healthy target
	maxMemory       = 400 << 20
	maxReport       = 20 << 20
	healthy         = "a healthy gateway"
	healthyRuns     = 3
	spoilsAfter     = 100 // requests: a run against a target that is spoilt from the start mostly ends before the first rule
	tableTags       = "@cash-out or @token or @lists"
	tableDeadlines  = "deadlines: {answer: 5s, control: 5s, webhook: 2s, balance: 1s}\n"
	mostTimeOfARun  = "10m"
	hostileTableEnv = "PIXCERT_HOSTILE_TABLE"
)

// tableRow is what a run against one target cost.
type tableRow struct {
	name   string
	status int
	cpu    time.Duration // of the command alone, user and system
	took   time.Duration
	memory int64 // peak
	report int64
	leaks  []string
}

// A run against any hostile target stays within its limits: processor time, memory, size of the report, no secret
// shown. PIXCERT_HOSTILE_TABLE is the file that gets the table (make soak); PIXCERT_HOSTILE_TAGS selects other rules.
func TestHostileTable(t *testing.T) {
	file := os.Getenv(hostileTableEnv)
	if file == "" {
		t.Skip(hostileTableEnv + " is not set")
	}
	var baselines []tableRow
	for range healthyRuns {
		baselines = append(baselines, measure(t, healthy, hostile.Gateway{Correct: true}))
		require.Zero(t, baselines[0].status)
	}
	slices.SortFunc(baselines, func(a, b tableRow) int { return cmp.Compare(a.cpu, b.cpu) })
	baseline := baselines[healthyRuns/2]
	rows := []tableRow{baseline}
	var mu sync.Mutex
	all := tableTargets()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // most runs wait
			row := measure(t, name, all[name])
			mu.Lock()
			rows = append(rows, row)
			err := os.WriteFile(file, table(rows), 0o600)
			mu.Unlock()
			require.NoError(t, err)
			if all[name].Correct {
				require.Zero(t, row.status, "a run that ends early costs little")
			}
			require.LessOrEqual(t, row.cpu, maxCPURatio*baseline.cpu, "processor time")
			require.Less(t, row.memory, int64(maxMemory), "memory")
			require.Less(t, row.report, int64(maxReport), "size of the report")
			require.Empty(t, row.leaks)
		})
	}
}

// tableTargets returns all gateways, and one for each way to spoil responses.
func tableTargets() map[string]hostile.Gateway {
	all := hostile.Gateways()
	for name, spoil := range hostile.Spoils {
		all["spoils: "+name] = hostile.Gateway{API: hostile.Config{After: spoilsAfter, Spoil: spoil}}
	}
	all["echoes of every request"] = hostile.Gateway{API: hostile.Config{After: spoilsAfter, Spoil: hostile.Echo("/token")}}
	all["two thousand unknown fields"], all["single bytes"] = hostile.UnknownFields(2000), hostile.SingleBytes()
	return all
}

// measure certifies a gateway by a command of its own. The gateway runs in this process.
func measure(t *testing.T, name string, gateway hostile.Gateway) tableRow {
	t.Helper()
	known := newSecrets()
	profile := bundledFor(t)
	running, err := gateway.Start(profile.BaseURL, profile.Control.URL, func(r *http.Request, _ []byte, response *http.Response, body []byte) {
		known.witness(r, nil, response, body)
	})
	require.NoError(t, err)
	defer running.Stop()
	text := fmt.Sprintf("url: %s\ncontrols: {url: %s}\n", running.API, running.Controls)
	if !gateway.Correct {
		text += tableDeadlines
	}
	dir := t.TempDir()
	file, reportDir := filepath.Join(dir, "pixcert.yaml"), filepath.Join(dir, "report")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	command := exec.CommandContext(t.Context(), os.Args[0], "certify", file, "--report", reportDir, "--seed", "1", "--timeout", mostTimeOfARun,
		"--tags", cmp.Or(os.Getenv("PIXCERT_HOSTILE_TAGS"), tableTags))
	command.Env = append(os.Environ(), asCommand+"=1", "GOGC=", "GOMEMLIMIT=") // the defaults, as users have them
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	started := time.Now()
	require.NoError(t, command.Start())
	row := tableRow{name: name, memory: peak(t, command), took: time.Since(started), status: command.ProcessState.ExitCode()}
	row.cpu = command.ProcessState.UserTime() + command.ProcessState.SystemTime()
	row.leaks = known.leaks(out.String())
	if row.status != exitNotRun {
		row.report = sizeOf(t, reportDir)
		require.NoError(t, filepath.WalkDir(reportDir, func(path string, file fs.DirEntry, err error) error {
			if err == nil && !file.IsDir() {
				read(t, path, func(b []byte) error { row.leaks = append(row.leaks, known.leaks(string(b))...); return nil })
			}
			return err
		}))
	}
	t.Logf("%s\n%s", out.String(), table([]tableRow{row}))
	return row
}

// table shows rows; the first is the healthy run.
func table(rows []tableRow) []byte {
	var out bytes.Buffer
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "target\texit\tCPU\trelative\ttook\tmemory MiB\treport MiB\tleaks")
	for _, row := range rows {
		fmt.Fprintf(w, "%s\t%d\t%.1fs\t%.1f\t%.0fs\t%d\t%.1f\t%d\n", row.name, row.status, row.cpu.Seconds(),
			row.cpu.Seconds()/rows[0].cpu.Seconds(), row.took.Seconds(), row.memory>>20, float64(row.report)/(1<<20), len(row.leaks))
	}
	_ = w.Flush()
	return out.Bytes()
}
