package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/explore"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/run"
)

// A run of one rule mostly waits. A whole run computes: next to others, it would run into its deadlines, and repeat what
// failed because of them.
const (
	shortAtOnce = 12
	wholeAtOnce = 2
)

// Deadlines of gateways in this process: a run waits in full for everything that a faulty gateway does not do.
const (
	webhookDeadline = 2 * time.Second
	balanceDeadline = 200 * time.Millisecond
)

// collect records runs below dir, each in a directory that pixcert judge reads, too. What dir has already is kept, so
// that an interrupted collection goes on.
func collect(ctx context.Context, dir string, all []recording, until time.Time, out io.Writer) error {
	var (
		mu       sync.Mutex
		failed   []error
		recorded int
	)
	record := func(r recording) {
		err := r.record(ctx, filepath.Join(dir, r.name))
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", r.name, err))
			return
		}
		recorded++
	}
	for _, phase := range []struct {
		short  bool
		atOnce int
	}{{false, wholeAtOnce}, {true, shortAtOnce}} {
		var running sync.WaitGroup
		room := make(chan struct{}, phase.atOnce)
		for _, r := range all {
			if r.short != phase.short || exists(filepath.Join(dir, r.name)) {
				continue
			}
			room <- struct{}{}
			if ctx.Err() != nil || !until.IsZero() && time.Now().After(until) {
				break
			}
			running.Go(func() {
				defer func() { <-room }()
				record(r)
			})
		}
		running.Wait()
	}
	fmt.Fprintf(out, "recorded %d of %d runs; %s has %d\n", recorded, len(all), dir, len(corpora(dir)))
	return cmp.Or(ctx.Err(), errors.Join(failed...))
}

func exists(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, report.RecordsFile))
	return err == nil
}

// record records one run.
func (r recording) record(ctx context.Context, dir string) error {
	profile, stop, err := r.gateway.open(ctx)
	if err != nil {
		return err
	}
	defer stop()
	options := run.Options{
		Target: profile, Seed: r.seed, Secrets: &exchange.Redactor{}, Evidence: &run.Evidence{}, Version: "corpus",
	}
	switch {
	case r.walks > 0:
		err = explored(ctx, options, r)
	case r.short:
		options.Target.Deadlines.Webhook, options.Target.Deadlines.Balance = webhookDeadline, balanceDeadline
		options.Rules, options.Once, options.Concurrency = []string{r.rule}, true, 4
		_, err = run.Certify(ctx, options)
	default:
		_, err = run.Certify(ctx, options)
	}
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return write(dir, func(w io.Writer) error { return options.Evidence.Write(w, options.Secrets) })
}

// explored records the first walks that explore tries, as one run. Further ones would be another run, with walks of the
// same names.
func explored(ctx context.Context, options run.Options, r recording) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	options.Concurrency = 16
	_, err := explore.Search(ctx, explore.Options{Run: options, Seed: r.seed, Walks: r.walks, Progress: func(explore.Report) { stop() }})
	return err
}

// write writes the records of a run.
func write(dir string, content func(io.Writer) error) (err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "records-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := errors.Join(content(f), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), filepath.Join(dir, report.RecordsFile))
}
