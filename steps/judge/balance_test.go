package judge

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

func TestMovements(t *testing.T) {
	t.Parallel()
	// After a balance of R$ 10.00 and nothing blocked, a cash-out of R$ 4.00 was accepted.
	moved := func(sentence, available, blocked, want string) story {
		return story{
			steps: "When the account sends a cash-out of R$ 4.00\nThen " + sentence,
			entries: list(nil, before(0, "10.00", "0"), sent(0, "cash-out", `{"value":4.00}`, 201, ok),
				looked("balance request", 200, balance(available, blocked))),
			want: want,
		}
	}
	tell(t, map[string]story{
		"it fell":                     moved("the available balance falls by R$ 4.00", "6.00", "0", "pass"),
		"it fell by too little":       moved("the available balance falls by R$ 4.00", "7.00", "0", "fail: expected available to fall by R$ 4.00, got fell by R$ 3.00, from R$ 10.00 to R$ 7.00 [2]; look: balance for 5s"),
		"it fell by too much":         moved("the available balance falls by R$ 4.00", "5.99", "0", "fail: expected available to fall by R$ 4.00, got fell by R$ 4.01, from R$ 10.00 to R$ 5.99 [2]; look: balance for 5s"),
		"it rose instead":             moved("the available balance falls by R$ 4.00", "14.00", "0", "fail: expected available to fall by R$ 4.00, got rose by R$ 4.00, from R$ 10.00 to R$ 14.00 [2]; look: balance for 5s"),
		"it did not move":             moved("the available balance falls by R$ 4.00", "10.00", "0", "fail: expected available to fall by R$ 4.00, got unchanged, from R$ 10.00 to R$ 10.00 [2]; look: balance for 5s"),
		"within a range":              moved("the available balance falls by R$ 4.00 to R$ 4.50", "5.50", "0", "pass"),
		"beyond a range":              moved("the available balance falls by R$ 4.00 to R$ 4.50", "5.49", "0", "fail: expected available to fall by between R$ 4.00 and R$ 4.50, got fell by R$ 4.51, from R$ 10.00 to R$ 5.49 [2]; look: balance for 5s"),
		"short of a range":            moved("the available balance falls by R$ 4.00 to R$ 4.50", "6.01", "0", "fail: expected available to fall by between R$ 4.00 and R$ 4.50, got fell by R$ 3.99, from R$ 10.00 to R$ 6.01 [2]; look: balance for 5s"),
		"a rise within a range":       moved("the available balance rises by R$ 4.00 to R$ 4.50", "14.50", "0", "pass"),
		"a rise beyond a range":       moved("the available balance rises by R$ 4.00 to R$ 4.50", "14.51", "0", "fail: expected available to rise by between R$ 4.00 and R$ 4.50, got rose by R$ 4.51, from R$ 10.00 to R$ 14.51 [2]; look: balance for 5s"),
		"blocked rose":                moved("the blocked balance rises by R$ 4.00", "6.00", "4.00", "pass"),
		"blocked did not":             moved("the blocked balance rises by R$ 4.00", "6.00", "0", "fail: expected blocked to rise by R$ 4.00, got unchanged, from R$ 0.00 to R$ 0.00 [2]; look: balance for 5s"),
		"unchanged":                   moved("the available balance is unchanged", "10.0", "4", "pass"),
		"changed":                     moved("the available balance is unchanged", "10.01", "4", "fail: expected available to stay unchanged, got rose by R$ 0.01, from R$ 10.00 to R$ 10.01 [2]; look: balance for 5s"),
		"unchanged, as it should be":  moved("the available balance should be unchanged", "10", "0", "pass"),
		"changed, as it should not":   moved("the available balance should be unchanged", "9", "0", "pass; warning: expected available to stay unchanged, got fell by R$ 1.00, from R$ 10.00 to R$ 9.00 [2]; look: balance for 500ms"),
		"it should rise":              moved("the available balance should rise by R$ 1.00", "11", "0", "pass"),
		"it should rise, and did not": moved("the available balance should rise by R$ 1.00", "10", "0", "pass; warning: expected available to rise by R$ 1.00, got unchanged, from R$ 10.00 to R$ 10.00 [2]; look: balance for 500ms"),
		"it should fall, and rose":    moved("the available balance should fall by R$ 1.00", "11", "0", "pass; warning: expected available to fall by R$ 1.00, got rose by R$ 1.00, from R$ 10.00 to R$ 11.00 [2]; look: balance for 500ms"),
		"it may rise":                 moved("the available balance does not fall", "11", "0", "pass"),
		"it must not fall":            moved("the available balance does not fall", "9.99", "0", "fail: expected available not to fall, got fell by R$ 0.01, from R$ 10.00 to R$ 9.99 [2]; look: balance for 5s"),
		"it may fall":                 moved("the available balance does not rise", "9.99", "0", "pass"),
		"it must not rise":            moved("the available balance does not rise", "10.01", "0", "fail: expected available not to rise, got rose by R$ 0.01, from R$ 10.00 to R$ 10.01 [2]; look: balance for 5s"),
		"if it was accepted":          moved("if the request was accepted, the available balance falls by R$ 4.00", "10", "0", "fail: expected available to fall by R$ 4.00, got unchanged, from R$ 10.00 to R$ 10.00 [2]; look: balance for 5s"),
		"half a centavo":              moved("the available balance falls by R$ 4.00", "6.005", "0", "fail: expected the balance, got 200 [2]"),
		"a text":                      moved("the available balance falls by R$ 4.00", `"6.00"`, "0", "fail: expected the balance, got 200 [2]"),
		"more than any number":        moved("the available balance falls by R$ 4.00", "1e100", "0", "fail: expected the balance, got 200 [2]"),
		"the account has a history": {
			steps: "When the account sends a cash-out\nThen the available balance falls by R$ 1.00",
			entries: list(nil, openedFixed(), before(0, "10.00", "0"), sent(0, "cash-out", `{"value":1}`, 201, ok),
				looked("balance request", 200, balance("10.00", "0"))),
			want: "fail: expected available to fall by R$ 1.00, got unchanged, from R$ 10.00 to R$ 10.00 [2]; look: balance for 5s",
		},
		"as a precondition, which is not tried again": {
			steps: "When the account sends a cash-out\nGiven the available balance falls by R$ 1.00",
			entries: list(nil, openedFixed(), before(0, "10.00", "0"), sent(0, "cash-out", `{"value":1}`, 201, ok),
				looked("balance request", 200, balance("10.00", "0"))),
			want: "could not test: expected available to fall by R$ 1.00, got unchanged, from R$ 10.00 to R$ 10.00 [2]; look: balance for 5s",
		},
		"and payments that never ended": {
			steps: "When the account sends a cash-out\nThen the available balance falls by R$ 1.00",
			entries: list(nil, openedFixed(), fact(0, record.Fact{Kind: record.Unsettled}), before(0, "10.00", "0"), sent(0, "cash-out", `{"value":1}`, 201, ok),
				looked("balance request", 200, balance("10.00", "0"))),
			want: couldNot + "earlier payments of this account are still pending after deadlines.webhook and may have moved the balance: unchanged, from R$ 10.00 to R$ 10.00 [-1]; look: balance for 5s",
		},
		"and others use it": {
			steps: "When the account sends a cash-out\nThen the available balance falls by R$ 1.00",
			entries: list(nil, openedFixed(), fact(0, record.Fact{Kind: record.Shared}), before(0, "10.00", "0"), sent(0, "cash-out", `{"value":1}`, 201, ok),
				looked("balance request", 200, balance("10.00", "0"))),
			want: couldNot + "this account is shared (shared: true in the profile), so others may have caused this: expected available to fall by R$ 1.00, got unchanged, from R$ 10.00 to R$ 10.00 [-1]; look: balance for 5s",
		},
		"and others use it, which should fall": {
			steps: "When the account sends a cash-out\nThen the available balance should fall by R$ 1.00",
			entries: list(nil, openedFixed(), fact(0, record.Fact{Kind: record.Shared}), before(0, "10.00", "0"), sent(0, "cash-out", `{"value":1}`, 201, ok),
				looked("balance request", 200, balance("10.00", "0"))),
			want: couldNot + "this account is shared (shared: true in the profile), so others may have caused this: expected available to fall by R$ 1.00, got unchanged, from R$ 10.00 to R$ 10.00 [-1]; look: balance for 500ms",
		},
		"and others use it, in the fields of a response": {
			steps:   "When the account sends a balance request\nThen the response has:\n| data[0].balanceAmount.available | R$ 9.00 |",
			entries: list(nil, openedFixed(), fact(0, record.Fact{Kind: record.Shared}), sent(0, "balance request", "", 200, balance("10.00", "0"))),
			want:    couldNot + "this account is shared (shared: true in the profile), so others may have caused this: expected data[0].balanceAmount.available to be R$ 9.00, got 10.00 [-1]",
		},
		"which say nothing against what should be": {
			steps: "When the account sends a cash-out\nThen the available balance should fall by R$ 1.00",
			entries: list(nil, openedFixed(), fact(0, record.Fact{Kind: record.Unsettled}), before(0, "10.00", "0"), sent(0, "cash-out", `{"value":1}`, 201, ok),
				looked("balance request", 200, balance("10.00", "0"))),
			want: "pass; warning: expected available to fall by R$ 1.00, got unchanged, from R$ 10.00 to R$ 10.00 [2]; look: balance for 500ms",
		},
		"if it was refused, nothing is asked": {
			steps:   "When the account sends a cash-out\nThen if the request was accepted, the available balance falls by R$ 1.00",
			entries: list(nil, sent(0, "cash-out", `{"value":1}`, 400, refusal)),
			want:    "pass",
		},
		"if nothing was sent": {
			steps: "Then if the request was accepted, the available balance falls by R$ 1.00",
			want:  noRequest,
		},
		"not read yet": {
			steps:   "When the account sends a cash-out\nThen the available balance falls by R$ 1.00",
			entries: list(nil, before(0, "10.00", "0"), sent(0, "cash-out", `{"value":1}`, 201, ok)),
			want:    "look: balance for 5s",
		},
		"not read yet, and not waited for": {
			steps:   "When the account sends a cash-out\nThen the available balance should fall by R$ 1.00",
			entries: list(nil, before(0, "10.00", "0"), sent(0, "cash-out", `{"value":1}`, 201, ok)),
			want:    "look: balance for 500ms",
		},
		"not read before": {
			steps:   "When the account sends a cash-out\nThen the available balance falls by R$ 1.00",
			entries: list(nil, sent(0, "cash-out", `{"value":1}`, 201, ok), looked("balance request", 200, balance("9.00", "0"))),
			want:    "could not test: expected a balance before this step, got none recorded [-1]",
		},
		"no longer to be read": {
			steps:   "When the account sends a cash-out\nThen the available balance should fall by R$ 1.00",
			entries: list(nil, before(0, "10.00", "0"), sent(0, "cash-out", `{"value":1}`, 201, ok), looked("balance request", 503, ``)),
			want:    "fail: expected the balance, got 503 [2]",
		},
		"late": {
			steps: "When the account sends a cash-out\nThen the available balance falls by R$ 1.00",
			entries: list(nil, before(0, "10.00", "0"), sent(0, "cash-out", `{"value":1}`, 201, ok), looked("balance request", 200, balance("10.00", "0")),
				looked("balance request", 200, balance("9.00", "0"))),
			want: "pass",
		},
		"of each accepted": {
			steps: "When the account sends 3 concurrent cash-outs of R$ 2.00\nThen the available balance falls by R$ 2.00 per accepted request",
			entries: list(list(nil, before(0, "10.00", "0")), list(atOnce(sent(0, "cash-out", `{"value":2}`, 201, ok), sent(0, "cash-out", `{"value":2}`, 400, `{}`),
				sent(0, "cash-out", `{"value":2}`, 201, ok)), looked("balance request", 200, balance("6.00", "0")))...),
			want: "pass",
		},
		"of one more than was accepted": {
			steps: "When the account sends 2 concurrent cash-outs of R$ 2.00\nThen the available balance falls by R$ 2.00 per accepted request",
			entries: list(list(nil, before(0, "10.00", "0")), list(atOnce(sent(0, "cash-out", `{"value":2}`, 201, ok), sent(0, "cash-out", `{"value":2}`, 400, `{}`)),
				looked("balance request", 200, balance("6.00", "0")))...),
			want: "fail: expected available to fall by R$ 2.00, got fell by R$ 4.00, from R$ 10.00 to R$ 6.00 [3]; look: balance for 5s",
		},
		"stays: a quiet time first": {
			steps:   "When the account sends a cash-out\nThen the available balance stays unchanged",
			entries: list(nil, before(0, "10.00", "0"), sent(0, "cash-out", `{"value":1}`, 201, ok)),
			want:    "look: silence for 2s",
		},
		"stays": {
			steps:   "When the account sends a cash-out\nThen the available balance stays unchanged",
			entries: list(nil, before(0, "10.00", "0"), sent(0, "cash-out", `{"value":1}`, 201, ok), silence(), looked("balance request", 200, balance("10", "0"))),
			want:    "pass",
		},
		"does not stay": {
			steps:   "When the account sends a cash-out\nThen the available balance stays unchanged",
			entries: list(nil, before(0, "10.00", "0"), sent(0, "cash-out", `{"value":1}`, 201, ok), silence(), looked("balance request", 200, balance("9", "0"))),
			want:    "fail: expected available to stay unchanged, got fell by R$ 1.00, from R$ 10.00 to R$ 9.00 [2]; look: balance for 5s",
		},
	})
}

