// Command corpus guards a rewrite of the judge: it records runs against many gateways, and compares what the judge says
// about them, entry by entry, with what it said before.
//
//	go run ./ci/corpus collect corpus    # record runs
//	go run ./ci/corpus judge corpus      # keep what the judge says about them
//	go run ./ci/corpus diff corpus       # compare what it says now
//	go run ./ci/corpus coverage corpus   # print what of the machine no record shows
//	go run ./ci/corpus sample corpus ci/corpus/testdata
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"time"
)

const usage = "usage: corpus collect|judge|diff|coverage DIR, or corpus sample DIR TO; corpus COMMAND -h lists the flags"

// errDiffers makes the exit status 1; other errors make it 2.
var errDiffers = errors.New("the judge says something else about these records than before; if it is meant to, run corpus judge to keep what it says now")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	debug.SetGCPercent(200)
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(3 << 30) // several runs are in memory at once
	}
	switch err := command(ctx, os.Args[1:], os.Stdout); {
	case errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errDiffers):
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	case err != nil:
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(2)
	}
}

func command(ctx context.Context, args []string, out io.Writer) error {
	if len(args) == 0 {
		return errors.New(usage)
	}
	flags := flag.NewFlagSet("corpus "+args[0], flag.ContinueOnError)
	var size size
	flags.IntVar(&size.seeds, "seeds", 3, "collect: whole runs of the reference with new accounts")
	flags.IntVar(&size.walks, "walks", 2000, "collect: walks of explore, a third of them on deep mutants")
	flags.IntVar(&size.mutants, "mutants", 0, "collect: mutants of each kind, drawn at random; 0 for all")
	flags.Int64Var(&size.seed, "seed", 1, "collect: the first seed")
	limit := flags.Duration("for", 0, "collect: start no run after this time; 0 for no limit")
	unjudged := flags.Bool("new", false, "judge: only runs that were not judged before")
	most := flags.Int("most", 3, "diff: print at most this many differences of a kind; 0 for all")
	bytes := flags.Int64("bytes", 250_000, "sample: the size")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	dir, to := flags.Arg(0), flags.Arg(1)
	if dir == "" || (args[0] == "sample") != (to != "") || flags.NArg() > 2 {
		return errors.New(usage)
	}
	started := time.Now()
	defer func() { fmt.Fprintf(out, "%s took %v\n", args[0], time.Since(started).Round(time.Second/10)) }()
	switch args[0] {
	case "collect":
		if *limit > 0 {
			size.until = started.Add(*limit)
		}
		return collect(ctx, dir, recordings(size), size.until, out)
	case "judge":
		return keep(dir, *unjudged, out)
	case "diff":
		return diff(dir, *most, out)
	case "coverage":
		return coverage(dir, out)
	case "sample":
		return sample(dir, to, *bytes, out)
	}
	return errors.New(usage)
}
