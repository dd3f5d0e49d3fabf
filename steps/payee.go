package steps

import (
	"context"
	"fmt"
	"slices"
)

// payeesKey is the key that the account has paid last.
func (s *scenario) payeesKey() string {
	for _, t := range slices.Backward(s.attempts) {
		if key, ok := fieldOf(t.body, "details.key"); ok {
			return textOf(key)
		}
	}
	return s.freshEmail()
}

// lastExternalID is that of the last order that has one; before there is one, an id that
// no order has.
func (s *scenario) lastExternalID() string {
	for _, t := range slices.Backward(s.attempts) {
		if id, ok := t.externalID(); ok {
			return id
		}
	}
	return s.freshOrder()
}

// paysOneKey: "the account has sent 3 cash-outs of R$ 1.00 to one key", in their order,
// unless there are so many that it would take long.
func (s *scenario) paysOneKey(ctx context.Context, count, amount string) error {
	n := atoi(count)
	if err := s.sendsAmount(ctx, "the account", hasSent, "cash-out", amount); err != nil {
		return err
	}
	const inOrder = 20
	for i := 1; i < n; {
		if n <= inOrder {
			if err := s.payTheSame(ctx, amount); err != nil {
				return err
			}
			i++
			continue
		}
		beside := min(inOrder, n-i)
		if err := s.atOnce(ctx, fmt.Sprint(beside), func() (*request, error) { return s.toTheSame(ctx, amount) }); err != nil {
			return err
		}
		for _, t := range s.batch {
			if !t.accepted() {
				return s.fail(t, "a cash-out to be accepted", t.summary(), "")
			}
		}
		i += beside
	}
	return nil
}

func (s *scenario) payTheSame(ctx context.Context, amount string) error {
	r, err := s.toTheSame(ctx, amount)
	if err != nil {
		return err
	}
	return s.sendsRequest(ctx, r, hasSent)
}

func (s *scenario) toTheSame(ctx context.Context, amount string) (*request, error) {
	r, err := s.valid("the account", "cash-out")
	if err != nil {
		return nil, err
	}
	key, err := encoded(s.payeesKey())
	if err != nil {
		return nil, err
	}
	return s.changed(ctx, r, [][2]string{{"value", amount}, {"details.key", string(key)}})
}

// listsSent: whose key a list by key is of is left open. A gateway that lists what was
// received at a key alone is not judged by payments sent; it is asked on an account that
// is opened for it, or on that of the profile.
func (s *scenario) listsSent(ctx context.Context, noun string) error {
	if noun != "key list request" {
		return nil
	}
	account, attempts := s.account, s.attempts
	defer func() { s.account, s.attempts = account, attempts }()
	if s.account.fixed == nil {
		if err := s.openFunded(ctx, "an account", "", "1.00"); err != nil {
			return err
		}
	}
	if err := s.sendsAmount(ctx, "the account", hasSent, "cash-out", "1.00"); err != nil {
		return err
	}
	sent, err := s.it()
	if err != nil {
		return err
	}
	if err := s.listedOnce(ctx); err != nil {
		return err
	}
	t, err := s.aside(ctx, s.account, noun)
	if err != nil {
		return err
	}
	data, _ := lookup(t.answer, "data")
	if items, _ := data.([]any); slices.ContainsFunc(items, sent.isListedAs) {
		return nil
	}
	return &notApplicable{reason: "a list by the payee's key does not hold what was sent to it"}
}
