package steps

import (
	"context"
	"fmt"

	"github.com/pixcert/pixcert/steps/verdict"
)

// labels are how the lists show the states of a payment.
var labels = map[string]string{"Pendente": "PENDING", "Confirmado": "CONFIRMED", "Error": "ERROR"}

// isInState makes a thing of R$ 10.00 and brings it into a state: "a cob that is ATIVA".
func (s *scenario) isInState(ctx context.Context, noun, state string) error {
	const amount = "10.00"
	var err error
	switch noun {
	case "MED case":
		return s.caseInState(ctx, state)
	case "refund":
		if err = s.hasBeenPaid(ctx, amount, "cob"); err == nil {
			err = s.refundsWait(ctx)
		}
	case "transfer":
		if err = s.settlementWaits(ctx); err == nil {
			err = s.directoryHolds(ctx, "e-mail", "")
		}
	case "cash-out", "QR cash-out":
		err = s.settlementWaits(ctx)
	}
	if err != nil {
		return err
	}
	if err := s.sendsAmount(ctx, "the account", hasSent, noun, amount); err != nil {
		return err
	}
	return s.drive(ctx, state)
}

// drive brings what was sent last into a state by a legal event.
func (s *scenario) drive(ctx context.Context, state string) error {
	t, err := s.it()
	if err != nil {
		return err
	}
	switch {
	case t.op.makes == charge && (state == "CONFIRMED" || state == "CONCLUIDA"):
		return s.pays(ctx, "somebody", "pays", "")
	case state == "CONFIRMED":
		return s.bank(ctx, "confirms", "it", "")
	case state == "ERROR":
		return s.bank(ctx, "rejects", "it", "ORDER_REJECTED")
	case state == "REMOVIDA_PELO_USUARIO_RECEBEDOR":
		return s.ends(ctx, "receiver", "ends")
	case state == "REMOVIDA_PELO_PSP":
		return s.ends(ctx, "PSP", "ends")
	case state == "DEVOLVIDO":
		return s.endRefund(ctx, "succeed", "")
	case state == "NAO_REALIZADO":
		return s.endRefund(ctx, "fail", "")
	}
	return nil
}

func (s *scenario) caseInState(ctx context.Context, state string) error {
	if err := s.medOpened(ctx, "the payment"); err != nil || state == "OPEN" {
		return err
	}
	if state != "CANCELLED" {
		if err := s.medBecomes(ctx, "RECEIVED"); err != nil || state == "RECEIVED" {
			return err
		}
	}
	return s.medBecomes(ctx, state)
}

// stateOf reads the state of what the scenario has made last, wherever it can be seen.
func (s *scenario) stateOf(ctx context.Context) (string, error) {
	t, err := s.last(payment, charge, refund)
	if err != nil {
		return "", err
	}
	switch {
	case t.op.id == "cob":
		return s.controls().ChargeStatus(ctx, t.actor.id, t.parameters["txid"])
	case t.op.makes == refund:
		_, rtrID, err := s.lastRefund()
		if err != nil {
			return "", err
		}
		return s.controls().RefundStatus(ctx, t.actor.id, rtrID)
	}
	_, items, err := s.listing(ctx)
	if err != nil || len(items) == 0 {
		return "not listed", err
	}
	status, _ := lookup(items[0], "status")
	if state, ok := labels[fmt.Sprint(status)]; ok {
		return state, nil
	}
	return fmt.Sprint(status), nil
}

// hasBecome: "it has become CONCLUIDA", "the charge is CONCLUIDA"; the state is read
// until it is that, or until the deadline for what follows a change.
func (s *scenario) hasBecome(ctx context.Context, state string) error {
	finding, err := s.stateFinding(ctx, state)
	if err == nil && finding != nil {
		return &failure{Finding: *finding}
	}
	return err
}

// shouldHaveStayed: that a state is final is not said outright; otherwise a warning.
func (s *scenario) shouldHaveStayed(ctx context.Context, state string) error {
	finding, err := s.stateFinding(ctx, state)
	if err == nil && finding != nil {
		s.warn(*finding)
	}
	return err
}

func (s *scenario) stateFinding(ctx context.Context, want string) (*verdict.Finding, error) {
	var state string
	is, err := poll(ctx, s.run.profile.Deadlines.Webhook, func() (bool, error) {
		var err error
		state, err = s.stateOf(ctx)
		return err == nil && state == want, err
	})
	if is || err != nil {
		return nil, err
	}
	return &verdict.Finding{Expected: "the state " + want, Came: state, Exchange: len(s.result.Exchanges) - 1}, nil
}

// failControl is a failure that the last exchange, with a control, shows.
func (s *scenario) failControl(expected, came string) error {
	return &failure{Finding: verdict.Finding{Expected: expected, Came: came, Exchange: len(s.result.Exchanges) - 1}}
}