// A fee of up to R$ 0.50 a cash-out and R$ 0.20 a cash-in, as the profile states it.
func TestFees(t *testing.T) {
	t.Parallel()
	stated := func(terms *record.Terms) {
		terms.FeesControl, terms.Fees = false, target.Fees{CashOut: "0.50", CashIn: "0.20"}
	}
	unknown := func(terms *record.Terms) { terms.FeesControl = false }
	moved := func(terms func(*record.Terms), noun, body, sentence, available, blocked, want string) story {
		return story{
			steps: "When the account sends a " + noun + "\nThen " + sentence,
			terms: terms,
			entries: list(nil, before(0, "10.00", "1.00"), sent(0, noun, body, 201, ok),
				looked("balance request", 200, balance(available, blocked))),
			want: want,
		}
	}
	out := func(sentence, available, blocked, want string) story {
		return moved(stated, "cash-out", `{"value":4}`, sentence, available, blocked, want)
	}
	tell(t, map[string]story{
		"taken":                        out("the available balance falls by R$ 4.00", "5.50", "1", "pass"),
		"not taken":                    out("the available balance falls by R$ 4.00", "6.00", "1", "pass"),
		"given back":                   out("the available balance falls by R$ 4.00", "6.50", "1", "pass"),
		"too much taken":               out("the available balance falls by R$ 4.00", "5.49", "1", "fail: expected available to fall by between R$ 3.50 and R$ 4.50, got fell by R$ 4.51, from R$ 10.00 to R$ 5.49 [2]; look: balance for 5s"),
		"too much given back":          out("the available balance falls by R$ 4.00", "6.51", "1", "fail: expected available to fall by between R$ 3.50 and R$ 4.50, got fell by R$ 3.49, from R$ 10.00 to R$ 6.51 [2]; look: balance for 5s"),
		"beyond unchanged":             out("the available balance is unchanged", "9.49", "1", "fail: expected available to fall by at most R$ 0.50 or rise by at most R$ 0.50, got fell by R$ 0.51, from R$ 10.00 to R$ 9.49 [2]; look: balance for 5s"),
		"beyond what does not fall":    out("the available balance does not fall", "9.49", "1", "fail: expected available not to fall by more than R$ 0.50, got fell by R$ 0.51, from R$ 10.00 to R$ 9.49 [2]; look: balance for 5s"),
		"beyond what does not rise":    out("the available balance does not rise", "10.51", "1", "fail: expected available not to rise by more than R$ 0.50, got rose by R$ 0.51, from R$ 10.00 to R$ 10.51 [2]; look: balance for 5s"),
		"blocked with the amount":      out("the blocked balance is unchanged", "6", "1.50", "pass"),
		"too much blocked":             out("the blocked balance is unchanged", "6", "1.51", "fail: expected blocked to fall by at most R$ 0.50 or rise by at most R$ 0.50, got rose by R$ 0.51, from R$ 1.00 to R$ 1.51 [2]; look: balance for 5s"),
		"of what is received":          moved(stated, "cash-in", `{"transaction":{"value":4}}`, "the available balance rises by R$ 4.00", "13.80", "1", "pass"),
		"of what is received, blocked": moved(stated, "cash-in", `{"transaction":{"value":4}}`, "the blocked balance is unchanged", "10", "1.20", "pass"),
		"too much of it":               moved(stated, "cash-in", `{"transaction":{"value":4}}`, "the available balance is unchanged", "9.79", "1", "fail: expected available to fall by at most R$ 0.20, got fell by R$ 0.21, from R$ 10.00 to R$ 9.79 [2]; look: balance for 5s"),
		"none is added to it":          moved(stated, "cash-in", `{"transaction":{"value":4}}`, "the available balance rises by R$ 4.00", "14.01", "1", "fail: expected available to rise by between R$ 3.80 and R$ 4.00, got rose by R$ 4.01, from R$ 10.00 to R$ 14.01 [2]; look: balance for 5s"),
		"that can be set":              moved(func(t *record.Terms) { stated(t); t.FeesControl = true }, "cash-out", `{"value":4}`, "the available balance falls by R$ 4.00", "5.50", "1", "fail: expected available to fall by R$ 4.00, got fell by R$ 4.50, from R$ 10.00 to R$ 5.50 [2]; look: balance for 5s"),
		"unknown":                      moved(unknown, "cash-out", `{"value":4}`, "the available balance falls by R$ 4.00", "5.50", "1", couldNot+"available fell by R$ 0.50, possibly the fee of an earlier payment: set fees in the profile [-1]; look: balance for 5s"),
		"unknown, but too much":        moved(unknown, "cash-out", `{"value":4}`, "the available balance falls by R$ 4.00", "2.00", "1", "fail: expected available to fall by R$ 4.00, got fell by R$ 8.00, from R$ 10.00 to R$ 2.00 [2]; look: balance for 5s"),
		"unknown, but a rise":          moved(unknown, "cash-out", `{"value":4}`, "the available balance falls by R$ 4.00", "10.50", "1", "fail: expected available to fall by R$ 4.00, got rose by R$ 0.50, from R$ 10.00 to R$ 10.50 [2]; look: balance for 5s"),
		"unknown, of an order whose amount cannot be read": moved(unknown, "cash-out", `{"value":"x"}`, "the available balance falls by R$ 4.00", "5.50", "1", "fail: expected available to fall by R$ 4.00, got fell by R$ 4.50, from R$ 10.00 to R$ 5.50 [2]; look: balance for 5s"),
		"unknown, and nothing was ordered":                 moved(unknown, "token request", `{}`, "the available balance is unchanged", "9.50", "1", "fail: expected available to stay unchanged, got fell by R$ 0.50, from R$ 10.00 to R$ 9.50 [2]; look: balance for 5s"),
		"of a payment that was given back": {
			steps: "When the account sends a cash-out\nThen the available balance is unchanged",
			terms: stated,
			entries: list(nil, sent(0, "cash-out", `{"value":4}`, 201, ok), before(0, "10.00", "0"), fact(0, record.Fact{Kind: record.Returned, Index: 0, Text: "E1"}),
				told(0, target.Returns, http.MethodPost, "/returns", 200, `{"endToEndId":"E1","amount":"4.00"}`), looked("balance request", 200, balance("9.30", "0"))),
			want: "pass",
		},
		"of the other account": {
			steps: "When the other account sends a cash-out\nThen the available balance is unchanged",
			terms: stated,
			entries: list(nil, before(0, "10.00", "0"), byOther(sent(0, "cash-out", `{"value":4}`, 201, ok)),
				looked("balance request", 200, balance("9.90", "0"))),
			want: "fail: expected available to stay unchanged, got fell by R$ 0.10, from R$ 10.00 to R$ 9.90 [2]; look: balance for 5s",
		},
	})
}

