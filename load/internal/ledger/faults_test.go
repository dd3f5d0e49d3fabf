package ledger

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/gateway"
)

// target is a gateway in this process that does wrong to chosen payments, while many
// clients and couriers are at work at once. What it did is what must be reported.
type target struct {
	*Ledger
	start   time.Time
	balance atomic.Int64
	taken   sync.Map // by sequence: the status that it lists
}

const faultPayments = 20_000

// fault is what happens to a payment, by its sequence.
func fault(sequence uint64) string {
	names := map[uint64]string{
		100: "lose", 5_000: "lose", 19_999: "lose",
		200: "double", 6_000: "double",
		300: "delay", 301: "delay", 7_000: "delay", 7_001: "delay",
		400: "amount", 8_000: "amount", 8_001: "cut", 8_002: "cut", 8_003: "cut",
		500: "debit twice",
		600: "answer lost, taken", 601: "answer lost, taken",
		700: "answer lost before it was taken", 701: "answer lost before it was taken",
		800: "redeliver", 801: "redeliver", 802: "redeliver",
		900: "say the contrary",
		950: "refuse", 951: "refuse",
	}
	if name, ok := names[sequence]; ok {
		return name
	}
	return [...]string{"early", "late answer", "at once"}[sequence%3]
}

// pay is a client's part, and the gateway's answer; event brings the webhook to a courier.
func (g *target) pay(id data.ID, event func(func())) {
	what := fault(id.Sequence)
	now := time.Now()
	g.Register(Payment{ID: id, Amount: 1000, Sent: now}, now)
	if what == "answer lost before it was taken" {
		g.Answered(id, Answer{Fate: NoResponse, At: now})
		return
	}
	if what == "refuse" {
		g.Answered(id, Answer{Fate: Refused, At: now})
		return
	}
	g.taken.Store(id.Sequence, "CONFIRMED")
	g.balance.Add(-1050)
	deliver := func() { g.deliver(id, what) }
	if what == "early" {
		deliver()
	} else {
		event(deliver)
	}
	if what == "debit twice" {
		g.balance.Add(-1050)
	}
	fate := Accepted
	if what == "answer lost, taken" {
		fate = NoResponse
	}
	g.Answered(id, Answer{Fate: fate, TransactionID: transactionID(id), At: now})
	switch {
	case what == "debit twice":
		g.Repeated(id, "a", "b")
	case id.Sequence%100 == 50:
		g.Repeated(id, "a", "a")
	}
}

func (g *target) deliver(id data.ID, what string) {
	body := cashOut(id.ExternalID(), "CONFIRMED", transactionID(id), 1000, 50)
	d := Delivery{Type: "cash_out", Body: []byte(body), WebhookID: fmt.Sprint("w", id.Sequence), At: time.Now()}
	switch what {
	case "lose":
		return
	case "double":
		g.Receive(d)
		d.WebhookID += "-again"
	case "redeliver":
		g.Receive(d)
	case "delay":
		d.At = d.At.Add(time.Hour)
	case "amount":
		d.Body = []byte(cashOut(id.ExternalID(), "CONFIRMED", transactionID(id), 1001, 50))
	case "cut":
		d.Body = d.Body[:len(d.Body)-1]
	case "say the contrary":
		g.Receive(d)
		d.Body = []byte(cashOut(id.ExternalID(), "ERROR", transactionID(id), 1000, 50))
	}
	g.Receive(d)
}

// lookUp is the end of a run.
func (g *target) lookUp() {
	for _, p := range g.Unresolved() {
		var found []gateway.Listed
		if status, ok := g.taken.Load(p.ID.Sequence); ok {
			found = []gateway.Listed{{Status: status.(string), Amount: 1000, Fee: 50}}
		}
		g.LookedUp(p.ID, found...)
	}
	g.Audit(0, 100_000_000+g.balance.Load(), 0)
}

