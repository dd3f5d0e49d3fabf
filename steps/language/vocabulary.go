package language

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/target"
)

// vocabulary is every sentence of the features: what is given, what is done, what then holds.
// A row has the pattern, the value that it is read into, and its effects: what the step does to
// the target, what it reads and what it needs. A row without effects counts as changing
// everything.
var vocabulary = []*Sentence{
	// Accounts and what they have.
	say(anAccount, open, harmless, opens),
	say(anAccount+` with (exactly )?`+amount+` available(, if the gateway supports that balance)?`, open, harmless, opens),
	say(`the account has `+amount+` available`, func(w *words) Meaning { return SetAvailable{w.amount(0)} }, needs(target.Funds)),
	say(`a (cash-out|cash-in) fee of `+amount, func(w *words) Meaning { return SetFee{w.is(0, "cash-in"), w.amount(1)} }, needs(target.FeesControl)),
	say(`no fees`, means(NoFees{}), harmless, wants(target.FeesControl, NoFeesStated)),
	say(`a (per-transaction|daily|night) limit of `+amount, func(w *words) Meaning { return SetLimit{Limit(w.at(0)), w.amount(1)} }, needs(target.LimitsControl)),
	say(`a limit of (\d+) requests per minute`, func(w *words) Meaning { return LimitRequests{w.number(0)} }, needs(target.LimitsControl)),
	say(`no limits`, means(LiftLimits{}), wants(target.LimitsControl, NoLimitsStated)),
	say(`the account has a (per-transaction|daily|night) limit`, func(w *words) Meaning { return OwnLimit{Limit(w.at(0))} }, wantsLimit, wantsFees),
	say(who+` has a token`, func(w *words) Meaning { return HoldToken{w.account(0)} }, harmless),
	say(who+` receives (\w+) webhooks( at the same URL)?(?: at (\d) URLs)?(?: with header (\S+) `+quoted+`)?`, func(w *words) Meaning {
		return Receive{Account: w.account(0), EventTypes: []string{w.at(1)}, SameURL: w.has(2), Count: max(1, w.number(3)), Header: w.at(4), Value: w.at(5)}
	}, uses(target.Webhooks), registers),
	say(`the account receives webhooks of every type`, means(Receive{EventTypes: api.EventTypes, Count: 1}), uses(target.Webhooks), registers),
	say(nth+`webhook endpoint returns (\d{3})`, func(w *words) Meaning { return ReceiverAnswers{w.nth(0), w.number(1)} }, harmless),
	say(`the account is removed`, means(RemoveAccount{}), needs(target.Accounts)),
	say(`the gateway returns sent payments for a (transaction list request|list-by-key request)`, func(w *words) Meaning { return ListsSent{w.operation(0)} }, requests, opensFunded, reads(Lists)),
	say(`the gateway supports GET /balance`, means(OffersStandardBalance{}), harmless, reads(Lists)),
	say(`an? (cash-out|QR cash-out|transfer|cash-in|split cash-in|cob|refund|MED case)(?: of `+amount+`)? that is `+code, func(w *words) Meaning {
		return InState{Noun: w.at(0), Amount: w.amountOr(1, ten), State: api.State(w.at(2))}
	}, requests, needsForState),

	// Certificates.
	say(who+` also has (an? .+|that) certificate`, func(w *words) Meaning { return AddCertificate{w.account(0), w.at(1)} }, needs(target.Certificates)),
	say(`(that|the first added|the second added) certificate is revoked`, func(w *words) Meaning { return RevokeCertificate{Certificate(w.at(0) + " certificate")} }, needs(target.Certificates)),
	say(`(an?(?: .+)?) certificate that was never registered`, func(w *words) Meaning { return MakeCertificate{w.at(0)} }, harmless),
	say(who+` requests a token with (no certificate|that certificate|the first added certificate|the second added certificate|the other account's certificate|a certificate that was never registered)`, func(w *words) Meaning {
		return Present{w.account(0), Certificate(w.at(1))}
	}, harmless),
	say(who+` requests a token with its certificate in the form `+quoted, func(w *words) Meaning { return PresentAs{w.account(0), w.at(1)} }, harmless, shows(InHeader)),
	say(`clients present their certificate in the TLS handshake`, means(ShownInHandshake{}), harmless, shows(InHandshake)),
	say(`the account requests (its own|the other account's) token with (its own|no) certificate in the handshake and the other account's in (.+)`, func(w *words) Meaning {
		return PresentInHeader{ForOther: !w.is(0, "its own"), ShowNone: w.is(1, "no"), In: w.at(2)}
	}, harmless),

	// Time, the bank, the key directory, what is behind the gateway.
	say(`it is (\d\d):(\d\d)(?::(\d\d))? in São Paulo`, func(w *words) Meaning { return SetTime{w.number(0), w.number(1), w.number(2)} }, needs(target.Clock)),
	say(`it is noon on (\d\d?) (\w+) of the next leap year in São Paulo`, func(w *words) Meaning { return SetDate{w.month(1), w.number(0)} }, needs(target.Clock)),
	say(`(\d+) (second|minute|hour|day)s pass`, func(w *words) Meaning { return PassTime{w.span(0)} }, needs(target.Clock)),
	say(`settlement waits for the bank`, means(HoldSettlement{}), needs(target.Settlement)),
	say(`the bank (confirms|tries to confirm) `+payment, func(w *words) Meaning { return Settle{Tries: w.tries(0), Payment: w.nth(1)} }, needs(target.Settlement)),
	say(`the bank (rejects|tries to reject) `+payment+` with `+code, func(w *words) Meaning {
		return Settle{Tries: w.tries(0), Payment: w.nth(1), ErrorCode: api.Code(w.at(2))}
	}, needs(target.Settlement)),
	say(`the key directory has a new key for (another document|the same document|a blocked account|a closed account)`, func(w *words) Meaning {
		return PutKey{Kind: EmailKey, Holder: Holder(w.at(0)), ISPB: "60701190"}
	}, needs(target.Directory)),
	say(`the key directory has a new (CPF|CNPJ|e-mail|phone|landline|random) key( that starts with 0)?(?: at ISPB (\d{8}))?`, func(w *words) Meaning {
		return PutKey{Kind: KeyKind(w.at(0)), Zero: w.has(1), ISPB: w.at(2)}
	}, needs(target.Directory)),
	say(`upstream authentication (returns an invalid response|is unreachable|is reachable again)`, func(w *words) Meaning { return Fault{Upstream: faults[w.at(0)]} }, needs(target.FaultsControl)),
	say(`the PIX provider (is unreachable|is reachable again)`, func(w *words) Meaning { return Fault{Provider: faults[w.at(0)]} }, needs(target.FaultsControl)),
	say(`the PIX provider's minimum expirationTime is (\d+) seconds`, func(w *words) Meaning { return Fault{LeastExpiration: w.number(0)} }, needs(target.FaultsControl)),

	// Charges, refunds, returns, MED cases: what others do.
	say(`(a payer|another payer|a company) (pays|tries to pay) (?:`+amount+` for )?`+charge, func(w *words) Meaning {
		return Pay{Payer: Payer(w.at(0)), Tries: w.tries(1), Amount: w.amountIfAny(2), Charge: w.nth(3), Times: 1}
	}, needs(target.Payments)),
	say(`a payer pays the charge (\d) times concurrently`, func(w *words) Meaning { return Pay{Times: w.number(0)} }, needs(target.Payments)),
	say(`the account has received `+amount+` through a (cash-in|cob)`, func(w *words) Meaning { return HasBeenPaid{w.amount(0), w.operation(1)} }, requests, needs(target.Payments)),
	say(`the (receiver|PSP) (removes|tries to remove) `+charge, func(w *words) Meaning { return EndCharge{ByPSP: w.is(0, "PSP"), Tries: w.tries(1), Charge: w.nth(2)} }, needs(target.Charges)),
	say(`refunds wait for the bank`, means(HoldRefunds{}), needs(target.Refunds)),
	say(`the bank (confirms|rejects|tries to confirm|tries to reject) `+refund, func(w *words) Meaning {
		return EndRefund{Fails: strings.HasSuffix(w.at(0), "reject") || w.is(0, "rejects"), Tries: w.tries(0), Refund: w.nth(1)}
	}, needs(target.Refunds)),
	say(`the payee returns `+amount, func(w *words) Meaning { return Return{w.amount(0)} }, needs(target.Returns)),
	say(`a MED case is opened against (?:(an unknown) payment|`+payment+`)`, func(w *words) Meaning { return OpenCase{Unknown: w.has(0), Payment: w.nth(1)} }, needs(target.MED)),
	say(`the bank (moves|tries to move) `+medCase+` to ([A-Z]+)`, func(w *words) Meaning { return MoveCase{Case: w.nth(1), To: api.State(w.at(2)), Tries: w.tries(0)} }, needs(target.MED)),

	// Requests: a valid one, and what is changed in it.
	say(request+`(?: with:)?`, send(func(w *words, s *Send) { s.Changes = w.changes() }), sends),
	say(request+`, if the gateway accepts it(?:, with:)?`, send(func(w *words, s *Send) { s.IfItCan, s.Changes = true, w.changes() }), sends),
	say(request+` of `+amount, send(func(w *words, s *Send) { s.Changes = w.ofAmount(s.Operation, 3) }), sends),
	say(request+` with `+inField+` (.+?)(, if the gateway accepts it)?`, send(func(w *words, s *Send) { s.IfItCan, s.Changes = w.has(5), w.change(3) }), sends),
	say(request+` of every shape(?: with:| with `+inField+` (.+))?`, send(func(w *words, s *Send) {
		if s.EveryShape, s.Changes = true, w.changes(); w.has(3) {
			s.Changes = w.change(3)
		}
	}), sends),
	say(request+`( of every shape)? whose `+inField+` is (invalid|of another type)`, send(func(w *words, s *Send) {
		s.EveryShape, s.Changes = w.has(3), []Change{{Name: w.at(4), Value: Value{Kind: wrongKinds[w.at(5)]}}}
	}), sends),
	say(request+` in (unusual JSON|wrong types)`, send(func(w *words, s *Send) { s.Changes = []Change{{Value: Value{Kind: wrongKinds[w.at(3)]}}} }), sends),
	say(request+` whose body is (.+)`, send(func(w *words, s *Send) { s.Raw = &w.groups[3] }), sends),
	say(request+` requesting sandbox outcome `+code, send(func(w *words, s *Send) { s.Sandbox = w.at(3) }), sends),
	say(request+` using (.+)`, send(func(w *words, s *Send) { s.Under = w.authorization(3) }), sends),
	say(`the account sends an? (cash-out|QR cash-out) one centavo above that limit`, func(w *words) Meaning { return Send{Operation: w.operation(0), OverLimit: true} }, sends),
	say(who+` sends the request again(?: with:)?`, func(w *words) Meaning { return Send{Account: w.account(0), Again: true, Changes: w.changes()} }, sends),
	say(who+` sends the request again with `+inField+` (.+)`, func(w *words) Meaning { return Send{Account: w.account(0), Again: true, Changes: w.change(1)} }, sends),
	say(who+` sends the same `+noun+` of `+amount+` in (\d+) concurrent requests(?:, with:)?`, func(w *words) Meaning {
		op := w.operation(1)
		return Send{Account: w.account(0), Operation: op, Changes: append(w.ofAmount(op, 2), w.changes()...), AtOnce: w.number(3), Same: true}
	}, sends),
	say(who+` sends (\d+) concurrent `+noun+`s(?: of `+amount+`)?`, func(w *words) Meaning {
		op := w.operation(2)
		return Send{Account: w.account(0), Operation: op, Changes: w.ofAmount(op, 3), AtOnce: w.number(1)}
	}, sends),
	say(`these happen at once:`, burst, bursts),
	say(`the account has sent (\d+) (cash-out|QR cash-out|transfer|cash-in)s of `+amount+`( to one key)?`, func(w *words) Meaning {
		return SendMany{Operation: w.operation(1), Count: w.number(0), Amount: w.amount(2), OneKey: w.has(3)}
	}, requests),
	say(`the account sends a (cash-out) of `+amount+` on each of (\d+) days`, func(w *words) Meaning {
		return SendMany{Operation: w.operation(0), Amount: w.amount(1), Count: w.number(2), Daily: true}
	}, requests, needs(target.Clock)),
	say(`the scenario returns to the (`+ordinal+`) payment`, func(w *words) Meaning { return ReturnTo{w.nth(0)} }, harmless),
	say(`the account pages through a (transaction list request|list-by-key request|MED list request), (\d+) items per page(, sending a cash-out after each page)?`, func(w *words) Meaning {
		return Walk{Operation: w.operation(0), Size: w.number(1), Paying: w.has(2)}
	}, requests, walks),

	// Responses.
	say(`the request (is|should be) `+outcome, answered(It), harmless, readsTraces),
	say(`every request (is|should be) `+outcome, answered(Each), harmless, readsTraces),
	say(`(the others) are `+outcome, answered(Others), harmless, readsTraces),
	say(`(at most )?(one|\d+)(?: or (\d+))? requests? (?:is|are) accepted`, func(w *words) Meaning { return AcceptedCount{AtMost: w.has(0), Counts: w.numbers(1, 2)} }, harmless),
	say(`the outcome is possible one at a time`, means(InSomeOrder{}), harmless, reads(BalanceMoves), wantsFees),
	say(`all accepted responses have the same (\S+)`, func(w *words) Meaning { return ShareField{w.at(0)} }, harmless),
	say(`at least one of the two (requests is accepted|lists is not empty)`, func(w *words) Meaning { return OneOfTwo{NotEmpty: w.is(0, "lists is not empty")} }, harmless),
	say(`(if the request was accepted, )?the response has:`, func(w *words) Meaning { return Has{Of: It, IfAccepted: w.has(0), Rows: w.rows()} }, harmless),
	say(`if (\S+) is not null, the response has:`, func(w *words) Meaning { return Has{Of: It, NotNull: w.at(0), Rows: w.rows()} }, harmless),
	say(`the others have:`, has(Others, Must), harmless),
	say(`the code is not one of:`, func(w *words) Meaning { return CodeIsNoneOf{w.column()} }, harmless),
	say(`the response's (\S+) should be (.+)`, func(w *words) Meaning {
		return Has{Of: It, Modality: Should, Rows: []Row{{w.at(0), w.codeOrExpected(1)}}}
	}, harmless),
	say(`the two (responses|events) differ in (\S+)`, func(w *words) Meaning { return Differ{Events: w.is(0, "events"), Field: w.at(1)} }, harmless),
	say(`the two rejections (have the same status and code|have the same status, code, messages and details|have different errorIds)`, func(w *words) Meaning {
		return RefusalsCompare{Comparison(w.at(0))}
	}, harmless),
	say(`the (first|last) registration is listed as it was sent`, func(w *words) Meaning { return RegistrationListed{First: w.is(0, "first")} }, harmless),
	say(`each registration is listed as it was last sent`, means(RegistrationListed{Each: true}), harmless),
	say(`no token is returned`, means(NoTokenGiven{}), harmless),
	say(`the responses match the contract`, means(MatchContract{}), harmless),

	// Lists.
	say(`each item has:`, has(EachItem, Must), harmless, reads(Lists)),
	say(`each item, if any, has:`, has(AnyItem, Must), harmless, reads(Lists)),
	say(`the list (contains|does not contain) the (?:(`+ordinal+`) )?(payment|case)`, func(w *words) Meaning {
		return ListHolds{Not: !w.is(0, "contains"), Nth: w.nth(1), Case: w.is(2, "case")}
	}, harmless, reads(Lists)),
	say(`(the account|the other account)'s (transaction list|list by key|MED list) contains exactly the matching (?:payments|cases) for every (filter|pair of filters|three filters)`, func(w *words) Meaning {
		return ListMatches{Operation: lists[w.at(1)], Account: w.account(0), Filters: together[w.at(2)]}
	}, harmless, reads(Lists), usesFamilyOfList),
	say(`the metadata is consistent`, means(MetadataAddsUp{}), harmless, reads(Lists)),
	say(`no item appears twice`, means(EachItemOnce{}), harmless, reads(Lists)),
	say(`(at most )?(\d+) items are returned`, func(w *words) Meaning { return ItemCount{w.has(0), w.number(1)} }, harmless, reads(Lists)),
	say(`none of the first (\d+) payments is missing`, func(w *words) Meaning { return NoneMissed{w.number(0)} }, harmless, reads(Lists)),
	say(`(if the request was accepted, )?`+payment+` is listed with:`, func(w *words) Meaning {
		return Has{Of: TheListing, Nth: w.nth(1), IfAccepted: w.has(0), Rows: w.rows()}
	}, harmless, reads(Lists), uses(target.Public)),
	say(`(?:if its (\S+) is not null, )?`+medCase+` is listed with:`, func(w *words) Meaning {
		return Has{Of: TheCase, Nth: w.nth(1), NotNull: w.at(0), Rows: w.rows()}
	}, harmless, reads(Lists), uses(target.MEDFamily)),
	say(`the payment (is|should be) listed as before`, func(w *words) Meaning { return ListedAsBefore{w.modality(0)} }, harmless, reads(Lists), uses(target.Public)),
	say(`the payment is listed once`, means(ListedOnce{}), harmless, reads(Lists), uses(target.Public)),

	// States.
	say(`its state is `+code, func(w *words) Meaning { return HasState{State: api.State(w.at(0))} }, harmless, reads(Lists)),
	say(charge+` is `+code, func(w *words) Meaning { return HasState{Of: api.Charge, Nth: w.nth(0), State: api.State(w.at(1))} }, harmless, reads(Lists), needs(target.Charges)),
	say(refund+` is `+code, func(w *words) Meaning { return HasState{Of: api.Refund, Nth: w.nth(0), State: api.State(w.at(1))} }, harmless, reads(Lists), needs(target.Refunds)),
	say(`nothing (?:else )?changes`, means(NothingChanges{}), harmless, reads(Lists)),
	say(`its state should still be `+code, func(w *words) Meaning { return HasState{State: api.State(w.at(0)), Modality: Should} }, harmless, reads(Lists)),

	// Money. How far it moves is known if the fees are.
	say(part+` is unchanged`, func(w *words) Meaning { return Moved{Blocked: w.is(0, "blocked")} }, harmless, reads(BalanceMoves)),
	say(part+` should be unchanged`, func(w *words) Meaning { return Moved{Blocked: w.is(0, "blocked"), Modality: Should} }, harmless, reads(BalanceMoves), wantsFees),
	say(`the available balance stays unchanged`, means(Moved{Stays: true}), harmless, reads(BalanceMoves), quiet),
	say(`the available balance does not rise`, means(Moved{Least: -money.Most}), harmless, reads(BalanceMoves)),
	say(`the available balance does not fall`, means(Moved{Most: money.Most}), harmless, reads(BalanceMoves)),
	say(`(if the request was accepted, )?`+part+` (falls|rises) by `+amount+`(?: to `+amount+`)?`, func(w *words) Meaning {
		m := w.moved(1)
		m.IfAccepted = w.has(0)
		return m
	}, harmless, reads(BalanceMoves), wantsFees, needsBankToFall),
	say(part+` should (fall|rise) by `+amount, func(w *words) Meaning {
		m := w.moved(0)
		m.Modality = Should
		return m
	}, harmless, reads(BalanceMoves), wantsFees),
	say(`the (available) balance (falls) by `+amount+` per accepted request`, func(w *words) Meaning {
		m := w.moved(0)
		m.EachAccepted = true
		return m
	}, harmless, reads(BalanceMoves), wantsFees, needsBankToFall),
	say(`the splits(?: of `+charge+`)? are `+partStates, func(w *words) Meaning { return SplitsAre{w.nth(0), separator.Split(w.at(1), -1)} }, harmless, needs(target.Splits)),
	say(`the split amounts(?: of `+charge+`)? are (.+)`, func(w *words) Meaning { return SplitsComeTo{w.nth(0), w.amounts(1)} }, harmless, needs(target.Splits)),
	say(`(if the request was accepted, )?the account keeps `+amount, func(w *words) Meaning { return SplitsLeave{Amount: w.amount(1), IfAccepted: w.has(0)} }, harmless, needs(target.Splits)),
	say(`the splits and the account's share add up to `+amount, func(w *words) Meaning { return SplitsLeave{Amount: w.amount(0), Sum: true} }, harmless, needs(target.Splits)),

	// Events.
	say(`(if the request was accepted, )?an? `+event+` event`+ofNth+` arrives(?: with:)?`, func(w *words) Meaning {
		return Arrives{IfAccepted: w.has(0), Event: w.at(1), Of: w.nth(2), Rows: w.rows()}
	}, harmless, uses(target.Webhooks), needsBankForEvent),
	say(`the webhook sent is (CashOut|TRANSFER|RECEIVE|REFUND|cash_in)(?: (CONFIRMED|ERROR))?( again)?`, func(w *words) Meaning {
		return Arrives{Event: w.at(0), Rows: w.statusRow(1), Again: w.has(2)}
	}, harmless, uses(target.Webhooks), needsBankForEvent),
	say(`the webhook sent is none`, means(NothingChanges{OnlyEvents: true}), harmless, uses(target.Webhooks)),
	say(`an? `+event+` event( of each payment)?`+ofNth+` arrives at each URL( that has not failed)?( with its headers)?`, func(w *words) Meaning {
		return Arrives{Event: w.at(0), EachPayment: w.has(1), Of: w.nth(2), At: EachURL, NotFailed: w.has(3), ItsHeaders: w.has(4)}
	}, harmless, uses(target.Webhooks), needsBankForEvent),
	say(`an? `+event+` event arrives( at the last URL)? with header (\S+) `+quoted, func(w *words) Meaning {
		return Arrives{Event: w.at(0), At: w.lastURL(1), Header: w.at(2), Value: w.at(3)}
	}, harmless, uses(target.Webhooks), needsBankForEvent),
	say(`(if the request was accepted, )?the `+event+` event`+ofNth+` (arrives|should arrive) again(?: with header (\S+) `+quoted+`| with:)?`, func(w *words) Meaning {
		return Arrives{IfAccepted: w.has(0), Event: w.at(1), Of: w.nth(2), Again: true, Modality: w.modality(3), Header: w.at(4), Value: w.at(5), Rows: w.rows()}
	}, harmless),
	say(`the `+event+` event arrives at that URL`, func(w *words) Meaning { return Arrives{Event: w.at(0), At: ThatURL} }, harmless),
	say(`the event's request includes the URL's query string`, means(QueryArrived{}), harmless),
	say(`the event should be a POST`, means(ArrivedAsPost{}), harmless),
	say(`no (?:(\w+) )?event arrives(?: at (the other account))?`, func(w *words) Meaning { return NothingArrives{EventType: w.at(0), Account: w.account(1)} }, harmless, quiet, usesFamilyOfEvent),
	say(`no event arrives at URLs for other event types`, means(NothingArrives{OtherTypes: true}), harmless, quiet),
	say(`no event arrives at that URL`, means(NothingArrives{ThatURL: true}), harmless, quiet),
	say(`no event reports it as (LIQUIDATED|REFUNDED)`, func(w *words) Meaning { return NotReported{api.State(w.at(0))} }, harmless, quiet),
	say(`no event should report a different outcome`, means(NoOtherOutcome{}), harmless, quiet),
	say(`no event has a header containing `+quoted, func(w *words) Meaning { return NoEventCarries{w.at(0)} }, harmless),
	say(`the event has:`, has(Event, Must), harmless),
	say(`the event should have:`, has(Event, Should), harmless),
	say(`the events match the contract`, means(MatchContract{Events: true}), harmless),

	// What the specification leaves open.
	say(`the response's (\S+) (?:is|are) recorded for open point `+quoted+`:?`, func(w *words) Meaning { return Noted{AnswerField, w.at(0), w.at(1), w.readings()} }, harmless),
	say(`the event's (\S+) (?:is|are) recorded for open point `+quoted, func(w *words) Meaning { return Noted{What: EventField, Field: w.at(0), Point: w.at(1)} }, harmless),
	say(`(?:how the payment is listed|the payment's (\S+)) is recorded for open point `+quoted, func(w *words) Meaning {
		return Noted{What: ListingField, Field: cmp.Or(w.at(0), "operationType"), Point: w.at(1)}
	}, harmless, reads(Lists)),
	say(`how the refund is listed is recorded for open point `+quoted, noted(RefundListing), harmless, reads(Lists)),
	say(`the order of the payments is recorded for open point `+quoted, noted(OrderOfPayments), harmless),
	say(`the total number of items is recorded for open point `+quoted, noted(TotalOfPages), harmless),
	say(`the splits are recorded for open point `+quoted, noted(Splits), harmless, needs(target.Splits)),
	say(`the change in the available balance is recorded for open point `+quoted, noted(Movement), harmless, reads(BalanceMoves)),
	say(`whether (the event arrives again|an event arrives|it is settled) is recorded for open point `+quoted, func(w *words) Meaning {
		return WhetherNoted{Again: w.is(0, "the event arrives again"), Point: w.at(1)}
	}, harmless, quiet),
}

