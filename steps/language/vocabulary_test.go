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
	{"a limit of 10 requests per minute", nil, LimitRequests{10}},
	{"no limits", nil, LiftLimits{}},
	{"the account has a per-transaction limit", nil, OwnLimit{PerTransaction}},
	{"the other account has a token", nil, HoldToken{TheOther}},
	{"the account receives cash_out webhooks", nil, Receive{EventTypes: []string{"cash_out"}, Count: 1}},
	{"the other account receives cash_in webhooks at the same URL", nil, Receive{Account: TheOther, EventTypes: []string{"cash_in"}, SameURL: true, Count: 1}},
	{"the account receives cash_out webhooks at 3 URLs", nil, Receive{EventTypes: []string{"cash_out"}, Count: 3}},
	{`the account receives cash_out webhooks with header X-A "b c"`, nil, Receive{EventTypes: []string{"cash_out"}, Count: 1, Header: "X-A", Value: "b c"}},
	{"the account receives webhooks of every type", nil, Receive{EventTypes: api.EventTypes, Count: 1}},
	{"the webhook endpoint returns 500", nil, ReceiverAnswers{Status: 500}},
	{"the first webhook endpoint returns 200", nil, ReceiverAnswers{URL: 1, Status: 200}},
	{"the third webhook endpoint returns 200", nil, ReceiverAnswers{URL: 3, Status: 200}},
	{"the second webhook endpoint returns 204 after a second", nil, ReceiverAnswers{URL: 2, Status: 204, Manner: AfterASecond}},
	{"the webhook endpoint returns 200 compressed", nil, ReceiverAnswers{Status: 200, Manner: Compressed}},
	{"the first webhook endpoint redirects to a new URL with 307", nil, ReceiverAnswers{URL: 1, Status: 307, Redirects: true}},
	{"the account is removed", nil, RemoveAccount{}},
	{"the gateway returns sent payments for a list-by-key request", nil, ListsSent{api.MustNamed("list-by-key request")}},
	{"the gateway supports GET /balance", nil, OffersStandardBalance{}},
	{"a MED case that is OPEN", nil, InState{"MED case", "OPEN", 1000}},
	{"a cash-out of R$ 7.31 that is PENDING", nil, InState{"cash-out", "PENDING", 731}},

	{"the other account also has an expired certificate", nil, AddCertificate{TheOther, "an expired"}},
	{"the other account also has that certificate", nil, AddCertificate{TheOther, "that"}},
	{"that certificate is revoked", nil, RevokeCertificate{ThatCertificate}},
	{"the second added certificate is revoked", nil, RevokeCertificate{SecondAdded}},
	{"a self-signed certificate that was never registered", nil, MakeCertificate{"a self-signed"}},
	{"the other account requests a token with that certificate", nil, Present{TheOther, ThatCertificate}},
	{"the account requests a token with the first added certificate", nil, Present{TheAccount, FirstAdded}},
	{`the other account requests a token with its certificate in the form "PEM"`, nil, PresentAs{TheOther, "PEM"}},
	{"clients present their certificate in the TLS handshake", nil, ShownInHandshake{}},
	{"the account requests its own token with no certificate in the handshake and the other account's in two headers", nil, PresentInHeader{ShowNone: true, In: "two headers"}},
	{"the account requests the other account's token with its own certificate in the handshake and the other account's in the header", nil, PresentInHeader{ForOther: true, In: "the header"}},

	{"it is 23:59 in São Paulo", nil, SetTime{23, 59, 0}},
	{"it is 06:00:01 in São Paulo", nil, SetTime{6, 0, 1}},
	{"it is noon on 28 February of the next leap year in São Paulo", nil, SetDate{time.February, 28}},
	{"15 minutes pass", nil, PassTime{15 * time.Minute}},
	{"settlement waits for the bank", nil, HoldSettlement{}},
	{"the bank confirms the payment", nil, Settle{}},
	{"the bank confirms each payment", nil, Settle{Each: true}},
	{"the bank rejects each payment with ACCOUNT_CLOSED", nil, Settle{Each: true, ErrorCode: api.AccountClosed}},
	{"the bank tries to confirm the second payment", nil, Settle{Payment: 2, Tries: true}},
	{"the bank confirms the 4th payment", nil, Settle{Payment: 4}},
	{"the bank rejects the first payment with ORDER_REJECTED", nil, Settle{Payment: 1, ErrorCode: "ORDER_REJECTED"}},
	{"the bank tries to reject the payment with ORDER_REJECTED", nil, Settle{ErrorCode: "ORDER_REJECTED", Tries: true}},
	{"the key directory has a new key for a blocked account", nil, PutKey{Kind: EmailKey, Holder: BlockedAccount, ISPB: "60701190"}},
	{"the key directory has a new phone key", nil, PutKey{Kind: PhoneKey}},
	{"the key directory has a new CPF key at ISPB 12345678", nil, PutKey{Kind: CPFKey, ISPB: "12345678"}},
	{"the key directory has a new CNPJ key that starts with 0", nil, PutKey{Kind: CNPJKey, Zero: true}},
	{"the key directory has a new landline key", nil, PutKey{Kind: LandlineKey}},
	{"upstream authentication returns an invalid response", nil, Fault{Upstream: "error"}},
	{"upstream authentication is unreachable", nil, Fault{Upstream: "unavailable"}},
	{"the PIX provider is reachable again", nil, Fault{Provider: "none"}},
	{"the PIX provider's minimum expirationTime is 300 seconds", nil, Fault{LeastExpiration: 300}},

	{"a payer pays the charge", nil, Pay{Payer: APayer, Times: 1}},
	{"a company pays the second charge", nil, Pay{Payer: ACompany, Charge: 2, Times: 1}},
	{"another payer tries to pay R$ 9.99 for the charge", nil, Pay{Payer: AnotherPayer, Tries: true, Amount: new(money.Centavos(999)), Times: 1}},
	{"a payer pays the charge 3 times concurrently", nil, Pay{Times: 3}},
	{"the account has received R$ 10.00 through a cob", nil, HasBeenPaid{1000, cob}},
	{"the receiver removes the charge", nil, EndCharge{}},
	{"the PSP tries to remove the charge", nil, EndCharge{ByPSP: true, Tries: true}},
	{"the receiver removes the first charge", nil, EndCharge{Charge: 1}},
	{"refunds wait for the bank", nil, HoldRefunds{}},
	{"the bank confirms the refund", nil, EndRefund{}},
	{"the bank rejects the refund", nil, EndRefund{Fails: true}},
	{"the bank tries to reject the refund", nil, EndRefund{Fails: true, Tries: true}},
	{"the bank confirms the second refund", nil, EndRefund{Refund: 2}},
	{"the payee returns R$ 8.41", nil, Return{841}},
	{"a MED case is opened against the payment", nil, OpenCase{}},
	{"a MED case is opened against the first payment", nil, OpenCase{Payment: 1}},
	{"a MED case is opened against an unknown payment", nil, OpenCase{Unknown: true}},
	{"12 MED cases are opened against unknown payments", nil, OpenCase{Unknown: true, Times: 12}},
	{"the bank moves the case to ACCEPTED", nil, MoveCase{To: "ACCEPTED"}},
	{"the bank tries to move the case to OPEN", nil, MoveCase{To: "OPEN", Tries: true}},
	{"the bank moves the third case to CANCELLED", nil, MoveCase{Case: 3, To: "CANCELLED"}},

	{"the account sends a cash-out", nil, Send{Operation: cashOut}},
	{"the other account has sent a cob", nil, Send{Account: TheOther, Accepted: true, Operation: cob}},
	{"the account sends a cash-out with:", fieldsTable, Send{Operation: cashOut, Changes: fields}},
	{"the account sends a cash-out of R$ 10.00", nil, Send{Operation: cashOut, Changes: fields[:1]}},
	{"the account has sent a cob, if the gateway accepts it", nil, Send{Operation: cob, Accepted: true, IfItCan: true}},
	{"the account has sent a cob with path txid two words, if the gateway accepts it", nil, Send{Operation: cob, Accepted: true, IfItCan: true, Changes: []Change{{Path, "txid", Value{Kind: Text, Text: "two words"}}}}},
	{"the account has sent a cob of R$ 10.00", nil, Send{Operation: cob, Accepted: true, Changes: []Change{{Name: "valor.original", Value: literal(`"10.00"`)}}}},
	{"the account sends a cash-out with details.key that key", nil, Send{Operation: cashOut, Changes: fields[1:]}},
	{"the account sends a cob with path txid two words", nil, Send{Operation: cob, Changes: []Change{{Path, "txid", Value{Kind: Text, Text: "two words"}}}}},
	{"the account sends a cash-out with header Content-Type absent", nil, Send{Operation: cashOut, Changes: []Change{{Header, "Content-Type", Value{}}}}},
	{"the account sends a cash-out with certificate absent", nil, Send{Operation: cashOut, Changes: []Change{{Where: ClientCertificate}}}},
	{"the account sends a cash-out of every shape", nil, Send{Operation: cashOut, EveryShape: true}},
	{"the account sends a cash-out of every shape with description absent", nil, Send{Operation: cashOut, EveryShape: true, Changes: []Change{{Name: "description", Value: Value{Kind: Absent}}}}},
	{"the account sends a cash-out of every shape with:", [][]string{{"description", "absent"}}, Send{Operation: cashOut, EveryShape: true, Changes: []Change{{Name: "description", Value: Value{Kind: Absent}}}}},
	{"the account sends a cash-out of every shape using no token", nil, Send{Operation: cashOut, EveryShape: true, Under: NoToken}},
	{"the account sends a cash-out of every shape for every pair of:", [][]string{{"token"}, {"no token"}}, Send{Operation: cashOut, EveryShape: true, Dimensions: []Dimension{{"token", []Choice{{Words: "no token", Under: NoToken}}}}}},
	{"the account sends each of them again", nil, Send{EachAgain: true}},
	{"the account sends a cash-out of every shape whose value is invalid", nil, Send{Operation: cashOut, EveryShape: true, Changes: []Change{{Name: "value", Value: Value{Kind: Invalid}}}}},
	{"the account sends a cash-out whose value is of another type", nil, Send{Operation: cashOut, Changes: []Change{{Name: "value", Value: Value{Kind: Mistyped}}}}},
	{"the account sends a cash-out in wrong types", nil, Send{Operation: cashOut, Changes: []Change{{Value: Value{Kind: Mistyped}}}}},
	{"the account sends a cash-out in unusual JSON", nil, Send{Operation: cashOut, Changes: []Change{{Value: Value{Kind: Unusual}}}}},
	{"the account sends a cash-out whose body is {}:", nil, Send{Operation: cashOut, Raw: &body}},
	{"the account sends a cash-out requesting sandbox outcome CONFIRMED", nil, Send{Operation: cashOut, Sandbox: "CONFIRMED"}},
	{"the account sends a cash-out using no token", nil, Send{Operation: cashOut, Under: NoToken}},
	{"the account sends a cash-out one centavo above that limit", nil, Send{Operation: cashOut, OverLimit: true}},
	{"the other account sends the request again", nil, Send{Account: TheOther, Again: true}},
	{"the account sends the request again with:", fieldsTable, Send{Again: true, Changes: fields}},
	{"the other account sends the request again with value 10.00", nil, Send{Account: TheOther, Again: true, Changes: fields[:1]}},
	{"the other account sends the same cash-out of R$ 10.00 in 8 concurrent requests", nil, Send{Account: TheOther, Operation: cashOut, Changes: fields[:1], AtOnce: 8, Same: true}},
	{"the account sends 300 concurrent balance requests", nil, Send{Operation: api.MustNamed("balance request"), AtOnce: 300}},
	{"the other account sends 8 concurrent cash-outs of R$ 10.00", nil, Send{Account: TheOther, Operation: cashOut, Changes: fields[:1], AtOnce: 8}},
	{"the account has sent 120 cash-outs of R$ 0.01 to one key", nil, SendMany{Operation: cashOut, Count: 120, Amount: 1, OneKey: true}},
	{"the account has sent 10 transfers of R$ 0.07", nil, SendMany{Operation: api.MustNamed("transfer"), Count: 10, Amount: 7}},
	{"the account sends a cash-out of R$ 60.00 on each of 40 days", nil, SendMany{Operation: cashOut, Count: 40, Amount: 6000, Daily: true}},
	{"the scenario returns to the second payment", nil, ReturnTo{2}},
	{"these happen at once:", [][]string{{"the account sends a cash-out of R$ 10.00", "id a"}, {"the bank rejects the first payment with ORDER_REJECTED", ""}}, Burst{[]BurstPart{
		{Send{Operation: cashOut, Changes: fields[:1]}, "a"}, {Settle{Payment: 1, ErrorCode: "ORDER_REJECTED"}, ""},
	}}},
	{"the outcome is possible one at a time", nil, InSomeOrder{}},
	{"the account pages through a MED list request, 2 items per page", nil, Walk{Operation: api.MustNamed("MED list request"), Size: 2}},
	{"the account pages through a list-by-key request, 2 items per page, sending a cash-out after each page", nil, Walk{Operation: api.MustNamed("list-by-key request"), Size: 2, Paying: true}},

	{"the request is accepted", nil, Answered{Of: It, Expected: accepted}},
	{"the request should be accepted", nil, Answered{Of: It, Modality: Should, Expected: accepted}},
	{"every request is accepted", nil, Answered{Of: Each, Expected: accepted}},
	{"the others are accepted", nil, Answered{Of: Others, Expected: accepted}},
	{"one request is accepted", nil, AcceptedCount{Counts: []int{1}}},
	{"at most 4 requests are accepted", nil, AcceptedCount{AtMost: true, Counts: []int{4}}},
	{"one or 8 requests are accepted", nil, AcceptedCount{Counts: []int{1, 8}}},
	{"all accepted responses have the same rtrId", nil, ShareField{"rtrId"}},
	{"at least one of the two requests is accepted", nil, OneOfTwo{}},
	{"at least one of the two lists is not empty", nil, OneOfTwo{NotEmpty: true}},
	{"the response has:", rowsTable, Has{Of: It, Rows: rows}},
	{"if the request was accepted, the response has:", rowsTable, Has{Of: It, IfAccepted: true, Rows: rows}},
	{"if data[0].payment is not null, the response has:", rowsTable, Has{Of: It, NotNull: "data[0].payment", Rows: rows}},
	{"the others have:", rowsTable, Has{Of: Others, Rows: rows}},
	{"the code is not one of:", [][]string{{"A"}, {"B"}}, CodeIsNoneOf{[]string{"A", "B"}}},
	{"the response's errorCode should be absent", nil, Has{Of: It, Modality: Should, Rows: rows[1:]}},
	{"the response's code should be HTTP_ERROR", nil, Has{Of: It, Modality: Should, Rows: []Row{{"code", Expected{"HTTP_ERROR", []Phrase{{Kind: Equals, JSON: "HTTP_ERROR"}}}}}}},
	{"the two responses differ in id", nil, Differ{Field: "id"}},
	{"the two events differ in id", nil, Differ{Events: true, Field: "id"}},
	{"the two rejections have different errorIds", nil, RefusalsCompare{OwnErrorID}},
	{"the first registration is listed as it was sent", nil, RegistrationListed{First: true}},
	{"the last registration is listed as it was sent", nil, RegistrationListed{}},
	{"each registration is listed as it was last sent", nil, RegistrationListed{Each: true}},
	{"no token is returned", nil, NoTokenGiven{}},
	{"the responses match the contract", nil, MatchContract{}},

	{"each item has:", rowsTable, Has{Of: EachItem, Rows: rows}},
	{"each item, if any, has:", rowsTable, Has{Of: AnyItem, Rows: rows}},
	{"the list contains the payment", nil, ListHolds{}},
	{"the list does not contain the third payment", nil, ListHolds{Not: true, Nth: 3}},
	{"the list contains the case", nil, ListHolds{Case: true}},
	{"the list contains the second case", nil, ListHolds{Case: true, Nth: 2}},
	{"the account's transaction list contains exactly the matching payments for every filter", nil, ListMatches{api.MustNamed("transaction list request"), TheAccount, 1}},
	{"the account sends the request again using no token", nil, Send{Again: true, Under: NoToken}},
	{"the account sends concurrent cash-outs of every shape for every pair of:", [][]string{{"token"}, {"no token"}}, Send{Operation: cashOut, Concurrent: true, EveryShape: true, Dimensions: []Dimension{{"token", []Choice{{Words: "no token", Under: NoToken}}}}}},
	{"the other account's list by key contains exactly the matching payments for every pair of filters", nil, ListMatches{api.MustNamed("list-by-key request"), TheOther, 2}},
	{"the account's MED list contains exactly the matching cases for every three filters", nil, ListMatches{api.MustNamed("MED list request"), TheAccount, 3}},
	{"the metadata is consistent", nil, MetadataAddsUp{}},
	{"no item appears twice", nil, EachItemOnce{}},
	{"at most 5 items are returned", nil, ItemCount{true, 5}},
	{"1 items are returned", nil, ItemCount{false, 1}},
	{"none of the first 5 payments is missing", nil, NoneMissed{5}},
	{"the payment is listed with:", rowsTable, Has{Of: TheListing, Rows: rows}},
	{"if the request was accepted, the payment is listed with:", rowsTable, Has{Of: TheListing, IfAccepted: true, Rows: rows}},
	{"the second payment is listed with:", rowsTable, Has{Of: TheListing, Nth: 2, Rows: rows}},
	{"the first case is listed with:", rowsTable, Has{Of: TheCase, Nth: 1, Rows: rows}},
	{"if its payment is not null, the case is listed with:", rowsTable, Has{Of: TheCase, NotNull: "payment", Rows: rows}},
	{"the payment should be listed as before", nil, ListedAsBefore{Should}},
	{"the payment is listed once", nil, ListedOnce{}},

	{"its state is CONFIRMED", nil, HasState{State: "CONFIRMED"}},
	{"the charge is ATIVA", nil, HasState{Of: api.Charge, State: "ATIVA"}},
	{"the second charge is ATIVA", nil, HasState{Of: api.Charge, Nth: 2, State: "ATIVA"}},
	{"the refund is DEVOLVIDO", nil, HasState{Of: api.Refund, State: "DEVOLVIDO"}},
	{"nothing changes", nil, NothingChanges{}},
	{"nothing else changes", nil, NothingChanges{}},
	{"the webhook sent is none", nil, NothingChanges{OnlyEvents: true}},
	{"the webhook sent is RECEIVE", nil, Arrives{Event: "RECEIVE"}},
	{"the webhook sent is cash_in again", nil, Arrives{Event: "cash_in", Again: true}},
	{"the webhook sent is CashOut ERROR", nil, Arrives{Event: "CashOut", Rows: []Row{{"status", Expected{Words: `"ERROR"`, Alternatives: []Phrase{{Kind: Equals, JSON: "ERROR"}}}}}}},
	{"its state should still be CONFIRMED", nil, HasState{State: "CONFIRMED", Modality: Should}},

	{"the blocked balance is unchanged", nil, Moved{Blocked: true}},
	{"the available balance should be unchanged", nil, Moved{Modality: Should}},
	{"the available balance stays unchanged", nil, Moved{Stays: true}},
	{"the available balance does not rise", nil, Moved{Least: -money.Most}},
	{"the available balance does not fall", nil, Moved{Most: money.Most}},
	{"the available balance falls by R$ 10.00", nil, Moved{Least: -1000, Most: -1000}},
	{"the available balance falls by R$ 10.00 to R$ 10.50", nil, Moved{Least: -1050, Most: -1000}},
	{"if the request was accepted, the blocked balance rises by R$ 1.00 to R$ 2.00", nil, Moved{Blocked: true, Least: 100, Most: 200, IfAccepted: true}},
	{"the available balance should fall by R$ 1.00", nil, Moved{Least: -100, Most: -100, Modality: Should}},
	{"the available balance falls by R$ 1.00 per accepted request", nil, Moved{Least: -100, Most: -100, EachAccepted: true}},
	{"the splits are PAID", nil, SplitsAre{Statuses: []string{"PAID"}}},
	{"the splits of the first charge are PAID, PENDING and PAID", nil, SplitsAre{1, []string{"PAID", "PENDING", "PAID"}}},
	{"the split amounts are R$ 6.00, R$ 3.00 and R$ 1.00", nil, SplitsComeTo{Amounts: []money.Centavos{600, 300, 100}}},
	{"the split amounts of the second charge are R$ 6.00", nil, SplitsComeTo{2, []money.Centavos{600}}},
	{"the account keeps R$ 7.00", nil, SplitsLeave{Amount: 700}},
	{"if the request was accepted, the account keeps R$ 7.00", nil, SplitsLeave{Amount: 700, IfAccepted: true}},
	{"the splits and the account's share add up to R$ 7.00", nil, SplitsLeave{Amount: 700, Sum: true}},

	{"a CashOut event arrives", nil, Arrives{Event: "CashOut"}},
	{"if the request was accepted, a cash_in event arrives with:", rowsTable, Arrives{Event: "cash_in", IfAccepted: true, Rows: rows}},
	{"a CashOut event of the second payment arrives", nil, Arrives{Event: "CashOut", Of: 2}},
	{"a RECEIVE event of the first charge arrives with:", rowsTable, Arrives{Event: "RECEIVE", Of: 1, Rows: rows}},
	{"a REFUND event of the second refund arrives", nil, Arrives{Event: "REFUND", Of: 2}},
	{"a CashOut event arrives at each URL", nil, Arrives{Event: "CashOut", At: EachURL}},
	{"a TRANSFER event of each payment arrives", nil, Arrives{Event: "TRANSFER", EachPayment: true}},
	{"the account sends the request again using no token", nil, Send{Again: true, Under: NoToken}},
	{"the account sends the request again 12 times", nil, Send{Again: true, Times: 12}},
	{"a CashOut event of each payment arrives at each URL that has not failed", nil, Arrives{Event: "CashOut", EachPayment: true, At: EachURL, NotFailed: true}},
	{"a RECEIVE event of the second charge arrives at each URL", nil, Arrives{Event: "RECEIVE", Of: 2, At: EachURL}},
	{"a CashOut event of each payment arrives at each URL with its headers", nil, Arrives{Event: "CashOut", EachPayment: true, At: EachURL, ItsHeaders: true}},
	{`a CashOut event arrives with header X-A "b"`, nil, Arrives{Event: "CashOut", At: FirstURL, Header: "X-A", Value: "b"}},
	{`a CashOut event arrives at the last URL with header X-A "b"`, nil, Arrives{Event: "CashOut", At: LastURL, Header: "X-A", Value: "b"}},
	{"the CashOut event arrives again", nil, Arrives{Event: "CashOut", Again: true}},
	{"the REFUND event arrives again with:", rowsTable, Arrives{Event: "REFUND", Again: true, Rows: rows}},
	{"if the request was accepted, the CashOut event of the first payment arrives again", nil, Arrives{Event: "CashOut", IfAccepted: true, Of: 1, Again: true}},
	{`the CashOut event should arrive again with header X-A "b"`, nil, Arrives{Event: "CashOut", Again: true, Modality: Should, Header: "X-A", Value: "b"}},
	{"the CashOut event arrives at that URL", nil, Arrives{Event: "CashOut", At: ThatURL}},
	{"the event's request includes the URL's query string", nil, QueryArrived{}},
	{"the event should be a POST", nil, ArrivedAsPost{}},
	{"no event arrives", nil, NothingArrives{}},
	{"no med_created event arrives", nil, NothingArrives{EventType: "med_created"}},
	{"no event arrives at the other account", nil, NothingArrives{Account: TheOther}},
	{"no event arrives at URLs for other event types", nil, NothingArrives{OtherTypes: true}},
	{"no event arrives at that URL", nil, NothingArrives{ThatURL: true}},
	{"no event reports it as LIQUIDATED", nil, NotReported{"LIQUIDATED"}},
	{"no event should report a different outcome", nil, NoOtherOutcome{}},
	{`no event has a header containing "secret"`, nil, NoEventCarries{"secret"}},
	{"the event has:", rowsTable, Has{Of: Event, Rows: rows}},
	{"the event should have:", rowsTable, Has{Of: Event, Modality: Should, Rows: rows}},
	{"the events match the contract", nil, MatchContract{Events: true}},

	{`the response's status is recorded for open point "a point"`, nil, Noted{What: AnswerField, Field: "status", Point: "a point"}},
	{`the response's status is recorded for open point "a point":`, [][]string{{"here", "400 or 422"}, {"there", "201"}}, Noted{What: AnswerField, Field: "status", Point: "a point", Readings: []Reading{{"here", []string{"400", "422"}}, {"there", []string{"201"}}}}},
	{`the event's headers are recorded for open point "a point"`, nil, Noted{What: EventField, Field: "headers", Point: "a point"}},
	{`how the payment is listed is recorded for open point "a point"`, nil, Noted{What: ListingField, Field: "operationType", Point: "a point"}},
	{`the payment's status is recorded for open point "a point"`, nil, Noted{What: ListingField, Field: "status", Point: "a point"}},
	{`how the refund is listed is recorded for open point "a point"`, nil, Noted{What: RefundListing, Point: "a point"}},
	{`the order of the payments is recorded for open point "a point"`, nil, Noted{What: OrderOfPayments, Point: "a point"}},
	{`the total number of items is recorded for open point "a point"`, nil, Noted{What: TotalOfPages, Point: "a point"}},
	{`the splits are recorded for open point "a point"`, nil, Noted{What: Splits, Point: "a point"}},
	{`the change in the available balance is recorded for open point "a point"`, nil, Noted{What: Movement, Point: "a point"}},
	{`whether it is settled is recorded for open point "a point"`, nil, WhetherNoted{Point: "a point"}},
	{`whether the event arrives again is recorded for open point "a point"`, nil, WhetherNoted{Point: "a point", Again: true}},
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
		assert.True(t, spoken[s], "add an example of %s to vocabulary_test.go", s.template)
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
		{"its state is confirmed", nil, "not a sentence"},
		{"the available balance falls by R$ 1", nil, "not a sentence"},
		{"the available balance stays unchanged today", nil, "not a sentence"},
		{"the account sends a cash-out with:", nil, "ends in a colon, but no table follows"},
		{"the response has:", nil, "ends in a colon, but no table follows"},
		{"the account sends a cash-out", table, "has a table, but does not end in a colon"},
		{"the account sends the request again", table, "has a table, but does not end in a colon"},
		{"a CashOut event arrives", table, "has a table, but does not end in a colon"},
		{"the account sends a cash-out with:", [][]string{{"value"}}, `expected rows of a field and a value, got ["value"]`},
		{"the response has:", [][]string{{"value", "1", "2"}}, "expected rows of a field and a value"},
		{"the account sends a cash-out with:", [][]string{{"value", "a lot"}}, `"a lot" is neither JSON nor a phrase for a value`},
		{"the account sends a cash-out with value 01", nil, `"01" is neither JSON nor a phrase for a value`},
		{"the account sends the request again with value a lot", nil, `"a lot" is neither JSON`},
		{"the response has:", [][]string{{"value", "a lot"}}, `"a lot" is neither JSON nor a phrase for an expected value`},
		{"the event should have:", [][]string{{"value", "1 or a lot"}}, `"a lot" is neither JSON`},
		{"the response's code should be nonsense", nil, `"nonsense" is neither JSON`},
		{"the request is rejected", nil, `expected "accepted", "accepted with STATUS" or "rejected with STATUS CODE", got "rejected"`},
		{"the account sends a cash-out using its umbrella", nil, `"its umbrella" is not a way to send a token`},
		{"the account sends a token request of R$ 1.00", nil, "a token request has no amount"},
		{"the split amounts are R$ 1.00 and half", nil, `"half" is not an amount`},
		{"an account with R$ 99999999999999999999.00 available", nil, "is not a whole number of centavos"},
		{"99999999999999999999 seconds pass", nil, "too large a number"},
		{"9999999999 days pass", nil, "is too long"},
		{"the bank confirms the 2th payment", nil, "2th is not spelled second"},
		{"the account receives cash_out webhooks at 0 URLs", nil, "not a sentence"},
		{"a payer pays the charge 0 times concurrently", nil, "not a sentence"},
	} {
		_, err := Read(catalogue.Step{Text: c.text, Table: c.table})
		require.ErrorContains(t, err, c.want, c.text)
		require.ErrorContains(t, err, strings.ReplaceAll(c.text, `"`, `\"`), "an error names the sentence")
	}
}

func TestASentenceHasOneReading(t *testing.T) { // not parallel: it extends the vocabulary
	before := vocabulary
	defer func() { vocabulary = before }()
	vocabulary = append(vocabulary[:len(vocabulary):len(vocabulary)], say(`the account is {what:word}`, RemoveAccount{}))
	_, err := Read(catalogue.Step{Text: "the account is removed"})
	require.EqualError(t, err, `"the account is removed" can be read in two ways: the account is removed and the account is {what:word}`)
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