func TestWhatIsReportedIsExactlyWhatWasDone(t *testing.T) {
	t.Parallel()
	g := &target{Ledger: New(Config{Run: testRun, Late: time.Minute}), start: time.Now()}
	g.Open(0, 100_000_000, 0)
	var next atomic.Int64
	var clients, couriers sync.WaitGroup
	events := make(chan func(), 100)
	for range 8 {
		couriers.Go(func() {
			for deliver := range events {
				deliver()
			}
		})
		clients.Go(func() {
			for i := next.Add(1) - 1; i < faultPayments; i = next.Add(1) - 1 {
				g.pay(newID(uint64(i)), func(deliver func()) { events <- deliver })
			}
		})
	}
	clients.Wait()
	close(events)
	couriers.Wait()
	assert.Equal(t, 3+2, g.Pending(), "what was lost, and what was not heard of")
	g.lookUp()
	assert.Equal(t, 3, g.Pending(), "what was lost")

	book := g.Book()
	requireWhole(t, book)
	assert.Equal(t, map[string]int64{
		"payments_sent":          faultPayments,
		"payments_accepted":      faultPayments - 2 - 2 - 2,
		"payments_refused":       2,
		"payments_no_response":   2 + 2,
		"payments_not_created":   2,
		"payments_compared":      2 + 3 + 3 + 1, // that were looked up and found: without a response, lost, cut, contradictory
		"payments_confirmed":     faultPayments - 2 - 2,
		"webhooks_received":      faultPayments - 2 - 2 - 3 + 2 + 3 + 1,
		"webhooks_matched":       faultPayments - 2 - 2 - 3 - 5,
		"webhooks_lost":          3,
		"webhooks_duplicate":     2 + 3,
		"webhooks_late":          4,
		"webhooks_malformed":     5,
		"webhooks_contradictory": 1,
		"repeats_sent":           (faultPayments/100 - 1 + 1), // one of each hundred, but one that is refused, and that which is debited twice
		"double_debits":          1,
		"money_drift":            1050,
	}, counts(book.Counts))
	assert.EqualValues(t, -1050, book.Accounts[0].Drift)
	assert.Equal(t, book.Accounts[0].From, book.Accounts[0].To, "the end of all is known")
	assertExamples(t, book)
}

func assertExamples(t *testing.T, book Book) {
	t.Helper()
	got := map[string][]string{}
	for _, e := range book.Examples {
		got[e.Sort] = append(got[e.Sort], e.Payment)
	}
	for sort, sequences := range map[string][]uint64{
		"webhooks_lost":          {100, 5_000, 19_999},
		"webhooks_malformed":     {400, 8_000, 8_001, 8_002, 8_003},
		"webhooks_duplicate":     {200, 6_000, 800, 801, 802},
		"webhooks_contradictory": {900},
		"double_debits":          {500},
	} {
		var want []string
		for _, sequence := range sequences {
			want = append(want, newID(sequence).ExternalID())
		}
		assert.ElementsMatch(t, want, got[sort], sort)
	}
}

// await waits for the payment's event.
func (s scene) await(ctx context.Context, id data.ID) (Event, error) {
	settlement, forget := s.Settled(id)
	select {
	case o := <-settlement:
		return o.Event, o.Err
	case <-ctx.Done():
		forget()
		return Event{}, context.Cause(ctx)
	}
}

func TestSettled(t *testing.T) {
	t.Parallel()
	s := newScene(Config{})
	watch := func(sequence uint64) data.ID {
		id := newID(sequence)
		s.Register(Payment{ID: id, Amount: 1000, Sent: s.at(1)}, s.at(1))
		s.Answered(id, Answer{Fate: Accepted, At: s.at(2)})
		return id
	}
	t.Run("the event comes", func(t *testing.T) {
		id := watch(0)
		time.AfterFunc(time.Millisecond, func() { s.send(3, cashOut(id.ExternalID(), "ERROR", "t", 1000, 50)) })
		event, err := s.await(t.Context(), id)
		require.NoError(t, err)
		assert.Equal(t, Failed, event.Fate)
		assert.Equal(t, "CashOut", event.Name)
		assert.Equal(t, "t", event.TransactionID)
		assert.EqualValues(t, 50, event.Fee)
		assert.Equal(t, id, event.ID)
		again, err := s.await(t.Context(), id)
		require.NoError(t, err)
		assert.Equal(t, event, again, "it was watched")
	})
	t.Run("the event of one that was not watched came before", func(t *testing.T) {
		id := s.pay(1, CashOut, Accepted)
		s.send(3, confirmed(id))
		event, err := s.await(t.Context(), id)
		require.NoError(t, err)
		assert.Equal(t, "CashOut", event.Name)
		assert.Equal(t, confirmed(id), event.Body)
		assert.Equal(t, id, event.ID)
	})
	t.Run("the event of one that was not watched came long before", func(t *testing.T) {
		id := s.pay(1000, CashOut, Accepted)
		s.send(3, confirmed(id))
		for i := range 4096 {
			s.send(3, confirmed(s.pay(uint64(2000+i), CashOut, Accepted)))
		}
		event, err := s.await(t.Context(), id)
		require.NoError(t, err)
		assert.Equal(t, Event{ID: id, Fate: Confirmed, Amount: 1000}, event)
	})
	t.Run("no event comes", func(t *testing.T) {
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Millisecond, errors.New("waited 1 ms"))
		defer cancel()
		_, err := s.await(ctx, watch(2))
		require.ErrorContains(t, err, "waited 1 ms")
	})
	t.Run("none can come", func(t *testing.T) {
		_, err := s.await(t.Context(), newID(77))
		require.ErrorIs(t, err, ErrUnknown)
		_, err = s.await(t.Context(), s.pay(3, CashOut, Refused))
		require.ErrorIs(t, err, ErrRefused)
		absent := s.pay(4, CashOut, NoResponse)
		s.LookedUp(absent)
		_, err = s.await(t.Context(), absent)
		require.ErrorIs(t, err, ErrNotCreated)
	})
}

