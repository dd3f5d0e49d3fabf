package command

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"go.k6.io/k6/v2/errext/exitcodes"

	"github.com/pixcert/pixcert/load/internal/capacity"
	"github.com/pixcert/pixcert/load/internal/report"
	"github.com/pixcert/pixcert/load/internal/result"
)

func capacitySearch(t terminal) *cobra.Command {
	var config capacity.Config
	var duration time.Duration
	var precision, keep string
	c := &cobra.Command{
		Use:   "capacity [flags] SCRIPT [-- ARGUMENT...]",
		Short: "Search for the highest rate at which a script passes",
		Long: "Search for the highest rate at which a script passes. Each rate is a run of its own,\n" +
			"k6 run SCRIPT, with the environment variables RATE, per second, and DURATION, such as 30s.\n" +
			"The rate doubles until a run does not pass, and then the gap is halved. ARGUMENTs are\n" +
			"passed to k6 run.",
		Example: "  k6 x pix capacity --from 50 --to 5000 load/scripts/cash-out.js\n" +
			"  k6 x pix capacity script.js -- --tag version=7",
		Args: scriptArgument,
		RunE: func(_ *cobra.Command, args []string) error {
			var err error
			if config.Precision, err = share(precision); err == nil {
				err = validate(config, duration)
			}
			if err != nil {
				return withStatus(err, int(exitcodes.InvalidConfig))
			}
			w := windows{terminal: t, script: args[0], arguments: args[1:], duration: duration, folder: keep}
			return w.search(config)
		},
	}
	c.Flags().IntVar(&config.From, "from", 50, "first `RATE`, per second")
	c.Flags().IntVar(&config.To, "to", 20000, "highest `RATE` to try, per second")
	c.Flags().DurationVar(&duration, "duration", 30*time.Second, "of each run, in whole seconds")
	c.Flags().StringVar(&precision, "precision", "5%", "largest gap between the rate that passed and the one that failed, a `SHARE`")
	c.Flags().StringVar(&keep, "keep", "", "keep the output of each run in this `DIR`")
	return c
}

func scriptArgument(c *cobra.Command, args []string) error {
	before := c.ArgsLenAtDash()
	if before < 0 {
		before = len(args)
	}
	switch {
	case before != 1:
		return fmt.Errorf("expected one script, got %d: arguments of k6 run go after --", before)
	case args[0] == "-":
		return errors.New("expected a script file, because every run reads it, got standard input")
	}
	return nil
}

// share reads a percentage.
func share(text string) (float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	value, err := strconv.ParseFloat(number, 64)
	if !percent || err != nil || !(value >= 0.1 && value <= 50) {
		return 0, fmt.Errorf("--precision: expected 0.1%% to 50%%, got %s", text)
	}
	return value / 100, nil
}

func validate(c capacity.Config, duration time.Duration) error {
	switch {
	case c.From < 1:
		return fmt.Errorf("--from: expected a rate of at least 1, got %d", c.From)
	case c.To < c.From:
		return fmt.Errorf("--to: expected at least the rate of --from, %d, got %d", c.From, c.To)
	case duration < time.Second || duration%time.Second != 0:
		return fmt.Errorf("--duration: expected whole seconds, such as 30s, got %s", duration)
	}
	return nil
}

// windows runs a script at the rates of a search.
type windows struct {
	terminal
	script    string
	arguments []string
	duration  time.Duration
	folder    string // empty: nothing is kept
	program   string
	signals   chan os.Signal
}

