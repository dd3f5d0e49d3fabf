package run

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/sink"
)

// Network is how a run sends its own requests, when it is prepared and closed.
type Network struct {
	Sender     gateway.Sender // measured, like calls of the script
	Unmeasured gateway.Sender // for the end, after the load
}

// prepare does what a run needs before its first payment. If it fails, Close stops what it started.
func (r *Run) prepare(ctx context.Context, n Network) error {
	if err := r.provision(ctx); err != nil {
		return err
	}
	r.network = n
	r.ledger = ledger.New(ledger.Config{
		Run: r.config.ID, Instance: uint16(r.config.Instance), // #nosec G115 -- see Config.Check
		Late: r.config.Late, Unheard: r.unheard(), Fees: r.config.Fees,
		Stalled: func(from, to time.Time) time.Duration { return r.monitor.longest(from, to) },
	})
	err := r.each(ctx, func(ctx context.Context, a *gateway.Account) error {
		balance, _, err := a.Balance(ctx, n.Sender)
		if err != nil {
			return fmt.Errorf("cannot read the opening balance of account %d: %w", a.Index, err)
		}
		r.ledger.Open(a.Index, balance.Total(), balance.Blocked)
		return nil
	})
	if err != nil {
		return err
	}
	r.started = time.Now()
	r.generator = newGenerator()
	r.silences.stalled = func(from, to time.Time) time.Duration { return r.monitor.stalled(from, to) }
	if r.config.Webhooks != nil {
		if err := r.listen(ctx); err != nil {
			return err
		}
	}
	r.monitor = newMonitor(func(late time.Duration) { r.generator.record(r.generator.hiccup, late) })
	return nil
}

// provision selects or creates the accounts of this instance.
func (r *Run) provision(ctx context.Context) error {
	share := r.config.share()
	if c := r.config.Controls; c != nil {
		var err error
		if r.controls, err = gateway.NewControls(c.URL.String(), c.Token); err != nil {
			return fmt.Errorf("controls: %w", err)
		}
		if r.offers, err = r.controls.Offered(ctx); err == nil {
			err = r.addPayees(ctx)
		}
		if err != nil {
			return fmt.Errorf("test controls at %s: %w", c.URL.Redacted(), err)
		}
	}
	add := func(index int, c gateway.Credentials) {
		r.accounts = append(r.accounts, gateway.NewAccount(index, c, r.config.TokenPath))
	}
	if fixed := r.config.Fixed; len(fixed) > 0 {
		for _, index := range share {
			add(index, fixed[index])
		}
		return nil
	}
	for _, needed := range []string{"accounts", "funds", "limits"} {
		if !slices.Contains(r.offers, needed) {
			return fmt.Errorf("expected the test control %s, which is needed to create accounts, got only %s: set the option accounts to the credentials of existing accounts", needed, strings.Join(r.offers, ", "))
		}
	}
	made, err := r.controls.MakeAccounts(ctx, len(share))
	if err != nil {
		return err
	}
	for i, index := range share {
		add(index, made[i])
	}
	return r.fund(ctx)
}

// Offers says whether the target has a test control that works for the accounts of this run:
// it needs their numbers, which a file of accounts may not contain.
func (r *Run) Offers(control string) bool {
	ofAccounts := control != "accounts" && control != "directory"
	return slices.Contains(r.offers, control) && !(ofAccounts && slices.ContainsFunc(r.accounts, unnumbered))
}

func unnumbered(a *gateway.Account) bool { return a.Credentials.ID == 0 }

// fund sets the balance of created accounts and lifts their limits: only the gateway limits the load.
func (r *Run) fund(ctx context.Context) error {
	return r.each(ctx, func(ctx context.Context, a *gateway.Account) error {
		if err := r.controls.SetBalance(ctx, a.Credentials.ID, int64(r.config.Balance)); err != nil {
			return err
		}
		return r.controls.LiftLimits(ctx, a.Credentials.ID)
	})
}

// unheard are the kinds of payments whose events no URL receives.
func (r *Run) unheard() (kinds ledger.ByKind[bool]) {
	for kind, event := range events {
		kinds[kind] = r.config.Webhooks == nil || !slices.Contains(r.config.Webhooks.Types, event)
	}
	return kinds
}

// events are the subscription event types that report the outcomes of payments.
var events = map[ledger.Kind]string{
	ledger.CashOut: "cash_out", ledger.QRCashOut: "cash_out", ledger.Transfer: "cash_out",
	ledger.CashIn: "cash_in", ledger.Cob: "cash_in", ledger.Refund: "refund_in",
}

// listen starts the webhook listener and registers the webhooks of each account.
func (r *Run) listen(ctx context.Context) error {
	w := r.config.Webhooks
	config := sink.Config{
		Root: r.ID(), Listen: w.Listen, URL: w.URL, Certificate: w.Certificate, Key: w.Key, Failed: r.exhausted,
		Receive: func(d ledger.Delivery) { r.delivered(r.ledger.Receive(d), d.At) },
	}
	if len(r.config.Fixed) > 0 {
		config.Root = "load" // in every run: an account takes three URLs per event type, and the API cannot remove one
	}
	s, err := sink.Open(config)
	if err != nil {
		return fmt.Errorf("webhooks: %w", err)
	}
	r.sink = s
	if w.Authority != "" && s.Authority() != nil {
		if err := os.WriteFile(w.Authority, s.Authority(), 0o644); err != nil { // #nosec G306 -- a public certificate, which the gateway reads
			return fmt.Errorf("webhooks.authority: %w", err)
		}
	}
	return r.each(ctx, func(ctx context.Context, a *gateway.Account) error {
		for _, t := range w.Types {
			registration := gateway.Webhook{URL: s.URL(a.Index, t), Type: t}
			if _, err := a.RegisterWebhook(ctx, r.network.Sender, registration); err != nil {
				return fmt.Errorf("cannot register webhooks for account %d: %w", a.Index, err)
			}
		}
		return nil
	})
}

// delivered measures a delivery that the ledger has recorded.
func (r *Run) delivered(receipt ledger.Receipt, at time.Time) {
	if receipt.Verdict != ledger.Matched || r.warmingUp(at.Add(-receipt.Intended)) {
		return
	}
	late := r.monitor.stalled(at.Add(-receipt.Intended), at)
	r.generator.delayed(r.generator.webhooks, receipt.Intended, min(late, receipt.Intended))
	if r.config.Metrics != nil {
		r.config.Metrics.Webhook(receipt, at)
	}
}

const payees = 16 // how many payees a run creates if it can

// addPayees adds the payees of transfers to the key directory, if the controls can.
func (r *Run) addPayees(ctx context.Context) error {
	if !slices.Contains(r.offers, "directory") {
		return nil
	}
	for range payees {
		p := r.source.Payee(r.source.Next())
		if err := r.controls.AddPayee(ctx, p); err != nil {
			return err
		}
		r.payees = append(r.payees, p)
	}
	return nil
}

// payee is the default payee of a transfer.
func (r *Run) payee(id data.ID) data.Payee {
	if len(r.payees) == 0 {
		return data.Payee{}
	}
	return r.payees[id.Sequence%uint64(len(r.payees))]
}