// A payment that waits may give its money back when time passes, before a request that is rejected.
func TestARejectedRequestAfterAnExpiry(t *testing.T) {
	t.Parallel()
	rejected := func(noun string, first record.Entry, want string) story {
		return story{
			steps: "Given the account has sent a " + noun + "\nWhen 601 seconds pass\nWhen the account sends a transfer\nThen the request is rejected with 422",
			entries: list(nil, first, before(1, "6.00", "4.00"), control(1, target.Clock, http.MethodPut, "/clock", 200, `{"advance":"601s"}`, ``),
				sent(2, "transfer", `{"payment":{"amount":"1.00"}}`, 422, `{"message":"no"}`), looked("balance request", 200, balance("10.00", "0"))),
			want: want,
		}
	}
	tell(t, map[string]story{
		"one waits":  rejected("transfer", sent(0, "transfer", `{"payment":{"amount":"4.00"}}`, 202, ok), "pass"),
		"none waits": rejected("cash-in", sent(0, "cash-in", `{"transaction":{"value":4.00}}`, 201, ok), "fail: expected available to stay unchanged, got rose by R$ 4.00, from R$ 6.00 to R$ 10.00 [4]; look: balance for 5s"),
	})
}

// What must be rejected is sent after a failure once the money of that failure is back. From then on nothing more may
// move: not the same money again, nor what was received or has failed before.
func TestARejectedRequestAfterAFailure(t *testing.T) {
	t.Parallel()
	transfer := func(id string) record.Entry {
		return with("x-idempotency-key", id, sent(1, "transfer", `{"payment":{"amount":"4.00"}}`, 202, `{"transactionId":"`+id+`"}`))
	}
	fails := func(step int, id string) record.Entry {
		return control(step, target.Settlement, http.MethodPost, "/settle", 200, `{"transactionId":"`+id+`","outcome":"ERROR"}`, ``)
	}
	paid := func() []record.Entry {
		return list(nil, sent(0, "cob", `{"valor":{"original":"10.00"}}`, 201, `{"location":"code"}`), control(0, target.Payments, http.MethodPost, "/payments", 200, `{"pixCode":"code"}`, ``))
	}
	refund := func(step int) record.Entry { return sent(step, "refund", `{"valor":"4.00"}`, 201, `{"rtrId":"D1"}`) }
	refundFails := func() record.Entry {
		return control(2, target.Refunds, http.MethodPost, "/refunds/D1/result", 200, `{"status":"NAO_REALIZADO"}`, ``)
	}
	const (
		payment = "Given settlement waits for the bank\nGiven the account has sent a transfer\nWhen the bank rejects the payment with ORDER_REJECTED\nGiven the available balance rises by R$ 4.00\n"
		aRefund = "Given the account has received R$ 10.00 through a cob\nWhen the account has sent a refund\nWhen the bank rejects the refund\nGiven the available balance is unchanged\n"
	)
	waits := control(0, target.Settlement, http.MethodPut, "/settlement", 200, `{"mode":"manual"}`, ``)
	// What the account has once the money is back, or should be, and after a request that must be rejected.
	rejected := func(begin, back, then, want string, entries ...record.Entry) story {
		entries = list(list(nil, waits), entries...)
		entries = list(entries, during(3, looked("balance request", 200, balance(back, "0"))), before(4, back, "0"),
			sent(4, "transfer", `{"payment":{"amount":"1.00"}}`, 422, `{"message":"no"}`), looked("balance request", 200, balance(then, "0")))
		if strings.HasPrefix(want, "fell") || strings.HasPrefix(want, "rose") {
			want = fmt.Sprintf("fail: expected available to stay unchanged, got %s, from R$ %s to R$ %s [%d]; look: balance for 5s", want, back, then, len(entries)-2)
		}
		return story{steps: begin + "When the account sends a transfer\nThen the request is rejected with 422", entries: entries, want: want}
	}
	funded := func(available string, entries ...record.Entry) []record.Entry {
		return list(list(nil, fact(0, record.Fact{Kind: record.Funded, Text: available})), entries...)
	}
	tell(t, map[string]story{
		"of a payment: nothing moves":  rejected(payment, "10.00", "10.00", "pass", funded("10.00", transfer("t1"), before(2, "6.00", "4.00"), fails(2, "t1"))...),
		"it takes its own money":       rejected(payment, "10.00", "9.00", "fell by R$ 1.00", funded("10.00", transfer("t1"), before(2, "6.00", "4.00"), fails(2, "t1"))...),
		"the money comes twice":        rejected(payment, "10.00", "14.00", "rose by R$ 4.00", funded("10.00", transfer("t1"), before(2, "6.00", "4.00"), fails(2, "t1"))...),
		"repeated: nothing moves":      rejected(payment, "10.00", "10.00", "pass", funded("10.00", transfer("t1"), transfer("t1"), before(2, "6.00", "4.00"), fails(2, "t1"))...),
		"repeated: comes per repeat":   rejected(payment, "10.00", "14.00", "rose by R$ 4.00", funded("10.00", transfer("t1"), transfer("t1"), before(2, "6.00", "4.00"), fails(2, "t1"))...),
		"of several: nothing moves":    rejected(payment, "10.00", "10.00", "pass", funded("10.00", transfer("t1"), transfer("t2"), fails(1, "t1"), before(2, "6.00", "4.00"), fails(2, "t2"))...),
		"of several: all comes again":  rejected(payment, "10.00", "18.00", "rose by R$ 8.00", funded("10.00", transfer("t1"), transfer("t2"), fails(1, "t1"), before(2, "6.00", "4.00"), fails(2, "t2"))...),
		"of several: another waits":    rejected(payment, "10.00", "14.00", "rose by R$ 4.00", funded("14.00", transfer("t1"), transfer("t2"), before(2, "6.00", "8.00"), fails(2, "t1"))...),
		"of a refund: nothing moves":   rejected(aRefund, "10.00", "10.00", "pass", list(funded("0.00", paid()...), before(1, "10.00", "0"), refund(1), refundFails())...),
		"of a refund: comes twice":     rejected(aRefund, "10.00", "14.00", "rose by R$ 4.00", list(funded("0.00", paid()...), before(1, "10.00", "0"), refund(1), refundFails())...),
		"of a refund: the charge does": rejected(aRefund, "10.00", "20.00", "rose by R$ 10.00", list(funded("0.00", paid()...), before(1, "10.00", "0"), refund(1), refundFails())...),
		"of a refund: its rest does":   rejected(aRefund, "10.00", "16.00", "rose by R$ 6.00", list(funded("0.00", paid()...), before(1, "10.00", "0"), refund(1), refundFails())...),
		"of a refund: is taken again":  rejected(aRefund, "10.00", "6.00", "fell by R$ 4.00", list(funded("0.00", paid()...), before(1, "10.00", "0"), refund(1), refundFails())...),
		"of a refund: takes its money": rejected(aRefund, "10.00", "9.00", "fell by R$ 1.00", list(funded("0.00", paid()...), before(1, "10.00", "0"), refund(1), refundFails())...),
		"it comes before the bank says so": {
			steps: "Given the account has sent a transfer\nWhen the account sends a transfer\nThen the request is rejected with 422\nWhen the bank rejects the payment with ORDER_REJECTED",
			entries: list(nil, during(0, transfer("t1")), before(1, "6.00", "4.00"), sent(1, "transfer", `{"payment":{"amount":"1.00"}}`, 422, `{"message":"no"}`),
				during(2, looked("balance request", 200, balance("10.00", "0"))), fails(3, "t1")),
			want: "fail: expected available to stay unchanged, got rose by R$ 4.00, from R$ 6.00 to R$ 10.00 [3]; look: balance for 5s",
		},
	})
}

