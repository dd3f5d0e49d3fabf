package steps

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/cucumber/godog"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// sendsSameAtOnce: "the account sends the same cash-out of R$ 10.00 8 times at once".
func (s *scenario) sendsSameAtOnce(ctx context.Context, who, noun, amount, count string) error {
	r, err := s.valid(who, noun)
	if err != nil {
		return err
	}
	if r, err = s.changed(ctx, r, ofAmount(noun, amount)); err != nil {
		return err
	}
	return s.atOnce(ctx, count, func() (*request, error) { return r, nil })
}

// sendsManyAtOnce: "the account sends 8 cash-outs of R$ 40.00 at once".
func (s *scenario) sendsManyAtOnce(ctx context.Context, who, count, noun, amount string) error {
	return s.atOnce(ctx, count, func() (*request, error) {
		r, err := s.valid(who, noun)
		if err != nil || amount == "" {
			return r, err
		}
		return s.changed(ctx, r, ofAmount(noun, amount))
	})
}

// atOnce sends as many requests beside each other as count says.
func (s *scenario) atOnce(ctx context.Context, count string, next func() (*request, error)) error {
	n, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	requests, prepared := make([]*request, n), make([]target.Request, n)
	for i := range n {
		if requests[i], err = next(); err != nil {
			return err
		}
		if prepared[i], err = s.prepare(ctx, requests[i]); err != nil {
			return err
		}
	}
	answers := make([]exchange.Exchange, n)
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() { answers[i] = s.run.client.Send(ctx, prepared[i]) })
	}
	wait.Wait()
	s.batch = nil
	for i := range n {
		t := s.keep(requests[i], answers[i])
		if err := cmp.Or(t.undecided(), s.withinLimits(t)); err != nil {
			return err
		}
		s.batch = append(s.batch, t)
	}
	return nil
}

// batchIs: "one is accepted", "60 or 61 are accepted", "at most 2 are accepted", of which
// there must be one.
func (s *scenario) batchIs(atMost, count, orCount string) error {
	if count == "one" {
		count = "1"
	}
	want, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	accepted := 0
	for _, t := range s.batch {
		if t.accepted() {
			accepted++
		}
	}
	if accepted == want || fmt.Sprint(accepted) == orCount || atMost != "" && 0 < accepted && accepted < want {
		return nil
	}
	t := s.batch[0]
	if took := s.batchTook(); t.op.id == "resendWebhook" && accepted == len(s.batch) && s.run.profile.RequestsPerSecond > 0 && took > time.Second {
		return &unable{reason: fmt.Sprintf("requests that count by the minute took %v in all, as the profile's requestsPerSecond wants it: a minute may have ended in their midst", took.Round(time.Second))}
	}
	return &failure{
		Finding: verdict.Finding{
			Expected: fmt.Sprintf("%s%s of %d requests at once to be accepted", atMost, count, len(s.batch)),
			Came:     fmt.Sprintf("%d accepted", accepted),
			Hint:     "requests at the same time must not pass the check beside each other",
			Exchange: t.index,
		},
		doubtful: t.op.id == "resendWebhook", // a minute may have ended in their midst
	}
}

// batchTook is the time between the first and the last request of a batch.
func (s *scenario) batchTook() time.Duration {
	first, last := s.batch[0].exchange.Sent, s.batch[0].exchange.Sent
	for _, t := range s.batch {
		if t.exchange.Sent.Before(first) {
			first = t.exchange.Sent
		}
		if t.exchange.Sent.After(last) {
			last = t.exchange.Sent
		}
	}
	return last.Sub(first)
}

// eachIs judges every request of a batch.
func (s *scenario) eachIs(clause string) error {
	return s.batchMeets(clause, func(*attempt) bool { return true })
}

// othersAre judges those of a batch that were not accepted.
func (s *scenario) othersAre(clause string) error {
	return s.batchMeets(clause, func(t *attempt) bool { return !t.accepted() })
}

func (s *scenario) batchMeets(clause string, judged func(*attempt) bool) error {
	e, err := parseExpectation(clause)
	if err != nil {
		return err
	}
	for _, t := range s.batch {
		if !judged(t) {
			continue
		}
		if finding := e.judge(t); finding != nil {
			return &failure{Finding: *finding}
		}
	}
	return nil
}

func (s *scenario) othersHave(ctx context.Context, table *godog.Table) error {
	for _, t := range s.batch {
		if t.accepted() {
			continue
		}
		if err := s.has(ctx, t, t.answer, table); err != nil {
			return err
		}
	}
	return nil
}

// acceptedShare: the accepted answers of a batch tell of one and the same thing.
func (s *scenario) acceptedShare(field string) error {
	accepted := slices.DeleteFunc(slices.Clone(s.batch), func(t *attempt) bool { return !t.accepted() })
	if len(accepted) == 0 {
		return s.fail(s.batch[0], "at least one of the requests to be accepted", s.batch[0].summary(), "")
	}
	first, present := lookup(accepted[0].answer, field)
	for _, t := range accepted {
		v, ok := lookup(t.answer, field)
		if !present || !ok || !equal(first, v) {
			return s.fail(t, fmt.Sprintf("%s to be %s in each accepted answer", field, found{first, present}), found{v, ok}.String(), "")
		}
	}
	return nil
}

// oneOfTwo: of the last two requests one at the least was accepted, or shows something.
func (s *scenario) oneOfTwo(how string) error {
	if len(s.attempts) < 2 {
		return fmt.Errorf("the scenario has sent fewer than two requests")
	}
	a, b := s.attempts[len(s.attempts)-2], s.attempts[len(s.attempts)-1]
	for _, t := range []*attempt{a, b} {
		data, _ := lookup(t.answer, "data")
		if t.accepted() && (how == "accepted" || notEmpty(data)) {
			return nil
		}
	}
	return s.fail(b, "one of the last two requests to be "+how, a.summary()+"; "+b.summary(), "")
}
