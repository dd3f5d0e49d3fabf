package language

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/money"
)

// kind is a kind of values that slots accept: its pattern, without groups of its own, the words for it in the guide,
// and how a value is read.
type kind struct {
	pattern, shown string
	reader
}

type reader struct {
	read   func(string) (any, error)
	result reflect.Type
}

func as[T any](read func(string) (T, error)) reader {
	return reader{func(spelled string) (any, error) { return read(spelled) }, reflect.TypeFor[T]()}
}

var asText = as(func(spelled string) (string, error) { return spelled, nil })

// kinds are those that templates name.
var kinds = map[string]kind{
	"name":        {`\S+`, "NAME", asText},
	"word":        {`\w+`, "TYPE", asText},
	"event":       {`[A-Za-z_]+`, "EVENT", asText},
	"text":        {`.+`, "VALUE", asText},
	"quoted":      {`[^"]*`, "TEXT", asText},
	"field":       {inField, "FIELD", asText},
	"expected":    {`.+`, "EXPECTED", asText},
	"letter":      {`[A-Z]`, "LETTER", asText},
	"code":        {`[A-Z_]+`, "CODE", asText},
	"state":       {`[A-Z]+`, "STATE", asText},
	"addedKind":   {`an? .+|that`, "(that|a KIND)", asText},
	"newKind":     {`an?(?: .+)?`, "a [KIND]", asText},
	"splitStates": {listOf(`(?:PENDING|PAID)`), "STATES", asText},

	"number":    {`\d+`, "NUMBER", as(numberOf)},
	"count":     {`one|\d+`, "(one|NUMBER)", as(numberOf)},
	"oneToNine": {`[1-9]`, "NUMBER", as(numberOf)},
	"status":    {`\d{3}`, "STATUS", as(numberOf)},
	"ispb":      {`\d{8}`, "NUMBER", asText},
	"HH":        {`\d\d`, "HH", as(numberOf)},
	"MM":        {`\d\d`, "MM", as(numberOf)},
	"SS":        {`\d\d`, "SS", as(numberOf)},
	"day":       {`\d\d?`, "DAY", as(numberOf)},
	"ordinal":   {ordinal, "ORDINAL", as(nthOf)},

	"amount":   {`R\$ \d+\.\d{2}`, "R$ AMOUNT", as(amountOf)},
	"movement": {`R\$ -?\d+\.\d{2}`, "R$ AMOUNT", as(amountOf)},
	"amounts":  {`.+`, "R$ AMOUNT, R$ AMOUNT and R$ AMOUNT", as(amountOf)},
	"decimal":  {`\d+\.\d{2}`, "AMOUNT", asText},
	"spelled":  {`\S+`, "AMOUNT", asText},

	"seconds": {`\d+ seconds`, "NUMBER seconds", as(spanOf)},
	"since":   {`\d+ (?:second|minute|hour|day)s? (?:ago|from now)`, "NUMBER (second|minute|hour|day)[s] (ago|from now)", as(sinceOf)},
	"offset":  {`[+-][01]\d:[0-5]\d`, "(+|-)HH:MM", asText},
	"days":    {`\d+ days? (?:ago|from now)`, "NUMBER day[s] (ago|from now)", as(sinceOf)},
}

// kindsByType are the kinds of slots that name none, by the type of their field.
var kindsByType = map[reflect.Type]kind{
	reflect.TypeFor[string]():         kinds["name"],
	reflect.TypeFor[int]():            kinds["number"],
	reflect.TypeFor[Nth]():            kinds["ordinal"],
	reflect.TypeFor[api.State]():      kinds["code"],
	reflect.TypeFor[api.Code]():       kinds["code"],
	reflect.TypeFor[money.Centavos](): kinds["amount"],

	reflect.TypeFor[Account]():        {`the account|the other account`, "the [other] account", as(accountOf)},
	reflect.TypeFor[*api.Operation](): {nouns(), "OPERATION", as(operationOf)},
	reflect.TypeFor[Outcome]():        {`(?:accepted|rejected)\b.*`, "OUTCOME", as(outcomeOf)},
	reflect.TypeFor[Authorization]():  {`.+`, "TOKEN", as(authorizationOf)},
	reflect.TypeFor[api.Made]():       {`charge|refund`, "(charge|refund)", as(madeOf)},
	reflect.TypeFor[Part]():           {listOf(share), "R$ 6.00, R$ 3.00 and 10%", as(partOf)},
	reflect.TypeFor[time.Month]():     {`\w+`, "MONTH", as(monthOf)},
	reflect.TypeFor[time.Duration]():  {`\d+ (?:second|minute|hour|day)s`, "NUMBER (second|minute|hour|day)s", as(spanOf)},
	// Values of changes are forms, which are made of kinds: set reads them.
	reflect.TypeFor[[]Change](): {`(?:` + inField + `) .+?`, "FIELD VALUE", reader{result: reflect.TypeFor[[]Change]()}},
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

var authorizations = []Authorization{NoToken, GarbageToken, FirstToken, AnsweredToken, ItsToken, TokenWithoutScheme, TokenInBasic, TokenOtherSignature, TokenOtherStart, TokenOtherEnd, TokenOthersClaims, TokenCutShort, TokenLaterExpiry, TokenWithoutSignature, TokenNone, TokenOfFourParts, TokenInQuery, EmptyToken}

// wrongTokens are what "every wrong token" stands for in a table: none of them needs another account or an earlier token.
var wrongTokens = []Authorization{NoToken, EmptyToken, GarbageToken, TokenWithoutScheme, TokenInBasic, TokenInQuery, TokenOtherSignature, TokenCutShort, TokenLaterExpiry, TokenWithoutSignature, TokenNone, TokenOfFourParts}

func authorizationOf(spelled string) (Authorization, error) {
	a := Authorization(spelled)
	if !slices.Contains(authorizations, a) {
		return a, fmt.Errorf("%q is not a way to send a token", spelled)
	}
	return a, nil
}
