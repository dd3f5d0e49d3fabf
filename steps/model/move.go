package model

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
)

// Move is a row of the model: something that happens to a thing in one of some states, or that makes a
// thing.
type Move struct {
	Event    string           // what happens: "the bank confirms it"
	Noun     string           // of the thing that it happens to, or that it makes; empty for the account itself
	From     states           // the states of that thing; none for a move that is about no thing that exists
	Ways     []string         // of doing it; none for one
	By       language.Account // that does it
	Shows    string           // the statements of the specification that it shows
	Late     bool             // after it, less can be foretold: it is for the second half of a walk
	Opens    bool             // it opens the account, before which nothing else is possible
	Given    bool             // it prepares the scenario
	Optional bool             // it prepares only some scenarios
	Passes   bool             // it moves time
	Finishes bool             // it brings what waits to rest
	Looks    bool             // it only looks
	Core     bool             // it takes a payment, a charge or a case through its life
	Seldom   bool             // it sends many requests
	Wrong    bool             // it sends a request that is rejected, whatever was done before
	Requests int              // from how many requests a Wrong move chooses; 0 for other moves
	Removed  bool             // it is about what an account has left that was removed, and possible only then
	do       func(*play)      // calls needs if it is not possible
}

// states are those of one kind of thing.
type states = []api.State

// Step is a move in a walk. It names the thing that it is about by the step that made it, so that other
// steps can be dropped from the walk.
type Step struct {
	ID   int // unique within the walk
	Move *Move
	Way  string
	Of   int // ID of the step that made the thing; 0 for none
	Draws
}

// Line is a sentence of a scenario.
type Line struct {
	Keyword string // Given, When or Then
	Text    string
	Table   [][]string
	Step    int // ID of the step that says it
}

// play is a step as it is done: a transition of the gateway, what sentences can refer to after it, and the
// sentences. Its methods are what moves of several themes have in common.
type play struct {
	gw   Gateway
	refs Referents
	script
	chance
	step Step
	who  language.Account // that does it
	it   *Thing           // that the step is about
}

// impossible ends a play whose move cannot be done now.
type impossible struct{}

// needs ends the play unless a condition holds. It is thrown away then, whatever it has done.
func (p *play) needs(holds bool) {
	if !holds {
		panic(impossible{})
	}
}

// perform does the move; false if that is not possible.
func (m *Move) perform(p *play) (done bool) {
	defer func() {
		if err := recover(); err != nil && err != (impossible{}) {
			panic(err)
		}
	}()
	m.do(p)
	return true
}

// script is what a step says.
type script struct {
	by    int // ID of the step
	lines []Line
}

// given, when and then add a sentence. Those of a table have a row after the words.
func (s *script) given(text string, words ...any) { s.say("Given", text, words) }
func (s *script) when(text string, words ...any)  { s.say("When", text, words) }
func (s *script) then(text string, words ...any)  { s.say("Then", text, words) }

func (s *script) say(keyword, text string, words []any) {
	s.lines = append(s.lines, Line{Keyword: keyword, Text: fmt.Sprintf(text, words...), Step: s.by})
}

// table adds rows to the table of the last sentence.
func (s *script) table(rows [][]string) {
	last := &s.lines[len(s.lines)-1]
	last.Table = slices.Concat(last.Table, rows)
}

// with adds a row to the table of the last sentence.
func (s *script) with(field string, value any) {
	last := &s.lines[len(s.lines)-1]
	last.Table = append(last.Table, []string{field, fmt.Sprint(value)})
}

// leaves adds a row for each value in JSON.
func (s *script) leaves(path, text string) {
	var object map[string]json.RawMessage
	var list []json.RawMessage
	switch {
	case json.Unmarshal([]byte(text), &object) == nil:
		for _, name := range []string{"cpf", "cnpj", "nome", "valor"} {
			if value, ok := object[name]; ok {
				s.leaves(path+"."+name, string(value))
			}
		}
	case json.Unmarshal([]byte(text), &list) == nil:
		for i, value := range list {
			s.leaves(fmt.Sprintf("%s[%d]", path, i), string(value))
		}
	default:
		s.with(path, text)
	}
}

// Moves is the model.
var Moves = sync.OnceValue(func() []Move {
	return slices.Concat(moves, limitMoves, bodyMoves, splitMoves, caseMoves, accessMoves, expiredMoves, webhookMoves, resendMoves, removedMoves, wrongMoves())
})

