package steps

import (
	"context"
	"regexp"

	"github.com/cucumber/godog"

	"github.com/pixcert/pixcert/steps/target"
)

// sentence is one pattern of the features with what carries it out. The whole
// vocabulary of the features is the table below.
type sentence struct {
	pattern *regexp.Regexp
	needs   []target.Control    // without which it cannot be carried out
	balance bool                // it judges how the balance moved since the When began
	waits   bool                // it waits for what must not come, for as long as that takes
	carry   func(*scenario) any // the function that godog calls
}

// Parts of patterns.
const (
	who      = `(the account|the other account)`
	verb     = `(sends|has sent)`
	amount   = `R\$ (\d+\.\d{2})`
	field    = `(header [\w-]+|[a-z][\w.\[\]]*)`
	outcome  = `((?:accepted|refused)\b.*)`
	quoted   = `"([^"]*)"`
	rejected = `[A-Z_]+`
)

// sentences is the vocabulary: what is given, what is done, what then holds.
var sentences = []sentence{
	// Accounts and what they have.
	say(`(an account|another account)`, needs(target.Accounts), func(s *scenario) any { return s.open }),
	say(`(an account|another account) with `+amount+` available`, needs(target.Accounts, target.Funds), func(s *scenario) any { return s.openFunded }),
	say(`a cash-out fee of `+amount, needs(target.FeesControl), func(s *scenario) any { return s.hasFee }),
	say(`a (per-transaction|daily|night) limit of `+amount, needs(target.LimitsControl), func(s *scenario) any { return s.hasLimit }),
	say(`no limits`, needs(target.LimitsControl), func(s *scenario) any { return s.hasNoLimits }),
	say(who+` holds a token`, nil, func(s *scenario) any { return s.holdsToken }),
	say(who+` receives (\w+) webhooks( at the same URL)?(?: at (\d) URLs)?(?: with header (\S+) `+quoted+`)?`, nil, func(s *scenario) any { return s.receives }),
	say(`the (first )?receiver answers (\d{3})`, nil, func(s *scenario) any { return s.receiverAnswers }),
	say(`the account is removed`, needs(target.Accounts), func(s *scenario) any { return s.accountRemoved }),
	say(`the gateway offers the standard balance`, nil, func(s *scenario) any { return s.standardBalanceOffered }),

	// Certificates.
	say(who+` also has (an? .+) certificate`, needs(target.Certificates), func(s *scenario) any { return s.registersCertificate }),
	say(`that certificate is revoked`, needs(target.Certificates), func(s *scenario) any { return s.revokesCertificate }),
	say(`(an?(?: .+)?) certificate that was never registered`, nil, func(s *scenario) any { return s.unregisteredCertificate }),
	say(who+` presents (no certificate|its certificate|that certificate|the other account's certificate|a certificate that was never registered)(?: as `+quoted+`)?`, nil, func(s *scenario) any { return s.presents }),

	// Time, the bank, the directory, the upstream.
	say(`it is (\d\d:\d\d(?::\d\d)?) in São Paulo`, needs(target.Clock), func(s *scenario) any { return s.isTime }),
	say(`(\d+) (second|minute|hour)s pass`, needs(target.Clock), func(s *scenario) any { return s.pass }),
	say(`settlement waits for the bank`, needs(target.Settlement), func(s *scenario) any { return s.settlementWaits }),
	say(`the bank (confirms|tries to confirm) it`, needs(target.Settlement), func(s *scenario) any {
		return func(ctx context.Context, verb string) error { return s.bank(ctx, verb, "") }
	}),
	say(`the bank (rejects|tries to reject) it with (`+rejected+`)`, needs(target.Settlement), func(s *scenario) any { return s.bank }),
	say(`the key directory holds a fresh key for (another document|the same document|a blocked account|a closed account)`, needs(target.Directory), func(s *scenario) any { return s.directoryHolds }),
	say(`upstream authentication (answers nonsense|is unreachable|is back)`, needs(target.FaultsControl), func(s *scenario) any { return s.upstream }),

	// Requests: a valid one, and what is changed in it.
	say(who+` `+verb+` an? (`+nouns()+`)`, nil, func(s *scenario) any { return s.sendsOne }),
	say(who+` `+verb+` a cash-out of `+amount, nil, func(s *scenario) any { return s.sendsAmount }),
	say(who+` `+verb+` an? (`+nouns()+`) with `+field+` (.+)`, nil, func(s *scenario) any { return s.sendsWith }),
	say(who+` `+verb+` an? (`+nouns()+`) with:`, nil, func(s *scenario) any { return s.sendsTable }),
	say(who+` `+verb+` an? (`+nouns()+`) whose body is (.+)`, nil, func(s *scenario) any { return s.sendsRaw }),
	say(who+` `+verb+` an? (`+nouns()+`) under (.+)`, nil, func(s *scenario) any { return s.sendsUnder }),
	say(who+` sends it again with:`, nil, func(s *scenario) any { return s.sendsAgainTable }),
	say(who+` sends it again(?: with `+field+` (.+))?`, nil, func(s *scenario) any { return s.sendsAgain }),
	say(who+` sends the same cash-out of `+amount+` (\d+) times at once`, nil, func(s *scenario) any { return s.sendsSameAtOnce }),
	say(who+` sends (\d+) cash-outs of `+amount+` at once`, nil, func(s *scenario) any { return s.sendsCashOutsAtOnce }),
	say(who+` sends (\d+) webhook registrations at once`, nil, func(s *scenario) any { return s.sendsRegistrationsAtOnce }),

	// Answers.
	say(`it (is|should be) `+outcome, nil, func(s *scenario) any { return s.is }),
	say(`(at most )?(one|\d+) (?:is|are) accepted`, nil, func(s *scenario) any { return s.batchIs }),
	say(`the others are `+outcome, nil, func(s *scenario) any { return s.othersAre }),
	say(`the answer has:`, nil, func(s *scenario) any { return s.answerHas }),
	say(`the code is none of:`, nil, func(s *scenario) any { return s.codeIsNoneOf }),
	say(`its (\S+) should be (.+)`, nil, func(s *scenario) any { return s.fieldShould }),
	say(`its (\S+) (?:is|are) noted as `+quoted, nil, func(s *scenario) any { return s.noted }),
	say(`both answers differ in (\S+)`, nil, func(s *scenario) any { return s.answersDiffer }),
	say(`both refusals (.+)`, nil, func(s *scenario) any { return s.bothRefusals }),
	say(`the (first|last) registration is listed as it was sent`, nil, func(s *scenario) any { return s.listedAsSent }),
	say(`the answers match the contract`, nil, func(s *scenario) any { return s.answersMatchContract }),

	// Money.
	judgesBalance(say(`available is unchanged`, nil, func(s *scenario) any { return s.availableUnchanged })),
	waitsForNothing(judgesBalance(say(`available stays unchanged`, nil, func(s *scenario) any { return s.availableStays }))),
	judgesBalance(say(`available falls by `+amount+`(?: to `+amount+`)?`, needs(target.FeesControl, target.Settlement), func(s *scenario) any { return s.availableFalls })),
	judgesBalance(say(`available falls by `+amount+` for each accepted`, needs(target.FeesControl, target.Settlement), func(s *scenario) any { return s.availableFallsEach })),
	judgesBalance(say(`(available|blocked) should be (unchanged)()`, needs(target.FeesControl, target.Settlement), func(s *scenario) any { return s.shouldMove })),
	judgesBalance(say(`(available|blocked) should (rise|fall) by `+amount, needs(target.FeesControl, target.Settlement), func(s *scenario) any { return s.shouldMove })),

	// Events. A payment whose settlement is left to the target may come to any outcome.
	say(`a CashOut event arrives`, needs(target.Settlement), func(s *scenario) any { return s.arrives }),
	say(`a CashOut event arrives at each URL`, needs(target.Settlement), func(s *scenario) any { return s.arrivesAtEach }),
	say(`a CashOut event arrives with:`, needs(target.Settlement), func(s *scenario) any { return s.arrivesWith }),
	say(`a CashOut event arrives( at the last URL)? with header (\S+) `+quoted, needs(target.Settlement), func(s *scenario) any { return s.arrivesWithHeader }),
	say(`if it was accepted, a CashOut event arrives with:`, needs(target.Settlement), func(s *scenario) any { return s.arrivesIfAccepted }),
	say(`both events differ in (\S+)`, nil, func(s *scenario) any { return s.eventsDiffer }),
	say(`the query of the URL has arrived`, nil, func(s *scenario) any { return s.queryArrived }),
	say(`the event should be a POST`, nil, func(s *scenario) any { return s.eventShouldBePost }),
	say(`the event is JSON`, nil, func(s *scenario) any { return s.eventIsJSON }),
	waitsForNothing(say(`nothing arrives (?:for (\w+)|at (the other account))`, nil, func(s *scenario) any { return s.nothingArrives })),
	waitsForNothing(say(`no other outcome should follow`, nil, func(s *scenario) any { return s.noOtherOutcome })),
	say(`no event carries `+quoted, nil, func(s *scenario) any { return s.noEventCarries }),
	say(`the event's (method|headers) (?:is|are) noted as `+quoted, nil, func(s *scenario) any { return s.eventNoted }),
	waitsForNothing(say(`it is noted as `+quoted+` whether the event arrives again`, nil, func(s *scenario) any { return s.againNoted })),
	say(`the events match the contract`, nil, func(s *scenario) any { return s.eventsMatchContract }),
}

func say(pattern string, needs []target.Control, carry func(*scenario) any) sentence {
	return sentence{pattern: regexp.MustCompile(`^` + pattern + `$`), needs: needs, carry: carry}
}

func needs(controls ...target.Control) []target.Control { return controls }

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