// late is what a rise comes to that may be money of something that failed earlier.
func late(rose string) string {
	return "could not test: expected a target that can be brought into the state that this scenario requires, got available is R$ " + rose +
		" higher than expected, possibly by the money of something earlier that failed, which may come back at any time [-1]; look: balance for 5s"
}

// Money of what failed may come back at any time, so that a rise during a later request is not its doing; no more than that money.
func TestMoneyThatComesBackLate(t *testing.T) {
	t.Parallel()
	transfer := func(id string) record.Entry {
		return with("x-idempotency-key", id, sent(1, "transfer", `{"payment":{"amount":"4.00"}}`, 202, `{"transactionId":"`+id+`"}`))
	}
	settled := func(id, outcome string) record.Entry {
		return control(2, target.Settlement, http.MethodPost, "/settle", 200, `{"transactionId":"`+id+`","outcome":"`+outcome+`"}`, ``)
	}
	refund := list(nil, sent(0, "cob", `{"valor":{"original":"10.00"}}`, 201, `{"location":"code"}`), control(0, target.Payments, http.MethodPost, "/payments", 200, `{"pixCode":"code"}`, ``),
		sent(1, "refund", `{"valor":"4.00"}`, 201, `{"rtrId":"D1"}`), control(2, target.Refunds, http.MethodPost, "/refunds/D1/result", 200, `{"status":"NAO_REALIZADO"}`, ``))
	played := with("X-Sandbox-Scenario", "error:insufficient-funds", transfer("t1"))
	automatic := control(1, target.Settlement, http.MethodPut, "/settlement", 200, `{"mode":"automatic"}`, ``)
	fee := control(0, target.FeesControl, http.MethodPut, "/fees", 200, `{"cashOut":"0.50"}`, ``)
	confirmed := came("https://sink.example/1", `{"event":"CashOut","transactionId":"tx-0000001","status":"CONFIRMED"}`)
	reported := came("https://sink.example/1", `{"event":"CashOut","transactionId":"tx-0000001","status":"ERROR"}`)
	opened := control(2, target.MED, http.MethodPost, "/meds", 201, `{"endToEndId":"E1"}`, `{"id":"m1"}`)
	passed := control(2, target.Clock, http.MethodPut, "/clock", 200, `{"advance":"24h"}`, ``)
	for name, c := range map[string]struct {
		entries          []record.Entry
		had, before, now string
		rose             string // empty if it may have come back
		higher           string // than expected; empty if that is how much it rose
		feesUnknown      bool
	}{
		"of one payment":               {entries: list(nil, transfer("t1"), settled("t1", "ERROR")), before: "6.00", now: "10.00"},
		"a part of it":                 {entries: list(nil, transfer("t1"), settled("t1", "ERROR")), before: "6.00", now: "9.99", rose: "3.99"},
		"twice":                        {entries: list(nil, transfer("t1"), settled("t1", "ERROR")), before: "6.00", now: "14.00", rose: "8.00"},
		"of two":                       {entries: list(nil, transfer("t1"), transfer("t2"), settled("t1", "ERROR"), settled("t2", "ERROR")), before: "2.00", now: "10.00"},
		"of one of two":                {entries: list(nil, transfer("t1"), transfer("t2"), settled("t1", "ERROR"), settled("t2", "ERROR")), before: "2.00", now: "6.00"},
		"of a refund":                  {entries: refund, had: "0.00", before: "6.00", now: "10.00"},
		"of a confirmed payment":       {entries: list(nil, transfer("t1"), settled("t1", "CONFIRMED")), before: "6.00", now: "10.00", rose: "4.00"},
		"of a pending payment":         {entries: list(nil, transfer("t1")), before: "6.00", now: "10.00", rose: "4.00"},
		"of one that may have expired": {entries: list(nil, transfer("t1"), passed), before: "6.00", now: "10.00"},
		"of one reported to fail":      {entries: list(nil, automatic, sent(1, "cash-out", `{"value":4.00}`, 201, `{"transactionId":"tx-0000001"}`), during(2, reported)), before: "6.00", now: "10.00"},
		"of one that a sandbox plays":  {entries: list(nil, played), before: "6.00", now: "10.00"},
		"with an unknown fee":          {entries: list(nil, transfer("t1"), settled("t1", "ERROR")), before: "5.50", now: "10.00", feesUnknown: true},
		"with an unknown fee, twice":   {entries: list(nil, transfer("t1"), settled("t1", "ERROR")), before: "10.00", now: "14.00", rose: "4.00", feesUnknown: true},
		"of the other account":         {entries: list(nil, byOther(transfer("t1")), settled("t1", "ERROR")), had: "6.00", before: "6.00", now: "10.00", rose: "4.00"},
		"of one that succeeds in play": {entries: list(nil, automatic, with("X-Sandbox-Scenario", "success", sent(1, "cash-out", `{"value":4.00}`, 201, `{"transactionId":"tx-0000001"}`)), during(2, confirmed)), before: "6.00", now: "10.00", rose: "4.00"},
		"less a fee":                   {entries: list(nil, fee, transfer("t1"), settled("t1", "ERROR")), before: "6.00", now: "9.50"},
		"less more than a fee":         {entries: list(nil, fee, transfer("t1"), settled("t1", "ERROR")), before: "6.00", now: "9.49", rose: "3.49"},
		"of the fee alone":             {entries: list(nil, fee, transfer("t1"), settled("t1", "ERROR")), had: "10.50", before: "10.00", now: "10.50"},
		"while a refund takes its own": {entries: list(nil, transfer("t1"), settled("t1", "ERROR"), sent(1, "refund", `{"valor":"3.00"}`, 201, `{"rtrId":"D1"}`)), before: "6.00", now: "7.00", higher: "1.00"},
		"while a case is open":         {entries: list(nil, transfer("t1"), settled("t1", "ERROR"), opened), before: "6.00", now: "10.00"},
	} {
		entries := list(nil, fact(0, record.Fact{Kind: record.Funded, Text: cmp.Or(c.had, "10.00")}),
			control(0, target.Settlement, http.MethodPut, "/settlement", 200, `{"mode":"manual"}`, ``))
		entries = list(list(entries, c.entries...), before(3, c.before, "0"),
			sent(3, "transfer", `{"payment":{"amount":"1.00"}}`, 422, `{"message":"no"}`), looked("balance request", 200, balance(c.now, "0")))
		want := fmt.Sprintf("fail: expected available to stay unchanged, got rose by R$ %s, from R$ %s to R$ %s [%d]; look: balance for 5s", c.rose, c.before, c.now, len(entries)-2)
		if c.rose == "" {
			by := money.OrZero(c.now) - money.OrZero(c.before)
			want = late(cmp.Or(c.higher, by.Decimal()))
		}
		tell(t, map[string]story{name: {
			steps:   "Given settlement waits for the bank\nGiven the account has sent a transfer\nWhen the bank rejects the payment with ORDER_REJECTED\nWhen the account sends a transfer\nThen the request is rejected with 422",
			terms:   func(t *record.Terms) { t.FeesControl = !c.feesUnknown },
			entries: entries, want: want,
		}})
	}
}

