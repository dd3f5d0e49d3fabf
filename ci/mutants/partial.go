package mutants

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
)

// PartialKind is the kind of corner in which a partial fault shows.
type PartialKind string

// The kinds of partial faults.
const (
	Access      PartialKind = "access"             // a token or a certificate is judged otherwise in one place
	Variant     PartialKind = "variant"            // a check depends on another field of the request
	Coincidence PartialKind = "coincidence"        // a wrong value passes, or a right one does not, for how it is spelled
	Writing     PartialKind = "writing"            // an answer or an event is written otherwise in some cases
	Earlier     PartialKind = "earlier steps"      // what became of something before decides
	Count       PartialKind = "count"              // from the nth on, or up to it
	Time        PartialKind = "time"               // hours, days, zones and expiries
	Amounts     PartialKind = "amounts"            // some amounts are reckoned otherwise
	Receivers   PartialKind = "receivers"          // the URLs, headers and answers of those who receive webhooks
	Codes       PartialKind = "codes"              // some QR Codes are read or made otherwise
	AtOnce      PartialKind = "at once"            // requests that come at the same time
	Settings    PartialKind = "accounts, settings" // several accounts, certificates, fees and limits
)

// PartialKinds lists the kinds of partial faults.
func PartialKinds() []PartialKind {
	return []PartialKind{Access, Variant, Coincidence, Writing, Earlier, Count, Time, Amounts, Receivers, Codes, AtOnce, Settings}
}

// partialRow is a partial mutant as the tables spell it.
type partialRow struct {
	name      string
	kind      PartialKind
	statement string // of the specification, that it violates
	fault     fault
	shown     string // a story that shows it, where there is one
}

// AllPartial lists the partial mutants, kind by kind. They are wrong in a corner and right elsewhere.
func AllPartial() (all []Mutant) {
	for _, r := range slices.Concat(
		partialAccessMutants, partialVariantMutants, partialCoincidenceMutants, partialWritingMutants, partialEventMutants,
		partialEarlierMutants, partialCountMutants, partialTimeMutants, partialAmountMutants, partialReceiverMutants,
		partialCodeMutants, partialAtOnceMutants, partialSettingMutants,
	) {
		all = append(all, Mutant{Name: r.name, Partial: r.kind, Deep: Deep{Statement: r.statement, Shown: r.shown}, fault: r.fault})
	}
	return all
}

// What several tables need.

// remembering makes a change with a memory of its own, which starts empty with the mutant.
func remembering(p place, begin func() change) fault {
	return fault{parts: []part{{p.where(), func() change {
		ch := begin()
		return func(c *call, pass server) *answer {
			if !p.has(c.endpoint) {
				return pass(c)
			}
			return ch(c, pass)
		}
	}}}, stack: callers()}
}

// noting keeps what a call says and was answered, for a part of the same fault at another seam or endpoint.
func noting(p place, when condition, note func(c *call, a *answer)) fault {
	return afterAnswer(p, when, func(c *call, a *answer, _ server) *answer {
		note(c, a)
		return a
	})
}

// answeringWith has other answers where the condition holds, made with the server behind the seam.
func answeringWith(p place, when condition, edits func(c *call, a *answer, pass server) []edit) fault {
	return afterAnswer(p, when, func(c *call, a *answer, pass server) *answer { return a.edited(edits(c, a, pass)...) })
}

// inItems changes the items of a list in an answer, one after the other.
func inItems(p place, when condition, change func(c *call, item map[string]any)) fault {
	return answeringWith(p, all(accepted, when), func(c *call, _ *answer, _ server) []edit {
		return []edit{eachItem("data", func(_ int, item map[string]any) { change(c, item) })}
	})
}

// account is the number of the account that calls, by which controls name it.
func (c *call) account() string {
	number, _ := lookup(c.read(list.path, "").body, "accountId")
	return string(encode(number))
}

// setting keeps what a control last set for each account.
type setting struct {
	path string
	of   sync.Map // by the number of the account
}

// noted keeps the setting each time that a control makes it.
func (s *setting) noted(at *endpoint) fault {
	return noting(at, accepted, func(c *call, _ *answer) {
		if v, ok := lookup(c.body, s.path); ok {
			s.of.Store(c.client, v)
		}
	})
}

// centavos is the amount that was set for the account that calls; ok is false where none was.
func (s *setting) centavos(c *call) (amount int64, ok bool) {
	v, _ := s.of.Load(c.account())
	written, ok := spelt(v)
	if !ok {
		return 0, false
	}
	return centavos(written).Num().Int64(), true
}

// number is the number that was set for the account that calls; 0 where none was.
func (s *setting) number(c *call) int64 {
	n, _ := s.centavos(c)
	return n / 100
}

// sentAmount is the amount in a field of a request, in centavos, rounded down.
func sentAmount(c *call, path string) int64 { return amountAt(c.message, path) }

// in is the amount in a field of an item, in centavos.
func in(item map[string]any, field string) int64 {
	return amountAt(message{body: encode(item)}, field)
}

