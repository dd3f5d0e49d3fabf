package language

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/target"
)

type (
	// Burst is several things that happen at the same instant.
	Burst struct{ Parts []BurstPart }
	// BurstPart is a part of a burst: Send of an amount, Settle, Pay or EndRefund.
	BurstPart struct {
		Meaning Meaning
		ID      string // requests with the same one have the same externalId, key or refund id; empty for its own
	}
	// InSomeOrder: what came of the last burst could have come of its parts one after the other.
	InSomeOrder struct{}
)

// partSentences are the sentences of which a burst consists.
var partSentences = []*Sentence{
	say(`the account sends a {Operation=cash-out|QR cash-out|transfer|refund} of {amount}`, finishedBy(Send{}, ofAmount), sends),
	say(`the bank confirms the [{Payment}] payment`, Settle{}, needs(target.Settlement)),
	say(`the bank rejects the [{Payment}] payment with {ErrorCode}`, Settle{}, needs(target.Settlement)),
	say(`a payer pays the [{Charge}] charge`, Pay{Payer: APayer, Times: 1}, needs(target.Payments)),
	say(`the bank {Fails=confirms|rejects} the [{Refund}] refund`, EndRefund{}, needs(target.Refunds)),
}

const examplesOfParts = `"the account sends a cash-out of R$ 1.00" (or QR cash-out, transfer, refund), "the bank confirms the first payment", "the bank rejects the first payment with ORDER_REJECTED", "a payer pays the first charge", "the bank rejects the first refund"`

// mostParts bounds a burst.
const mostParts = 8

// burst reads the parts of a burst: a sentence in the first column and, in the second, "id a" or nothing.
func burst(w *words, b *Burst) {
	for _, row := range w.table {
		id := ""
		if len(row) > 1 {
			id = row[1]
		}
		part := BurstPart{ID: strings.TrimPrefix(id, "id ")}
		switch read, err := readAmong(partSentences, catalogue.Step{Text: row[0]}); {
		case err != nil:
			w.check(fmt.Errorf("%w that can happen in a burst; expected one such as %s", err, examplesOfParts))
		case len(row) > 2 || id != "" && part.ID == id:
			w.check(fmt.Errorf("expected rows of a sentence and, if several have the same id, that id (id a), got %q", row))
		default:
			part.Meaning = read.Meaning
		}
		b.Parts = append(b.Parts, part)
	}
	sending := func(p BurstPart) bool { _, sends := p.Meaning.(Send); return sends }
	if w.err == nil && (len(b.Parts) < 2 || len(b.Parts) > mostParts || !slices.ContainsFunc(b.Parts, sending)) {
		w.check(fmt.Errorf("expected 2 to %d rows, and a request among them", mostParts))
	}
}

// bursts: a burst has the effects of all of its parts.
func bursts(e *Effects, m Meaning) {
	for _, p := range m.(Burst).Parts {
		switch m := p.Meaning.(type) {
		case Send:
			e.Requests = append(e.Requests, m.Operation)
		case Settle:
			needs(target.Settlement)(e, m)
		case Pay:
			needs(target.Payments)(e, m)
		case EndRefund:
			needs(target.Refunds)(e, m)
		}
	}
}