// What may come back between the balance and a request excuses a rise by that, but nothing else; what the step itself has
// sent excuses nothing.
func TestMoneyThatMayComeBackMeanwhile(t *testing.T) {
	t.Parallel()
	transfer := func(step int, more string) record.Entry {
		return sent(step, "transfer", `{"payment":{"amount":"4.00"}`+more+`}`, 202, `{"transactionId":"t1"}`)
	}
	waits := control(0, target.Settlement, http.MethodPut, "/settlement", 200, `{"mode":"manual"}`, ``)
	meanwhile := func(step string, happens record.Entry, now, want string) story {
		return story{
			steps: "Given settlement waits for the bank\nGiven the account has sent a transfer\nWhen " + step + "\nWhen the account sends the request again\nThen the request is rejected with 409",
			entries: list(nil, fact(0, record.Fact{Kind: record.Funded, Text: "10.00"}), waits, transfer(1, ""), before(2, "6.00", "4.00"), happens,
				sent(3, "transfer", `{"payment":{"amount":"4.00"}}`, 409, `{"message":"no"}`), looked("balance request", 200, balance(now, "0"))),
			want: want,
		}
	}
	const rejects, passes = "the bank rejects the payment with ORDER_REJECTED", "601 seconds pass"
	failed := func() record.Entry {
		return control(2, target.Settlement, http.MethodPost, "/settle", 200, `{"transactionId":"t1","outcome":"ERROR"}`, ``)
	}
	passed := func() record.Entry {
		return control(2, target.Clock, http.MethodPut, "/clock", 200, `{"advance":"601s"}`, ``)
	}
	wrong := func(got string) string {
		return "fail: expected available to stay unchanged, got " + got + " [5]; look: balance for 5s"
	}
	failedAt := func(step int) record.Entry { return during(step, failed()) }
	again := func() record.Entry { return with("x-idempotency-key", "k1", transfer(1, "")) }
	feesUnknown := func(s story) story {
		s.terms = func(t *record.Terms) { t.FeesControl = false }
		return s
	}
	// After a transfer, what happened before the balance and what after it.
	after := func(at int, had, now, rose string, earlier, later record.Entry) story {
		want := fmt.Sprintf("fail: expected available to stay unchanged, got %s, from R$ %s to R$ %s [%d]; look: balance for 5s", rose, had, now, at)
		if rose == "" {
			want = late("4.00")
		}
		return story{
			steps: "Given settlement waits for the bank\nGiven the account has sent a transfer\nWhen 601 seconds pass\nWhen the account sends a transfer\nThen the request is rejected with 422",
			entries: list(nil, fact(0, record.Fact{Kind: record.Funded, Text: "10.00"}), waits, again(), earlier, before(2, had, "0"), later,
				sent(3, "transfer", `{"payment":{"amount":"1.00"}}`, 422, `{"message":"no"}`), looked("balance request", 200, balance(now, "0"))),
			want: want,
		}
	}
	lives := func(seconds, want string) story {
		s := meanwhile(passes, passed(), "10.00", want)
		s.entries[2] = transfer(1, `,"expiration":`+seconds)
		return s
	}
	unmoved := func(sent record.Entry) story {
		return story{
			steps:   "Given settlement waits for the bank\nWhen the account sends a transfer of R$ 4.00\nThen the available balance falls by R$ 4.00",
			entries: list(nil, fact(0, record.Fact{Kind: record.Funded, Text: "10.00"}), before(1, "10.00", "0"), sent, looked("balance request", 200, balance("10.00", "0"))),
			want:    "fail: expected available to fall by R$ 4.00, got unchanged, from R$ 10.00 to R$ 10.00 [2]; look: balance for 5s",
		}
	}
	tell(t, map[string]story{
		"of what the bank rejects":               meanwhile(rejects, failed(), "10.00", "pass"),
		"of what the bank rejects: too much":     meanwhile(rejects, failed(), "10.01", wrong("rose by R$ 4.01, from R$ 6.00 to R$ 10.01")),
		"of what the bank rejects: it falls":     meanwhile(rejects, failed(), "2.00", wrong("fell by R$ 4.00, from R$ 6.00 to R$ 2.00")),
		"of what may expire":                     meanwhile(passes, passed(), "10.00", "pass"),
		"of what may expire: it does not":        meanwhile(passes, passed(), "6.00", "pass"),
		"of what may expire: it falls":           meanwhile(passes, passed(), "2.00", wrong("fell by R$ 4.00, from R$ 6.00 to R$ 2.00")),
		"of what the bank rejects, and a debit":  meanwhile(rejects, failed(), "9.00", wrong("rose by R$ 3.00, from R$ 6.00 to R$ 9.00")),
		"of what the bank rejects: twice":        feesUnknown(meanwhile(rejects, failed(), "14.00", wrong("rose by R$ 8.00, from R$ 6.00 to R$ 14.00"))),
		"of what the bank rejects: for a repeat": after(6, "6.00", "14.00", "rose by R$ 8.00", again(), failed()),
		"of what failed before":                  after(6, "6.00", "10.00", "", failedAt(1), passed()),
		"of what failed before: once more":       after(6, "10.00", "14.00", "rose by R$ 4.00", failedAt(1), passed()),
		"of what is reported to fail afterwards": {
			steps: "Given the account has sent a cash-out of R$ 4.00\nWhen the account sends a transfer\nThen the request is rejected with 422",
			entries: list(nil, fact(0, record.Fact{Kind: record.Funded, Text: "10.00"}), sent(0, "cash-out", `{"value":4.00}`, 201, `{"transactionId":"tx-0000001"}`), before(1, "6.00", "0"),
				sent(1, "transfer", `{"payment":{"amount":"1.00"}}`, 422, `{"message":"no"}`),
				came("https://sink.example/1", `{"event":"CashOut","transactionId":"tx-0000001","status":"ERROR"}`), looked("balance request", 200, balance("10.00", "0"))),
			want: "pass",
		},
		"of what cannot have expired yet":   lives("10800", wrong("rose by R$ 4.00, from R$ 6.00 to R$ 10.00")),
		"of what has just expired":          lives("601", "pass"),
		"what may expire is not taken":      unmoved(transfer(1, `,"expiration":600`)),
		"what a sandbox plays is not taken": unmoved(with("X-Sandbox-Scenario", "success", transfer(1, ""))),
	})
}

