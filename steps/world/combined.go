package world

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/dimensions"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
)

// sendCombined sends a request for every pair of choices in the dimensions of a step, or for every three of them.
func sendCombined(ctx context.Context, w *World, m language.Send) error {
	all, err := dimensions.Of(m, w.shapesFor(m))
	if err != nil {
		return err
	}
	for _, d := range all {
		if len(d.Choices) == 0 {
			return record.Cannot(fmt.Sprintf("every %s of a %s needs a control that the target lacks", d.Name, m.Operation.Noun))
		}
	}
	var unusable error // of the last combination that cannot be sent to this target
	sent := false
	var waiting []*request // that wait for others
	for _, row := range dimensions.Rows(all, dimensions.Strength(m, cmp.Or(w.Strength, dimensions.Pairs))) {
		r, err := w.combined(ctx, m, row)
		var o *record.Obstacle
		if errors.As(err, &o) { // the profile does not say what it needs
			unusable = err
			continue
		}
		switch {
		case err == nil && m.Concurrent:
			waiting = append(waiting, r)
		case err == nil:
			err = r.sendSpoken(ctx, false)
		}
		if err != nil {
			return err
		}
		sent = true
	}
	for some := range slices.Chunk(waiting, language.MostConcurrent) {
		if err := sendConcurrently(ctx, w, some); err != nil {
			return err
		}
	}
	if !sent {
		return cmp.Or(unusable, errors.New("no combination of the step's choices can be sent"))
	}
	return nil
}

// sendConcurrently sends requests at the same instant, once they can be.
func sendConcurrently(ctx context.Context, w *World, requests []*request) error {
	if requests[0].op.Looks {
		if err := w.catchUp(ctx); err != nil {
			return err
		}
	}
	for _, r := range requests {
		r.role = record.Spoken
		if err := r.onOwnURLs(ctx); err != nil {
			return err
		}
	}
	next := 0
	return atOnce(ctx, w, len(requests), func() (*request, error) {
		next++
		return requests[next-1], nil
	})
}

// combined is the request with one choice in each dimension.
func (w *World) combined(ctx context.Context, m language.Send, row []dimensions.Chosen) (*request, error) {
	var changes []language.Change
	var picks []dimensions.Pick
	for _, c := range row {
		if err := w.prepare(ctx, c.Shape); err != nil {
			return nil, err
		}
		changes = slices.Concat(changes, w.known(c.Changes, m))
		picks = append(picks, dimensions.Pick{Dimension: c.Dimension, Choice: c.Words})
		m.Under = cmp.Or(c.Under, m.Under)
		m.Account = cmp.Or(c.Account, m.Account)
	}
	r, err := changedTo(ctx, w, m, changes)
	if err != nil {
		return nil, err
	}
	r.chosen, r.variant = picks, spelled(picks)
	return r, nil
}

// spelled names a combination by what is there: "To an e-mail, value 0.01".
func spelled(picks []dimensions.Pick) string {
	var all []string
	for _, p := range picks {
		switch {
		case p.Choice == language.LeftOut:
		case slices.Contains([]string{dimensions.Shape, language.TokenDimension, language.AccountDimension}, p.Dimension):
			all = append(all, p.Choice)
		default:
			all = append(all, p.Dimension+" "+p.Choice)
		}
	}
	return cmp.Or(strings.Join(all, ", "), "only what is required")
}

// sendEachAgain sends each request of the last step that sent several once more, under the account's own token.
func sendEachAgain(ctx context.Context, w *World) error {
	before := w.Judge.Several()
	if len(before) == 0 {
		return errors.New("no step has sent several requests to repeat")
	}
	for _, t := range before {
		r, err := w.sent[t.Index].changed(ctx)
		if err != nil {
			return err
		}
		r.under = language.OwnToken
		if err := r.sendSpoken(ctx, false); err != nil {
			return err
		}
	}
	return nil
}

// sendTimes sends a request so many times, one after another.
func sendTimes(ctx context.Context, w *World, m language.Send) error {
	for i := range m.Times {
		r, err := spoken(ctx, w, m)
		if err != nil {
			return err
		}
		r.variant = fmt.Sprintf("time %d of %d", i+1, m.Times)
		if err := r.sendSpoken(ctx, false); err != nil {
			return err
		}
	}
	return nil
}
