package run

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/result"
)

// limit is one of the limits of cash-outs (Errors, cash-out business errors). Whether a payment
// of exactly the limit is within it is an open point, so questions are a centavo below and above.
type limit struct {
	name, says string // of the rule
	control    string // its name in the test control
	code       string // of a refusal
	at         int    // the hour, in UTC, of the account's clock when it is created; 0: the real time
	adds       bool   // the limit is on the sum of the payments
	ask        func(*limited, context.Context) (broken string, answered bool)
}

// Days and nights may be those of São Paulo or of UTC. At these hours both agree, and neither
// ends before the account is replaced.
const (
	noon      = 15 // 12:00 in São Paulo
	lateNight = 1  // 22:00 in São Paulo
)

var limits = []limit{
	{"transaction limit", "a payment above the limit of a payment is refused, one below is not",
		"perTransaction", "PIX_TRANSACTION_LIMIT_EXCEEDED", 0, false, (*limited).bound},
	{"daily limit", "payments at the same time do not exceed the limit of a day",
		"daily", "PIX_DAILY_LIMIT_EXCEEDED", noon, true, (*limited).total},
	{"night limit", "a payment above the limit of the night is refused, one below is not",
		"night", "PIX_NIGHT_LIMIT_EXCEEDED", lateNight, false, (*limited).bound},
}

// limitRules are the questions about limits. They need the controls that create an account with
// a limit: a limit on an account of the run would restrict the load.
func limitRules(r *Run) (rules []rule) {
	for _, of := range limits {
		needs := []string{"accounts", "funds", "limits"}
		if of.at != 0 {
			needs = append(needs, "clock")
		}
		l := &limited{limit: of, run: r}
		rules = append(rules, rule{result.Rule{Name: of.name, Says: of.says}, nil, needs, l.question})
	}
	return rules
}

// limited is an account for the questions about one limit. Nothing else pays from it, so its
// balance shows what the questions moved. New accounts have no fees (test controls).
type limited struct {
	limit
	asking sync.Mutex // one question at a time

	run *Run

	account *gateway.Account // nil: not yet created
	created time.Time
	most    int64 // centavos, the limit that is set

	// Centavos that left the account: of accepted payments, and with those that may have been
	// accepted.
	accepted, possible int64
}

const (
	limitedFunds = 10_000_000_00
	leftToPay    = 100_00 // what the limit allows at the start of each question
	atSameTime   = 8
	eachOfThem   = 40_00 // two are within the limit, three are not
	replaced     = time.Hour
)

// question asks about the limit, unless another question about it has not ended.
func (l *limited) question(_ *rulebook, ctx context.Context, _ question) (string, bool) {
	if !l.asking.TryLock() {
		return "", false
	}
	defer l.asking.Unlock()
	uncertain := l.adds && l.possible != l.accepted // how much is left to pay is not known
	if l.account == nil || uncertain || time.Since(l.created) > replaced {
		if err := l.create(ctx); err != nil {
			return "", false
		}
	}
	if l.most = leftToPay; l.adds {
		l.most += l.possible
	}
	if err := l.run.controls.SetLimit(ctx, l.account.Credentials.ID, l.control, l.most); err != nil {
		return "", false
	}
	broken, answered := l.ask(l, ctx)
	broken = cmp.Or(broken, l.moved(ctx))
	return broken, answered || broken != ""
}

// create creates the account. An account that it replaces stays, as those of a run do.
func (l *limited) create(ctx context.Context) error {
	controls := l.run.controls
	made, err := controls.MakeAccounts(ctx, 1)
	if err != nil {
		return err
	}
	if err := controls.SetBalance(ctx, made[0].ID, limitedFunds); err != nil {
		return err
	}
	if l.at != 0 { // before its first token, which expires by this clock
		today := time.Now().UTC().Truncate(24 * time.Hour)
		if err := controls.SetClock(ctx, made[0].ID, today.Add(time.Duration(l.at)*time.Hour)); err != nil {
			return err
		}
	}
	l.account, l.created, l.accepted, l.possible = gateway.NewAccount(-1, made[0], l.run.config.TokenPath), time.Now(), 0, 0
	return nil
}

// bound asks whether a payment is limited, and only by the limit.
func (l *limited) bound(ctx context.Context) (string, bool) {
	below, one := l.within(l.pay(ctx, l.most-1)[0])
	above, other := l.above(l.pay(ctx, l.most+1)[0])
	return cmp.Or(below, above), one && other
}

