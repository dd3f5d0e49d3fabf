package ledger

import (
	"math"
	"slices"
	"strings"
)

// elsewhere keeps the messages about payments of other instances until their books are
// merged. On shared accounts, these are most of all messages of a run, so each takes no more
// memory than it must: in particular nothing that refers to its body.
type elsewhere struct {
	blocks    [][]kept
	overtaken int // with a text
}

// kept is a foreign message in 56 bytes.
type kept struct {
	at, amount           int64
	sequence             uint64
	fee                  int32
	transaction, webhook uint32
	account              int32
	instance             uint16
	url                  uint8
	fate                 Fate
	event                uint8    // index of keptEvents
	late                 bool     // it was overtaken, and the text of that is not kept
	full                 *foreign // all of a message that does not fit
}

const keptBlock = 1024

var keptEvents = []string{"CashOut", "TRANSFER", "RECEIVE", "REFUND", "CashInReversal", "CashIn"}

// overtakenEarlier is the reason of a message out of order if as many others are examples.
const overtakenEarlier = "expected a later processingDate, as in an earlier webhook"

func (e *elsewhere) keep(f foreign) {
	if last := len(e.blocks) - 1; last < 0 || len(e.blocks[last]) == keptBlock {
		e.blocks = append(e.blocks, make([]kept, 0, keptBlock))
	}
	if f.Overtaken != "" {
		if e.overtaken++; e.overtaken > maxExamples {
			f.Overtaken = overtakenEarlier
		}
	}
	last := len(e.blocks) - 1
	e.blocks[last] = append(e.blocks[last], packed(f))
}

func packed(f foreign) kept {
	event := slices.Index(keptEvents, f.Event)
	plain := f.Named && !f.Others && f.Problem == "" && f.ErrorCode == "" && (f.Overtaken == "" || f.Overtaken == overtakenEarlier)
	if !plain || event < 0 || f.Fee > math.MaxInt32 || f.URL > math.MaxUint8 {
		// They are parts of the body.
		f.Event, f.ErrorCode, f.TransactionID = strings.Clone(f.Event), strings.Clone(f.ErrorCode), strings.Clone(f.TransactionID)
		return kept{full: &f}
	}
	return kept{
		at: f.At, amount: f.Amount, sequence: f.Sequence, fee: int32(f.Fee), transaction: f.Transaction, webhook: f.Webhook,
		account: int32(f.Account), instance: f.Instance, url: uint8(f.URL), fate: f.Fate, event: uint8(event), late: f.Overtaken != "",
	}
}

func (k *kept) foreign() foreign {
	if k.full != nil {
		return *k.full
	}
	f := foreign{
		Named: true, Instance: k.instance, Sequence: k.sequence, Event: keptEvents[k.event], Fate: k.fate, Amount: k.amount, Fee: int64(k.fee),
		Transaction: k.transaction, Webhook: k.webhook, Account: int(k.account), URL: int(k.url), At: k.at,
	}
	if k.late {
		f.Overtaken = overtakenEarlier
	}
	return f
}

// all are the messages in the order in which they arrived.
func (e *elsewhere) all() (all []foreign) {
	for _, block := range e.blocks {
		for i := range block {
			all = append(all, block[i].foreign())
		}
	}
	return all
}
