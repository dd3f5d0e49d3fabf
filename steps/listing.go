package steps

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/cucumber/godog"
	"github.com/pixcert/pixcert/steps/verdict"
)

// listing reads how the last payment is listed. One without an externalId is looked for
// by its end-to-end id, and in the first page else.
func (s *scenario) listing(ctx context.Context) (*attempt, []any, error) {
	p, err := s.last(payment, charge)
	if err != nil {
		return nil, nil, err
	}
	filter := url.Values{}
	if id, ok := p.externalID(); ok {
		filter.Set("externalId", id)
	}
	if id := p.endToEndID; id != "" && len(filter) == 0 {
		filter.Set("endToEndId", id)
	}
	t, err := s.lookAside(ctx, p.actor, "transaction list request", filter)
	if err != nil {
		return nil, nil, err
	}
	items, err := s.itemsOf(t)
	if err != nil {
		return t, nil, err
	}
	return t, slices.DeleteFunc(slices.Clone(items), func(item any) bool { return !p.isListedAs(item) }), nil
}

// listedWith: "the payment is listed with:". The list is read until it says so, or until
// the deadline for it.
func (s *scenario) listedWith(ctx context.Context, table *godog.Table) error {
	p, err := s.last(payment, charge)
	if err != nil {
		return err
	}
	finding, err := s.untilListed(ctx, s.run.profile.Deadlines.Webhook, func(t *attempt, item any) (*verdict.Finding, error) {
		err := s.has(ctx, p, item, table)
		var f *failure
		if errors.As(err, &f) {
			f.Exchange = t.index
			return &f.Finding, nil
		}
		s.listed = item
		return nil, err
	})
	if err == nil && finding != nil {
		return &failure{Finding: *finding}
	}
	return err
}

// listedAsBefore: the list shows the payment as when a sentence last looked, field by
// field; what should be so, and is not, is a warning.
func (s *scenario) listedAsBefore(ctx context.Context, must string) error {
	if s.listed == nil {
		return errors.New("no sentence of the scenario has looked at the payment in the list")
	}
	finding, err := s.untilListed(ctx, softPatience, func(t *attempt, item any) (*verdict.Finding, error) {
		if equal(item, s.listed) {
			return nil, nil
		}
		before, now := differences("", s.listed, item)
		return &verdict.Finding{Expected: "the payment to be listed as before, with " + before, Came: now, Exchange: t.index}, nil
	})
	switch {
	case err != nil || finding == nil:
		return err
	case must == "should be":
		s.warn(*finding)
		return nil
	}
	return &failure{Finding: *finding}
}

// listedOnce: no more than one transaction came of the last order, however often it was
// sent.
func (s *scenario) listedOnce(ctx context.Context) error {
	finding, err := s.untilListed(ctx, s.run.profile.Deadlines.Webhook, func(*attempt, any) (*verdict.Finding, error) { return nil, nil })
	if err == nil && finding != nil {
		return &failure{Finding: *finding}
	}
	return err
}

// untilListed looks until the last payment is listed, once, and judge finds nothing in
// its item, or until patience ends.
func (s *scenario) untilListed(ctx context.Context, patience time.Duration, judge func(t *attempt, item any) (*verdict.Finding, error)) (*verdict.Finding, error) {
	var finding *verdict.Finding
	_, err := poll(ctx, patience, func() (bool, error) {
		t, items, err := s.listing(ctx)
		switch {
		case err != nil:
			return false, err
		case len(items) == 1:
			finding, err = judge(t, items[0])
		default:
			finding = &verdict.Finding{Expected: "the payment to be listed once", Came: fmt.Sprintf("%d times", len(items)), Exchange: t.index}
		}
		return finding == nil, err
	})
	return finding, err
}

// listedNothing: a refused order is not in the list. An order under an externalId that
// was accepted before is listed for that one alone.
func (s *scenario) listedNothing(ctx context.Context, refused *attempt) error {
	id, ok := refused.externalID()
	if !ok || id == "" {
		return nil
	}
	t, err := s.lookAside(ctx, refused.actor, "transaction list request", url.Values{"externalId": {id}})
	if err != nil || !t.accepted() {
		return err // the list is judged by its own rules
	}
	data, _ := lookup(t.answer, "data")
	items, _ := data.([]any)
	listed, accepted := 0, 0
	for _, item := range items {
		if is, _ := lookup(item, "externalId"); is == id {
			listed++
		}
	}
	for _, earlier := range s.attempts {
		if used, ok := earlier.externalID(); ok && used == id && earlier.accepted() && earlier.actor == refused.actor {
			accepted++
		}
	}
	if listed > accepted {
		return s.fail(t, "a refused order not to be listed", fmt.Sprintf("%d transactions with its externalId", listed), "")
	}
	return nil
}

// differences are the members in which two objects differ, with their values in each.
func differences(path string, a, b any) (inA, inB string) {
	x, isX := a.(map[string]any)
	y, isY := b.(map[string]any)
	if !isX || !isY {
		return path + " " + found{a, true}.String(), path + " " + found{b, true}.String()
	}
	names := slices.Collect(maps.Keys(x))
	for name := range y {
		if _, both := x[name]; !both {
			names = append(names, name)
		}
	}
	var as, bs []string
	for _, name := range slices.Sorted(slices.Values(names)) {
		v, inX := x[name]
		w, inY := y[name]
		if inX == inY && equal(v, w) {
			continue
		}
		before, now := differences(strings.TrimPrefix(path+"."+name, "."), v, w)
		as, bs = append(as, before), append(bs, now)
	}
	return strings.Join(as, ", "), strings.Join(bs, ", ")
}
