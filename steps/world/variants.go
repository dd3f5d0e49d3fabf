package world

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/dimensions"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// sendVariants sends the request of a step in each of its variants: in every shape that has the
// fields which the step changes, for the first, the middle and the last item of an array, with each
// value. Each request is a fresh one with one thing changed.
func sendVariants(ctx context.Context, w *World, m language.Send) error {
	var unusable error // of the last shape that cannot be sent to this target
	sent := false
	for _, shape := range w.shapesFor(m) {
		if err := w.prepare(ctx, shape); err != nil {
			return err
		}
		shape.Changes = w.known(shape.Changes, m)
		plain, err := changedTo(ctx, w, m, slices.Concat(shape.Changes, m.Fixed()))
		var all []variant
		if err == nil {
			all, err = alternatives(plain, m)
		}
		var o *record.Obstacle
		switch {
		case errors.Is(err, errNoField): // the rule is about a field that this shape has not
			continue
		case errors.As(err, &o): // the profile does not say what it needs
			unusable = err
			continue
		case err != nil:
			return err
		}
		for _, v := range all {
			if err := v.send(ctx, w, m, shape); err != nil {
				return err
			}
			sent = true
		}
	}
	if !sent {
		return cmp.Or(unusable, errors.New("no shape of this request has the field that the step changes"))
	}
	return nil
}

// shapesFor are the shapes that a target can be sent; without EveryShape, only the plainest request.
func (w *World) shapesFor(m language.Send) []language.Shape {
	if !m.EveryShape {
		return []language.Shape{{}}
	}
	return slices.DeleteFunc(slices.Clone(w.Shapes[m.Operation.Noun]), func(s language.Shape) bool {
		return slices.ContainsFunc(s.Controls, func(c target.Control) bool { return !w.Usable[c] }) ||
			slices.ContainsFunc(s.Families, func(f target.Family) bool { return !w.Claims(f) })
	})
}

// prepare does what a shape needs before its request, unless the scenario itself says so.
func (w *World) prepare(ctx context.Context, shape language.Shape) error {
	for _, given := range shape.Given {
		if slices.ContainsFunc(w.Steps, func(s language.Step) bool { return reflect.DeepEqual(s.Meaning, given.Meaning) }) {
			continue
		}
		if err := act(ctx, w, given.Meaning); err != nil {
			return err
		}
	}
	return nil
}

// known returns the changes of a shape without those that need the account's PIX key, if the profile does not give
// it: each is of an optional field. One that the step replaces anyway stays, with any value.
func (w *World) known(changes []language.Change, m language.Send) []language.Change {
	if w.the().pixKey != "" {
		return changes
	}
	var all []language.Change
	for _, c := range changes {
		if c.Value.Kind == language.OwnKey {
			if !slices.ContainsFunc(m.Changes, func(replaced language.Change) bool { return replaced.Name == c.Name }) {
				continue
			}
			c.Value = language.Value{Kind: language.Literal, JSON: literal(`"replaced"`)}
		}
		all = append(all, c)
	}
	return all
}

// changedTo is a new request of a step with other changes than its own.
func changedTo(ctx context.Context, w *World, m language.Send, changes []language.Change) (*request, error) {
	m.Changes = changes
	return spoken(ctx, w, m)
}

// variant is one way to change a shape.
type variant struct {
	name    string // empty if nothing varies but the shape
	changes []language.Change
}

func (v variant) send(ctx context.Context, w *World, m language.Send, shape language.Shape) error {
	r, err := changedTo(ctx, w, m, slices.Concat(shape.Changes, v.changes))
	if err != nil {
		return err
	}
	r.variant = cmp.Or(strings.Trim(shape.Name+", "+v.name, ", "), m.Operation.Noun)
	return r.sendSpoken(ctx, false)
}

