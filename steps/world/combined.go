package world

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/covering"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
)

// pairs is how many choices occur together in every combination, unless the run is thorough.
const pairs = 2

// option is one of a dimension: what it makes of a valid request.
type option struct {
	words   string
	shape   language.Shape // of the dimension "shape"
	changes []language.Change
	under   language.Authorization
	wrong   bool
}

// dimension is what the requests of a step differ in.
type dimension struct {
	name    string
	options []option
}

// chosen is the choice of one request in a dimension.
type chosen struct {
	dimension string
	option
}

// shapeDimension is the dimension of a step that speaks of every shape.
const shapeDimension = "shape"

// sendCombined sends a request for every pair of choices in the dimensions of a step: of all combinations, those rows of
// a covering array.
func sendCombined(ctx context.Context, w *World, m language.Send) error {
	dimensions, err := w.dimensionsOf(m)
	if err != nil {
		return err
	}
	var unusable error // of the last combination that cannot be sent to this target
	sent := false
	for _, row := range rowsOf(dimensions, cmp.Or(w.Strength, pairs)) {
		r, err := w.combined(ctx, m, row)
		var o *record.Obstacle
		if errors.As(err, &o) { // the profile does not say what it needs
			unusable = err
			continue
		}
		if err == nil {
			err = r.sendSpoken(ctx, false)
		}
		if err != nil {
			return err
		}
		sent = true
	}
	if !sent {
		return cmp.Or(unusable, errors.New("no combination of the step's choices can be sent"))
	}
	return nil
}

// rowsOf are combinations in which all choices of so many dimensions occur together. If some choices are wrong, each
// combination has one of them, so that it is to blame if the request is rejected, or accepted.
func rowsOf(dimensions []dimension, strength int) (rows [][]chosen) {
	right := make([]dimension, len(dimensions))
	wrong := false
	for i, d := range dimensions {
		right[i] = dimension{d.name, slices.DeleteFunc(slices.Clone(d.options), func(c option) bool { return c.wrong })}
		wrong = wrong || len(right[i].options) < len(d.options)
	}
	if !wrong {
		return arrayOf(right, strength)
	}
	for i, d := range dimensions {
		for _, c := range d.options {
			if c.wrong {
				with := slices.Clone(right)
				with[i] = dimension{d.name, []option{c}}
				rows = append(rows, arrayOf(with, strength-1)...)
			}
		}
	}
	return rows
}

func arrayOf(dimensions []dimension, strength int) (rows [][]chosen) {
	var sizes []int
	for _, d := range dimensions {
		sizes = append(sizes, len(d.options))
	}
	for _, array := range covering.Array(sizes, strength) {
		var row []chosen
		for i, n := range array {
			row = append(row, chosen{dimensions[i].name, dimensions[i].options[n]})
		}
		rows = append(rows, row)
	}
	return rows
}

// dimensionsOf are the dimensions of a step with the choices that can be sent to the target.
func (w *World) dimensionsOf(m language.Send) ([]dimension, error) {
	var all []dimension
	if m.EveryShape {
		shapes := dimension{name: shapeDimension}
		for _, s := range w.shapesFor(m) {
			shapes.options = append(shapes.options, option{words: s.Name, shape: s, changes: s.Changes})
		}
		all = append(all, shapes)
	}
	for _, spoken := range m.Dimensions {
		d := dimension{name: spoken.Name}
		for _, c := range spoken.Choices {
			if spoken.Name == language.TokenDimension {
				d.options = append(d.options, option{words: c.Words, under: c.Under, wrong: c.Wrong})
				continue
			}
			samples, err := samplesOf(m.Operation, c.Change)
			if err != nil {
				return nil, err
			}
			for _, s := range samples {
				change := c.Change
				change.Value = s.value
				d.options = append(d.options, option{words: cmp.Or(s.Name, c.Words), changes: []language.Change{change}, wrong: c.Wrong})
			}
		}
		all = append(all, d)
	}
	for _, d := range all {
		if len(d.options) == 0 {
			return nil, fmt.Errorf("the target can be sent no %s of a %s", d.name, m.Operation.Noun)
		}
	}
	return all, nil
}

// combined is the request with one choice in each dimension.
func (w *World) combined(ctx context.Context, m language.Send, row []chosen) (*request, error) {
	var changes []language.Change
	var recorded []record.Chosen
	for _, c := range row {
		for _, given := range c.shape.Given {
			if w.hasDone(given) {
				continue
			}
			if err := act(ctx, w, given.Meaning); err != nil {
				return nil, err
			}
		}
		changes = slices.Concat(changes, w.known(c.changes, m))
		recorded = append(recorded, record.Chosen{Dimension: c.dimension, Choice: c.words})
		m.Under = cmp.Or(c.under, m.Under)
	}
	r, err := changedTo(ctx, w, m, changes)
	if err != nil {
		return nil, err
	}
	r.chosen, r.variant = recorded, spelled(recorded)
	return r, nil
}

// spelled names a combination by what is there: "To an e-mail, value 0.01".
func spelled(chosen []record.Chosen) string {
	var all []string
	for _, c := range chosen {
		switch {
		case c.Choice == absent:
		case c.Dimension == shapeDimension, c.Dimension == language.TokenDimension:
			all = append(all, c.Choice)
		default:
			all = append(all, c.Dimension+" "+c.Choice)
		}
	}
	return cmp.Or(strings.Join(all, ", "), "only what is required")
}

const absent = "absent"

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
