package steps

import (
	"context"
	"regexp"
	"slices"

	"github.com/cucumber/godog"

	"github.com/pixcert/pixcert/steps/target"
)

// sentence is one pattern of the features with what carries it out. The whole
// vocabulary of the features is the table below.
type sentence struct {
	pattern *regexp.Regexp
	needs   []target.Control            // without which it cannot be carried out
	also    map[string][]target.Control // likewise, when it says that word
	either  []alternatively             // what it needs that something of the profile meets too
	brings  bool                        // it asks the target's sandbox for an outcome, its last word
	uses    []target.Family             // of the API, beside those of the requests that it names
	opens   bool                        // it gives the scenario an account
	funds   bool                        // with money, which a new one has by the control alone
	balance bool                        // it judges how the balance moved since the When began
	way     way                         // of showing certificates that it is about; either if empty
	waits   bool                        // it waits for what must not come, for as long as that takes
	carry   func(*scenario) any         // the function that godog calls
}

// Parts of patterns.
const (
	who      = `(the account|the other account)`
	verb     = `(sends|has sent)`
	amount   = `R\$ (\d+\.\d{2})`
	field    = `((?:header|path|query) [\w-]+|[a-z][\w.\[\]]*)`
	outcome  = `((?:accepted|refused)\b.*)`
	quoted   = `"([^"]*)"`
	rejected = `[A-Z_]+`
	money    = `(available|blocked)`
	named    = `([A-Za-z_]+)`
	listNoun = `(transaction list request|key list request|MED list request)`
)