// What is blocked of a failed payment may be released late, as far as there was something blocked.
func TestBlockedMoneyThatIsReleasedLate(t *testing.T) {
	t.Parallel()
	blocked := func(had, now, want string) story {
		return story{
			steps: "Given settlement waits for the bank\nGiven the account has sent a transfer\nWhen the bank rejects the payment with ORDER_REJECTED\nWhen the account sends a transfer of R$ 4.00\nThen the blocked balance rises by R$ 4.00",
			entries: list(nil, sent(1, "transfer", `{"payment":{"amount":"4.00"}}`, 202, `{"transactionId":"t1"}`),
				control(2, target.Settlement, http.MethodPost, "/settle", 200, `{"transactionId":"t1","outcome":"ERROR"}`, ``), before(3, "10.00", had),
				sent(3, "transfer", `{"payment":{"amount":"4.00"}}`, 202, `{"transactionId":"t2"}`), looked("balance request", 200, balance("6.00", now))),
			want: want,
		}
	}
	tell(t, map[string]story{
		"it was released":       blocked("0.00", "4.00", "pass"),
		"it is released late":   blocked("4.00", "4.00", "could not test: expected a target that can be brought into the state that this scenario requires, got blocked is R$ 4.00 lower than expected, possibly by the money of something earlier that failed, which may be released at any time [-1]; look: balance for 5s"),
		"it is released again":  blocked("0.00", "0.00", "fail: expected blocked to rise by R$ 4.00, got unchanged, from R$ 0.00 to R$ 0.00 [4]; look: balance for 5s"),
		"too little is blocked": blocked("4.00", "7.00", "fail: expected blocked to rise by R$ 4.00, got rose by R$ 3.00, from R$ 4.00 to R$ 7.00 [4]; look: balance for 5s"),
	})
}

