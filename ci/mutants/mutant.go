// Package mutants holds gateways that are wrong on purpose. A mutant is the reference
// with one deliberate fault, at the boundary where a gateway is seen from outside: in
// the requests that reach it, its answers, its webhooks or its test controls. A suite
// that passes a mutant on the rule which it breaks does not test that rule.
package mutants

import (
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
)

// Mutant is the reference with one deliberate fault.
type Mutant struct {
	Name         string      // what the gateway does wrong and how often, unique: "debits a cash-out twice, every 7th time"
	Rule         string      // the rule that it breaks: "cash-out.value"; empty if it breaks none
	Deep         Deep        // what a deep mutant has in addition; zero for the others
	Partial      PartialKind // of a partial mutant, which has a statement and a story as a deep one; empty for the others
	Frequency    Frequency
	fault        fault
	salt         int64         // of the random frequency
	shown        *atomic.Int64 // counts how often the fault showed; nil if nobody asks
	once         bool          // it is enough that shown is no longer zero
	inconclusive *atomic.Int64 // counts those of them that may not matter; nil if nobody asks
}

// row is a mutant as the tables spell it.
type row struct {
	name  string // what the gateway does wrong, in plain words: "accepts a payment of R$ 0.00"
	rule  string
	fault fault
}

// All lists the mutants, subject by subject.
func All() []Mutant {
	return ofRows(
		tokenMutants, edgeMutants, bearerMutants,
		moneyMutants, stateMutants, neighborMutants,
		cashOutMutants, limitMutants, qrCashOutMutants,
		cashInMutants, splitMutants, cobMutants, transferMutants, refundMutants,
		medMutants, listMutants, listFilterMutants, listedMutants,
		registrationMutants, deliveryMutants, eventMutants, resendMutants,
		envelopeMutants, contractMutants, unusualMutants,
	)
}

// Tolerated lists gateways that differ from the reference where the specification
// leaves room. They break no rule: a suite that fails one asks for too much.
func Tolerated() []Mutant {
	return ofRows( // of several together, what recognizes an event comes before what spells it differently
		toleratedEvents, toleratedTimes,
		toleratedSpellings, toleratedTexts, toleratedOrders, toleratedShapes, toleratedUnusual,
		toleratedRequests, toleratedAnswers,
		toleratedPayments, toleratedCharges,
		toleratedRefunds, toleratedLists, toleratedResends, toleratedEnvelopes, toleratedCorners,
	)
}

func ofRows(tables ...[]row) []Mutant {
	var all []Mutant
	for _, r := range slices.Concat(tables...) {
		m := Mutant{Name: r.name, Rule: r.rule, fault: r.fault}
		all = append(all, m.At(r.fault.frequency))
	}
	return all
}

// At is the mutant at another frequency, which its name mentions.
func (m Mutant) At(f Frequency) Mutant {
	m.Name = strings.TrimSuffix(m.Name, frequencies[m.Frequency].suffix) + frequencies[f].suffix
	m.Frequency = f
	return m
}

// Seeded is the mutant with other random numbers, which matter to OneInTen.
func (m Mutant) Seeded(seed int64) Mutant {
	m.salt = seed
	return m
}

// Counted is the mutant that adds to n each time that its fault shows.
func (m Mutant) Counted(n *atomic.Int64) Mutant {
	m.shown = n
	return m
}

// Noticed is the mutant that makes n positive once its fault has shown, and then stops counting.
func (m Mutant) Noticed(n *atomic.Int64) Mutant {
	m.shown, m.once = n, true
	return m
}

// counts reports whether somebody wants to know if the fault shows on the next call.
func (m Mutant) counts() bool {
	return m.inconclusive != nil || m.shown != nil && !(m.once && m.shown.Load() > 0)
}

// CountedInconclusive is the mutant that adds to n each time that its fault shows where nothing may depend on it: in a
// setting or a registration, until something is done under it, in a refusal of what may be wrong anyway, or where it
// is latent.
func (m Mutant) CountedInconclusive(n *atomic.Int64) Mutant {
	m.inconclusive = n
	return m
}

// Countable reports whether it is known how often the fault shows: not if it is in the store or
// outside the seams.
func (m Mutant) Countable() bool { return len(m.fault.triggers) == 0 && !m.fault.uncounted }

// Together is a gateway with several faults, the first of them nearest to the client.
func Together(mutants ...Mutant) Mutant {
	var names []string
	var parts []part
	var triggers []string
	for _, m := range mutants {
		names = append(names, m.Name)
		triggers = append(triggers, m.fault.triggers...)
		for s := range seams {
			if m.fault.at(s) != nil {
				parts = append(parts, part{s, func() change { return m.begin(s) }})
			}
		}
	}
	return Mutant{Name: strings.Join(names, " and "), fault: fault{parts: parts, triggers: triggers}}
}

// API puts the mutant's fault around the handler of the API. Each call starts with a
// memory of its own, so that a mutant may be started several times in one process.
func (m Mutant) API(next http.Handler) http.Handler { return m.begin(front).handler(front, next) }

// Edge is the mutant's fault in the place of the edge that ends TLS before the API; nil
// where it has none there. Each call of what is returned starts with a memory of its
// own.
func (m Mutant) Edge() func(http.Handler) http.Handler {
	if m.fault.at(ahead) == nil {
		return nil
	}
	return func(next http.Handler) http.Handler { return m.begin(ahead).handler(ahead, next) }
}

// Controls puts the mutant's fault around the handler of the test controls; it is the
// identity for nearly all. Each call starts with a memory of its own.
func (m Mutant) Controls(next http.Handler) http.Handler {
	return m.begin(controls).handler(controls, next)
}

// Webhooks puts the mutant's fault between deliveries and the wire. Each call starts
// with a memory of its own.
func (m Mutant) Webhooks(next http.RoundTripper) http.RoundTripper {
	return m.begin(webhooks).transport(next)
}