func (w *windows) search(c capacity.Config) (err error) {
	if w.program, err = os.Executable(); err != nil {
		return err
	}
	if w.folder == "" {
		if w.folder, err = os.MkdirTemp("", "pix-capacity-"); err != nil {
			return err
		}
		defer os.RemoveAll(w.folder)
	}
	w.signals = make(chan os.Signal, 4)
	signal.Notify(w.signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(w.signals)

	fmt.Fprintf(w, "  %8s  %-11s  %8s  reason\n", "rate", "verdict", "p99")
	found, err := capacity.Search(c, w.run)
	fmt.Fprintf(w, "\n%s\n", found)
	return conclusion(found, err)
}

const bottleneck = 3 // the exit status of a search that the generator has ended

// conclusion is the error and status that k6 exits with; nil if a capacity was found and nothing was wrong.
func conclusion(f capacity.Found, err error) error {
	switch {
	case f.Wrong.Rate > 0:
		err = errors.Join(fmt.Errorf("payments, webhooks or money were wrong at %d/s", f.Wrong.Rate), err)
		return withStatus(err, result.Wrong.ExitStatus())
	case err != nil:
		return err
	case f.Stopped:
		return withStatus(errors.New("the search was interrupted"), result.Interrupted.ExitStatus())
	case f.Invalid.Rate > 0:
		return withStatus(errors.New("the generator was the bottleneck"), bottleneck)
	case f.Passed.Rate == 0:
		return withStatus(errors.New("no rate passed: try a lower one with --from"), result.Fail.ExitStatus())
	}
	return nil
}

// run is one window. It is a process, which gets every signal that the search gets: the first
// ends its load, the second its wait for webhooks.
func (w *windows) run(rate int) (capacity.Window, error) {
	folder := filepath.Join(w.folder, strconv.Itoa(rate))
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return capacity.Window{}, err
	}
	var output, log bytes.Buffer
	file := filepath.Join(folder, "result.json")
	_ = os.Remove(file) // of an earlier search
	k6 := exec.Command(w.program, slices.Concat([]string{
		"run", "--quiet", "--no-color", "--log-format=json",
		"-e", "RATE=" + strconv.Itoa(rate), "-e", fmt.Sprintf("DURATION=%ds", w.duration/time.Second), "-e", "PIX_RESULT=" + file,
	}, w.arguments, []string{w.script})...) // #nosec G204 -- k6 itself, with the script and the arguments of its user
	k6.Stdout, k6.Stderr = &output, &log
	separate(k6)
	if err := k6.Start(); err != nil {
		return capacity.Window{}, err
	}
	ended := make(chan error, 1)
	go func() { ended <- k6.Wait() }()
	stopped := false
	for running := true; running; {
		select {
		case <-w.signals:
			stopped = true
			interrupt(k6)
		case <-ended: // however: the status says it
			running = false
		}
	}
	if err := errors.Join(os.WriteFile(filepath.Join(folder, "summary.txt"), output.Bytes(), 0o600), os.WriteFile(filepath.Join(folder, "log.json"), log.Bytes(), 0o600)); err != nil {
		return capacity.Window{}, err
	}
	window, err := judge(k6.ProcessState.ExitCode(), file, log.Bytes(), stopped)
	if err == nil && window.Verdict == result.Pass && window.Offered < int64(float64(rate)*w.duration.Seconds()*leastOffered) {
		err = fmt.Errorf("expected about %d iterations, %d/s for %s, got %d: does the script take its rate from RATE and its duration from DURATION?",
			int64(float64(rate)*w.duration.Seconds()), rate, w.duration, window.Offered)
	}
	if err == nil {
		p99 := "–"
		if window.P99 > 0 {
			p99 = report.Milliseconds(window.P99)
		}
		fmt.Fprintf(w, "  %6d/s  %-11s  %8s  %s\n", rate, window.Verdict, p99, window.Reason)
	}
	return window, err
}

const leastOffered = 0.5 // the share of the iterations that a script has to offer: some scenarios have a limit of their own

// judge is what a run says in its result file. Without one, it was stopped; otherwise that is an error of k6.
func judge(status int, file string, log []byte, stopped bool) (w capacity.Window, err error) {
	w.Stopped, w.Reason = stopped, complaint(log)
	r, err := result.Read(file)
	judged := []int{0, int(exitcodes.ThresholdsHaveFailed), int(exitcodes.MarkedAsFailed), int(exitcodes.ExternalAbort)}
	switch {
	case !stopped && !slices.Contains(judged, status):
		return w, withStatus(errors.New(cmp.Or(w.Reason, fmt.Sprintf("k6 ended with status %d", status))), max(status, 1))
	case errors.Is(err, os.ErrNotExist) && (stopped || status == int(exitcodes.ExternalAbort)):
		w.Verdict = result.Interrupted
		return w, nil
	case errors.Is(err, os.ErrNotExist):
		return w, errors.New("expected the result of the run in the file that PIX_RESULT names, got none: export handleSummary from the script, with [__ENV.PIX_RESULT]: result(data)")
	case err != nil:
		return w, err
	}
	why := report.Why(r) // a sentence, and then each threshold that failed
	w.Verdict, w.Offered, w.Reason = r.Outcome, r.Iterations+r.Dropped, why[0]
	w.P99 = r.Metrics["pix_req_intended_duration"].Values["p(99)"]
	switch {
	case w.Verdict == result.Pass:
		w.Reason = ""
	case w.Verdict == result.Fail && len(why) > 1:
		w.Reason = why[1]
	}
	return w, nil
}

// complaint is the errors that k6 has logged as JSON, or whatever else it wrote.
func complaint(log []byte) string {
	var messages []string
	for lines := bufio.NewScanner(bytes.NewReader(log)); lines.Scan(); {
		var line struct{ Level, Msg string }
		if json.Unmarshal(lines.Bytes(), &line) != nil {
			line.Level, line.Msg = "error", lines.Text()
		}
		if line.Level == "error" || line.Level == "fatal" {
			messages = append(messages, line.Msg)
		}
	}
	const most = 5
	return strings.Join(messages[:min(len(messages), most)], "; ")
}