// Until the money of a failure is back, a scenario goes no further. What a gateway does instead is left open.
func TestTheMoneyOfAFailureIsAwaited(t *testing.T) {
	t.Parallel()
	back := func(want string, available ...string) story {
		entries := list(nil, sent(0, "transfer", `{"payment":{"amount":"4.00"}}`, 202, ok), before(1, "6.00", "4.00"),
			control(1, target.Settlement, http.MethodPost, "/settle", 200, `{"transactionId":"t1","outcome":"ERROR"}`, ``))
		for _, a := range available {
			entries = append(entries, looked("balance request", 200, balance(a, "0")))
		}
		return story{
			steps:   "Given the account has sent a transfer\nWhen the bank rejects the payment with ORDER_REJECTED\nGiven the available balance rises by R$ 4.00",
			entries: entries, want: want,
		}
	}
	not := func(got string, at int) string {
		return fmt.Sprintf("could not test: expected available to rise by R$ 4.00, got %s [%d]; look: balance for 5s", got, at)
	}
	tell(t, map[string]story{
		"it comes at once":     back("pass", "10.00"),
		"it comes late":        back("pass", "6.00", "6.00", "10.00"),
		"it does not come":     back(not("unchanged, from R$ 6.00 to R$ 6.00", 3), "6.00"),
		"a part of it comes":   back(not("rose by R$ 3.99, from R$ 6.00 to R$ 9.99", 3), "9.99"),
		"more than it comes":   back(not("rose by R$ 8.00, from R$ 6.00 to R$ 14.00", 3), "14.00"),
		"nobody looked so far": back("look: balance for 5s"),
	})
}

