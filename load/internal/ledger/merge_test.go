package ledger

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/pixcert/pixcert/load/internal/data"
)

// act is one thing that happens in a run, at its time, to the ledger of the payment's
// instance or, if it is a delivery, of the receiver.
type act struct {
	at       float64
	payment  int
	receiver int // -1: the payment's own instance
	do       func(l *Ledger, id data.ID, at time.Time)
}

// script is a run as it happens to one instance or to several.
type script struct {
	homes  []int
	stride uint64
	acts   []act
	truth  []Fate // what the gateway lists; Absent: nothing
	lookUp bool
	cfg    Config
}

const crossFee = 5

// draw makes a run up.
func draw(t *rapid.T, instances int) script {
	s := script{
		stride: rapid.SampledFrom([]uint64{1, 3, stripes * chunkSize * 6}).Draw(t, "stride"),
		lookUp: rapid.Bool().Draw(t, "look up"),
		cfg:    Config{Fees: map[Kind]int64{Refund: crossFee}},
	}
	payments := rapid.IntRange(1, 12).Draw(t, "payments")
	for p := range payments {
		s.homes = append(s.homes, rapid.IntRange(0, instances-1).Draw(t, "home"))
		s.truth = append(s.truth, s.drawPayment(t, p, instances))
	}
	slices.SortStableFunc(s.acts, func(a, b act) int {
		return int(1e6*a.at) - int(1e6*b.at)
	})
	return s
}

func (s *script) drawPayment(t *rapid.T, p, instances int) Fate {
	begin := float64(p) // seconds
	kind := rapid.SampledFrom([]Kind{CashOut, CashOut, Refund}).Draw(t, "kind")
	account := rapid.IntRange(0, 2).Draw(t, "account")
	unregistered := rapid.IntRange(0, 9).Draw(t, "unregistered") == 0
	fate := rapid.SampledFrom([]Fate{Accepted, Accepted, Accepted, Unheard, Refused, InFlight}).Draw(t, "answer")
	own := func(at float64, do func(l *Ledger, id data.ID, at time.Time)) {
		if !unregistered {
			s.acts = append(s.acts, act{begin + at, p, -1, do})
		}
	}
	own(0, func(l *Ledger, id data.ID, at time.Time) {
		l.Register(Payment{ID: id, Kind: kind, Account: account, Amount: 1000, Intended: at, Sent: at})
	})
	if fate != InFlight {
		own(rapid.Float64Range(0.1, 1).Draw(t, "answered"), func(l *Ledger, id data.ID, at time.Time) {
			l.Answered(id, Answer{Fate: fate, At: at, TransactionID: transactionID(id)})
		})
	}
	if kind == Refund {
		own(rapid.Float64Range(0.1, 30).Draw(t, "alias"), func(l *Ledger, id data.ID, _ time.Time) {
			l.Alias(id, rtrID(id))
		})
	}
	if rapid.IntRange(0, 4).Draw(t, "resend") == 0 {
		own(0.05, func(l *Ledger, id data.ID, _ time.Time) { l.ExpectResend(id) })
	}
	told := InFlight
	for range rapid.IntRange(0, 4).Draw(t, "deliveries") {
		if end := s.drawDelivery(t, begin, p, kind, fate, account, instances); end == Confirmed || told == InFlight {
			told = end
		}
	}
	if told != InFlight {
		return told
	}
	truths := []Fate{InFlight, Absent, Confirmed, Failed}
	if kind == Refund { // nobody is told of one that failed, so that its list makes a lost event none
		truths = truths[:3]
	}
	return rapid.SampledFrom(truths).Draw(t, "truth")
}

func rtrID(id data.ID) string { return fmt.Sprintf("D%031d", id.Sequence) }

// drawDelivery returns the end that it tells.
func (s *script) drawDelivery(t *rapid.T, begin float64, p int, kind Kind, answer Fate, account, instances int) Fate {
	end := rapid.SampledFrom([]Fate{Confirmed, Confirmed, Confirmed, Failed}).Draw(t, "end")
	if kind == Refund {
		end = Confirmed
	}
	damage := rapid.SampledFrom([]string{"", "", "", "", "", "", "", "amount", "cut", "transaction", "nameless"}).Draw(t, "damage")
	if damage == "transaction" && answer != Accepted {
		damage = "" // without an answer nobody knows which of two is right
	}
	webhookID := fmt.Sprint(end, rapid.IntRange(0, 2).Draw(t, "webhook-id"))
	s.acts = append(s.acts, act{
		begin + rapid.Float64Range(0.1, 25).Draw(t, "delivered"), p, rapid.IntRange(0, instances-1).Draw(t, "receiver"),
		func(l *Ledger, id data.ID, at time.Time) {
			body := cashOut(id.ExternalID(), map[Fate]string{Confirmed: "CONFIRMED", Failed: "ERROR"}[end], transactionID(id), 1000, crossFee)
			if kind == Refund {
				body = refund("tx", rtrID(id), "10.00", "DEBIT")
			}
			switch damage {
			case "amount":
				body = strings.ReplaceAll(strings.ReplaceAll(body, "10.00", "10.01"), "10.05", "10.06")
			case "cut":
				body = body[:len(body)-20]
			case "transaction":
				body = strings.Replace(body, `"transactionId":"t-`, `"transactionId":"u-`, 1)
			case "nameless":
				body = "{"
			}
			l.Receive(Delivery{Account: account, Body: []byte(body), WebhookID: webhookID, At: at})
		}})
	if damage == "" || damage == "transaction" && kind == Refund {
		return end
	}
	return InFlight
}

