package language

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pixcert/pixcert/features/contract"
	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/money"
)

// Expected is what a value has to be: one of several alternatives.
type Expected struct {
	Words        string // as the feature has them
	Alternatives []Phrase
}

// Phrase says what a value has to be.
type Phrase struct {
	Kind   PhraseKind
	JSON   any    // of Equals: decoded, numbers as json.Number
	Field  string // of the phrases that name one
	N      int    // of items, texts, characters
	More   bool   // at least N
	Amount money.Centavos
	Makes  api.Made // of the phrases that name one of several
	By     time.Duration
}

// PhraseKind is the kind of a Phrase.
type PhraseKind int

// Those that depend on the value alone.
const (
	IsAbsent PhraseKind = iota
	IsPresent
	IsNull
	IsString
	IsText // a string that is not empty
	AreTexts
	IsNumber
	IsBoolean
	IsObject
	IsArray
	IsEmpty
	IsNotEmpty
	IsUUID
	IsJWT
	IsUTC
	IsMasked
	IsEMV
	IsCode // a BR Code
	IsImage
	HasItems
	HasItemOf // whose Field is a number of that Amount
	HasTexts
	HasCharacters
	IsCodeOf // a BR Code of an Amount
	IsAmount // a number of that Amount
	Equals   // JSON

	// Those that depend on what the scenario has done.
	IsPathOfCall
	IsTimeOfCall
	IsMethodOfCall
	IsTheCode
	IsAvailable // as the balance says
	IsBlocked
	IsAvailableAndBlocked
	IsOtherThanFirst // than Field of the first accepted response that has it
	IsFirst
	IsSent     // as Field of the request
	IsOfEvent  // as Field of the last event
	IsOfMade   // as Field of the Nth thing that Makes says
	IsAnswered // as Field of the last accepted response that has it
	IsEndToEndID
	IsAfter     // By after the time in Field
	IsPictureOf // the code in Field
	IsSameAs    // Field beside it
)

// shapes are the phrases without anything that varies.
var shapes = map[string]PhraseKind{
	"absent": IsAbsent, "present": IsPresent, "null": IsNull, "a string": IsString, "a non-empty string": IsText, "a list of strings": AreTexts,
	"a number": IsNumber, "a boolean": IsBoolean, "an object": IsObject, "an array": IsArray, "empty": IsEmpty, "not empty": IsNotEmpty,
	"a UUID": IsUUID, "a JWT": IsJWT, "a UTC time": IsUTC, "masked": IsMasked,
	"an EMV code": IsEMV, "a BR Code": IsCode, "a Base64 image": IsImage,
	"the request path": IsPathOfCall, "the time of the request": IsTimeOfCall, "the request method": IsMethodOfCall, "the code": IsTheCode,
	"the available balance": IsAvailable, "the blocked balance": IsBlocked, "the available plus the blocked balance": IsAvailableAndBlocked,
	"its endToEndId": IsEndToEndID,
}

// expectedPhrases are those in which something varies.
var expectedPhrases = phrases{
	newForm(`[{More=at least}] {N} item[s]`, Phrase{Kind: HasItems}),
	newForm(`an item whose {Field} is {Amount}`, Phrase{Kind: HasItemOf}),
	newForm(`[{More=at least}] {N} strings`, Phrase{Kind: HasTexts}),
	newForm(`{N} characters`, Phrase{Kind: HasCharacters}),
	newForm(`a BR Code of {Amount}`, Phrase{Kind: IsCodeOf}),
	newForm(`{Amount:movement}`, Phrase{Kind: IsAmount}),
	newForm(`different from the first {Field}`, Phrase{Kind: IsOtherThanFirst}),
	newForm(`the first {Field}`, Phrase{Kind: IsFirst}),
	newForm(`the {Field} sent`, Phrase{Kind: IsSent}),
	newForm(`the {Field} of the event`, Phrase{Kind: IsOfEvent}),
	newForm(`the {Field} of the [{N:ordinal}] {Makes}`, Phrase{Kind: IsOfMade}),
	newForm(`the {Field} returned`, Phrase{Kind: IsAnswered}),
	newForm(`{By:seconds} after {Field}`, Phrase{Kind: IsAfter}),
	newForm(`a QR Code of the {Field}`, Phrase{Kind: IsPictureOf}),
	newForm(`the {Field}`, Phrase{Kind: IsSameAs}),
}

