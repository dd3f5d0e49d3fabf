package language

import (
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/target"
)

// vocabulary is every sentence of the features: what is given, what is done, what then holds.
// A row has the form, the value that it is read into, and its effects: what the step does to
// the target, what it reads and what it needs. A row without effects counts as changing
// everything.
var vocabulary = []*Sentence{
	// Accounts and what they have.
	say(anAccount, finishedBy(Open{}, whichAccount), harmless, opens),
	say(anAccount+` with [{Exactly=exactly}] {Available} available[{IfItCan=, if the gateway supports that balance}]`, finishedBy(Open{Funded: true}, whichAccount), harmless, opens),
	say(`the account has {Available} available`, SetAvailable{}, needs(target.Funds)),
	say(`a {CashIn=cash-out|cash-in} fee of {Fee}`, SetFee{}, needs(target.FeesControl)),
	say(`no fees`, NoFees{}, harmless, wants(target.FeesControl, NoFeesStated)),
	say(`a {Limit=per-transaction|daily|night} limit of {Amount}`, SetLimit{}, needs(target.LimitsControl)),
	say(`a limit of {PerMinute} requests per minute`, LimitRequests{}, needs(target.LimitsControl)),
	say(`no limits`, LiftLimits{}, wants(target.LimitsControl, NoLimitsStated)),
	say(`the account has a {Limit=per-transaction|daily|night} limit`, OwnLimit{}, wantsLimit, wantsFees),
	say(`{Account} has a token`, HoldToken{}, harmless),
	say(`{Account} receives {EventTypes:word} webhooks [{SameURL=at the same URL}] [at {Count:oneToNine} URLs] [with header {Header} "{Value:quoted}"]`, Receive{Count: 1}, uses(target.Webhooks), registers),
	say(`the account receives webhooks of every type`, Receive{EventTypes: api.EventTypes, Count: 1}, uses(target.Webhooks), registers),
	say(`the [{URL}] webhook endpoint returns {Status:status} [{Manner=after a second|after three seconds|compressed|in chunks|as HTML|with a long body}]`, ReceiverAnswers{}, harmless),
	say(`the [{URL}] webhook endpoint redirects to a new URL with {Status:status}`, ReceiverAnswers{Redirects: true}, harmless, opensURL),
	say(`the account is removed`, RemoveAccount{}, needs(target.Accounts)),
	say(`the gateway returns sent payments for a {Operation=transaction list request|list-by-key request}`, ListsSent{}, requests, opensFunded, reads(Lists)),
	say(`the gateway supports GET /balance`, OffersStandardBalance{}, harmless, reads(Lists)),
	say(`a[n] {Noun=cash-out|QR cash-out|transfer|cash-in|split cash-in|cob|refund|MED case} [of {Amount}] that is {State}`, InState{Amount: ten}, requests, needsForState),

	// Certificates.
	say(`{Account} also has {Kind:addedKind} certificate`, AddCertificate{}, needs(target.Certificates)),
	say(`{Certificate=that certificate|the first added certificate|the second added certificate} is revoked`, RevokeCertificate{}, needs(target.Certificates)),
	say(`{Kind:newKind} certificate that was never registered`, MakeCertificate{}, harmless),
	say(`{Account} requests a token with {Certificate=no certificate|that certificate|the first added certificate|the second added certificate|the other account's certificate|a certificate that was never registered}`, Present{}, harmless),
	say(`{Account} requests a token with its certificate in the form "{Form:quoted}"`, PresentAs{}, harmless, shows(InHeader)),
	say(`clients present their certificate in the TLS handshake`, ShownInHandshake{}, harmless, shows(InHandshake)),
	say(`the account requests {ForOther=its own|the other account's} token with {ShowNone=its own|no} certificate in the handshake and the other account's in {In:text}`, PresentInHeader{}, harmless),

	// Time, the bank, the key directory, what is behind the gateway.
	say(`it is {Hour:HH}:{Minute:MM}[:{Second:SS}] in São Paulo`, SetTime{}, needs(target.Clock)),
	say(`it is noon on {Day:day} {Month} of the next leap year in São Paulo`, SetDate{}, needs(target.Clock)),
	say(`{By} pass`, PassTime{}, needs(target.Clock)),
	say(`settlement waits for the bank`, HoldSettlement{}, needs(target.Settlement)),
	say(`the bank {Tries=confirms|tries to confirm} the [{Payment}] payment`, Settle{}, needs(target.Settlement)),
	say(`the bank {Tries=rejects|tries to reject} the [{Payment}] payment with {ErrorCode}`, Settle{}, needs(target.Settlement)),
	say(`the bank confirms {Each=each} payment`, Settle{}, needs(target.Settlement)),
	say(`the bank rejects {Each=each} payment with {ErrorCode}`, Settle{}, needs(target.Settlement)),
	say(`the key directory has a new key for {Holder=another document|the same document|a blocked account|a closed account}`, PutKey{Kind: EmailKey, ISPB: "60701190"}, needs(target.Directory)),
	say(`the key directory has a new {Kind=CPF|CNPJ|e-mail|phone|landline|random} key [{Zero=that starts with 0}] [at ISPB {ISPB:ispb}]`, PutKey{}, needs(target.Directory)),
	say(`upstream authentication {fault=returns an invalid response|is unreachable|is reachable again}`, finishedBy(Fault{}, func(w *words, f *Fault) { f.Upstream = faults[w.matched("fault")] }), needs(target.FaultsControl)),
	say(`the PIX provider {fault=is unreachable|is reachable again}`, finishedBy(Fault{}, func(w *words, f *Fault) { f.Provider = faults[w.matched("fault")] }), needs(target.FaultsControl)),
	say(`the PIX provider's minimum expirationTime is {LeastExpiration} seconds`, Fault{}, needs(target.FaultsControl)),

	// Charges, refunds, returns, MED cases: what others do.
	say(`{Payer=a payer|another payer|a company} {Tries=pays|tries to pay} [{Amount} for] the [{Charge}] charge`, Pay{Times: 1}, needs(target.Payments)),
	say(`a payer pays the charge {Times:oneToNine} times concurrently`, Pay{}, needs(target.Payments)),
	say(`the account has received {Amount} through a {Operation=cash-in|cob}`, HasBeenPaid{}, requests, needs(target.Payments)),
	say(`the {ByPSP=receiver|PSP} {Tries=removes|tries to remove} the [{Charge}] charge`, EndCharge{}, needs(target.Charges)),
	say(`refunds wait for the bank`, HoldRefunds{}, needs(target.Refunds)),
	say(`the bank {how=confirms|rejects|tries to confirm|tries to reject} the [{Refund}] refund`, finishedBy(EndRefund{}, func(w *words, r *EndRefund) {
		r.Fails, r.Tries = strings.Contains(w.matched("how"), "reject"), strings.HasPrefix(w.matched("how"), "tries")
	}), needs(target.Refunds)),
	say(`the payee returns {Amount}`, Return{}, needs(target.Returns)),
	say(`a MED case is opened against ({Unknown=an unknown} payment|the [{Payment}] payment)`, OpenCase{}, needs(target.MED)),
	say(`{Times:number} MED cases are opened against unknown payments`, OpenCase{Unknown: true}, needs(target.MED)),
	say(`the bank {Tries=moves|tries to move} the [{Case}] case to {To:state}`, MoveCase{}, needs(target.MED)),

	// Requests: a valid one, and what is changed in it.
	say(request+` [with:]`, Send{}, sends),
	say(request+`{IfItCan=, if the gateway accepts it}[, with:]`, finishedBy(Send{}, ifSupported), sends),
	say(request+` of {amount}`, finishedBy(Send{}, ofAmount), sends),
	say(request+` with {Changes}[{IfItCan=, if the gateway accepts it}]`, finishedBy(Send{}, ifSupported), sends),
	say(request+` of every shape [with:]`, Send{EveryShape: true}, sends),
	say(request+` of every shape using {Under}`, Send{EveryShape: true}, sends),
	say(request+` of every shape with {Changes}`, Send{EveryShape: true}, sends),
	say(request+` [{EveryShape=of every shape}] whose {field} is {wrong=invalid|of another type}`, finishedBy(Send{}, wrongField), sends),
	say(request+` [{EveryShape=of every shape}] for every pair of:`, tabledBy(Send{}, pairsOf), sends),
	say(`{Account} sends concurrent {Operation}s [{EveryShape=of every shape}] for every pair of:`, tabledBy(Send{Concurrent: true}, pairsOf), sends),
	say(`{Account} sends each of them again`, Send{EachAgain: true}, sends),
	say(request+` in {wrong=unusual JSON|wrong types}`, finishedBy(Send{}, wrong), sends),
	say(request+` whose body is {Raw:text}`, Send{}, sends),
	say(request+` requesting sandbox outcome {Sandbox:code}`, Send{}, sends),
	say(request+` using {Under}`, Send{}, sends),
	say(`the account sends a[n] {Operation=cash-out|QR cash-out} one centavo above that limit`, Send{OverLimit: true}, sends),
	say(`{Account} sends the request again [with:]`, Send{Again: true}, sends),
	say(`{Account} sends the request again using {Under}`, Send{Again: true}, sends),
	say(`{Account} sends the request again {Times:number} times`, Send{Again: true}, sends),
	say(`{Account} sends the request again with {Changes}`, Send{Again: true}, sends),
	say(`{Account} sends the same {Operation} of {amount} in {AtOnce} concurrent requests[, with:]`, finishedBy(Send{Same: true}, ofAmount), sends),
	say(`{Account} sends {AtOnce} concurrent {Operation}s [of {amount}]`, finishedBy(Send{}, ofAmount), sends),
	say(`these happen at once:`, finishedBy(Burst{}, burst), bursts),
	say(`the account has sent {Count} {Operation=cash-out|QR cash-out|transfer|cash-in}s of {Amount} [{OneKey=to one key}]`, SendMany{}, requests),
	say(`the account sends a {Operation=cash-out} of {Amount} on each of {Count} days`, SendMany{Daily: true}, requests, needs(target.Clock)),
	say(`the scenario returns to the {Payment} payment`, ReturnTo{}, harmless),
	say(`the account pages through a {Operation=transaction list request|list-by-key request|MED list request}, {Size} items per page[{Paying=, sending a cash-out after each page}]`, Walk{}, requests, walks),

	// Responses.
	say(`the request {Modality=is|should be} {Expected}`, Answered{Of: It}, harmless, readsTraces),
	say(`every request {Modality=is|should be} {Expected}`, Answered{Of: Each}, harmless, readsTraces),
	say(`the others are {Expected}`, Answered{Of: Others}, harmless, readsTraces),
	say(`[{AtMost=at most}] {Counts:count} [or {Counts}] request[s] (is|are) accepted`, AcceptedCount{}, harmless),
	say(`the outcome is possible one at a time`, InSomeOrder{}, harmless, reads(BalanceMoves), wantsFees),
	say(`all accepted responses have the same {Field}`, ShareField{}, harmless),
	say(`at least one of the two {NotEmpty=requests is accepted|lists is not empty}`, OneOfTwo{}, harmless),
	say(ifAccepted+`the response has:`, Has{Of: It}, harmless),
	say(`if {NotNull} is not null, the response has:`, Has{Of: It}, harmless),
	say(`the others have:`, Has{Of: Others}, harmless),
	say(`the code is not one of:`, CodeIsNoneOf{}, harmless),
	say(`the response's {field:name} should be {expected}`, finishedBy(Has{Of: It, Modality: Should}, should), harmless),
	say(`the two {Events=responses|events} differ in {Field}`, Differ{}, harmless),
	say(`the two rejections {By=have the same status and code|have the same status, code, messages and details|have different errorIds}`, RefusalsCompare{}, harmless),
	say(`the {First=last|first} registration is listed as it was sent`, RegistrationListed{}, harmless),
	say(`each registration is listed as it was last sent`, RegistrationListed{Each: true}, harmless),
	say(`no token is returned`, NoTokenGiven{}, harmless),
	say(`the responses match the contract`, MatchContract{}, harmless),

	// Lists.
	say(`each item has:`, Has{Of: EachItem}, harmless, reads(Lists)),
	say(`each item, if any, has:`, Has{Of: AnyItem}, harmless, reads(Lists)),
	say(`the list {Not=contains|does not contain} the [{Nth}] {Case=payment|case}`, ListHolds{}, harmless, reads(Lists)),
	say(`{Account}'s {list=transaction list|list by key|MED list} contains exactly the matching (payments|cases) for every {together=filter|pair of filters|three filters}`, finishedBy(ListMatches{}, func(w *words, m *ListMatches) {
		m.Operation, m.Filters = lists[w.matched("list")], together[w.matched("together")]
	}), harmless, reads(Lists), usesFamilyOfList),
	say(`the metadata is consistent`, MetadataAddsUp{}, harmless, reads(Lists)),
	say(`no item appears twice`, EachItemOnce{}, harmless, reads(Lists)),
	say(`[{AtMost=at most}] {Count} items are returned`, ItemCount{}, harmless, reads(Lists)),
	say(`none of the first {Count} payments is missing`, NoneMissed{}, harmless, reads(Lists)),
	say(ifAccepted+`the [{Nth}] payment is listed with:`, Has{Of: TheListing}, harmless, reads(Lists), uses(target.Public)),
	say(`[if its {NotNull} is not null,] the [{Nth}] case is listed with:`, Has{Of: TheCase}, harmless, reads(Lists), uses(target.MEDFamily)),
	say(`the payment {Modality=is|should be} listed as before`, ListedAsBefore{}, harmless, reads(Lists), uses(target.Public)),
	say(`the payment is listed once`, ListedOnce{}, harmless, reads(Lists), uses(target.Public)),

	// States.
	say(`its state is {State}`, HasState{}, harmless, reads(Lists)),
	say(`the [{Nth}] charge is {State}`, HasState{Of: api.Charge}, harmless, reads(Lists), needs(target.Charges)),
	say(`the [{Nth}] refund is {State}`, HasState{Of: api.Refund}, harmless, reads(Lists), needs(target.Refunds)),
	say(`nothing [else] changes`, NothingChanges{}, harmless, reads(Lists)),
	say(`its state should still be {State}`, HasState{Modality: Should}, harmless, reads(Lists)),

	// Money. How far it moves is known if the fees are.
	say(balance+` is unchanged`, Moved{}, harmless, reads(BalanceMoves)),
	say(balance+` should be unchanged`, Moved{Modality: Should}, harmless, reads(BalanceMoves), wantsFees),
	say(`the available balance stays unchanged`, Moved{Stays: true}, harmless, reads(BalanceMoves), quiet),
	say(`the available balance does not rise`, Moved{Least: -money.Most}, harmless, reads(BalanceMoves)),
	say(`the available balance does not fall`, Moved{Most: money.Most}, harmless, reads(BalanceMoves)),
	say(ifAccepted+balance+` {way=falls|rises} by {Least} [to {Most}]`, finishedBy(Moved{}, movedBetween), harmless, reads(BalanceMoves), wantsFees, needsBankToFall),
	say(balance+` should {way=fall|rise} by {Least}`, finishedBy(Moved{Modality: Should}, movedBy), harmless, reads(BalanceMoves), wantsFees),
	say(`the available balance {way=falls} by {Least} per accepted request`, finishedBy(Moved{EachAccepted: true}, movedBy), harmless, reads(BalanceMoves), wantsFees, needsBankToFall),
	say(`the splits [of the [{Charge}] charge] are {Statuses:splitStates}`, SplitsAre{}, harmless, needs(target.Splits)),
	say(`the split amounts [of the [{Charge}] charge] are {Amounts:amounts}`, SplitsComeTo{}, harmless, needs(target.Splits)),
	say(ifAccepted+`the account keeps {Amount}`, SplitsLeave{}, harmless, needs(target.Splits)),
	say(`the splits and the account's share add up to {Amount}`, SplitsLeave{Sum: true}, harmless, needs(target.Splits)),

	// Events.
	say(ifAccepted+`a[n] {Event:event} event [{EachPayment=of each payment}] `+ofNth+` arrives [with:]`, Arrives{}, harmless, uses(target.Webhooks), needsBankForEvent),
	say(`the webhook sent is {Event=CashOut|TRANSFER|RECEIVE|REFUND|cash_in} [{status=CONFIRMED|ERROR}] [{Again=again}]`, finishedBy(Arrives{}, withStatus), harmless, uses(target.Webhooks), needsBankForEvent),
	say(`the webhook sent is none`, NothingChanges{OnlyEvents: true}, harmless, uses(target.Webhooks)),
	say(`a[n] {Event:event} event [{EachPayment=of each payment}] `+ofNth+` arrives at each URL [{NotFailed=that has not failed}] [{ItsHeaders=with its headers}]`, Arrives{At: EachURL}, harmless, uses(target.Webhooks), needsBankForEvent),
	say(`a[n] {Event:event} event arrives [{last=at the last URL}] with header {Header} "{Value:quoted}"`, finishedBy(Arrives{At: FirstURL}, func(w *words, a *Arrives) {
		if w.matched("last") != "" {
			a.At = LastURL
		}
	}), harmless, uses(target.Webhooks), needsBankForEvent),
	say(ifAccepted+`the {Event:event} event `+ofNth+` {Modality=arrives|should arrive} again [with header {Header} "{Value:quoted}"|with:]`, Arrives{Again: true}, harmless),
	say(`the {Event:event} event arrives at that URL`, Arrives{At: ThatURL}, harmless),
	say(`the event's request includes the URL's query string`, QueryArrived{}, harmless),
	say(`the event should be a POST`, ArrivedAsPost{}, harmless),
	say(`no [{EventType:word}] event arrives [at {Account=the other account}]`, NothingArrives{}, harmless, quiet, usesFamilyOfEvent),
	say(`no event arrives at URLs for other event types`, NothingArrives{OtherTypes: true}, harmless, quiet),
	say(`no event arrives at that URL`, NothingArrives{ThatURL: true}, harmless, quiet),
	say(`no event reports it as {Status=LIQUIDATED|REFUNDED}`, NotReported{}, harmless, quiet),
	say(`no event should report a different outcome`, NoOtherOutcome{}, harmless, quiet),
	say(`no event has a header containing "{Text:quoted}"`, NoEventCarries{}, harmless),
	say(`the event has:`, Has{Of: Event}, harmless),
	say(`the event should have:`, Has{Of: Event, Modality: Should}, harmless),
	say(`the events match the contract`, MatchContract{Events: true}, harmless),

	// What the specification leaves open.
	say(`the response's {Field} (is|are) `+recorded+`[:]`, Noted{What: AnswerField}, harmless),
	say(`the event's {Field} (is|are) `+recorded, Noted{What: EventField}, harmless),
	say(`(how the payment is listed|the payment's {Field}) is `+recorded, Noted{What: ListingField, Field: "operationType"}, harmless, reads(Lists)),
	say(`how the refund is listed is `+recorded, Noted{What: RefundListing}, harmless, reads(Lists)),
	say(`the order of the payments is `+recorded, Noted{What: OrderOfPayments}, harmless),
	say(`the total number of items is `+recorded, Noted{What: TotalOfPages}, harmless),
	say(`the splits are `+recorded, Noted{What: Splits}, harmless, needs(target.Splits)),
	say(`the change in the available balance is `+recorded, Noted{What: Movement}, harmless, reads(BalanceMoves)),
	say(`whether (an event arrives|{Again=the event arrives again}|it is settled) is `+recorded, WhetherNoted{}, harmless, quiet),
}

// What many sentences have.
const (
	anAccount  = `{account=an account|a new account|another account|another new account}`
	request    = `{Account} {Accepted=sends|has sent} a[n] {Operation}`
	ifAccepted = `[{IfAccepted=if the request was accepted,}] `
	balance    = `the {Blocked=available|blocked} balance`
	ofNth      = `[of the {Of} (payment|charge|refund)]`
	recorded   = `recorded for open point "{Point:quoted}"`
)

// together is how many filters a list has at a time.
var together = map[string]int{"filter": 1, "pair of filters": 2, "three filters": 3}

// lists are the operations that return lists, by the name of the list.
var lists = map[string]*api.Operation{
	"transaction list": api.MustNamed("transaction list request"),
	"list by key":      api.MustNamed("list-by-key request"),
	"MED list":         api.MustNamed("MED list request"),
}

func say(template string, meaning any, effects ...effect) *Sentence {
	return &Sentence{form: newForm(template, meaning), Position: position(), effects: effects}
}
