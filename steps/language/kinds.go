package language

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/money"
)

// kind is what a slot can be: its pattern, without groups of its own, the words for it in the guide, and how it is
// read, unless as a text.
type kind struct {
	pattern, shown string
	read           func(string) (any, error)
}

// kinds has the kinds that templates name and, by their names, those of Go's types.
var kinds = map[string]kind{
	"string":    {`\S+`, "NAME", nil},
	"word":      {`\w+`, "TYPE", nil},
	"event":     {`[A-Za-z_]+`, "EVENT", nil},
	"text":      {`.+`, "VALUE", nil},
	"quoted":    {`[^"]*`, "TEXT", nil},
	"field":     {inField, "FIELD", nil},
	"expected":  {`.+`, "EXPECTED", nil},
	"letter":    {`[A-Z]`, "LETTER", nil},
	"State":     {`[A-Z_]+`, "CODE", nil},
	"Code":      {`[A-Z_]+`, "CODE", nil},
	"state":     {`[A-Z]+`, "STATE", nil},
	"addedKind": {`an? .+|that`, "(that|a KIND)", nil},
	"newKind":   {`an?(?: .+)?`, "a [KIND]", nil},
	"Change":    {`(?:` + inField + `) .+?`, "FIELD VALUE", nil}, // read by set, because values are forms, too

	"int":    {`\d+`, "NUMBER", as(numberOf)},
	"count":  {`one|\d+`, "(one|NUMBER)", as(numberOf)},
	"digit":  {`\d`, "NUMBER", as(numberOf)},
	"status": {`\d{3}`, "STATUS", as(numberOf)},
	"ispb":   {`\d{8}`, "NUMBER", nil},
	"HH":     {`\d\d`, "HH", as(numberOf)},
	"MM":     {`\d\d`, "MM", as(numberOf)},
	"SS":     {`\d\d`, "SS", as(numberOf)},
	"day":    {`\d\d?`, "DAY", as(numberOf)},
	"Month":  {`\w+`, "MONTH", as(monthOf)},
	"Nth":    {ordinal, "ORDINAL", as(nthOf)},

	"Centavos": {`R\$ \d+\.\d{2}`, "R$ AMOUNT", as(amountOf)},
	"movement": {`R\$ -?\d+\.\d{2}`, "R$ AMOUNT", as(amountOf)},
	"amounts":  {`.+`, "R$ AMOUNT, R$ AMOUNT and R$ AMOUNT", as(amountOf)},
	"decimal":  {`\d+\.\d{2}`, "AMOUNT", nil},
	"spelled":  {`\S+`, "AMOUNT", nil},
	"Part":     {listOf(share), "R$ 6.00, R$ 3.00 and 10%", as(partOf)},

	"Duration": {`\d+ (?:second|minute|hour|day)s`, "NUMBER (second|minute|hour|day)s", as(spanOf)},
	"seconds":  {`\d+ seconds`, "NUMBER seconds", as(spanOf)},
	"since":    {`\d+ (?:second|minute|hour|day)s? (?:ago|from now)`, "NUMBER (second|minute|hour|day)[s] (ago|from now)", as(sinceOf)},
	"days":     {`\d+ days? (?:ago|from now)`, "NUMBER day[s] (ago|from now)", as(sinceOf)},

	"Account":       {`the account|the other account`, "the [other] account", as(accountOf)},
	"Operation":     {nouns(), "OPERATION", as(operationOf)},
	"Outcome":       {`(?:accepted|rejected)\b.*`, "OUTCOME", as(outcomeOf)},
	"Authorization": {`.+`, "TOKEN", as(authorizationOf)},
	"Made":          {`charge|refund`, "(charge|refund)", as(madeOf)},
	"splitStates":   {listOf(`(?:PENDING|PAID)`), "STATES", nil},
}

// Parts of patterns.
const (
	inField = `(?:header|path|query) [\w-]+|[a-z][\w.\[\]]*`
	ordinal = `first|second|third|\d\d?th`
	share   = `(?:R\$ \d+\.\d{2}|\d+(?:\.\d+)?%)`
)

// listOf is the pattern of a list: "R$ 6.00, 5% and R$ 4.00".
func listOf(item string) string { return item + `(?:(?:, | and )` + item + `)*` }

// separator is between the items of a list.
var separator = regexp.MustCompile(`, | and `)

// nouns are the names of all operations, as alternatives of a pattern.
func nouns() string {
	var all []string
	for _, op := range api.Operations {
		all = append(all, op.Noun)
	}
	return strings.Join(all, "|")
}

func as[T any](read func(string) (T, error)) func(string) (any, error) {
	return func(spelled string) (any, error) { return read(spelled) }
}

func accountOf(spelled string) (Account, error) { return Account(slices.Index(accounts, spelled)), nil }

func operationOf(spelled string) (*api.Operation, error) { return api.MustNamed(spelled), nil }

func madeOf(spelled string) (api.Made, error) {
	return map[string]api.Made{"charge": api.Charge, "refund": api.Refund}[spelled], nil
}

func numberOf(spelled string) (int, error) {
	if spelled == "one" {
		return 1, nil
	}
	n, err := strconv.Atoi(spelled)
	if err != nil {
		return 0, fmt.Errorf("%s is too large a number", spelled)
	}
	return n, nil
}

// nthOf reads "first", "second", "4th".
func nthOf(spelled string) (Nth, error) {
	if n := slices.Index(ordinals, spelled); n >= 0 {
		return Nth(n), nil
	}
	n, err := strconv.Atoi(strings.TrimSuffix(spelled, "th"))
	if err == nil && Nth(n).String() != spelled {
		err = fmt.Errorf("%s is not spelled %v", spelled, Nth(n))
	}
	return Nth(n), err
}

func monthOf(spelled string) (time.Month, error) {
	month, err := time.Parse("January", spelled)
	return month.Month(), err
}

var units = map[string]time.Duration{"second": time.Second, "minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour}

// spanOf reads a count and its unit.
func spanOf(spelled string) (time.Duration, error) {
	count, name, _ := strings.Cut(spelled, " ")
	n, err := numberOf(count)
	unit := units[strings.TrimSuffix(name, "s")]
	by := time.Duration(n) * unit
	if by/unit != time.Duration(n) {
		err = fmt.Errorf("%s is too long", spelled)
	}
	return by, err
}

// sinceOf reads "3 days ago" or "3 days from now".
func sinceOf(spelled string) (time.Duration, error) {
	span, ago := strings.CutSuffix(spelled, " ago")
	by, err := spanOf(strings.TrimSuffix(span, " from now"))
	if ago {
		by = -by
	}
	return by, err
}

// amountOf reads "R$ 6.00".
func amountOf(spelled string) (money.Centavos, error) {
	return money.Parse(strings.TrimPrefix(spelled, "R$ "))
}

// partOf reads "R$ 6.00" or "10%".
func partOf(spelled string) (Part, error) {
	amount, fixed := strings.CutPrefix(spelled, "R$ ")
	return Part{Percent: !fixed, Decimal: strings.TrimSuffix(amount, "%")}, nil
}

var authorizations = []Authorization{NoToken, GarbageToken, FirstToken, AnsweredToken, ItsToken, TokenWithoutScheme, TokenInBasic, TokenOtherSignature, TokenOtherStart, TokenOtherEnd, TokenOthersClaims, TokenCutShort, TokenLaterExpiry, TokenWithoutSignature}

func authorizationOf(spelled string) (Authorization, error) {
	a := Authorization(spelled)
	if !slices.Contains(authorizations, a) {
		return a, fmt.Errorf("%q is not a way to send a token", spelled)
	}
	return a, nil
}
