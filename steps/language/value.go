package language

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

// Value is how a feature spells a value to send.
type Value struct {
	Kind   ValueKind
	JSON   json.RawMessage // of a Literal
	Text   string          // of a Text; the field, the mark, the offset from UTC: what the kind says
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
	FreshLine                    // a text that ends in a line feed, which some patterns overlook
	FreshText                    // N letters and digits; with Text, a mark, among them, or starting with How
	FreshDigits                  // N of them, the first of which are zeros
	FreshUUID
	FreshEmail
	FreshKey   // of the kind How, which the key directory does not have
	EmailKeyOf // an e-mail key of N characters
	FreshEndToEndID
	ThatKey
	NearKey // that key, but for one digit
	ThatDocument
	OwnKey
	PayeesKey
	ClientID
	URLWithQuery // or with what Text says, or of N characters
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

	CapitalGUI    Oddity = "with its GUI in capitals"
	OtherTemplate Oddity = "with its account in template 51" // of those that payment schemes share
	OtherSchemes  Oddity = "with accounts of other schemes"
	OtherOrder    Oddity = "with its fields in another order"
	Reusable      Oddity = "marked as reusable"
	OtherCategory Oddity = "with a merchant category"
	PostalCode    Oddity = "with a postal code"
	OtherLanguage Oddity = "with a name in another language"
	NoteForPayer  Oddity = "with a note for the payer"
	NoteForPayee  Oddity = "with a note for the payee"
	LongestName   Oddity = "with a name of 25 characters"
	LongestCity   Oddity = "with a city of 15 characters"
	LongestTxID   Oddity = "with a txid of 25 characters"
	PhoneInCode   Oddity = "with a phone key"
	CPFInCode     Oddity = "with a CPF key"
	EVPInCode     Oddity = "with a random key"
	CRCTagInKey   Oddity = "with 6304 in its key"
	CRCTagInName  Oddity = "with 6304 in its name"

	NoCRC          Oddity = "without its CRC"
	EmptyCRC       Oddity = "with an empty CRC"
	ShortCRC       Oddity = "with a CRC of three digits"
	LongCRC        Oddity = "with a CRC of five digits"
	WrongCRCStart  Oddity = "with a CRC that only ends right"
	EqualAsNumber  Oddity = "with another CRC that is the same number" // 0E99 for 0E12
	TextAfterCRC   Oddity = "with text after its CRC"
	FieldAfterCRC  Oddity = "with a field after its CRC"
	SpaceBefore    Oddity = "with a space before it"
	LongField      Oddity = "with a field longer than the code"
	ShortField     Oddity = "with a field shorter than its value"
	LongKey        Oddity = "with a key longer than its template"
	LengthNoNumber Oddity = "with a length that is not a number"
	OtherGUI       Oddity = "with the GUI of another scheme"
	LongGUI        Oddity = "with a GUI that only starts right"
	NoKey          Oddity = "without a key"
	NoName         Oddity = "without a name"
	NoCity         Oddity = "without a city"
	NoCurrency     Oddity = "without a currency"
	OtherCurrency  Oddity = "in US dollars"
	AmountNoNumber Oddity = "with an amount that is not a number"
	AmountComma    Oddity = "with a comma in its amount"
	AmountNegative Oddity = "with a negative amount"
)

// oddSpellings are codes that a payee seldom writes in this way: the first are valid, the others are not.
var oddSpellings = alternatives(
	CapitalGUI, OtherTemplate, OtherSchemes, OtherOrder, Reusable, OtherCategory, PostalCode, OtherLanguage, NoteForPayer, NoteForPayee,
	LongestName, LongestCity, LongestTxID, PhoneInCode, CPFInCode, EVPInCode, CRCTagInKey, CRCTagInName,

	NoCRC, EmptyCRC, ShortCRC, LongCRC, WrongCRCStart, EqualAsNumber, TextAfterCRC, FieldAfterCRC, SpaceBefore, LongField, ShortField, LongKey,
	LengthNoNumber, OtherGUI, LongGUI, NoKey, NoName, NoCity, NoCurrency, OtherCurrency, AmountNoNumber, AmountComma, AmountNegative,
)