// expectedOf reads phrases that "or" joins.
func expectedOf(words string) (Expected, error) {
	e := Expected{Words: words}
	for _, spelled := range strings.Split(words, " or ") {
		p, err := phraseOf(spelled)
		if err != nil {
			return e, err
		}
		e.Alternatives = append(e.Alternatives, p)
	}
	return e, nil
}

func phraseOf(spelled string) (Phrase, error) {
	if k, ok := shapes[spelled]; ok {
		return Phrase{Kind: k}, nil
	}
	if v, err := contract.Decode([]byte(spelled), contract.Limits{}); err == nil {
		return Phrase{Kind: Equals, JSON: v}, nil
	}
	if p, ok := expectedPhrases.read(spelled); ok {
		return p.(Phrase), nil
	}
	return Phrase{}, fmt.Errorf("%q is neither JSON nor a phrase for an expected value", spelled)
}

// Outcome is what a sentence expects of a response: "accepted with 201", "rejected with 400
// A or B, naming value", "accepted, or rejected with 400 or 415".
type Outcome struct {
	Words        string
	Alternatives []Alternative
	Naming       []string // the fields that the messages of an HTTP_ERROR must name
}

// Alternative is one way to meet an Outcome.
type Alternative struct {
	Accepted bool
	Statuses []int      // empty: the operation's own statuses of success
	Codes    []api.Code // empty: any
}

// MayRefuse reports whether a refusal meets the outcome.
func (o Outcome) MayRefuse() bool {
	return slices.ContainsFunc(o.Alternatives, func(a Alternative) bool { return !a.Accepted })
}

// MustRefuse reports whether only a refusal meets it.
func (o Outcome) MustRefuse() bool {
	return !slices.ContainsFunc(o.Alternatives, func(a Alternative) bool { return a.Accepted })
}

// Throttles reports whether the outcome is about 429.
func (o Outcome) Throttles() bool {
	return slices.ContainsFunc(o.Alternatives, func(a Alternative) bool { return slices.Contains(a.Statuses, 429) })
}

// Status is the only status that the outcome allows; false if it allows several, or any.
func (o Outcome) Status() (status int, only bool) {
	if len(o.Alternatives) != 1 || len(o.Alternatives[0].Statuses) != 1 {
		return 0, false
	}
	return o.Alternatives[0].Statuses[0], true
}

// Spoken is the sentence that demands the answer; of its zero value, that the request is accepted.
func (a Answered) Spoken() string {
	subject := "the request"
	if a.Of == Each {
		subject = "every request"
	}
	return subject + " is " + cmp.Or(a.Expected.Words, "accepted")
}

func outcomeOf(words string) (Outcome, error) {
	o := Outcome{Words: words}
	outcomes, naming, named := strings.Cut(words, ", naming ")
	if named {
		o.Naming = strings.Split(naming, " and ")
	}
	for _, clause := range strings.Split(outcomes, ", or ") {
		a, err := alternativeOf(clause)
		if err != nil {
			return Outcome{}, fmt.Errorf("%q: %w", words, err)
		}
		o.Alternatives = append(o.Alternatives, a)
	}
	return o, nil
}

var alternativeForm = exactly(`(accepted)(?: with (\d{3}(?: or \d{3})*))?|rejected with (\d{3}(?: or \d{3})*)(?: ([A-Z_]+(?: or [A-Z_]+)*))?`)

func alternativeOf(clause string) (Alternative, error) {
	m := alternativeForm.FindStringSubmatch(clause)
	if m == nil {
		return Alternative{}, fmt.Errorf(`expected "accepted", "accepted with STATUS" or "rejected with STATUS CODE", got %q`, clause)
	}
	a := Alternative{Accepted: m[1] != ""}
	if m[4] != "" {
		for _, code := range strings.Split(m[4], " or ") {
			a.Codes = append(a.Codes, api.Code(code))
		}
	}
	if statuses := m[2] + m[3]; statuses != "" {
		for _, digits := range strings.Split(statuses, " or ") {
			status, _ := strconv.Atoi(digits) // three of them
			a.Statuses = append(a.Statuses, status)
		}
	}
	return a, nil
}
