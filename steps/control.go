package steps

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/target"
)

// controls are the target's test controls, as this scenario calls them.
func (s *scenario) controls() *target.Controls {
	return s.run.target.Controls(s.plan.scenario.Rule.Name, s.record)
}

func (s *scenario) hasFee(ctx context.Context, amount string) error {
	return s.controls().SetFees(ctx, s.account.id, target.Fees{CashOut: amount})
}

// limitNames are the limits as the features call them.
var limitNames = map[string]func(*target.Limits, *string){
	"per-transaction": func(l *target.Limits, v *string) { l.PerTransaction = &v },
	"daily":           func(l *target.Limits, v *string) { l.Daily = &v },
	"night":           func(l *target.Limits, v *string) { l.Night = &v },
}

func (s *scenario) hasLimit(ctx context.Context, name, amount string) error {
	var limits target.Limits
	limitNames[name](&limits, &amount)
	return s.controls().SetLimits(ctx, s.account.id, limits)
}

func (s *scenario) hasNoLimits(ctx context.Context) error {
	var limits target.Limits
	for _, lift := range limitNames {
		lift(&limits, nil)
	}
	return s.controls().SetLimits(ctx, s.account.id, limits)
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
	return s.controls().SetClock(ctx, s.account.id, now.UTC())
}

// pass lets time pass for the account: "1801 seconds pass".
func (s *scenario) pass(ctx context.Context, count, unit string) error {
	var n int
	if _, err := fmt.Sscan(count, &n); err != nil {
		return err
	}
	each := map[string]time.Duration{"second": time.Second, "minute": time.Minute, "hour": time.Hour}[unit]
	s.account.token = "" // may have expired
	s.passed = time.Now()
	return s.controls().AdvanceClock(ctx, s.account.id, time.Duration(n)*each)
}

func (s *scenario) settlementWaits(ctx context.Context) error {
	return s.controls().SetSettlement(ctx, s.account.id, "manual")
}

// bank settles the last payment: "the bank confirms it", "the bank tries to reject it
// with CODE". Who tries may find it finished.
func (s *scenario) bank(ctx context.Context, verb, errorCode string) error {
	payment, err := s.payment()
	if err != nil {
		return err
	}
	id, _ := lookup(payment.answer, "transactionId")
	transactionID, ok := id.(string)
	if !payment.accepted() || !ok {
		return &unable{reason: "there is no accepted payment that the bank could settle: " + payment.summary()}
	}
	result := target.Result{Outcome: "CONFIRMED"}
	if errorCode != "" {
		result = target.Result{Outcome: "ERROR", ErrorCode: errorCode, ErrorMessage: "rejected by the test"}
	}
	err = s.controls().Settle(ctx, s.account.id, transactionID, result)
	if strings.HasPrefix(verb, "tries") && target.IsFinished(err) {
		return nil
	}
	return err
}

// payment is the last request that moves money.
func (s *scenario) payment() (*attempt, error) {
	for i := len(s.attempts) - 1; i >= 0; i-- {
		if s.attempts[i].op.moves {
			return s.attempts[i], nil
		}
	}
	return nil, fmt.Errorf("the scenario has sent no payment")
}

// holders are the entries of the key directory that a sentence can ask for.
var holders = map[string]struct{ document, status string }{
	"another document":  {"11144477735", "ACTIVE"},
	"the same document": {payeeDocument, "ACTIVE"},
	"a blocked account": {payeeDocument, "BLOCKED"},
	"a closed account":  {payeeDocument, "CLOSED"},
}

func (s *scenario) directoryHolds(ctx context.Context, holder string) error {
	entry := holders[holder]
	s.key = s.fresh("key") + "@payee.example"
	return s.controls().PutKey(ctx, s.key, target.DirectoryEntry{
		Name: "Fulano de Tal", Document: entry.document, ISPB: "60701190", AccountStatus: entry.status,
	})
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

func (s *scenario) accountRemoved(ctx context.Context) error {
	return s.controls().RemoveAccount(ctx, s.account.id)
}
