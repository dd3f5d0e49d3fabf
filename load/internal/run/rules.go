package run

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/result"
)

// rules are what the API requires at any load. A share of the payments of a run is followed by
// a question whether one of them holds: additional requests, which are not measured. It is
// broken only if the response proves it. No response, 429 and 5xx are no answer.
func rules() []rule {
	outgoing := []ledger.Kind{ledger.CashOut, ledger.QRCashOut, ledger.Transfer}
	return []rule{
		{result.Rule{Name: "repeat", Says: "the same request again is not another payment"}, outgoing, nil, (*rulebook).repeat},
		{result.Rule{Name: "repeat later", Says: "the same request again, after others, is not another payment"}, outgoing, nil, (*rulebook).repeatEarlier},
		{result.Rule{Name: "balance", Says: "a payment above the balance is refused"}, outgoing, nil, (*rulebook).overdraw},
		{result.Rule{Name: "token", Says: "a request with an invalid access token is refused"}, nil, nil, (*rulebook).forge},
		{result.Rule{Name: "list", Says: "a payment that was accepted is listed"}, []ledger.Kind{ledger.CashOut, ledger.QRCashOut}, nil, (*rulebook).list},
		{result.Rule{Name: "refund", Says: "refunds do not exceed the payment"}, []ledger.Kind{ledger.Refund}, nil, (*rulebook).refundAgain},
	}
}

type rule struct {
	result.Rule
	of    []ledger.Kind // payments that it can follow; nil: any
	needs []string      // test controls
	ask   func(*rulebook, context.Context, question) (broken string, answered bool)
}

// question is about an accepted payment.
type question struct {
	*Payment
	send     attempt
	refunded string // the end-to-end id of the payment that a refund is of
	at       time.Time
}

// rulebook asks the questions of a run.
type rulebook struct {
	run     *Run
	table   []rule
	pending sync.WaitGroup
	atOnce  *semaphore.Weighted

	mu      sync.Mutex
	asked   []result.Rule // as in table
	earlier []question    // payments to repeat later, the oldest first
	paid    map[string]int64
	next    map[ledger.Kind]int // the next rule for each kind
}

const (
	mostQuestions = 64  // at the same time; a run that has as many skips others
	mostEarlier   = 256 // payments kept to be repeated later
	mostBroken    = 100 // examples of each rule
	tooMuch       = 100_000_000_000_00
	listedWithin  = 5 * time.Second // lists may be read from a replica
	asksAgain     = 200 * time.Millisecond
)

func newRulebook(r *Run) *rulebook {
	b := &rulebook{run: r, table: append(rules(), limitRules(r)...), atOnce: semaphore.NewWeighted(mostQuestions), paid: map[string]int64{}, next: map[ledger.Kind]int{}}
	for _, rule := range b.table {
		for _, control := range rule.needs {
			if !slices.Contains(r.offers, control) {
				rule.Missing = append(rule.Missing, control)
			}
		}
		b.asked = append(b.asked, rule.Rule)
	}
	return b
}

// follow asks a question after a share of the accepted payments.
func (b *rulebook) follow(q question) {
	if !q.Accepted() || !b.run.draws(q.ID, 0x6a09e667f3bcc909, b.run.config.Rules) || !b.atOnce.TryAcquire(1) {
		return
	}
	rule := b.choose(q.Kind)
	b.pending.Go(func() {
		defer b.atOnce.Release(1)
		ctx, cancel := context.WithTimeout(context.Background(), b.run.config.Timeout+listedWithin)
		defer cancel()
		broken, answered := b.table[rule].ask(b, ctx, q)
		b.mu.Lock()
		defer b.mu.Unlock()
		of := &b.asked[rule]
		if answered {
			of.Asked++
		}
		if broken != "" {
			if of.Broken++; len(of.Examples) < mostBroken {
				of.Examples = append(of.Examples, q.ExternalID+": "+broken)
			}
		}
	})
}

// choose takes turns among the rules for a kind of payment.
func (b *rulebook) choose(kind ledger.Kind) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	for {
		rule := b.next[kind] % len(b.table)
		b.next[kind]++
		if of := b.table[rule].of; b.asked[rule].Missing == nil && (of == nil || slices.Contains(of, kind)) {
			return rule
		}
	}
}

// results are the rules with their answers so far; nil if the run asks no questions.
func (b *rulebook) results() []result.Rule {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	all := slices.Clone(b.asked)
	for i := range all {
		all[i].Examples = slices.Clone(all[i].Examples)
	}
	return all
}

