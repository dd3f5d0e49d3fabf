package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/explore"
	"github.com/pixcert/pixcert/steps/progress"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/verdict"
)

// corpusDirectory is where findings are written by default.
const corpusDirectory = "found"

// ownAndFound reads the user's own features. With --explore, findings go to their directory.
func (c *certifyCmd) ownAndFound() (catalogue.Own, error) {
	if c.explored() == 0 || c.Features != nil {
		return c.own()
	}
	own, err := explore.ReadCorpus(corpusDirectory)
	if err != nil {
		err = fmt.Errorf("%s: %w", corpusDirectory, listed(err))
	}
	return own, err
}

// explore searches the target for findings, and adds them to the run; nil without --explore. What was found
// before ctx ends is kept.
func (c *certifyCmd) explore(ctx context.Context, to *console, options *run.Options) (*explore.Report, error) {
	if c.explored() == 0 {
		return nil, nil
	}
	status := progress.NewStatus(to.out, c.displayOptions(to))
	if !c.Quiet {
		fmt.Fprintln(to.out, to.language.Sayf("Exploring for %v", c.explored()))
	}
	bare := *options
	bare.Own, bare.Progress, bare.Evidence, bare.Known, bare.Strict = catalogue.Own{}, nil, nil, nil, false
	found, err := explore.Search(ctx, explore.Options{Run: bare, Seed: c.Seed, For: c.explored(), Corpus: options.Own, Progress: func(r explore.Report) { status.Show(explore.Progress{Report: r, In: to.language}) }})
	status.Clear()
	switch {
	case errors.Is(err, explore.ErrTooFew):
		to.note(to.language.Sayf("not explored: %v", err))
		return nil, nil
	case err != nil:
		found.ShowSuspects(to.err)
		return nil, errors.Join(err, explore.WriteFindings(found.Corpus.Directory, found.Unsettled()))
	case found.Interrupted:
		return nil, errors.Join(context.Cause(ctx), explore.WriteFindings(found.Corpus.Directory, found.Unsettled()))
	}
	switch n := len(found.Avoided); {
	case !c.Quiet:
		found.ShowAvoided(to.out, to.language)
	case n > 0:
		to.note(to.language.SayN(n, "exploring stopped trying %d kind of event that never happened; without --quiet, pixcert says which", "exploring stopped trying %d kinds of events that never happened; without --quiet, pixcert says which", n))
	}
	found.Include(options)
	return &found, nil
}

// settle writes the findings that count.
func settle(explored *explore.Report, result *verdict.Run) error {
	if explored == nil {
		return nil
	}
	explored.Run = result
	explored.Settle()
	return explore.WriteFindings(explored.Corpus.Directory, explored.New)
}