var moves = []Move{
	// The account and its settings.
	{Event: "opens as", Ways: openings, Opens: true, Given: true, do: open},
	{Event: "has no fees", Given: true, do: noFees},
	{Event: "has no limits", Given: true, do: noLimits},
	{Event: "waits for the bank to settle", Given: true, do: hold},
	{Event: "waits for the bank to refund", Given: true, do: holdRefunds},
	{Event: "pays a key of the directory", Given: true, do: putKey},
	{Event: "has a second account:", Ways: others, Given: true, do: openOther},
	{Event: "lists sent payments by key", Given: true, do: listSent},
	{Event: "has a limit of 1000 requests per minute", Given: true, do: askOften},

	// Fees, limits, the provider and time, in the middle.
	{Event: "has a cash-out fee of", Ways: []string{"R$ 0.50", "R$ 0.20", "R$ 0.00"}, Shows: "OUT-100 EVT-020", do: setFee("cash-out")},
	{Event: "has a cash-in fee of", Ways: []string{"R$ 0.30", "R$ 0.10", "R$ 0.00"}, Shows: "BAL-020", do: setFee("cash-in")},
	{Event: "loses the PIX provider", Shows: "IN-062 OQR-039", do: setProvider(false)},
	{Event: "finds the PIX provider again", Shows: "IN-062 OQR-039", do: setProvider(true)},
	{Event: "lets time pass:", Ways: []string{"601 seconds", "1801 seconds", "43200 seconds"}, Shows: "COB-062 COB-065 DICT-064", Late: true, Passes: true, do: passTime},
	{Event: "lets the day pass until just before midnight", Shows: "DICT-030 OUT-083", Passes: true, do: passUntil(beforeMidnight)},
	{Event: "lets midnight pass", Shows: "DICT-030 OUT-083", Passes: true, do: passUntil(afterMidnight)},
	{Event: "lets days pass:", Ways: []string{"90000 seconds", "345600 seconds", "2502000 seconds", "2588400 seconds", "2678400 seconds"}, Shows: "COB-062 COB-065 DICT-064", Late: true, Passes: true, do: passTime},

	// Payments.
	{Event: "is sent", Noun: "cash-out", Ways: amounts, Shows: "OUT-051 OUT-061 OUT-073 OUT-099", Core: true, do: pay},
	{Event: "is sent", Noun: "QR cash-out", Ways: amounts, Shows: "OQR-029 OQR-046", Core: true, do: pay},
	{Event: "is sent", Noun: "transfer", Ways: amounts, Shows: "BAL-012 BAL-016 BAL-017 DICT-056", Core: true, do: pay},
	{Event: "is sent by the other account", Noun: "cash-out", By: language.TheOther, Shows: "OUT-051 AUTH-011", do: pay},
	{Event: "is sent", Noun: "cash-out", Ways: tooMuch, Shows: "OUT-062 OUT-078 OUT-079", do: overdraw},
	{Event: "is sent", Noun: "QR cash-out", Ways: tooMuch[:1], Shows: "OQR-038", do: overdraw},
	{Event: "is sent", Noun: "transfer", Ways: tooMuch[:1], Shows: "BAL-014 DICT-045 DICT-046", do: overdraw},
	{Event: "is sent without the PIX provider", Noun: "QR cash-out", Shows: "OQR-039", Late: true, do: failToPay},
	{Event: "is sent 8 times at once", Noun: "cash-out", Shows: "OUT-063 OUT-065 OUT-099", do: sendAtOnce},
	{Event: "is sent 8 times at once", Noun: "QR cash-out", Shows: "OQR-022 OQR-023", do: sendAtOnce},
	{Event: "is sent concurrently with:", Noun: "cash-out", Ways: burstNames(), Shows: "OUT-062 OUT-063 OUT-065 OUT-078 OUT-079", Late: true, do: payInBurst},
	{Event: "is requested again", Noun: "cash-out", From: states{api.Pending, api.Confirmed}, Shows: "OUT-063 OUT-065", do: payAgain},
	{Event: "is requested again", Noun: "QR cash-out", From: states{api.Pending, api.Confirmed}, Shows: "OQR-022 OQR-023", do: payAgain},
	{Event: "is requested again", Noun: "transfer", From: api.TransferStates.All(), Shows: "DICT-057 DICT-058 DICT-059", do: transferAgain},
	{Event: "is requested again with another amount", Noun: "cash-out", From: states{api.Pending, api.Confirmed}, Shows: "OUT-063 OUT-067", do: payOtherAmount},
	{Event: "is requested again with another amount", Noun: "transfer", From: states{api.Pending, api.Completed}, Shows: "DICT-057 DICT-059", Late: true, do: transferOtherAmount},
	{Event: "is sent under", Noun: "cash-out", Ways: ids, Shows: "OUT-011 OUT-051", do: payUnder},
	{Event: "is sent under", Noun: "QR cash-out", Ways: ids, Shows: "OQR-020 OQR-029", do: payUnder},
	{Event: "is followed by another under nearly the same externalId", Noun: "cash-out", From: api.PaymentStates.All(), Shows: "OUT-011 OUT-063", do: payUnderNearly},
	{Event: "is followed by another under nearly the same externalId", Noun: "QR cash-out", From: api.PaymentStates.All(), Shows: "OQR-022 OQR-029", do: payUnderNearly},
	{Event: "is confirmed by the bank", Noun: "cash-out", From: states{api.Pending}, Shows: "OUT-074 EVT-088", Finishes: true, Core: true, do: confirm},
	{Event: "is confirmed by the bank", Noun: "QR cash-out", From: states{api.Pending}, Shows: "OQR-040 EVT-088", Finishes: true, Core: true, do: confirm},
	{Event: "is confirmed by the bank", Noun: "transfer", From: states{api.Pending}, Shows: "BAL-018 BAL-019 DICT-061 EVT-085", Finishes: true, Core: true, do: confirm},
	{Event: "is rejected by the bank with", Noun: "cash-out", From: states{api.Pending}, Ways: rejections, Shows: "OUT-075 EVT-040 EVT-088", Late: true, Core: true, do: reject},
	{Event: "is rejected by the bank, which returns its money", Noun: "cash-out", From: states{api.Pending}, Shows: "OUT-075 EVT-040 EVT-088", Core: true, do: rejectAndReturn},
	{Event: "is rejected by the bank with", Noun: "QR cash-out", From: states{api.Pending}, Ways: rejections, Shows: "OQR-041 EVT-040 EVT-088", Late: true, Core: true, do: reject},
	{Event: "is rejected by the bank, which returns its money", Noun: "QR cash-out", From: states{api.Pending}, Shows: "OQR-041 EVT-040 EVT-088", Core: true, do: rejectAndReturn},
	{Event: "is rejected by the bank with", Noun: "transfer", From: states{api.Pending}, Ways: rejections[:1], Shows: "DICT-063", Late: true, Core: true, do: reject},
	{Event: "is rejected by the bank, which returns its money", Noun: "transfer", From: states{api.Pending}, Shows: "DICT-063", Core: true, do: rejectAndReturn},
	{Event: "is settled at last", Noun: "cash-out", From: states{overdue}, Shows: "OUT-058 EVT-088", Core: true, do: settleAtLast},
	{Event: "is settled at last", Noun: "QR cash-out", From: states{overdue}, Shows: "OQR-040 EVT-088", Core: true, do: settleAtLast},
	{Event: "is settled again", Noun: "cash-out", From: api.PaymentStates.Later, Shows: "OUT-099", do: settleAgain},
	{Event: "is settled again", Noun: "QR cash-out", From: api.PaymentStates.Later, Shows: "OQR-046", do: settleAgain},
	{Event: "is settled again", Noun: "transfer", From: states{api.Completed}, Shows: "BAL-019", do: settleAgain},
	{Event: "is returned by the payee:", Noun: "cash-out", From: states{api.Confirmed}, Ways: parts, Shows: "BAL-027", Core: true, do: returnPayment},
	{Event: "is returned by the payee:", Noun: "QR cash-out", From: states{api.Confirmed}, Ways: parts, Shows: "BAL-027", Core: true, do: returnPayment},
	{Event: "is returned by the payee:", Noun: "transfer", From: states{api.Completed}, Ways: parts, Shows: "BAL-027", Core: true, do: returnPayment},

	{Event: "goes to", Noun: "transfer", Ways: keys, Shows: "DICT-005 DICT-006 DICT-009 DICT-016", do: putAnother},
	{Event: "is looked at", Noun: "cash-out", From: api.PaymentStates.All(), Shows: "LTX-014 LTX-031", Looks: true, do: lookAtPayment},
	{Event: "is looked at", Noun: "QR cash-out", From: api.PaymentStates.All(), Shows: "LTX-014 LTX-031", Looks: true, do: lookAtPayment},

	{Event: "is followed by another to the same code", Noun: "QR cash-out", From: api.PaymentStates.All(), Shows: "OQR-029", do: payCodeAgain},

	// Charges.
	{Event: "is created", Noun: "cob", Ways: charged, Shows: "BAL-021 COB-045 COB-057", Core: true, do: charge},
	{Event: "is created", Noun: "cash-in", Ways: charged, Shows: "BAL-021 IN-051 IN-066", Core: true, do: charge},
	{Event: "is created by the other account", Noun: "cob", By: language.TheOther, Shows: "COB-057 AUTH-011", do: charge},
	{Event: "is created by the other account", Noun: "cash-in", By: language.TheOther, Shows: "IN-066 AUTH-011", do: charge},
	{Event: "is created without the PIX provider", Noun: "cash-in", Shows: "IN-062", do: failToCharge},
	{Event: "is created 8 times at once", Noun: "cob", Shows: "COB-009 COB-010", do: sendAtOnce},
	{Event: "is created 8 times at once", Noun: "cash-in", Shows: "IN-016 IN-017", do: sendAtOnce},
	{Event: "is requested again", Noun: "cob", From: api.ChargeStates.All(), Shows: "COB-009 COB-010", do: chargeAgain},
	{Event: "is requested again", Noun: "cash-in", From: states{api.Pending, api.Confirmed}, Shows: "IN-016 IN-017", do: chargeAgain},
	{Event: "has its txid used again", Noun: "cob", From: api.ChargeStates.All(), Shows: "COB-009 COB-010", do: useIDAgain},
	{Event: "has its externalId used again", Noun: "cash-in", From: states{api.Pending, api.Confirmed, Unknown}, Shows: "IN-016 IN-017", do: useIDAgain},
	{Event: "is paid by", Noun: "cob", From: states{api.Active}, Ways: payers, Shows: "BAL-020 COB-058 COB-059 COB-060 EVT-086", Core: true, do: payCharge},
	{Event: "is paid by", Noun: "cash-in", From: states{api.Pending}, Ways: payers, Shows: "BAL-020 IN-068 IN-069 IN-072 EVT-089", Core: true, do: payCharge},
	{Event: "is paid 4 times at once", Noun: "cob", From: states{api.Active}, Shows: "COB-060 COB-064", do: payAtOnce},
	{Event: "is paid 4 times at once", Noun: "cash-in", From: states{api.Pending}, Shows: "IN-072", do: payAtOnce},
	{Event: "is paid once more", Noun: "cob", From: api.ChargeStates.Later, Shows: "COB-064 COB-066 COB-067", do: payOnceMore},
	{Event: "is paid once more", Noun: "cash-in", From: states{api.Confirmed}, Shows: "IN-072", do: payOnceMore},
	{Event: "is removed by", Noun: "cob", From: states{api.Active}, Ways: removers, Shows: "COB-061 COB-063 COB-068", Core: true, do: remove},
	{Event: "is removed once more by", Noun: "cob", From: api.ChargeStates.Later, Ways: removers, Shows: "COB-064 COB-066 COB-067", do: removeAgain},
	{Event: "is looked at", Noun: "cob", From: api.ChargeStates.All(), Shows: "COB-046", Looks: true, do: lookAtState},
	{Event: "is looked at", Noun: "cash-in", From: states{api.Pending, api.Confirmed}, Shows: "LTX-014 LTX-031", Looks: true, do: lookAtListed},

	// Refunds of charges that were paid.
	{Event: "is refunded:", Noun: "cob", From: states{api.Concluded}, Ways: parts, Shows: "DEV-001 DEV-032 DEV-035 DEV-036 DEV-057", Core: true, do: refund},
	{Event: "is refunded by a centavo too much", Noun: "cob", From: states{api.Concluded}, Shows: "DEV-038 DEV-039 DEV-040", do: refundTooMuch},
	{Event: "is refunded 91 days after it was paid", Noun: "cob", From: states{api.Concluded}, Shows: "DEV-043 DEV-044", Late: true, do: refundTooLate},
	{Event: "is refunded by the other account", Noun: "cob", From: states{api.Concluded}, By: language.TheOther, Shows: "DEV-045 AUTH-011", do: refundAsOther},
	{Event: "is refunded with an invalid valor", Noun: "cob", From: states{api.Concluded}, Shows: "DEV-041", do: refundWrongly},
	{Event: "gets concurrent refunds:", Noun: "cob", From: states{api.Concluded}, Ways: refundBursts, Shows: "DEV-039 DEV-040", Late: true, do: refundInBurst},
	{Event: "is confirmed by the bank", Noun: "refund", From: states{api.Processing}, Shows: "DEV-051 DEV-052 DEV-057 EVT-087", Finishes: true, Core: true, do: confirmRefund},
	{Event: "is rejected by the bank", Noun: "refund", From: states{api.Processing}, Shows: "DEV-053", Late: true, Core: true, do: rejectRefund},
	{Event: "gets a second result:", Noun: "refund", From: api.RefundStates.Later, Ways: []string{"confirm", "reject"}, Shows: "DEV-055 DEV-056 DEV-057", do: finishRefundAgain},
	{Event: "is requested once more", Noun: "refund", From: states{api.Processing, api.Refunded}, Shows: "DEV-061 DEV-062", do: refundAgain},
	{Event: "is requested once more with another amount", Noun: "refund", From: states{api.Processing, api.Refunded}, Shows: "DEV-061 DEV-062", Late: true, do: refundOtherAmount},
	{Event: "is refunded, which the bank rejects:", Noun: "cob", From: states{api.Concluded}, Ways: parts, Shows: "DEV-040 DEV-053", Core: true, do: refundInVain},
	{Event: "is refunded by its payer", Noun: "cash-out", From: states{api.Confirmed}, Shows: "DEV-045 DEV-046 DEV-047", do: refundSent},
	{Event: "is refunded by its payer", Noun: "QR cash-out", From: states{api.Confirmed}, Shows: "DEV-045 DEV-046 DEV-047", do: refundSent},
	{Event: "is refunded by its payer", Noun: "transfer", From: states{api.Completed}, Shows: "DEV-045 DEV-046 DEV-047", do: refundSent},
	{Event: "is looked at", Noun: "refund", From: api.RefundStates.All(), Shows: "DEV-033 DEV-050", Looks: true, do: lookAtState},

	{Event: "is created, and paid in its last seconds", Noun: "cob", Shows: "COB-060 COB-065", Late: true, do: payLast},
	{Event: "is created, and paid in its last seconds", Noun: "cash-in", Shows: "IN-025 IN-067 IN-068", Late: true, do: payLast},
	{Event: "is created for less than a minute, and paid at once", Noun: "cob", Shows: "COB-058 COB-060", do: paySoon},
	{Event: "is created for less than a minute, and paid at once", Noun: "cash-in", Shows: "IN-020 IN-068", do: paySoon},
	{Event: "is created for the provider's minimum", Noun: "cash-in", Shows: "IN-025 IN-026", do: chargeForMinimum},
	{Event: "is created for a second less than the provider's minimum", Noun: "cash-in", Shows: "IN-026 IN-027 IN-028", do: chargeBelowMinimum},
	{Event: "is refunded while it is contested", Noun: "cob", From: states{api.Concluded}, Shows: "DEV-032", Late: true, do: refundContested},
	{Event: "is sent to wait for hours in the queue", Noun: "transfer", Shows: "DICT-030 DICT-031", Core: true, do: queue},
	{Event: "is sent, and expires in the queue", Noun: "transfer", Shows: "DICT-030 DICT-031", Late: true, Core: true, Passes: true, do: expire},
	{Event: "is settled when it has expired", Noun: "transfer", From: states{expired}, Shows: "DICT-030 DICT-064", Late: true, Core: true, do: settleExpired},
	{Event: "is sent to the key that was paid last", Noun: "cash-out", Ways: []string{"the account", "the other account"}, Shows: "LPK-007 OUT-051", do: payKeyAgain},

	// Everything is held together.
	{Event: "pages through its transactions", Shows: "LTX-006 LTX-030", Looks: true, Seldom: true, do: page},
	{Event: "lists its payments by key and every", Ways: filters, Shows: "LPK-007 LPK-015 LPK-020 LPK-038", Looks: true, do: listByKey},
	{Event: "is looked at", Shows: "", Looks: true, do: lookAtAll},
	{Event: "is looked at in GET /balance", Shows: "BAL-022 BAL-023 BAL-024 BAL-025", Looks: true, Seldom: true, do: lookAtStandard},
	{Event: "lists its transactions by every", Ways: filters, Shows: "LTX-014 LTX-018 LTX-031", Looks: true, do: list},
}

// Ways of some moves.
var (
	openings   = []string{"a new account with exactly R$ 100.00", "an account with exactly R$ 100.00", "an account with R$ 100.00", "a new account with exactly R$ 5000.00"}
	keys       = []string{"e-mail key", "CPF key", "CPF key that starts with 0", "CNPJ key", "CNPJ key that starts with 0", "phone key", "random key"}
	others     = []string{"another new account", "another account"}
	amounts    = []string{"some", "R$ 0.01", "all", "R$ 1234.56", "as before"}
	charged    = []string{"some", "R$ 0.01", "R$ 1234.56", "as before"}
	tooMuch    = []string{"a centavo above the balance", "without enough for the fee"}
	filters    = []string{"filter", "pair of filters", "three filters"}
	parts      = []string{"a part", "the rest", "a centavo"}
	rejections = api.Spelled(api.SettlementCodes...)
	payers     = []string{"a payer", "another payer", "a company"}
	removers   = []string{"receiver", "PSP"}
)