// sentences is the vocabulary: what is given, what is done, what then holds.
var sentences = []sentence{
	// Accounts and what they have.
	also(opens(say(`(an account|a new account|another account|another new account)`, nil, func(s *scenario) any { return s.open })), newOnes),
	also(funded(say(`(an account|a new account|another account|another new account) with (exactly )?`+amount+` available`, nil, func(s *scenario) any { return s.openFunded })), newOnes),
	say(`the account has `+amount+` available`, needs(target.Funds), func(s *scenario) any { return s.hasAvailable }),
	say(`a (cash-out|cash-in) fee of `+amount, needs(target.FeesControl), func(s *scenario) any { return s.hasFee }),
	either(target.FeesControl, offer.feeless, say(`no fees`, nil, func(s *scenario) any { return s.hasNoFees })),
	say(`a (per-transaction|daily|night) limit of `+amount, needs(target.LimitsControl), func(s *scenario) any { return s.hasLimit }),
	say(`a limit of (\d+) requests a minute`, needs(target.LimitsControl), func(s *scenario) any { return s.hasRequestLimit }),
	either(target.LimitsControl, offer.lifted, say(`no limits`, nil, func(s *scenario) any { return s.hasNoLimits })),
	judgesFees(either(target.LimitsControl, offer.tellsLimit, say(`the account has a (per-transaction|daily|night) limit of its own`, nil, func(s *scenario) any { return s.hasOwnLimit }))),
	say(who+` holds a token`, nil, func(s *scenario) any { return s.holdsToken }),
	uses(target.Webhooks, say(who+` receives (\w+) webhooks( at the same URL)?(?: at (\d) URLs)?(?: with header (\S+) `+quoted+`)?`, nil, func(s *scenario) any { return s.receives })),
	uses(target.Webhooks, say(`the account receives webhooks of every type`, nil, func(s *scenario) any { return s.receivesAll })),
	say(`the (first )?receiver answers (\d{3})`, nil, func(s *scenario) any { return s.receiverAnswers }),
	say(`the account is removed`, needs(target.Accounts), func(s *scenario) any { return s.accountRemoved }),
	uses(target.Public, funded(say(`the gateway lists what was sent in a (transaction list request|key list request)`, nil, func(s *scenario) any { return s.listsSent }))),
	say(`the gateway offers the standard balance`, nil, func(s *scenario) any { return s.standardBalanceOffered }),
	also(say(`an? (cash-out|QR cash-out|transfer|cash-in|cob|refund|MED case) that is ([A-Z_]+)`, nil, func(s *scenario) any { return s.isInState }), words{
		"cash-out": {target.Settlement}, "QR cash-out": {target.Settlement}, "transfer": {target.Settlement, target.Directory},
		"cob": {target.Payments, target.Charges}, "cash-in": {target.Payments}, "refund": {target.Payments, target.Refunds}, "MED case": {target.MED},
	}),

	// Certificates.
	say(who+` also has (an? .+) certificate`, needs(target.Certificates), func(s *scenario) any { return s.registersCertificate }),
	say(`that certificate is revoked`, needs(target.Certificates), func(s *scenario) any { return s.revokesCertificate }),
	say(`(an?(?: .+)?) certificate that was never registered`, nil, func(s *scenario) any { return s.unregisteredCertificate }),
	say(who+` presents (no certificate|that certificate|the other account's certificate|a certificate that was never registered)`, nil, func(s *scenario) any { return s.presents }),
	shownIn(inHeader, say(who+` presents its certificate as `+quoted, nil, func(s *scenario) any { return s.presentsAs })),
	shownIn(inHandshake, say(`certificates are shown in the TLS handshake`, nil, func(*scenario) any { return func() error { return nil } })),
	say(`the account asks for (its own|the other account's) token, showing (its own|no) certificate, with the other account's in (.+)`, nil, func(s *scenario) any { return s.smuggles }),

	// Time, the bank, the directory, what lies behind the gateway.
	say(`it is (\d\d:\d\d(?::\d\d)?) in São Paulo`, needs(target.Clock), func(s *scenario) any { return s.isTime }),
	say(`(\d+) (second|minute|hour|day)s pass`, needs(target.Clock), func(s *scenario) any { return s.pass }),
	say(`settlement waits for the bank`, needs(target.Settlement), func(s *scenario) any { return s.settlementWaits }),
	say(`the bank (confirms|tries to confirm) (it|the first|the second|the third)`, needs(target.Settlement), func(s *scenario) any {
		return func(ctx context.Context, verb, which string) error { return s.bank(ctx, verb, which, "") }
	}),
	say(`the bank (rejects|tries to reject) (it|the first|the second|the third) with (`+rejected+`)`, needs(target.Settlement), func(s *scenario) any { return s.bank }),
	say(`the key directory holds a fresh key for (another document|the same document|a blocked account|a closed account)`, needs(target.Directory), func(s *scenario) any { return s.directoryHoldsFor }),
	say(`the key directory holds a fresh (CPF|CNPJ|e-mail|phone|random) key(?: at (\d{8}))?`, needs(target.Directory), func(s *scenario) any { return s.directoryHolds }),
	say(`upstream authentication (answers nonsense|is unreachable|is back)`, needs(target.FaultsControl), func(s *scenario) any { return s.upstream }),
	say(`the PIX provider (is unreachable|is back)`, needs(target.FaultsControl), func(s *scenario) any { return s.provider }),
	say(`the provider's least expirationTime is (\d+) seconds`, needs(target.FaultsControl), func(s *scenario) any { return s.providerWants }),

	// Charges, refunds, returns, MED cases: what others do.
	say(`(somebody|somebody else) (pays|tries to pay) (?:it|`+amount+` for it)`, needs(target.Payments), func(s *scenario) any { return s.pays }),
	say(`somebody pays it (\d) times at once`, needs(target.Payments), func(s *scenario) any { return s.paysAtOnce }),
	say(`the account has been paid `+amount+` for a (cash-in|cob)`, needs(target.Payments), func(s *scenario) any { return s.hasBeenPaid }),
	say(`the (receiver|PSP) (ends|tries to end) it`, needs(target.Charges), func(s *scenario) any { return s.ends }),
	say(`refunds wait for the bank`, needs(target.Refunds), func(s *scenario) any { return s.refundsWait }),
	say(`the refund (succeeds|fails)`, needs(target.Refunds), func(s *scenario) any { return s.refundEnds }),
	say(`somebody tries to make the refund (succeed|fail)`, needs(target.Refunds), func(s *scenario) any { return s.refundTried }),
	say(`the payee gives `+amount+` back`, needs(target.Returns), func(s *scenario) any { return s.returned }),
	say(`a MED case is opened against (the payment|an unknown payment)`, needs(target.MED), func(s *scenario) any { return s.medOpened }),
	say(`the case becomes ([A-Z]+)`, needs(target.MED), func(s *scenario) any { return s.medBecomes }),
	say(`somebody tries to move the case to ([A-Z]+)`, needs(target.MED), func(s *scenario) any { return s.medTried }),

	// Requests: a valid one, and what is changed in it.
	say(who+` `+verb+` an? (`+nouns()+`)`, nil, func(s *scenario) any { return s.sendsOne }),
	say(who+` `+verb+` an? (`+nouns()+`) of `+amount, nil, func(s *scenario) any { return s.sendsAmount }),
	say(who+` `+verb+` an? (`+nouns()+`) with `+field+` (.+)`, nil, func(s *scenario) any { return s.sendsWith }),
	say(who+` `+verb+` an? (`+nouns()+`) with:`, nil, func(s *scenario) any { return s.sendsTable }),
	say(who+` `+verb+` an? (`+nouns()+`) whose body is (.+)`, nil, func(s *scenario) any { return s.sendsRaw }),
	brings(say(who+` `+verb+` an? (`+nouns()+`) that the sandbox brings to ([A-Z_]+)`, nil, func(s *scenario) any { return s.brings })),
	say(`the account sends an? (cash-out|QR cash-out) of a centavo more than that`, nil, func(s *scenario) any { return s.exceeds }),
	say(who+` `+verb+` an? (`+nouns()+`) under (.+)`, nil, func(s *scenario) any { return s.sendsUnder }),
	say(who+` sends it again with:`, nil, func(s *scenario) any { return s.sendsAgainTable }),
	say(who+` sends it again(?: with `+field+` (.+))?`, nil, func(s *scenario) any { return s.sendsAgain }),
	say(who+` sends the same (`+nouns()+`) of `+amount+` (\d+) times at once`, nil, func(s *scenario) any { return s.sendsSameAtOnce }),
	say(who+` sends (\d+) (`+nouns()+`)s(?: of `+amount+`)? at once`, nil, func(s *scenario) any { return s.sendsManyAtOnce }),
	uses(target.Public, say(`the account has sent (\d+) cash-outs of `+amount+` to one key`, nil, func(s *scenario) any { return s.paysOneKey })),
	say(`the account walks the pages of the `+listNoun+` by (\d+)(, sending a cash-out after each)?`, nil, func(s *scenario) any { return s.walks }),

	// Answers.
	say(`it (is|should be) `+outcome, nil, func(s *scenario) any { return s.is }),
	say(`(at most )?(one|\d+)(?: or (\d+))? (?:is|are) accepted`, nil, func(s *scenario) any { return s.batchIs }),
	say(`each is `+outcome, nil, func(s *scenario) any { return s.eachIs }),
	say(`the others are `+outcome, nil, func(s *scenario) any { return s.othersAre }),
	say(`all accepted answers have the same (\S+)`, nil, func(s *scenario) any { return s.acceptedShare }),
	say(`one of the two is (accepted|not empty)`, nil, func(s *scenario) any { return s.oneOfTwo }),
	say(`the (answer has|others have):`, nil, func(s *scenario) any { return s.answerHas }),
	say(`the code is none of:`, nil, func(s *scenario) any { return s.codeIsNoneOf }),
	say(`its (\S+) should be (.+)`, nil, func(s *scenario) any { return s.fieldShould }),
	say(`both (answers|events) differ in (\S+)`, nil, func(s *scenario) any { return s.bothDiffer }),
	say(`both refusals (.+)`, nil, func(s *scenario) any { return s.bothRefusals }),
	say(`the (first|last) registration is listed as it was sent`, nil, func(s *scenario) any { return s.listedAsSent }),
	say(`no token is given`, nil, func(s *scenario) any { return s.noTokenGiven }),
	say(`the answers match the contract`, nil, func(s *scenario) any { return s.answersMatchContract }),

	// Lists.
	say(`each item(, if any,)? has:`, nil, func(s *scenario) any { return s.eachItemHas }),
	say(`the list (holds|does not hold) the ((?:(?:first|second|third) )?payment|case)`, nil, func(s *scenario) any { return s.listHolds }),
	say(`the metadata adds up`, nil, func(s *scenario) any { return s.metadataAddsUp }),
	say(`each item came once`, nil, func(s *scenario) any { return s.cameOnce }),
	say(`(at most )?(\d+) items came`, nil, func(s *scenario) any { return s.itemsCame }),
	say(`none of the first (\d+) payments is missed`, nil, func(s *scenario) any { return s.noneMissed }),
	uses(target.Public, say(`the payment is listed with:`, nil, func(s *scenario) any { return s.listedWith })),
	uses(target.Public, say(`the payment (is|should be) listed as before`, nil, func(s *scenario) any { return s.listedAsBefore })),
	uses(target.Public, say(`the payment is listed once`, nil, func(s *scenario) any { return s.listedOnce })),

	// States.
	also(say(`(it has become|the charge is|the refund is) ([A-Z_]+)`, nil, func(s *scenario) any {
		return func(ctx context.Context, _, state string) error { return s.hasBecome(ctx, state) }
	}), words{"the charge is": {target.Charges}, "the refund is": {target.Refunds}}),
	say(`it should have stayed ([A-Z_]+)`, nil, func(s *scenario) any { return s.shouldHaveStayed }),

	// Money.
	judgesBalance(say(money+` is unchanged`, nil, func(s *scenario) any { return s.isUnchanged })),
	waitsForNothing(judgesBalance(say(`available stays unchanged`, nil, func(s *scenario) any { return s.availableStays }))),
	also(judgesFees(judgesBalance(say(`(if it was accepted, )?`+money+` (falls|rises) by `+amount+`(?: to `+amount+`)?`, nil, func(s *scenario) any { return s.movesBy }))), words{"falls": {target.Settlement}}),
	judgesFees(judgesBalance(say(`available falls by `+amount+` for each accepted`, needs(target.Settlement), func(s *scenario) any { return s.availableFallsEach }))),
	judgesBalance(say(`available does not (rise|fall)`, nil, func(s *scenario) any { return s.doesNotMove })),
	judgesFees(judgesBalance(say(money+` should be (unchanged)()`, nil, func(s *scenario) any { return s.shouldMove }))),
	judgesFees(judgesBalance(say(money+` should (rise|fall) by `+amount, nil, func(s *scenario) any { return s.shouldMove }))),
	say(`its splits are (PENDING|PAID)`, needs(target.Splits), func(s *scenario) any { return s.splitsAre }),
	say(`its splits come to (.+)`, needs(target.Splits), func(s *scenario) any { return s.splitsComeTo }),
	say(amount+` is left to the account`, needs(target.Splits), func(s *scenario) any { return s.isLeft }),
	say(`its splits and what is left add up to `+amount, needs(target.Splits), func(s *scenario) any { return s.splitsAddUp }),

	// Events. A payment whose settlement is left to the target may come to any outcome, at any time.
	arrival(say(`an? `+named+` event arrives`, nil, func(s *scenario) any { return s.arrives })),
	arrival(say(`an? `+named+` event arrives at each URL`, nil, func(s *scenario) any { return s.arrivesAtEach })),
	arrival(say(`an? `+named+` event arrives with:`, nil, func(s *scenario) any { return s.arrivesWith })),
	arrival(say(`an? `+named+` event arrives( at the last URL)? with header (\S+) `+quoted, nil, func(s *scenario) any { return s.arrivesWithHeader })),
	arrival(say(`if it was accepted, an? `+named+` event arrives`, nil, func(s *scenario) any { return s.arrivesIfAccepted })),
	arrival(say(`if it was accepted, an? `+named+` event arrives with:`, nil, func(s *scenario) any { return s.arrivesWithIfAccepted })),
	say(`the `+named+` event (arrives|should arrive) again(?: with header (\S+) `+quoted+`)?`, nil, func(s *scenario) any { return s.arrivesAgain }),
	say(`the `+named+` event arrives at that URL`, nil, func(s *scenario) any { return s.arrivesThere }),
	say(`the query of the URL has arrived`, nil, func(s *scenario) any { return s.queryArrived }),
	say(`the event should be a POST`, nil, func(s *scenario) any { return s.eventShouldBePost }),
	waitsForNothing(say(`nothing arrives(?: for (\w+)| at (the other account))?`, nil, func(s *scenario) any { return s.nothingArrives })),
	waitsForNothing(say(`no event reports it as (LIQUIDATED|REFUNDED)`, nil, func(s *scenario) any { return s.noneReports })),
	waitsForNothing(say(`no other outcome should follow`, nil, func(s *scenario) any { return s.noOtherOutcome })),
	say(`no event carries `+quoted, nil, func(s *scenario) any { return s.noEventCarries }),
	say(`the event (holds|should hold):`, nil, func(s *scenario) any { return s.eventHolds }),
	say(`the events match the contract`, nil, func(s *scenario) any { return s.eventsMatchContract }),

	// What the specification leaves open.
	also(say(`(its \S+|the event's \S+|the payment(?:'s \S+)?|the refund|the order of the payments|the total of the pages|the splits) (?:is|are) noted as `+quoted, nil, func(s *scenario) any { return s.noted }), words{"the splits": {target.Splits}}),
	judgesBalance(say(`the movement of available is noted as `+quoted, nil, func(s *scenario) any { return s.movementNoted })),
	waitsForNothing(say(`it is noted as `+quoted+` whether (the event arrives again|an event arrives|it is settled)`, nil, func(s *scenario) any { return s.whetherNoted })),
}

