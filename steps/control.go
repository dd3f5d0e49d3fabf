package steps

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/pixcert/pixcert/steps/target"
)

// controls are the target's test controls, as this scenario calls them.
func (s *scenario) controls() *target.Controls {
	return s.run.target.Controls(s.plan.scenario.Rule.Name, s.record)
}

func (s *scenario) hasFee(ctx context.Context, kind, amount string) error {
	fees := target.Fees{CashOut: amount}
	if kind == "cash-in" {
		fees = target.Fees{CashIn: amount}
	}
	return s.controls().SetFees(ctx, s.account.id, fees)
}

func (s *scenario) hasAvailable(ctx context.Context, amount string) error {
	return s.setBalance(ctx, s.account, amount)
}

// isTime moves the account's clock to a time of tomorrow in the target's zone.
func (s *scenario) isTime(ctx context.Context, clock string) error {
	layout := "15:04"
	if strings.Count(clock, ":") == 2 {
		layout = "15:04:05"
	}
	at, err := time.Parse(layout, clock)
	if err != nil {
		return err
	}
	tomorrow := time.Now().In(s.run.zone).AddDate(0, 0, 1)
	now := time.Date(tomorrow.Year(), tomorrow.Month(), tomorrow.Day(), at.Hour(), at.Minute(), at.Second(), 0, s.run.zone)
	s.account.token = "" // issued at another time
	s.account.ahead = time.Until(now)
	return s.controls().SetClock(ctx, s.account.id, now.UTC())
}

// pass lets time pass for the account: "1801 seconds pass".
func (s *scenario) pass(ctx context.Context, count, unit string) error {
	by := span(count, unit, "ahead")
	s.account.token = "" // may have expired
	s.account.ahead += by
	s.passed = time.Now()
	return s.controls().AdvanceClock(ctx, s.account.id, by)
}

func (s *scenario) settlementWaits(ctx context.Context) error {
	if s.plan.staged {
		return nil
	}
	return s.controls().SetSettlement(ctx, s.account.id, "manual")
}

func (s *scenario) refundsWait(ctx context.Context) error {
	return s.controls().SetRefunds(ctx, s.account.id, "manual")
}

// bank settles a payment: "the bank confirms it", "the bank tries to reject the second
// with CODE". Who tries may find it finished.
func (s *scenario) bank(ctx context.Context, verb, which, errorCode string) error {
	p, err := s.nth(which, payment)
	if err != nil {
		return err
	}
	if !p.accepted() {
		return &unable{reason: "there is no accepted payment that the bank could settle: " + p.summary()}
	}
	var named target.Payment
	if p.op.id == "transfer" {
		id, _ := lookup(p.answer, "id")
		named.ID, _ = id.(json.Number)
	} else if id, ok := lookup(p.answer, "transactionId"); ok {
		named.TransactionID = fmt.Sprint(id)
	}
	if s.plan.staged {
		return nil
	}
	result := target.Result{Outcome: confirmed}
	if errorCode != "" {
		result = target.Result{Outcome: "ERROR", ErrorCode: errorCode, ErrorMessage: "rejected by the test"}
	}
	return tried(verb, s.controls().Settle(ctx, p.actor.id, named, result))
}

// tried is the error of a control, unless the sentence has it that somebody only tries:
// then what is finished may stay so.
func tried(verb string, err error) error {
	if strings.HasPrefix(verb, "tries") && target.IsFinished(err) {
		return nil
	}
	return err
}

// holder is who holds a key of the directory.
type holder struct{ key, document string }

// holders are the entries of the key directory that a sentence can ask for.
var holders = map[string]struct{ document, status string }{
	"another document":  {another.document, "ACTIVE"},
	"the same document": {payee.document, "ACTIVE"},
	"a blocked account": {payee.document, "BLOCKED"},
	"a closed account":  {payee.document, "CLOSED"},
}

func (s *scenario) directoryHoldsFor(ctx context.Context, holder string) error {
	entry := holders[holder]
	return s.putKey(ctx, s.freshEmail(), entry.document, "60701190", entry.status)
}

// directoryHolds: "the key directory holds a fresh CPF key at 60701190".
func (s *scenario) directoryHolds(ctx context.Context, kind, ispb string) error {
	key, document := s.freshEmail(), payee.document
	switch kind {
	case "CPF":
		key = freshCPF()
		document = key
	case "CNPJ":
		key = freshCNPJ()
		document = key
	case "phone":
		key = "+55119" + digits(8)
	case "random":
		key = uuid.NewString()
	}
	if ispb == "" {
		ispb = "18236120"
	}
	return s.putKey(ctx, key, document, ispb, "ACTIVE")
}

func (s *scenario) putKey(ctx context.Context, key, document, ispb, status string) error {
	s.holder = holder{key, document}
	return s.controls().PutKey(ctx, key, target.DirectoryEntry{Name: payee.name, Document: document, ISPB: ispb, AccountStatus: status})
}

// upstreamFaults are the faults of the upstream authentication.
var upstreamFaults = map[string]string{
	"answers nonsense": "error",
	"is unreachable":   "unavailable",
	"is back":          "none",
}

func (s *scenario) upstream(ctx context.Context, fault string) error {
	return s.controls().SetFaults(ctx, s.account.id, target.Faults{Auth: upstreamFaults[fault]})
}

// providerFaults are the faults of the provider behind the charges.
var providerFaults = map[string]string{"is unreachable": "unavailable", "is back": "none"}

func (s *scenario) provider(ctx context.Context, fault string) error {
	return s.controls().SetFaults(ctx, s.account.id, target.Faults{PixProvider: providerFaults[fault]})
}

func (s *scenario) providerWants(ctx context.Context, seconds string) error {
	return s.controls().SetFaults(ctx, s.account.id, target.Faults{MinimumExpiration: atoi(seconds)})
}

func (s *scenario) accountRemoved(ctx context.Context) error {
	return s.controls().RemoveAccount(ctx, s.account.id)
}
