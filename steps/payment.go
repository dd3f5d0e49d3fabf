package steps

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/target"
)

// last is the last request that made one of those things.
func (s *scenario) last(makes ...made) (*attempt, error) {
	for _, t := range slices.Backward(s.attempts) {
		if slices.Contains(makes, t.op.makes) {
			return t, nil
		}
	}
	return nil, fmt.Errorf("the scenario has sent nothing of the kind that this sentence speaks of")
}

// nth finds what a sentence counts: "it" and "" are the last, "the second" is the second
// that was accepted.
func (s *scenario) nth(which string, makes ...made) (*attempt, error) {
	index := slices.Index([]string{"first", "second", "third"}, strings.TrimPrefix(which, "the "))
	if index < 0 {
		return s.last(makes...)
	}
	for _, t := range s.attempts {
		if !slices.Contains(makes, t.op.makes) || !t.accepted() {
			continue
		}
		if index == 0 {
			return t, nil
		}
		index--
	}
	return nil, &unable{reason: fmt.Sprintf("there is no %s accepted payment", which)}
}

// payers are those who may pay a charge.
var payers = map[string]person{"somebody": payer, "somebody else": another}

// pays: "somebody pays it", "somebody tries to pay R$ 12.00 for it". Who tries may find
// that it can no longer be paid.
func (s *scenario) pays(ctx context.Context, who, verb, amount string) error {
	c, err := s.last(charge)
	if err != nil {
		return err
	}
	if s.plan.scenario.Steps[s.step].Type != catalogue.Context || verb != "pays" {
		return s.payCharge(ctx, c, who, verb, amount)
	}
	before, unread := s.balanceOf(ctx, c.actor)
	if err := s.payCharge(ctx, c, who, verb, amount); err != nil || unread != nil {
		return err
	}
	s.untilCredited(ctx, c.actor, before)
	return nil
}

// untilCredited waits until a payment shows in the balance of its receiver, so that no
// later sentence takes its arrival for something new. That it shows is for others to judge.
func (s *scenario) untilCredited(ctx context.Context, receiver *actor, before balance) {
	_, _ = poll(ctx, s.run.profile.Deadlines.Balance, func() (bool, error) {
		now, err := s.balanceOf(ctx, receiver)
		return now.available != before.available, err
	})
}

func (s *scenario) payCharge(ctx context.Context, c *attempt, who, verb, amount string) error {
	code, err := codeOf(c)
	if err != nil {
		return err
	}
	receipt, err := s.controls().Pay(ctx, c.actor.id, code, amount, asPayer(payers[who]))
	if verb == "tries to pay" && refused(err) {
		return nil
	}
	if err == nil {
		c.endToEndID = receipt.EndToEndID
	}
	return err
}

// refused: a control has found a thing finished, or what was asked for senseless.
func refused(err error) bool { return target.IsFinished(err) || target.IsRefused(err) }

func asPayer(p person) target.Payer {
	return target.Payer{Name: p.name, Document: p.document, ISPB: "60701190"}
}

// codeOf is the code by which a charge is paid.
func codeOf(c *attempt) (string, error) {
	for _, field := range []string{"pixCode", "loc.location", "location"} {
		if code, ok := lookup(c.answer, field); ok && c.accepted() {
			return fmt.Sprint(code), nil
		}
	}
	return "", &unable{reason: "there is no accepted charge that somebody could pay: " + c.summary()}
}

// paysAtOnce: "somebody pays it 4 times at once", of which one payment may go through.
func (s *scenario) paysAtOnce(ctx context.Context, count string) error {
	c, err := s.last(charge)
	if err != nil {
		return err
	}
	code, err := codeOf(c)
	if err != nil {
		return err
	}
	errs, exchanges := make([]error, atoi(count)), make([][]exchange.Exchange, atoi(count))
	var wait sync.WaitGroup
	for i := range errs {
		wait.Go(func() {
			controls := s.run.target.Controls(s.plan.scenario.Rule.Name, func(e exchange.Exchange) int {
				exchanges[i] = append(exchanges[i], e)
				return 0
			})
			_, errs[i] = controls.Pay(ctx, c.actor.id, code, "", asPayer(payer))
		})
	}
	wait.Wait()
	var failed error
	for i, err := range errs {
		index := 0
		for _, e := range exchanges[i] {
			index = s.record(e)
		}
		if err == nil || refused(err) {
			continue
		}
		failed = err
		var c *target.ControlError
		if errors.As(err, &c) {
			c.Exchange = index
		}
	}
	return failed
}

// hasBeenPaid: "the account has been paid R$ 10.00 for a cob".
func (s *scenario) hasBeenPaid(ctx context.Context, amount, noun string) error {
	if err := s.sendsAmount(ctx, "the account", hasSent, noun, amount); err != nil {
		return err
	}
	return s.pays(ctx, "somebody", "pays", "")
}

// endToEndID is that of the last payment that the account has received; before there is
// one, an id that no payment has.
func (s *scenario) endToEndID() string {
	for _, t := range slices.Backward(s.attempts) {
		if t.op.makes == charge && t.endToEndID != "" {
			return t.endToEndID
		}
	}
	return s.freshEndToEndID()
}

// ends: "the receiver ends it", "the PSP tries to end it".
func (s *scenario) ends(ctx context.Context, by, verb string) error {
	c, err := s.last(charge)
	if err != nil {
		return err
	}
	return tried(verb, s.controls().EndCharge(ctx, c.actor.id, c.parameters["txid"], map[string]string{"receiver": "receiver", "PSP": "psp"}[by]))
}

// refundResults are the results of a refund as sentences call them.
var refundResults = map[string]target.RefundResult{
	"succeed": {Status: "DEVOLVIDO"},
	"fail":    {Status: "NAO_REALIZADO", Motivo: "rejected by the test"},
}

// refundEnds: "the refund succeeds".
func (s *scenario) refundEnds(ctx context.Context, how string) error {
	return s.endRefund(ctx, strings.TrimSuffix(how, "s"), "")
}

// refundTried: "somebody tries to make the refund fail".
func (s *scenario) refundTried(ctx context.Context, how string) error {
	return s.endRefund(ctx, how, "tries")
}

func (s *scenario) endRefund(ctx context.Context, how, verb string) error {
	r, rtrID, err := s.lastRefund()
	if err != nil {
		return err
	}
	return tried(verb, s.controls().EndRefund(ctx, r.actor.id, rtrID, refundResults[how]))
}

func (s *scenario) lastRefund() (*attempt, string, error) {
	r, err := s.last(refund)
	if err != nil {
		return nil, "", err
	}
	rtrID, ok := lookup(r.answer, "rtrId")
	if !r.accepted() || !ok {
		return nil, "", &unable{reason: "there is no accepted refund: " + r.summary()}
	}
	return r, fmt.Sprint(rtrID), nil
}

// returned: "the payee gives R$ 2.00 back" of the last payment sent, whose event has told
// its end-to-end id.
func (s *scenario) returned(ctx context.Context, amount string) error {
	p, err := s.last(payment)
	if err != nil {
		return err
	}
	id, err := s.ofEvent("endToEndId")
	if err != nil {
		return err
	}
	p.endToEndID, p.returned = id, true
	return s.controls().Return(ctx, p.actor.id, id, amount)
}