// alternatives spells oddities as the choices of a slot.
func alternatives(all ...Oddity) string {
	spelled := make([]string, len(all))
	for i, o := range all {
		spelled[i] = string(o)
	}
	return strings.Join(spelled, "|")
}

// Part is one split: a fixed amount or a percentage, as a decimal.
type Part struct {
	Percent bool
	Decimal string
}

// invalid is what stands for every value that the contract forbids a field.
const invalid = `invalid`

// valuePhrases are the ways to spell a value that is not JSON.
var valuePhrases = phrases{
	newForm(LeftOut, Value{Kind: Absent}),
	newForm(invalid, Value{Kind: Invalid}),
	newForm(`a list of {N}`, Value{Kind: Headers}),
	newForm(`{N} pairs`, Value{Kind: Pairs}),
	newForm(`{count:number} split[s] of R$ {amount:decimal}`, finishedBy(Value{Kind: SplitsOf}, func(w *words, v *Value) {
		n, err := numberOf(w.matched("count"))
		w.check(err)
		v.Parts = slices.Repeat([]Part{{Decimal: w.matched("amount")}}, n)
	})),
	newForm(`{Parts}[{AtOnce=, immediate}]`, Value{Kind: SplitsOf}),
	newForm(`a string of {N} [{Swap=accented}] characters`, Value{Kind: Repeated}),
	newForm(`a random string of {N} letters and digits`, Value{Kind: FreshText}),
	newForm(`a random string of {N} characters with a[n] {mark=hyphen|underscore|dot|plus|space|slash|percent sign|accent|emoji}`, finishedBy(Value{Kind: FreshText}, func(w *words, v *Value) {
		v.Text = marks[w.matched("mark")]
	})),
	newForm(`a random string of {N} letters and digits starting with {How:letter}`, Value{Kind: FreshText}),
	newForm(`a random string of {N} letters and digits and a line feed`, Value{Kind: FreshLine}),
	newForm(`a random string of {N} digits`, Value{Kind: FreshDigits}),
	newForm(`a random UUID`, Value{Kind: FreshUUID}),
	newForm(`a random e-mail`, Value{Kind: FreshEmail}),
	newForm(`a random {How=CPF|CNPJ|phone|landline}`, Value{Kind: FreshKey}),
	newForm(`a key of {N} characters`, Value{Kind: EmailKeyOf}),
	newForm(`a random end-to-end id`, Value{Kind: FreshEndToEndID}),
	newForm(`that key`, Value{Kind: ThatKey}),
	newForm(`that key with another digit`, Value{Kind: NearKey}),
	newForm(`that document`, Value{Kind: ThatDocument}),
	newForm(`the account's key`, Value{Kind: OwnKey}),
	newForm(`the payee's key`, Value{Kind: PayeesKey}),
	newForm(`the account's clientId`, Value{Kind: ClientID}),
	newForm(`a URL with a query`, Value{Kind: URLWithQuery}),
	newForm(`a URL with {Text=capitals|an escaped path|a trailing slash|repeated parameters}`, Value{Kind: URLWithQuery}),
	newForm(`a URL of {N} characters`, Value{Kind: URLWithQuery}),
	newForm(`a new URL`, Value{Kind: FreshURL}),
	newForm(`{Text=its clientSecret|its clientSecret with the case swapped|the first half of its clientSecret|the second half of its clientSecret|its clientSecret plus one letter}`, Value{Kind: NearSecret}),
	newForm(`its endToEndId [{Text=with the case swapped|without the last character|plus one letter|with a hyphen as the last character|with X as the first character|with a space after it}]`, Value{Kind: NearEndToEndID}),
	newForm(`{Of}'s [{N:ordinal}] {Text} [{How=with the case swapped|without the last character|plus one letter|with a different first character|with a different last character|with a space before it|with a space after it|with its accent removed}]`, Value{Kind: SentField}),
	newForm(`the {Text} of the event`, Value{Kind: EventsField}),
	newForm(`the {Text} of the [{N:ordinal}] {Makes} [{Swap=with a different last character}]`, Value{Kind: MadeField}),
	newForm(`the {Text} returned`, Value{Kind: AnsweredField}),
	newForm(`now`, Value{Kind: Time}),
	newForm(`{By:since}`, Value{Kind: Time}),
	newForm(`{By:since} at UTC{Text:offset}`, Value{Kind: Time}),
	newForm(`today's date`, Value{Kind: Date}),
	newForm(`the date {By:days}`, Value{Kind: Date}),
	newForm(`the code of its own charge`, Value{Kind: OwnCode}),
	newForm(`000201 followed by {N} letters`, Value{Kind: LetterCode}),
	newForm(`{first:name}, then {second:name}`, finishedBy(Value{Kind: Twice}, func(w *words, v *Value) {
		v.JSON = json.RawMessage("[" + w.matched("first") + "," + w.matched("second") + "]")
		if !json.Valid(v.JSON) {
			w.check(fmt.Errorf("%s is not JSON", v.JSON))
		}
	})),
	newForm(payeesCode, Value{Kind: PayeesCode}),
	newForm(payeesCode+` of R$ {Code.Amount:spelled}`, Value{Kind: PayeesCode}),
	newForm(payeesCode+` of {Code.Length} characters`, Value{Kind: PayeesCode}),
	newForm(payeesCode+` that starts with {Code.Start}`, Value{Kind: PayeesCode}),
	newForm(payeesCode+` {Code.Oddity=cut in half|with a wrong CRC|whose CRC starts with 0|with a changed amount|for São João}`, Value{Kind: PayeesCode}),
	newForm(payeesCode+` {Code.Oddity=`+oddSpellings+`}`, Value{Kind: PayeesCode}),
}