// total asks whether payments at the same time exceed the limit of their sum. Then, one by one,
// whether exactly the rest can be paid.
func (l *limited) total(ctx context.Context) (string, bool) {
	same := make([]int64, atSameTime)
	for i := range same {
		same[i] = eachOfThem
	}
	before := l.accepted
	tried := l.pay(ctx, same...)
	if l.accepted > l.most {
		return fmt.Sprintf("of %d cash-outs of %s at the same time, %d were accepted, of which the daily limit allowed %d: transactions %s",
			atSameTime, data.FormatAmount(eachOfThem), (l.accepted-before)/eachOfThem, leftToPay/eachOfThem, accepted(tried)), true
	}
	for _, p := range tried {
		if p.Outcome == gateway.Refused {
			if broken, _ := l.above(p); broken != "" {
				return broken, true
			}
		}
	}
	rest := l.most - l.possible - 1
	if rest < 1 {
		return "", false
	}
	if broken, answered := l.within(l.pay(ctx, rest)[0]); broken != "" || !answered || l.accepted != l.most-1 {
		return broken, broken != ""
	}
	return l.above(l.pay(ctx, 2)[0])
}

// tried is a cash-out of a question.
type tried struct {
	gateway.Answer
	exchange *gateway.Exchange
	id       string // externalId
	value    int64
}

// pay sends cash-outs at the same time.
func (l *limited) pay(ctx context.Context, values ...int64) []tried {
	all := make([]tried, len(values))
	var sending sync.WaitGroup
	for i, value := range values {
		body := l.run.source.CashOut(l.run.source.Next())
		body.Value = value
		sending.Go(func() {
			answer, x := l.account.Create(ctx, l.run.network.Unmeasured, gateway.CashOut, &body)
			all[i] = tried{answer, x, body.ExternalID, value}
		})
	}
	sending.Wait()
	for _, p := range all {
		switch p.Outcome {
		case gateway.Accepted:
			l.accepted += p.value
			l.possible += p.value
		case gateway.Unknown:
			l.possible += p.value
		}
	}
	return all
}

// within judges the response to a payment that the limit allows. Why else it may be refused is
// not the question.
func (l *limited) within(p tried) (broken string, answered bool) {
	if p.Code == l.code && p.Outcome == gateway.Refused {
		return fmt.Sprintf("%s was rejected with %d %s, expected 201: it is within the limit of %s", p, p.exchange.Status, p.Code, data.FormatAmount(l.most)), true
	}
	return "", p.Outcome == gateway.Accepted
}

// above judges the response to a payment that exceeds the limit.
func (l *limited) above(p tried) (broken string, proven bool) {
	switch {
	case p.Outcome == gateway.Accepted:
		return fmt.Sprintf("%s was accepted as transaction %s, expected 400 %s: the limit is %s", p, p.TransactionID, l.code, data.FormatAmount(l.most)), true
	case p.Outcome == gateway.Unknown, !answered(p.exchange), p.exchange.Status == http.StatusUnauthorized:
		return "", false
	case p.exchange.Status != http.StatusBadRequest || p.Code != l.code:
		return fmt.Sprintf("%s was rejected with %d %s, expected 400 %s: the limit is %s", p, p.exchange.Status, p.Code, l.code, data.FormatAmount(l.most)), true
	}
	return "", true
}

// moved asks whether payments that were refused have moved money. A balance that lags shows less
// than was moved, never more.
func (l *limited) moved(ctx context.Context) (broken string) {
	balance, _, err := l.account.Balance(ctx, l.run.network.Unmeasured)
	fell := limitedFunds - balance.Available
	if err != nil || fell <= l.possible {
		return ""
	}
	broken = fmt.Sprintf("the available balance of the account with the %s fell by %s, expected at most %s, the sum of its accepted cash-outs",
		l.name, data.FormatAmount(fell), data.FormatAmount(l.possible))
	l.possible = fell // the next question shall not find the same again
	return broken
}

func (p tried) String() string {
	return fmt.Sprintf("a cash-out of %s, %s,", data.FormatAmount(p.value), p.id)
}

// accepted lists the transactions that were accepted.
func accepted(tried []tried) string {
	var ids []string
	for _, p := range tried {
		if p.Outcome == gateway.Accepted {
			ids = append(ids, p.TransactionID)
		}
	}
	return strings.Join(ids, ", ")
}
