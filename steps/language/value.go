package language

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

// Value is how a feature spells a value to send.
type Value struct {
	Kind   ValueKind
	JSON   json.RawMessage // of a Literal
	Text   string          // of a Text; the field, the mark: what the kind says
	How    string          // it differs from the field; how it starts
	N      int             // of characters, letters, items; of a field, which of its different values
	By     time.Duration   // of a Time or a Date, from now
	Of     Account
	Makes  api.Made
	Swap   bool // accented ones
	Parts  []Part
	AtOnce bool // the parts are paid at once
	Code   Code
}

// ValueKind is the kind of a Value.
type ValueKind int

const (
	Absent      ValueKind = iota // the field is left out
	Literal                      // JSON, byte for byte
	Text                         // a text as it stands; of a header, a path or a query
	Repeated                     // N characters; accented ones if Swap
	FreshText                    // N letters and digits; with Text, a mark, among them, or starting with How
	FreshDigits                  // N of them, the first of which are zeros
	FreshUUID
	FreshEmail
	EmailKeyOf // an e-mail key of N characters
	FreshEndToEndID
	ThatKey
	ThatDocument
	OwnKey
	PayeesKey
	ClientID
	URLWithQuery
	FreshURL
	NearSecret     // Text says how it differs from the client secret
	NearEndToEndID // of the last payment received; Text says how it differs
	SentField      // field Text of the last request of an account, or its Nth different value
	EventsField    // field Text of the last event
	MadeField      // field Text of the Nth thing that Makes says, with another last character if Swap
	AnsweredField  // field Text of the last response that has it
	Time
	Date
	OwnCode // of a charge that the account makes
	LetterCode
	PayeesCode // which Code describes
	Headers    // N of them
	Pairs
	SplitsOf    // Parts
	Twice       // the two values in the array JSON, both under the key of the field
	OwnTwice    // the field's own value, twice under its key
	OwnLone     // its own text with a lone surrogate at the end
	OwnExponent // its own number with an exponent
	Invalid     // every value that the contract forbids the field
	Mistyped    // every value of another type, which a gateway might convert
	Unusual     // JSON for the value which some readers refuse, or read in another way
)

// Code is a QR Code that a payee has made.
type Code struct {
	Dynamic bool   // of a charge; static otherwise
	Amount  string // as the code writes it; empty for none
	Start   string // instead of its own first characters; empty for those
	Length  int    // in characters; 0 for any
	Oddity  Oddity
}

// Oddity is what is special about a Code.
type Oddity string

const (
	CutInHalf     Oddity = "cut in half"
	WrongCRC      Oddity = "with a wrong CRC"
	CRCFromZero   Oddity = "whose CRC starts with 0"
	ChangedAmount Oddity = "with a changed amount" // the CRC is that of another amount
	ForSaoJoao    Oddity = "for São João"          // whose name has more bytes than letters
)

// Part is one split: a fixed amount or a percentage, as a decimal.
type Part struct {
	Percent bool
	Decimal string
}

// shares are splits, as amounts and percentages.
const shares = `((?:R\$ \d+\.\d{2}|\d+(?:\.\d+)?%)(?:(?:, | and )(?:R\$ \d+\.\d{2}|\d+(?:\.\d+)?%))*)`

// invalid is what stands for every value that the contract forbids a field.
const invalid = `invalid`

