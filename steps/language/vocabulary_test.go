package language

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/money"
)

var (
	cashOut = api.MustNamed("cash-out")
	cob     = api.MustNamed("cob")

	fieldsTable = [][]string{{"value", "10.00"}, {"details.key", "that key"}}
	fields      = []Change{{Name: "value", Value: literal("10.00")}, {Name: "details.key", Value: Value{Kind: ThatKey}}}
	rowsTable   = [][]string{{"status", `"PENDING"`}, {"errorCode", "absent"}}
	rows        = []Row{
		{"status", Expected{Words: `"PENDING"`, Alternatives: []Phrase{{Kind: Equals, JSON: "PENDING"}}}},
		{"errorCode", Expected{Words: "absent", Alternatives: []Phrase{{Kind: IsAbsent}}}},
	}
	accepted = Outcome{Words: "accepted", Alternatives: []Alternative{{Accepted: true}}}
	body     = "{}:"
)

func literal(json string) Value { return Value{Kind: Literal, JSON: []byte(json)} }

// examples has at least one sentence for each row of the vocabulary.
var examples = []struct {
	text  string
	table [][]string
	want  Meaning
}{
	{"an account", nil, Open{}},
	{"a new account", nil, Open{Fresh: true}},
	{"another account", nil, Open{Account: TheOther}},
	{"an account with R$ 10.00 available", nil, Open{Funded: true, Available: 1000}},
	{"another new account with exactly R$ 0.07 available", nil, Open{Account: TheOther, Fresh: true, Funded: true, Exactly: true, Available: 7}},
	{"the account has R$ 1.00 available", nil, SetAvailable{100}},
	{"a cash-out fee of R$ 0.50", nil, SetFee{Fee: 50}},
	{"a cash-in fee of R$ 0.25", nil, SetFee{CashIn: true, Fee: 25}},
	{"no fees", nil, NoFees{}},
	{"a night limit of R$ 1000.00", nil, SetLimit{Night, 100000}},
	{"a limit of 10 requests a minute", nil, LimitRequests{10}},
	{"no limits", nil, LiftLimits{}},
	{"the account has a per-transaction limit of its own", nil, OwnLimit{PerTransaction}},
	{"the other account holds a token", nil, HoldToken{TheOther}},
	{"the account receives cash_out webhooks", nil, Receive{EventTypes: []string{"cash_out"}, Count: 1}},
	{"the other account receives cash_in webhooks at the same URL", nil, Receive{Account: TheOther, EventTypes: []string{"cash_in"}, SameURL: true, Count: 1}},
	{"the account receives cash_out webhooks at 3 URLs", nil, Receive{EventTypes: []string{"cash_out"}, Count: 3}},
	{`the account receives cash_out webhooks with header X-A "b c"`, nil, Receive{EventTypes: []string{"cash_out"}, Count: 1, Header: "X-A", Value: "b c"}},
	{"the account receives webhooks of every type", nil, Receive{EventTypes: api.EventTypes, Count: 1}},
	{"the receiver answers 500", nil, ReceiverAnswers{Status: 500}},
	{"the first receiver answers 200", nil, ReceiverAnswers{First: true, Status: 200}},
	{"the account is removed", nil, RemoveAccount{}},
	{"the gateway lists what was sent in a key list request", nil, ListsSent{api.MustNamed("key list request")}},
	{"the gateway offers the standard balance", nil, OffersStandardBalance{}},
	{"a MED case that is OPEN", nil, InState{"MED case", "OPEN"}},

	{"the other account also has an expired certificate", nil, AddCertificate{TheOther, "an expired"}},
	{"that certificate is revoked", nil, RevokeCertificate{}},
	{"a self-signed certificate that was never registered", nil, MakeCertificate{"a self-signed"}},
	{"the other account presents that certificate", nil, Present{TheOther, ThatCertificate}},
	{`the other account presents its certificate as "PEM"`, nil, PresentAs{TheOther, "PEM"}},
	{"certificates are shown in the TLS handshake", nil, ShownInHandshake{}},
	{"the account asks for its own token, showing no certificate, with the other account's in two headers", nil, Smuggle{ShowNone: true, In: "two headers"}},
	{"the account asks for the other account's token, showing its own certificate, with the other account's in the header", nil, Smuggle{ForOther: true, In: "the header"}},

	{"it is 23:59 in São Paulo", nil, SetTime{23, 59, 0}},
	{"it is 06:00:01 in São Paulo", nil, SetTime{6, 0, 1}},
	{"15 minutes pass", nil, PassTime{15 * time.Minute}},
	{"settlement waits for the bank", nil, HoldSettlement{}},
	{"the bank confirms it", nil, Settle{}},
	{"the bank tries to confirm the second", nil, Settle{Payment: 2, Tries: true}},
	{"the bank rejects the first with ORDER_REJECTED", nil, Settle{Payment: 1, ErrorCode: "ORDER_REJECTED"}},
	{"the bank tries to reject it with ORDER_REJECTED", nil, Settle{ErrorCode: "ORDER_REJECTED", Tries: true}},
	{"the key directory holds a fresh key for a blocked account", nil, PutKey{Kind: EmailKey, Holder: BlockedAccount, ISPB: "60701190"}},
	{"the key directory holds a fresh phone key", nil, PutKey{Kind: PhoneKey}},
	{"the key directory holds a fresh CPF key at 12345678", nil, PutKey{Kind: CPFKey, ISPB: "12345678"}},
	{"upstream authentication answers nonsense", nil, Fault{Upstream: "error"}},
	{"upstream authentication is unreachable", nil, Fault{Upstream: "unavailable"}},
	{"the PIX provider is back", nil, Fault{Provider: "none"}},
	{"the provider's least expirationTime is 300 seconds", nil, Fault{LeastExpiration: 300}},

	{"somebody pays it", nil, Pay{Times: 1}},
	{"somebody else tries to pay R$ 9.99 for it", nil, Pay{SomebodyElse: true, Tries: true, Amount: new(money.Centavos(999)), Times: 1}},
	{"somebody pays it 3 times at once", nil, Pay{Times: 3}},
	{"the account has been paid R$ 10.00 for a cob", nil, HasBeenPaid{1000, cob}},
	{"the receiver ends it", nil, EndCharge{}},
	{"the PSP tries to end it", nil, EndCharge{ByPSP: true, Tries: true}},
	{"refunds wait for the bank", nil, HoldRefunds{}},
	{"the refund succeeds", nil, EndRefund{}},
	{"the refund fails", nil, EndRefund{Fails: true}},
	{"somebody tries to make the refund fail", nil, EndRefund{Fails: true, Tries: true}},
	{"the payee gives R$ 8.41 back", nil, Return{841}},
	{"a MED case is opened against the payment", nil, OpenCase{}},
	{"a MED case is opened against an unknown payment", nil, OpenCase{Unknown: true}},
	{"the case becomes ACCEPTED", nil, MoveCase{To: "ACCEPTED"}},
	{"somebody tries to move the case to OPEN", nil, MoveCase{To: "OPEN", Tries: true}},

	{"the account sends a cash-out", nil, Send{Operation: cashOut}},
	{"the other account has sent a cob", nil, Send{Account: TheOther, Accepted: true, Operation: cob}},
	{"the account sends a cash-out with:", fieldsTable, Send{Operation: cashOut, Changes: fields}},
	{"the account sends a cash-out of R$ 10.00", nil, Send{Operation: cashOut, Changes: fields[:1]}},
	{"the account has sent a cob of R$ 10.00", nil, Send{Operation: cob, Accepted: true, Changes: []Change{{Name: "valor.original", Value: literal(`"10.00"`)}}}},
	{"the account sends a cash-out with details.key that key", nil, Send{Operation: cashOut, Changes: fields[1:]}},
	{"the account sends a cob with path txid two words", nil, Send{Operation: cob, Changes: []Change{{Path, "txid", Value{Kind: Text, Text: "two words"}}}}},
	{"the account sends a cash-out with header Content-Type absent", nil, Send{Operation: cashOut, Changes: []Change{{Header, "Content-Type", Value{}}}}},
	{"the account sends a cash-out with certificate absent", nil, Send{Operation: cashOut, Changes: []Change{{Where: ClientCertificate}}}},
	{"the account sends a cash-out whose body is {}:", nil, Send{Operation: cashOut, Raw: &body}},
	{"the account sends a cash-out that the sandbox brings to CONFIRMED", nil, Send{Operation: cashOut, Sandbox: "CONFIRMED"}},
	{"the account sends a cash-out under no token", nil, Send{Operation: cashOut, Under: NoToken}},
	{"the account sends a cash-out of a centavo more than that", nil, Send{Operation: cashOut, OverLimit: true}},
	{"the other account sends it again", nil, Send{Account: TheOther, Again: true}},
	{"the account sends it again with:", fieldsTable, Send{Again: true, Changes: fields}},
	{"the other account sends it again with value 10.00", nil, Send{Account: TheOther, Again: true, Changes: fields[:1]}},
	{"the other account sends the same cash-out of R$ 10.00 8 times at once", nil, Send{Account: TheOther, Operation: cashOut, Changes: fields[:1], AtOnce: 8, Same: true}},
	{"the account sends 300 balance requests at once", nil, Send{Operation: api.MustNamed("balance request"), AtOnce: 300}},
	{"the other account sends 8 cash-outs of R$ 10.00 at once", nil, Send{Account: TheOther, Operation: cashOut, Changes: fields[:1], AtOnce: 8}},
	{"the account has sent 120 cash-outs of R$ 0.01 to one key", nil, PayOneKey{120, 1}},
	{"the account walks the pages of the MED list request by 2", nil, Walk{Operation: api.MustNamed("MED list request"), Size: 2}},
	{"the account walks the pages of the key list request by 2, sending a cash-out after each", nil, Walk{Operation: api.MustNamed("key list request"), Size: 2, Paying: true}},

	{"it is accepted", nil, Answered{Of: It, Expected: accepted}},
	{"it should be accepted", nil, Answered{Of: It, Modality: Should, Expected: accepted}},
	{"each is accepted", nil, Answered{Of: Each, Expected: accepted}},
	{"the others are accepted", nil, Answered{Of: Others, Expected: accepted}},
	{"one is accepted", nil, AcceptedCount{Counts: []int{1}}},
	{"at most 4 are accepted", nil, AcceptedCount{AtMost: true, Counts: []int{4}}},
	{"one or 8 are accepted", nil, AcceptedCount{Counts: []int{1, 8}}},
	{"all accepted answers have the same rtrId", nil, ShareField{"rtrId"}},
	{"one of the two is accepted", nil, OneOfTwo{}},
	{"one of the two is not empty", nil, OneOfTwo{NotEmpty: true}},
	{"the answer has:", rowsTable, Has{Of: It, Rows: rows}},
	{"if it was accepted, the answer has:", rowsTable, Has{Of: It, IfAccepted: true, Rows: rows}},
	{"the others have:", rowsTable, Has{Of: Others, Rows: rows}},
	{"the code is none of:", [][]string{{"A"}, {"B"}}, CodeIsNoneOf{[]string{"A", "B"}}},
	{"its errorCode should be absent", nil, Has{Of: It, Modality: Should, Rows: rows[1:]}},
	{"its code should be HTTP_ERROR", nil, Has{Of: It, Modality: Should, Rows: []Row{{"code", Expected{"HTTP_ERROR", []Phrase{{Kind: Equals, JSON: "HTTP_ERROR"}}}}}}},
	{"both answers differ in id", nil, Differ{Field: "id"}},
	{"both events differ in id", nil, Differ{Events: true, Field: "id"}},
	{"both refusals have an errorId of their own", nil, RefusalsCompare{OwnErrorID}},
	{"the first registration is listed as it was sent", nil, RegistrationListed{First: true}},
	{"the last registration is listed as it was sent", nil, RegistrationListed{}},
	{"no token is given", nil, NoTokenGiven{}},
	{"the answers match the contract", nil, MatchContract{}},

	{"each item has:", rowsTable, Has{Of: EachItem, Rows: rows}},
	{"each item, if any, has:", rowsTable, Has{Of: AnyItem, Rows: rows}},
	{"the list holds the payment", nil, ListHolds{}},
	{"the list does not hold the third payment", nil, ListHolds{Not: true, Payment: 3}},
	{"the list holds the case", nil, ListHolds{Case: true}},
	{"the metadata adds up", nil, MetadataAddsUp{}},
	{"each item came once", nil, EachItemOnce{}},
	{"at most 5 items came", nil, ItemCount{true, 5}},
	{"1 items came", nil, ItemCount{false, 1}},
	{"none of the first 5 payments is missed", nil, NoneMissed{5}},
	{"the payment is listed with:", rowsTable, Has{Of: TheListing, Rows: rows}},
	{"the payment should be listed as before", nil, ListedAsBefore{Should}},
	{"the payment is listed once", nil, ListedOnce{}},

	{"it has become CONFIRMED", nil, HasState{State: "CONFIRMED"}},
	{"the charge is ATIVA", nil, HasState{State: "ATIVA"}},
	{"the refund is DEVOLVIDO", nil, HasState{State: "DEVOLVIDO"}},
	{"it should have stayed CONFIRMED", nil, HasState{State: "CONFIRMED", Modality: Should}},

	{"blocked is unchanged", nil, Moved{Blocked: true}},
	{"available should be unchanged", nil, Moved{Modality: Should}},
	{"available stays unchanged", nil, Moved{Stays: true}},
	{"available does not rise", nil, Moved{Least: -money.Most}},
	{"available does not fall", nil, Moved{Most: money.Most}},
	{"available falls by R$ 10.00", nil, Moved{Least: -1000, Most: -1000}},
	{"available falls by R$ 10.00 to R$ 10.50", nil, Moved{Least: -1050, Most: -1000}},
	{"if it was accepted, blocked rises by R$ 1.00 to R$ 2.00", nil, Moved{Blocked: true, Least: 100, Most: 200, IfAccepted: true}},
	{"available should fall by R$ 1.00", nil, Moved{Least: -100, Most: -100, Modality: Should}},
	{"available falls by R$ 1.00 for each accepted", nil, Moved{Least: -100, Most: -100, EachAccepted: true}},
	{"its splits are PAID", nil, SplitsAre{"PAID"}},
	{"its splits come to R$ 6.00, R$ 3.00 and R$ 1.00", nil, SplitsComeTo{[]money.Centavos{600, 300, 100}}},
	{"R$ 7.00 is left to the account", nil, SplitsLeave{Amount: 700}},
	{"its splits and what is left add up to R$ 7.00", nil, SplitsLeave{Amount: 700, Sum: true}},

	{"a CashOut event arrives", nil, Arrives{Event: "CashOut"}},
	{"if it was accepted, a cash_in event arrives with:", rowsTable, Arrives{Event: "cash_in", IfAccepted: true, Rows: rows}},
	{"a CashOut event arrives at each URL", nil, Arrives{Event: "CashOut", At: EachURL}},
	{`a CashOut event arrives with header X-A "b"`, nil, Arrives{Event: "CashOut", At: FirstURL, Header: "X-A", Value: "b"}},
	{`a CashOut event arrives at the last URL with header X-A "b"`, nil, Arrives{Event: "CashOut", At: LastURL, Header: "X-A", Value: "b"}},
	{"the CashOut event arrives again", nil, Arrives{Event: "CashOut", Again: true}},
	{`the CashOut event should arrive again with header X-A "b"`, nil, Arrives{Event: "CashOut", Again: true, Modality: Should, Header: "X-A", Value: "b"}},
	{"the CashOut event arrives at that URL", nil, Arrives{Event: "CashOut", At: ThatURL}},
	{"the query of the URL has arrived", nil, QueryArrived{}},
	{"the event should be a POST", nil, ArrivedAsPost{}},
	{"nothing arrives", nil, NothingArrives{}},
	{"nothing arrives for med_created", nil, NothingArrives{EventType: "med_created"}},
	{"nothing arrives at the other account", nil, NothingArrives{Account: TheOther}},
	{"no event reports it as LIQUIDATED", nil, NotReported{"LIQUIDATED"}},
	{"no other outcome should follow", nil, NoOtherOutcome{}},
	{`no event carries "secret"`, nil, NoEventCarries{"secret"}},
	{"the event holds:", rowsTable, Has{Of: Event, Rows: rows}},
	{"the event should hold:", rowsTable, Has{Of: Event, Modality: Should, Rows: rows}},
	{"the events match the contract", nil, MatchContract{Events: true}},

	{`its status is noted as "a point"`, nil, Noted{What: AnswerField, Field: "status", Point: "a point"}},
	{`its status is noted as "a point":`, [][]string{{"here", "400 or 422"}, {"there", "201"}}, Noted{What: AnswerField, Field: "status", Point: "a point", Readings: []Reading{{"here", []string{"400", "422"}}, {"there", []string{"201"}}}}},
	{`the event's headers are noted as "a point"`, nil, Noted{What: EventField, Field: "headers", Point: "a point"}},
	{`the payment is noted as "a point"`, nil, Noted{What: ListingField, Field: "operationType", Point: "a point"}},
	{`the payment's status is noted as "a point"`, nil, Noted{What: ListingField, Field: "status", Point: "a point"}},
	{`the refund is noted as "a point"`, nil, Noted{What: RefundListing, Point: "a point"}},
	{`the order of the payments is noted as "a point"`, nil, Noted{What: OrderOfPayments, Point: "a point"}},
	{`the total of the pages is noted as "a point"`, nil, Noted{What: TotalOfPages, Point: "a point"}},
	{`the splits are noted as "a point"`, nil, Noted{What: Splits, Point: "a point"}},
	{`the movement of available is noted as "a point"`, nil, Noted{What: Movement, Point: "a point"}},
	{`it is noted as "a point" whether it is settled`, nil, WhetherNoted{Point: "a point"}},
	{`it is noted as "a point" whether the event arrives again`, nil, WhetherNoted{Point: "a point", Again: true}},
}