// words are what a sentence needs when it says them.
type words map[string][]target.Control

// newOnes are the accounts without a history, and the money that no history may add to.
var newOnes = words{
	"a new account": {target.Accounts}, "another new account": {target.Accounts}, "exactly ": {target.Funds},
}

func also(s sentence, needs words) sentence {
	s.also = needs
	return s
}

// arrival is a sentence on an event: those of payments sent need a bank that settles, and
// those of refunds one that carries them out. Without, when they come is the target's own
// affair.
func arrival(s sentence) sentence {
	settles, refunds := needs(target.Settlement), needs(target.Refunds)
	return also(uses(target.Webhooks, s), words{"CashOut": settles, "cash_out": settles, "TRANSFER": settles, "refund_in": refunds, "REFUND": refunds})
}

// needsFor lists the controls without which a step that speaks the sentence cannot be
// carried out.
func (s *sentence) needsFor(step string) []target.Control {
	all := slices.Clone(s.needs)
	for _, word := range s.pattern.FindStringSubmatch(step)[1:] {
		all = append(all, s.also[word]...)
	}
	return all
}

func say(pattern string, needs []target.Control, carry func(*scenario) any) sentence {
	return sentence{pattern: regexp.MustCompile(`^` + pattern + `$`), needs: needs, carry: carry}
}

func needs(controls ...target.Control) []target.Control { return controls }

func opens(s sentence) sentence {
	s.opens = true
	return s
}

func funded(s sentence) sentence {
	s.funds = true
	return opens(s)
}

// alternatively is a control that a sentence needs unless the profile tells what will do
// in its stead; words are those of the step.
type alternatively struct {
	control target.Control
	told    func(o offer, words []string) bool
}

func either(control target.Control, told func(offer, []string) bool, s sentence) sentence {
	s.either = append(s.either, alternatively{control, told})
	return s
}

func brings(s sentence) sentence {
	s.brings = true
	return s
}

func uses(family target.Family, s sentence) sentence {
	s.uses = append(s.uses, family)
	return s
}

func judgesBalance(s sentence) sentence {
	s.balance = true
	return s
}

func waitsForNothing(s sentence) sentence {
	s.waits = true
	return s
}

// teach gives godog the sentences of the scenario, carried out by s. It does not get
// the others: it tries every pattern that it knows, several times for each step.
func (s *scenario) teach(sc *godog.ScenarioContext) {
	for _, sentence := range s.plan.speaks {
		sc.Step(sentence.pattern, sentence.carry(s))
	}
}