// refundsOf are the refunds of a payment that were taken before, each once.
func refundsOf(c *call) (taken []*entry) {
	seen := map[string]bool{}
	for _, e := range c.before(devolution, byTheSame, answered(accepted), sameParameter("e2eid")) {
		if id := e.call.parameter("id"); !seen[id] && id != c.parameter("id") {
			seen[id] = true
			taken = append(taken, e)
		}
	}
	return taken
}

// refundsBefore holds once so many refunds of a payment were taken.
func refundsBefore(n int) condition {
	return func(c *call, _ *answer) bool { return len(refundsOf(c)) >= n }
}

// refundedBy is what the refunds of a payment that were taken before add up to.
func refundedBy(refunds []*entry) (total int64) {
	for _, e := range refunds {
		total += amountAt(e.call.message, "valor")
	}
	return total
}

// received is what the list has of the payment that a refund names.
func (c *call) received() (item map[string]any, ok bool) {
	found := c.recorded("endToEndId", c.parameter("e2eid"))
	if len(found) == 0 {
		return nil, false
	}
	return found[0], true
}

// wellFormedRefund holds for a refund with nothing wrong in its body.
var wellFormedRefund = all(matching("valor", `^\d+\.\d{2}$`), not(equals("valor", "0")), not(longer("descricao", 140)), either(lacking("natureza"), sent("natureza", `"ORIGINAL"`, `"RETIRADA"`)))

// acceptingRefund takes a refund that was refused as one of another amount, and answers its own.
func acceptingRefund(when condition, instead func(c *call) int64) fault {
	return afterAnswer(devolution, all(refused, when), func(c *call, a *answer, pass server) *answer {
		second := pass(c.edited(set("valor", `"`+amount(instead(c))+`"`)))
		if !second.succeeded() {
			return a
		}
		return second.edited(set("valor", string(encode(textAt(c.body, "valor")))))
	})
}

// finished holds for a request whose externalId, in a field, is that of a transaction that is no longer pending.
func finished(path string) condition {
	return func(c *call, _ *answer) bool {
		found := c.recorded("externalId", textAt(c.body, path))
		return len(found) > 0 && found[0]["status"] != "Pendente"
	}
}

// hasCase holds for a refund of a payment of which a case is such.
func hasCase(such func(item map[string]any) bool) condition {
	return func(c *call, _ *answer) bool {
		for _, v := range lookups(c.read(meds.path, "pageSize=100").body, "data[]") {
			item, _ := v.(map[string]any)
			if item["endToEnd"] == c.parameter("e2eid") && such(item) {
				return true
			}
		}
		return false
	}
}

// identified are the texts by which a resend may name the transaction of an event.
func identified(c *call) (ids []string) {
	for _, path := range []string{"externalId", "transactionId", "endToEndId", "data.endToEndId", "data.txId", "data.idempotencyKey", "data.refunds[].endToEndId"} {
		for _, v := range lookups(c.body, path) {
			if id, ok := v.(string); ok && id != "" {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// overlapping are the earlier calls in these relations that ran while the call does. Requests that are sent at once
// need not arrive so: it waits for one as long as within says, and then until those that it has found have ended.
func (c *call) overlapping(within time.Duration, relations ...relation) (found []*entry) {
	deadline := time.Now().Add(within)
	for {
		var running bool
		found, running = c.journal.beside(c, relations)
		if len(found) > 0 && !running || time.Now().After(deadline) {
			return found
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// beside are the earlier calls that ran while c did, and whether one still does.
func (j *journal) beside(c *call, relations []relation) (found []*entry, running bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, e := range c.related(j.at[c.endpoint], relations) {
		if e.answer == nil || e.ended > c.number {
			found = append(found, e)
			running = running || e.answer == nil
		}
	}
	return found, running
}

// atOnceFor is how long a fault waits for a request that was sent at the same time.
const atOnceFor = 60 * time.Millisecond

// overlapped holds for a call that an earlier one in these relations ran beside. The first waits, so that the others
// find it.
func overlapped(relations ...relation) condition {
	return func(c *call, _ *answer) bool { return len(c.overlapping(atOnceFor, relations...)) > 0 }
}

// withoutHyphens is a new id of letters and digits.
func withoutHyphens() string { return strings.ReplaceAll(uuid.NewString(), "-", "") }

// hour is that of a time in São Paulo.
func hour(t time.Time) int { return t.In(saoPaulo).Hour() }

// isoTime is the layout of times in answers.
const isoTime = "2006-01-02T15:04:05.000Z"

// retime writes a time in another way; what is no time stays.
func retime(write func(time.Time) string) func(string) string {
	return func(s string) string {
		t, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			return s
		}
		return write(t.UTC())
	}
}

// takingRefund answers a refund that was refused as one that is taken; nothing can be done about it.
func takingRefund(when condition) fault {
	return afterAnswer(devolution, all(refused, when), func(c *call, _ *answer, _ server) *answer {
		nature := textAt(c.body, "natureza")
		if nature == "" {
			nature = "ORIGINAL"
		}
		return c.endpoint.success(c).edited(set("horario.solicitacao", string(encode(c.now().UTC().Format(isoTime)))), set("natureza", string(encode(nature))))
	})
}