const payeesCode = `a {Code.Dynamic=static|dynamic} code`

// marks are the characters that a random text can have among its letters and digits.
var marks = map[string]string{"hyphen": "-", "plus": "+", "underscore": "_", "dot": ".", "space": " ", "slash": "/", "percent sign": "%", "accent": "é", "emoji": "🍕"}

// phrases are ways to spell something; the first that matches counts.
type phrases []*form

func (all phrases) read(spelled string) (meaning any, ok bool) {
	for _, f := range all {
		if meaning, w := f.read(spelled, nil); w != nil {
			return meaning, w.err == nil
		}
	}
	return nil, false
}

// valueOf reads a value of a body: a phrase, or JSON as it stands.
func valueOf(spelled string) (Value, error) {
	if v, ok := valuePhrases.read(spelled); ok {
		return v.(Value), nil
	}
	if json.Valid([]byte(spelled)) {
		return Value{Kind: Literal, JSON: json.RawMessage(spelled)}, nil
	}
	return Value{}, fmt.Errorf("%q is neither JSON nor a phrase for a value", spelled)
}

// textValueOf reads a value of a header, a path or a query: a phrase, or the text as it
// stands. Only a header can be left out.
func textValueOf(where Where, spelled string) Value {
	meaning, ok := valuePhrases.read(spelled)
	v, _ := meaning.(Value)
	if !ok || v.Kind == Absent && where != Header || slices.Contains([]ValueKind{Headers, Pairs, SplitsOf, Twice, Invalid}, v.Kind) {
		return Value{Kind: Text, Text: spelled}
	}
	return v
}

func changeOf(field, value string) (Change, error) {
	where, name, outside := strings.Cut(field, " ")
	switch {
	case field == string(ClientCertificate) && value == LeftOut:
		return Change{Where: ClientCertificate, Value: Value{Kind: Absent}}, nil
	case outside:
		return Change{Where: Where(where), Name: name, Value: textValueOf(Where(where), value)}, nil
	}
	v, err := valueOf(value)
	return Change{Name: field, Value: v}, err
}