// valuePhrases are the ways to spell a value that is not JSON.
var valuePhrases = phrases[Value]{
	{exactly(`absent`), value(Absent)},
	{exactly(invalid), value(Invalid)},
	{exactly(`a list of (\d+)`), valueOfN(Headers)},
	{exactly(`(\d+) pairs`), valueOfN(Pairs)},
	{exactly(`(\d+) splits? of R\$ (\d+\.\d{2})`), func(w *words) Value {
		return Value{Kind: SplitsOf, Parts: slices.Repeat([]Part{{Decimal: w.at(1)}}, w.number(0))}
	}},
	{exactly(shares + `(, immediate)?`), func(w *words) Value {
		v := Value{Kind: SplitsOf, AtOnce: w.has(1)}
		for _, part := range separator.Split(w.at(0), -1) {
			amount, fixed := strings.CutPrefix(part, "R$ ")
			v.Parts = append(v.Parts, Part{Percent: !fixed, Decimal: strings.TrimSuffix(amount, "%")})
		}
		return v
	}},
	{exactly(`a string of (\d+) (accented )?characters`), func(w *words) Value { return Value{Kind: Repeated, N: w.number(0), Swap: w.has(1)} }},
	{exactly(`a random string of (\d+) letters and digits`), valueOfN(FreshText)},
	{exactly(`a random string of (\d+) characters with an? (hyphen|underscore|dot|plus|space|percent sign|accent|emoji)`), func(w *words) Value {
		return Value{Kind: FreshText, N: w.number(0), Text: marks[w.at(1)]}
	}},
	{exactly(`a random string of (\d+) letters and digits starting with ([A-Z])`), func(w *words) Value {
		return Value{Kind: FreshText, N: w.number(0), How: w.at(1)}
	}},
	{exactly(`a random string of (\d+) digits`), valueOfN(FreshDigits)},
	{exactly(`a random UUID`), value(FreshUUID)},
	{exactly(`a random e-mail`), value(FreshEmail)},
	{exactly(`a key of (\d+) characters`), valueOfN(EmailKeyOf)},
	{exactly(`a random end-to-end id`), value(FreshEndToEndID)},
	{exactly(`that key`), value(ThatKey)},
	{exactly(`that document`), value(ThatDocument)},
	{exactly(`the account's key`), value(OwnKey)},
	{exactly(`the payee's key`), value(PayeesKey)},
	{exactly(`the account's clientId`), value(ClientID)},
	{exactly(`a URL with a query`), value(URLWithQuery)},
	{exactly(`a new URL`), value(FreshURL)},
	{exactly(`(its clientSecret with the case swapped|the first half of its clientSecret|the second half of its clientSecret|its clientSecret plus one letter)`), valueOfText(NearSecret)},
	{exactly(`its endToEndId( without the last character| plus one letter| with a hyphen as the last character| with X as the first character)?`), valueOfText(NearEndToEndID)},
	{exactly(`(the account|the other account)'s (?:(` + ordinal + `) )?(\S+)( with the case swapped| without the last character| plus one letter)?`), func(w *words) Value {
		return Value{Kind: SentField, Text: w.at(2), N: int(w.nth(1)), Of: w.account(0), How: w.at(3)}
	}},
	{exactly(`the (\S+) of the event`), valueOfText(EventsField)},
	{exactly(`the (\S+) of ` + made + `( with a different last character)?`), func(w *words) Value {
		return Value{Kind: MadeField, Text: w.at(0), Makes: w.kind(2), N: int(w.nth(1)), Swap: w.has(3)}
	}},
	{exactly(`the (\S+) returned`), valueOfText(AnsweredField)},
	{exactly(`now`), value(Time)},
	{exactly(`(\d+) (second|minute|hour|day)s? (ago|from now)`), func(w *words) Value { return Value{Kind: Time, By: w.since(0)} }},
	{exactly(`today's date`), value(Date)},
	{exactly(`the date (\d+) (day)s? (ago|from now)`), func(w *words) Value { return Value{Kind: Date, By: w.since(0)} }},
	{exactly(`the code of its own charge`), value(OwnCode)},
	{exactly(`000201 followed by (\d+) letters`), valueOfN(LetterCode)},
	{exactly(`(\S+), then (\S+)`), func(w *words) Value {
		both := json.RawMessage("[" + w.at(0) + "," + w.at(1) + "]")
		if !json.Valid(both) {
			w.check(fmt.Errorf("%s is not JSON", both))
		}
		return Value{Kind: Twice, JSON: both}
	}},
	{exactly(`a (static|dynamic) code`), payees(func(*words, *Code) {})},
	{exactly(`a (static|dynamic) code of R\$ (\S+)`), payees(func(w *words, c *Code) { c.Amount = w.at(1) })},
	{exactly(`a (static|dynamic) code of (\d+) characters`), payees(func(w *words, c *Code) { c.Length = w.number(1) })},
	{exactly(`a (static|dynamic) code that starts with (\S+)`), payees(func(w *words, c *Code) { c.Start = w.at(1) })},
	{exactly(`a (static|dynamic) code (cut in half|with a wrong CRC|whose CRC starts with 0|with a changed amount|for São João)`), payees(func(w *words, c *Code) { c.Oddity = Oddity(w.at(1)) })},
}

// marks are the characters that a random text can have among its letters and digits.
var marks = map[string]string{"hyphen": "-", "plus": "+", "underscore": "_", "dot": ".", "space": " ", "percent sign": "%", "accent": "é", "emoji": "🍕"}

func value(k ValueKind) func(*words) Value { return func(*words) Value { return Value{Kind: k} } }

func valueOfN(k ValueKind) func(*words) Value {
	return func(w *words) Value { return Value{Kind: k, N: w.number(0)} }
}

func payees(describe func(*words, *Code)) func(*words) Value {
	return func(w *words) Value {
		v := Value{Kind: PayeesCode, Code: Code{Dynamic: w.at(0) == "dynamic"}}
		describe(w, &v.Code)
		return v
	}
}

func valueOfText(k ValueKind) func(*words) Value {
	return func(w *words) Value { return Value{Kind: k, Text: w.at(0)} }
}

// phrases are ways to spell something; the first that matches counts.
type phrases[T any] []struct {
	form *regexp.Regexp
	make func(*words) T
}

func (all phrases[T]) read(spelled string) (T, bool) {
	for _, p := range all {
		if m := p.form.FindStringSubmatch(spelled); m != nil {
			w := &words{groups: m[1:]}
			v := p.make(w)
			return v, w.err == nil
		}
	}
	var none T
	return none, false
}

// valueOf reads a value of a body: a phrase, or JSON as it stands.
func valueOf(spelled string) (Value, error) {
	if v, ok := valuePhrases.read(spelled); ok {
		return v, nil
	}
	if json.Valid([]byte(spelled)) {
		return Value{Kind: Literal, JSON: json.RawMessage(spelled)}, nil
	}
	return Value{}, fmt.Errorf("%q is neither JSON nor a phrase for a value", spelled)
}

// textValueOf reads a value of a header, a path or a query: a phrase, or the text as it
// stands. Only a header can be left out.
func textValueOf(where Where, spelled string) Value {
	v, ok := valuePhrases.read(spelled)
	if !ok || v.Kind == Absent && where != Header || slices.Contains([]ValueKind{Headers, Pairs, SplitsOf, Twice, Invalid}, v.Kind) {
		return Value{Kind: Text, Text: spelled}
	}
	return v
}

func changeOf(field, value string) (Change, error) {
	where, name, outside := strings.Cut(field, " ")
	switch {
	case field == string(ClientCertificate) && value == "absent":
		return Change{Where: ClientCertificate, Value: Value{Kind: Absent}}, nil
	case outside:
		return Change{Where: Where(where), Name: name, Value: textValueOf(Where(where), value)}, nil
	}
	v, err := valueOf(value)
	return Change{Name: field, Value: v}, err
}
