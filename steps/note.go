package steps

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/sink"
)

// notable is something that a sentence can record of the target: `its status is noted as
// "list of size 0"`. Its groups are m.
type notable struct {
	form *regexp.Regexp
	read func(ctx context.Context, s *scenario, m []string) (string, error)
}

// notables are they, by how the features name them; the first that matches counts.
var notables = []notable{
	{exactly(`its (\S+)`), func(_ context.Context, s *scenario, m []string) (string, error) { return s.ofAnswer(m[1]) }},
	{exactly(`the event's (\S+)`), func(_ context.Context, s *scenario, m []string) (string, error) { return s.shownOfEvent(m[1]) }},
	{exactly(`the payment`), func(ctx context.Context, s *scenario, _ []string) (string, error) {
		return s.asListed(ctx, "operationType")
	}},
	{exactly(`the payment's (\S+)`), func(ctx context.Context, s *scenario, m []string) (string, error) { return s.asListed(ctx, m[1]) }},
	{exactly(`the refund`), func(ctx context.Context, s *scenario, _ []string) (string, error) { return s.refundAsListed(ctx) }},
	{exactly(`the order of the payments`), func(_ context.Context, s *scenario, _ []string) (string, error) { return s.orderListed() }},
	{exactly(`the total of the pages`), func(_ context.Context, s *scenario, _ []string) (string, error) {
		return s.lastAnswered("metadata.total")
	}},
	{exactly(`the splits`), func(ctx context.Context, s *scenario, _ []string) (string, error) { return s.shownSplits(ctx) }},
}

// noted records one of them under an open point.
func (s *scenario) noted(ctx context.Context, what, point string) error {
	for _, n := range notables {
		if m := n.form.FindStringSubmatch(what); m != nil {
			value, err := n.read(ctx, s, m)
			if err != nil {
				return err
			}
			return s.note(point, value)
		}
	}
	return fmt.Errorf("the suite cannot note %s", what)
}

// ofAnswer is the status, the code or another field of the last answer.
func (s *scenario) ofAnswer(field string) (string, error) {
	t, err := s.it()
	if err != nil {
		return "", err
	}
	switch field {
	case "status":
		return s.statusesOf(t), nil
	case "code":
		return strings.TrimSpace(fmt.Sprint(t.status(), " ", t.code())), nil
	case "fields":
		return fieldsOf(t.answer), nil
	}
	v, present := lookup(t.answer, field)
	switch v := v.(type) {
	case map[string]any: // what stands in it is of the moment
		return fieldsOf(v), nil
	case []any:
		return fmt.Sprintf("%d items", len(v)), nil
	}
	return found{v, present}.String(), nil
}

// statusesOf is the status of an answer or, after several at once, how many had which.
func (s *scenario) statusesOf(t *attempt) string {
	if !slices.Contains(s.batch, t) {
		return fmt.Sprint(t.status())
	}
	count := map[int]int{}
	for _, other := range s.batch {
		count[other.status()]++
	}
	var words []string
	for _, status := range slices.Sorted(maps.Keys(count)) {
		words = append(words, fmt.Sprintf("%d times %d", count[status], status))
	}
	return strings.Join(words, ", ")
}

func fieldsOf(v any) string {
	o, _ := v.(map[string]any)
	return strings.Join(slices.Sorted(maps.Keys(o)), ", ")
}

// shownOfEvent is how the last event came, or what is in it. Of an end-to-end id it says
// whether it is the one that the answer gave: the id itself says nothing.
func (s *scenario) shownOfEvent(field string) (string, error) {
	switch field {
	case "method":
		return s.event.Method, nil
	case "headers":
		return strings.Join(slices.Sorted(maps.Keys(s.event.Header)), ", "), nil
	case "type":
		return s.event.subscription, nil
	case "shape":
		return fieldsOf(s.event.payload), nil
	}
	v, present := lookup(s.event.payload, field)
	if !strings.HasSuffix(field, "endToEndId") {
		return found{v, present}.String(), nil
	}
	t, err := s.last(payment)
	if err != nil {
		return "", err
	}
	if provisional, _ := lookup(t.answer, "endToEndId"); equal(provisional, v) {
		return "the one of the answer", nil
	}
	return "another than that of the answer", nil
}

// asListed is a field of the last payment as the list has it.
func (s *scenario) asListed(ctx context.Context, field string) (string, error) {
	_, items, err := s.listing(ctx)
	if err != nil {
		return "", err
	}
	if len(items) == 0 {
		return "not listed", nil
	}
	v, present := lookup(items[0], field)
	return found{v, present}.String(), nil
}

// refundAsListed is how the list shows a refund that the account pays.
func (s *scenario) refundAsListed(ctx context.Context) (string, error) {
	t, err := s.lookAside(ctx, s.account, "transaction list request", url.Values{"type": {"REFUND_IN"}})
	if err != nil {
		return "", err
	}
	var shown []string
	for _, field := range []string{"status", "operationType", "movementType"} {
		if v, ok := lookup(t.answer, "data[0]."+field); ok {
			shown = append(shown, fmt.Sprint(v))
		}
	}
	if len(shown) == 0 {
		return "not listed", nil
	}
	return strings.Join(shown, ", "), nil
}

// orderListed is the order in which the last list shows the payments that were made.
func (s *scenario) orderListed() (string, error) {
	_, items, err := s.items()
	if err != nil {
		return "", err
	}
	var order []string
	for _, item := range items {
		n := 0
		for _, t := range s.attempts {
			if t.op.makes != payment || !t.accepted() {
				continue
			}
			if n++; t.isListedAs(item) {
				order = append(order, fmt.Sprint(n))
			}
		}
	}
	return "made as " + strings.Join(order, ", "), nil
}

// shownSplits are the parts of a charge with their states, and what is left.
func (s *scenario) shownSplits(ctx context.Context) (string, error) {
	d, _, err := s.division(ctx)
	if err != nil {
		return "", err
	}
	var parts []string
	for _, split := range d.Splits {
		parts = append(parts, split.Amount+" "+split.Status)
	}
	return strings.Join(parts, ", ") + ", left " + d.Left, nil
}

// whetherNoted: "whether the event arrives again", "whether an event arrives", "whether
// it is settled". What came twice before time has passed is a duplicate and no retry. What
// does not come in the time that is waited for may come later.
func (s *scenario) whetherNoted(ctx context.Context, point, what string) error {
	t, err := s.last(payment, refund)
	if err != nil {
		return err
	}
	since := s.since
	if what == "the event arrives again" {
		since = s.passed
	}
	quiet, cancel := s.quiet(ctx)
	defer cancel()
	_, _, err = anywhere(quiet, s.account.receivers, func(e sink.Event) bool { return e.At.After(since) && about(t)(e) })
	if err != nil {
		return s.note(point, fmt.Sprintf("not within %v", s.run.profile.Deadlines.Quiet))
	}
	return s.note(point, "yes")
}