// Parts of patterns.
var (
	who       = `(the account|the other account)`
	anAccount = `(an account|a new account|another account|another new account)`
	noun      = `(` + nouns() + `)`
	request   = who + ` (sends|has sent) an? ` + noun
	inField   = `((?:header|path|query) [\w-]+|[a-z][\w.\[\]]*)`
	amount    = `R\$ (\d+\.\d{2})`
	payment   = nth + `payment`
	charge    = nth + `charge`
	refund    = nth + `refund`
	medCase   = nth + `case`
	made      = nth + `(charge|refund)`
	ofNth     = `(?: of the (` + ordinal + `) (?:payment|charge|refund))?`
	outcome   = `((?:accepted|rejected)\b.*)`
	code      = `([A-Z_]+)`
	part      = `the (available|blocked) balance`
	// One state of all splits, or one of each.
	partStates = `((?:PENDING|PAID)(?:(?:, | and )(?:PENDING|PAID))*)`
	event      = `([A-Za-z_]+)`
	quoted     = `"([^"]*)"`
)

// nth is the beginning of what a sentence counts: "the", "the first", ....
const nth = `the (?:(` + ordinal + `) )?`

// ordinal is a number that counts: "first", "4th".
const ordinal = `first|second|third|\d\d?th`

// lists are the operations that return lists, by the name of the list.
// together is how many filters a list has at a time.
var together = map[string]int{"filter": 1, "pair of filters": 2, "three filters": 3}

var lists = map[string]*api.Operation{
	"transaction list": api.MustNamed("transaction list request"),
	"list by key":      api.MustNamed("list-by-key request"),
	"MED list":         api.MustNamed("MED list request"),
}

// nouns are the names of all operations, as alternatives of a pattern.
func nouns() string {
	var all []string
	for _, op := range api.Operations {
		all = append(all, op.Noun)
	}
	return strings.Join(all, "|")
}

func say(pattern string, read func(*words) Meaning, effects ...effect) *Sentence {
	begins, _ := regexp.MustCompile(pattern).LiteralPrefix()
	return &Sentence{Pattern: pattern, Position: position(), begins: begins, form: exactly(pattern), read: read, effects: effects}
}

func exactly(form string) *regexp.Regexp { return regexp.MustCompile(`^(?:` + form + `)$`) }