// alternatives are all combinations of what the changes of a step stand for.
func alternatives(plain *request, m language.Send) ([]variant, error) {
	all := []variant{{}}
	for _, c := range m.Changes {
		options, err := optionsOf(plain, c, m.EveryShape)
		if err != nil {
			return nil, err
		}
		var longer []variant
		for _, v := range all {
			for _, o := range options {
				name := strings.Trim(v.name+", "+o.name, ", ")
				longer = append(longer, variant{name, append(slices.Clone(v.changes), o.changes...)})
			}
		}
		all = longer
	}
	return all, nil
}

// optionsOf are what one change stands for: its field in some items, with some values. A shape without the field gets it,
// too, if it can be added to what it has.
func optionsOf(plain *request, c language.Change, everyShape bool) ([]variant, error) {
	switch {
	case c.Value.Kind == language.Unusual:
		return unusual(plain.body), nil
	case c.Value.Kind == language.Mistyped && c.Name == "":
		return mistyped(plain, c)
	}
	if c.Where != language.Body {
		return []variant{{changes: []language.Change{c}}}, nil
	}
	places, err := plain.body.places(c.Name)
	if err != nil {
		return nil, err
	}
	samples, err := dimensions.SamplesOf(plain.op, c)
	if err != nil {
		return nil, err
	}
	if _, err := plain.body.with(places[0], literal("null")); err != nil {
		return nil, err
	}
	if derived := samples[0].Name != ""; derived && everyShape && plain.body.at(places[0]) == nil {
		if mayBe, err := dimensions.MayBeAdded(plain.op, places[0]); err != nil || !mayBe {
			return nil, cmp.Or(err, errNoField)
		}
		samples = slices.DeleteFunc(samples, func(s dimensions.Sample) bool { return s.Value.Kind == language.Absent })
	}
	var all []variant
	for _, place := range places {
		for _, s := range samples {
			name := place
			switch {
			case s.Name != "":
				name += " " + s.Name
			case len(places) == 1:
				name = ""
			}
			all = append(all, variant{name, []language.Change{{Name: place, Value: s.Value}}})
		}
	}
	return all, nil
}

// unusual are the ways to write a valid body that some JSON readers refuse, or read in another way.
func unusual(body object) []variant {
	extra := language.Value{Kind: language.Literal, JSON: literal(`"x"`)}
	all := []variant{{"with an unknown field", []language.Change{{Name: "unknownField", Value: extra}}}}
	for _, path := range body.paths() {
		add := func(how, at string, v language.Value) {
			all = append(all, variant{path + " " + how, []language.Change{{Name: at, Value: v}}})
		}
		add("twice", path, language.Value{Kind: language.OwnTwice})
		switch first := encoded(body.at(path))[0]; {
		case first == '{':
			add("with an unknown field", path+".unknownField", extra)
		case first == '"':
			add("with a lone surrogate", path, language.Value{Kind: language.OwnLone})
		case '0' <= first && first <= '9':
			add("with an exponent", path, language.Value{Kind: language.OwnExponent})
		}
	}
	return all
}

// mistyped are the values of another type for each field of a body.
func mistyped(plain *request, c language.Change) (all []variant, err error) {
	for _, path := range plain.body.paths() {
		samples, err := dimensions.SamplesOf(plain.op, language.Change{Name: path, Value: c.Value})
		if err != nil {
			return nil, err
		}
		for _, s := range samples {
			all = append(all, variant{path + " " + s.Name, []language.Change{{Name: path, Value: s.Value}}})
		}
	}
	return all, nil
}

// ofOwn are values that are made of the one that a field has.
var ofOwn = map[language.ValueKind]func(own json.RawMessage) any{
	language.OwnTwice:    func(own json.RawMessage) any { return twice{own, own} },
	language.OwnLone:     func(own json.RawMessage) any { return slices.Concat(own[:len(own)-1], literal(`\ud800"`)) },
	language.OwnExponent: func(own json.RawMessage) any { return slices.Concat(own, literal("e0")) },
}