// run is the script, by so many instances: their books.
func (s *script) run(t require.TestingT, instances int) []Book {
	cfg := s.cfg
	cfg.Run, cfg.Instances = testRun, instances
	start := time.Now()
	var ledgers []*Ledger
	for i := range instances {
		cfg.Instance = uint16(i)
		l := New(cfg)
		for account := range 3 {
			l.Open(account, 100_000)
		}
		ledgers = append(ledgers, l)
	}
	id := func(payment int) data.ID {
		return data.ID{Run: testRun, Instance: uint16(s.homes[payment] % instances), Sequence: uint64(payment) * s.stride}
	}
	for _, a := range s.acts {
		at := a.receiver % instances
		if a.receiver < 0 {
			at = int(id(a.payment).Instance)
		}
		a.do(ledgers[at], id(a.payment), start.Add(time.Duration(a.at*1e9)))
	}
	var books []Book
	for _, l := range ledgers {
		if s.lookUp {
			for _, p := range l.Unresolved() {
				l.LookedUp(p.ID, s.list(int(p.ID.Sequence/s.stride)))
			}
		}
		for account := range 3 {
			l.Audit(account, 99_000)
		}
		books = append(books, l.Book())
	}
	for _, b := range books {
		requireWhole(t, b)
	}
	return books
}

func (s *script) list(payment int) Found {
	switch s.truth[payment] {
	case Absent:
		return Found{}
	case InFlight:
		return Found{Count: 1, Status: "PENDING", Amount: 1000}
	case Failed:
		return Found{Count: 1, Status: "ERROR", Amount: 1000, Fee: crossFee}
	}
	return Found{Count: 1, Status: "CONFIRMED", Amount: 1000, Fee: crossFee}
}

// However a run's webhooks are spread over its instances, the merged book is the one of
// a single instance that received them all.
func TestMergedBooksAreThatOfOneInstance(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		instances := rapid.IntRange(2, 4).Draw(t, "instances")
		s := draw(t, instances)
		one := s.run(t, 1)[0]
		many := s.run(t, instances)
		for i := range many {
			if rapid.Bool().Draw(t, "from its file") {
				many[i] = reread(t, many[i])
			}
		}
		merged := Merge(many)
		requireWhole(t, merged)
		if one.Counts.WebhooksResent > 0 { // which of further deliveries was the one asked for is a matter of order
			one.SameWebhookID = merged.SameWebhookID
		}
		require.Equal(t, counts(one.Counts), counts(merged.Counts))
		require.Equal(t, one.Accounts, merged.Accounts)
		require.Equal(t, one.SameWebhookID, merged.SameWebhookID)

		again := Merge(rapid.Permutation(inSteps(t, many)).Draw(t, "order"))
		require.Equal(t, marshal(t, merged), marshal(t, again), "in any order, in any steps")
	})
}

// inSteps merges some of the books first.
func inSteps(t *rapid.T, books []Book) []Book {
	n := rapid.IntRange(1, len(books)).Draw(t, "first")
	first := Merge(books[:n])
	return append([]Book{first}, books[n:]...)
}

func marshal(t require.TestingT, b Book) string {
	for i := range b.Parts {
		for j := range b.Parts[i].Examples {
			b.Parts[i].Examples[j].At = b.Parts[i].Examples[j].At.UTC()
		}
	}
	b.Parts = nil // packed maps have no order
	for i := range b.Examples {
		b.Examples[i].At = b.Examples[i].At.UTC()
	}
	text, err := json.Marshal(b)
	require.NoError(t, err)
	return string(text)
}

func reread(t require.TestingT, b Book) Book {
	text, err := json.Marshal(b)
	require.NoError(t, err)
	var again Book
	require.NoError(t, json.Unmarshal(text, &again))
	return again
}

func TestWhatAnotherInstanceReceivedIsNotLost(t *testing.T) {
	t.Parallel()
	first, second := New(Config{Run: testRun, Instance: 0, Instances: 2}), New(Config{Run: testRun, Instance: 1, Instances: 2})
	now := time.Now()
	id := newID(0)
	first.Register(Payment{ID: id, Amount: 1000, Intended: now, Sent: now})
	first.Answered(id, Answer{Fate: Accepted, At: now.Add(time.Second)})
	r := second.Receive(Delivery{Body: []byte(cashOut(id.ExternalID(), "CONFIRMED", "t", 1000, 0)), At: now.Add(3 * time.Second)})
	assert.Equal(t, Receipt{Verdict: Elsewhere, ID: id}, r)
	first.LookedUp(id, Found{Count: 1, Status: "CONFIRMED"})
	assert.EqualValues(t, 1, first.Book().Counts.WebhooksLost)
	assert.EqualValues(t, 1, second.Book().Counts.WebhooksElsewhere)

	merged := Merge([]Book{second.Book(), first.Book()})
	assert.Equal(t, map[string]int64{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_matched": 1},
		counts(merged.Counts))
	require.Len(t, merged.Crossings, 1)
	assert.Equal(t, "2s", merged.Crossings[0].Acceptance.Round(time.Millisecond).String())
	assert.Equal(t, "3s", merged.Crossings[0].Intended.Round(time.Millisecond).String())
}

func TestADamagedStateIsAnError(t *testing.T) {
	t.Parallel()
	var b Book
	require.ErrorContains(t, json.Unmarshal([]byte(`{"parts":[{"state":"AAAA"}]}`), &b), "expected the packed state of a ledger")
}