// What earlier refunds may still take is their amounts, of each once.
func TestARejectedRequestAfterRefunds(t *testing.T) {
	t.Parallel()
	refund := func(id, valor string) record.Entry {
		e := sent(0, "refund", `{"valor":"`+valor+`"}`, 201, `{"rtrId":"D`+id+`"}`)
		e.Exchange.URL = strings.TrimSuffix(e.Exchange.URL, "01") + id
		return e
	}
	rejected := func(after string, want string, refunds ...record.Entry) story {
		return story{
			steps: "Given the account has sent a refund\nWhen the account sends a transfer\nThen the request is rejected with 422",
			entries: list(list(nil, refunds...), before(1, "10.00", "0"), sent(1, "transfer", `{"payment":{"amount":"1.00"}}`, 422, `{"message":"no"}`),
				looked("balance request", 200, balance(after, "0"))),
			want: want,
		}
	}
	fell := func(by, to string, at int) string {
		return fmt.Sprintf("fail: expected available to stay unchanged, got fell by R$ %s, from R$ 10.00 to R$ %s [%d]; look: balance for 5s", by, to, at)
	}
	a, b := func() record.Entry { return refund("01", "3.00") }, func() record.Entry { return refund("02", "2.00") }
	tell(t, map[string]story{
		"none takes anything":               rejected("10.00", "pass", a(), b()),
		"one takes its amount":              rejected("7.00", "pass", a(), b()),
		"both do":                           rejected("5.00", "pass", a(), b()),
		"they take more":                    rejected("4.99", fell("5.01", "4.99", 4), a(), b()),
		"they give":                         rejected("13.00", "fail: expected available to stay unchanged, got rose by R$ 3.00, from R$ 10.00 to R$ 13.00 [4]; look: balance for 5s", a(), b()),
		"one of two that are alike":         rejected("7.00", "pass", a(), refund("02", "3.00")),
		"two that are alike":                rejected("4.00", "pass", a(), refund("02", "3.00")),
		"one that was repeated":             rejected("7.00", "pass", a(), a()),
		"one that was repeated takes twice": rejected("4.00", fell("6.00", "4.00", 4), a(), a()),
	})
}

// However many refunds there are, it is soon known whether some of them explain a fall.
func TestSumsOfAmounts(t *testing.T) {
	t.Parallel()
	some := func(least, most money.Centavos, amounts ...money.Centavos) bool { return someSum(amounts, least, most) }
	assert.False(t, some(0, 4_00), "of none there is no sum")
	assert.True(t, some(4_00, 4_00, 4_00))
	assert.True(t, some(5_15, 5_15, 4_00, 1_15))
	assert.False(t, some(5_14, 5_14, 4_00, 1_15))
	assert.True(t, some(5_14, 5_16, 4_00, 1_15), "within a range")
	assert.True(t, some(12_00, 12_00, 4_00, 4_00, 4_00))
	assert.False(t, some(16_00, 16_00, 4_00, 4_00, 4_00), "each once")
	assert.False(t, some(-4_00, -1, 4_00))
	var many []money.Centavos
	for i := range 60 {
		many = append(many, money.Centavos(2<<(i%20)))
	}
	assert.True(t, someSum(many, 10_00, 10_00))
	assert.False(t, someSum(many, 10_01, 10_01), "all are even")
}

// The fee of an earlier payment may be taken at its settlement, while a request is rejected.
// If the balance explains itself, the step reads the list next.
func TestFeesThatFollowARejection(t *testing.T) {
	t.Parallel()
	const sends = "Given a cash-out fee of R$ 0.50\nGiven the account has sent a cash-out of R$ 10.00\nWhen the account sends a cash-out of R$ 90.00\nThen the request is rejected with 400"
	fee := during(0, record.Entry{Exchange: &exchange.Exchange{
		Party: exchange.Control, Operation: string(target.FeesControl), Method: http.MethodPut, URL: "https://gw.example/controls/fees", Status: 200, Body: []byte(`{"cashOut":"0.50","cashIn":"0.00"}`),
	}})
	rejected := func(want, after string, ended ...record.Entry) story {
		first := sent(1, "cash-out", order, 201, ok)
		entries := list(list(nil, subscribed("cash_out", one), fee, first), ended...)
		return story{steps: sends, want: want, entries: list(entries,
			before(2, "90.00", "0.00"), sent(2, "cash-out", `{"value":90.00,"externalId":"order-0002"}`, 400, refusal), looked("balance request", 200, balance(after, "0.00")))}
	}
	tell(t, map[string]story{
		"nothing":           rejected("look: list for 0s", "90.00"),
		"the fee":           rejected("look: list for 0s", "89.50"),
		"more than the fee": rejected("fail: expected available to stay unchanged, got fell by R$ 0.51, from R$ 90.00 to R$ 89.49 [4]; look: balance for 5s", "89.49"),
		"the fee of a payment that had ended": rejected("fail: expected available to stay unchanged, got fell by R$ 0.50, from R$ 90.00 to R$ 89.50 [5]; look: balance for 5s", "89.50",
			during(1, came(one, confirmed))),
	})
}