func TestEverySentence(t *testing.T) {
	t.Parallel()
	spoken := map[*Sentence]bool{}
	for _, example := range examples {
		step, err := Read(catalogue.Step{Text: example.text, Table: example.table})
		require.NoError(t, err)
		assert.Equal(t, example.want, step.Meaning, example.text)
		assert.Equal(t, example.text, step.Text)
		spoken[step.Sentence] = true
	}
	for _, s := range vocabulary {
		assert.True(t, spoken[s], "add an example of %s to vocabulary_test.go", s.Pattern)
	}
}

func TestWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	table := [][]string{{"value", "1.00"}}
	for _, c := range []struct {
		text  string
		table [][]string
		want  string
	}{
		{"the account dances", nil, "not a sentence of the vocabulary"},
		{"the account sends a cash-out.", nil, "not a sentence"},
		{"and the account sends a cash-out", nil, "not a sentence"},
		{"the account sends a payment", nil, "not a sentence"},
		{"it has become confirmed", nil, "not a sentence"},
		{"available falls by R$ 1", nil, "not a sentence"},
		{"available stays unchanged today", nil, "not a sentence"},
		{"the account sends a cash-out with:", nil, "ends in a colon, but no table follows"},
		{"the answer has:", nil, "ends in a colon, but no table follows"},
		{"the account sends a cash-out", table, "has a table, but does not end in a colon"},
		{"the account sends it again", table, "has a table, but does not end in a colon"},
		{"a CashOut event arrives", table, "has a table, but does not end in a colon"},
		{"the account sends a cash-out with:", [][]string{{"value"}}, `expected rows of a field and a value, got ["value"]`},
		{"the answer has:", [][]string{{"value", "1", "2"}}, "expected rows of a field and a value"},
		{"the account sends a cash-out with:", [][]string{{"value", "a lot"}}, `"a lot" is neither JSON nor a phrase for a value`},
		{"the account sends a cash-out with value 01", nil, `"01" is neither JSON nor a phrase for a value`},
		{"the account sends it again with value a lot", nil, `"a lot" is neither JSON`},
		{"the answer has:", [][]string{{"value", "a lot"}}, `"a lot" is neither JSON nor a phrase for an expected value`},
		{"the event should hold:", [][]string{{"value", "1 or a lot"}}, `"a lot" is neither JSON`},
		{"its code should be nonsense", nil, `"nonsense" is neither JSON`},
		{"it is refused", nil, `expected "accepted", "accepted with STATUS" or "refused with STATUS CODE", got "refused"`},
		{"the account sends a cash-out under its umbrella", nil, `"its umbrella" is not a way to send a token`},
		{"the account sends a token request of R$ 1.00", nil, "a token request has no amount"},
		{"its splits come to R$ 1.00 and half", nil, `"half" is not an amount`},
		{"an account with R$ 99999999999999999999.00 available", nil, "is not a whole number of centavos"},
		{"99999999999999999999 seconds pass", nil, "too large a number"},
		{"9999999999 days pass", nil, "is too long"},
	} {
		_, err := Read(catalogue.Step{Text: c.text, Table: c.table})
		require.ErrorContains(t, err, c.want, c.text)
		require.ErrorContains(t, err, strings.ReplaceAll(c.text, `"`, `\"`), "an error names the sentence")
	}
}

func TestASentenceHasOneReading(t *testing.T) { // not parallel: it extends the vocabulary
	before := vocabulary
	defer func() { vocabulary = before }()
	vocabulary = append(vocabulary[:len(vocabulary):len(vocabulary)], say(`the account is (\w+)`, means(RemoveAccount{})))
	_, err := Read(catalogue.Step{Text: "the account is removed"})
	require.EqualError(t, err, `"the account is removed" can be read in two ways: the account is removed and the account is (\w+)`)
	step, err := Read(catalogue.Step{Text: "the account is merged"})
	require.NoError(t, err)
	require.Equal(t, Effects{Changes: Everything}, step.Effects, "a row without effects changes everything")
}

func TestAnErrorNamesFileAndLine(t *testing.T) {
	t.Parallel()
	s := &catalogue.Scenario{
		Rule:  &catalogue.Rule{Feature: &catalogue.Feature{File: "x.feature"}},
		Steps: []catalogue.Step{{Text: "an account", Line: 6}, {Text: "nonsense", Line: 7}},
	}
	_, err := ReadAll(s)
	require.EqualError(t, err, `x.feature:7: "nonsense" is not a sentence of the vocabulary`)
}