func TestSettledFailsOnceNoEventCanCome(t *testing.T) {
	t.Parallel()
	for name, happen := range map[string]struct {
		do   func(s scene, id data.ID)
		want error
	}{
		"refused": {func(s scene, id data.ID) { s.Answered(id, Answer{Fate: Refused}) }, ErrRefused},
		"not created": {func(s scene, id data.ID) {
			s.Answered(id, Answer{Fate: NoResponse})
			s.LookedUp(id)
		}, ErrNotCreated},
		"malformed": {func(s scene, id data.ID) { s.send(3, cashOut(id.ExternalID(), "CONFIRMED", "t", 1001, 0)) }, ErrEvent},
		"closed":    {func(s scene, _ data.ID) { s.Close(false) }, ErrClosed},
	} {
		s := newScene(Config{})
		id := s.pay(0, CashOut, InFlight)
		settlement, _ := s.Settled(id)
		happen.do(s, id)
		require.ErrorIs(t, (<-settlement).Err, happen.want, name)
	}
}

func TestAWaiterThatHasGivenUpIsForgotten(t *testing.T) {
	t.Parallel()
	s := newScene(Config{})
	id := s.pay(0, CashOut, Accepted)
	gone, forget := s.Settled(id)
	settlement, _ := s.Settled(id)
	forget()
	forget()
	s.send(3, confirmed(id))
	s.send(4, confirmed(id))
	assert.Equal(t, id, (<-settlement).ID)
	assert.Empty(t, s.waiting)
	assert.Empty(t, gone)
}

func TestIdle(t *testing.T) {
	t.Parallel()
	s := newScene(Config{})
	<-s.Idle()
	id := s.pay(0, CashOut, Accepted)
	refused := s.pay(1, CashOut, InFlight)
	idle := s.Idle()
	s.send(3, confirmed(id))
	assert.Equal(t, 1, s.Pending())
	select {
	case <-idle:
		t.Fatal("expected a payment to be pending")
	default:
	}
	s.Answered(refused, Answer{Fate: Refused})
	<-idle
	<-s.Idle()
	assert.Zero(t, s.Pending())
}

func TestUnresolvedAreWhatHasToBeLookedUp(t *testing.T) {
	t.Parallel()
	s := newScene(Config{})
	s.send(3, confirmed(s.pay(0, CashOut, Accepted)))
	s.pay(1, CashOut, Refused)
	s.pay(2, CashOut, NoResponse)
	s.pay(3, CashOut, Accepted)
	s.pay(4, CashOut, InFlight)
	contradicted := s.pay(5, CashOut, Accepted)
	s.send(3, confirmed(contradicted))
	s.send(3, failed(contradicted))
	s.send(3, confirmed(s.pay(6, CashOut, Accepted))[:250]) // cut: its end is not known
	s.LookedUp(s.pay(7, CashOut, Accepted), gateway.Listed{Status: "CONFIRMED"})

	s.EndToEnd(s.pay(8, Cob, Accepted), "E8")
	paid := s.pay(9, Cob, Accepted)
	s.EndToEnd(paid, "E9")
	s.send(3, receive(paid.ExternalID(), "10.00"))
	assert.Empty(t, s.payments[paid.Sequence].EndToEndID, "it is over")

	got := map[uint64]Fate{}
	for _, p := range s.Unresolved() {
		assert.Equal(t, map[uint64]string{8: "E8"}[p.ID.Sequence], p.EndToEndID)
		got[p.ID.Sequence] = p.Fate
		assert.EqualValues(t, 1000, p.Amount)
		assert.WithinDuration(t, s.at(1), p.Sent, time.Millisecond)
	}
	assert.Equal(t, map[uint64]Fate{2: NoResponse, 3: Accepted, 4: InFlight, 5: Confirmed, 6: Accepted, 8: Accepted}, got)
}