// answered says whether a response decides anything.
func answered(x *gateway.Exchange) bool {
	return x.Status != 0 && x.Status != http.StatusTooManyRequests && x.Status < 500
}

func (b *rulebook) repeat(ctx context.Context, q question) (string, bool) {
	b.keep(q)
	answer, x := q.send(during{ctx, b.run.network.Unmeasured})
	if !answered(x) {
		return "", false
	}
	distinct := distinct(q.TransactionID, answer.TransactionID)
	b.run.ledger.Repeated(q.ID, ledger.Repeats{Sent: 1, Distinct: distinct, IDs: []string{q.TransactionID, answer.TransactionID}})
	if answer.Outcome == gateway.Accepted && distinct > 1 {
		return fmt.Sprintf("accepted %s later as transaction %s, expected %s or a refusal", time.Since(q.at).Round(time.Millisecond), answer.TransactionID, q.TransactionID), true
	}
	return "", true
}

// keep keeps a payment to be repeated later.
func (b *rulebook) keep(q question) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.earlier = append(b.earlier, q); len(b.earlier) > mostEarlier {
		b.earlier = b.earlier[1:]
	}
}

func (b *rulebook) repeatEarlier(ctx context.Context, q question) (string, bool) {
	b.mu.Lock()
	if len(b.earlier) > 0 {
		q, b.earlier = b.earlier[0], b.earlier[1:]
	}
	b.mu.Unlock()
	return b.repeat(ctx, q)
}

func (b *rulebook) overdraw(ctx context.Context, q question) (string, bool) {
	c := Call{Account: q.Account, Sender: during{ctx, b.run.network.Unmeasured}, Intended: time.Now(), Unmeasured: true}
	p := b.run.CashOut(ctx, c, func(body *data.CashOut) { body.Value = tooMuch })
	if p.Accepted() {
		return fmt.Sprintf("a cash-out of %s, %s, was accepted as transaction %s", data.FormatAmount(tooMuch), p.ExternalID, p.TransactionID), true
	}
	return "", answered(p.Exchange)
}

func (b *rulebook) forge(ctx context.Context, q question) (string, bool) {
	token, err := q.Account.Token(ctx, b.run.network.Unmeasured)
	if err != nil || token == "" {
		return "", false
	}
	middle := len(token) / 2
	forged := token[:middle] + strings.Map(func(c rune) rune {
		if c == 'A' {
			return 'B'
		}
		return 'A'
	}, token[middle:middle+1]) + token[middle+1:]
	x := b.run.network.Unmeasured.Send(ctx, &gateway.Request{
		Operation: gateway.ReadBalance, Method: http.MethodGet, Path: gateway.ReadBalance.Endpoint().Template, Bearer: forged,
	})
	if x.OK() {
		return "the balance was read with an access token of which a character was changed", true
	}
	return "", answered(x)
}

func (b *rulebook) list(ctx context.Context, q question) (string, bool) {
	for until := time.Now().Add(listedWithin); ; {
		found, err := q.Account.Find(ctx, b.run.network.Unmeasured, q.ExternalID)
		switch {
		case err != nil:
			return "", false
		case len(found) > 0:
			return "", true
		case time.Now().After(until):
			return fmt.Sprintf("not listed within %s", listedWithin), true
		}
		select {
		case <-time.After(asksAgain):
		case <-ctx.Done():
			return "", false
		}
	}
}

// refundAgain refunds the whole payment after a part of it was refunded.
func (b *rulebook) refundAgain(ctx context.Context, q question) (string, bool) {
	b.mu.Lock()
	whole := b.paid[q.refunded]
	b.mu.Unlock()
	if whole == 0 {
		return "", false // how much was paid is not known
	}
	c := Call{Account: q.Account, Sender: during{ctx, b.run.network.Unmeasured}, Intended: time.Now(), Unmeasured: true}
	p := b.run.Refund(ctx, c, q.refunded, whole)
	if p.Accepted() {
		return fmt.Sprintf("after a refund of %s, another of %s was accepted, of a payment of %s", data.FormatAmount(q.Amount), data.FormatAmount(whole), data.FormatAmount(whole)), true
	}
	return "", answered(p.Exchange)
}

// received keeps how much a payment that can be refunded was.
func (b *rulebook) received(endToEndID string, amount int64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.paid) < 1<<16 {
		b.paid[endToEndID] = amount
	}
}

// during sends with another context than that of a call, which may be over.
type during struct {
	ctx context.Context
	gateway.Sender
}

func (d during) Send(_ context.Context, r *gateway.Request) *gateway.Exchange {
	return d.Sender.Send(d.ctx, r)
}
