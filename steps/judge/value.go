package judge

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/brcode"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/verdict"
)

// isNull reports whether a sentence says nothing about a value, since the field that it names is null.
func isNull(value any, field string) bool {
	v := jsonvalue.Find(value, field)
	return field != "" && v.Present && v.Value == nil
}

// preferably softens r if the step says "should".
func preferably(r Result, m language.Modality) Result {
	if m == language.Should && r.Verdict == verdict.Fail {
		r.Finding.Expected += ", preferably"
	}
	return softened(r, m)
}

// rowsHold judges the fields of a value of an attempt.
func rowsHold(s *Scenario, i int, t *record.Attempt, value any, rows []language.Row) Result {
	for _, row := range rows {
		v := jsonvalue.Find(value, row.Field)
		holds, r := fitsOne(s, i, t, v, row.Expected.Alternatives)
		switch {
		case r.Verdict != verdict.Pass:
			return r
		case !holds:
			r := failAt(t, fmt.Sprintf("%s to be %s", row.Field, wordsOf(s, row.Expected, t)), v.String(), "").in(row.Field)
			if isOfBalance(t, row.Field) {
				r = unlessShared(s, r)
			}
			return r
		}
	}
	return pass()
}

// isOfBalance reports whether a field is money of the account, which others may move if it is shared.
func isOfBalance(t *record.Attempt, field string) bool {
	last := field[strings.LastIndex(field, ".")+1:]
	return t != nil && (t.Op.ID == "balances" || t.Op.ID == "standardBalance") &&
		slices.Contains([]string{"available", "blocked", "grossBalance", "blockedBalance", "netBalance"}, last)
}

// wordsOf are the words of what is expected, with the time if they only refer to it.
func wordsOf(s *Scenario, e language.Expected, t *record.Attempt) string {
	isTime := func(p language.Phrase) bool { return p.Kind == language.IsTimeOfCall }
	if !slices.ContainsFunc(e.Alternatives, isTime) {
		return e.Words
	}
	return fmt.Sprintf("%s, %s", e.Words, t.Sent.Add(s.ahead(t)).UTC().Format(time.RFC3339))
}

// fitsOne reports whether a value matches one of several phrases. Once one matches, the others do
// not matter, even if they cannot be decided.
func fitsOne(s *Scenario, i int, t *record.Attempt, v jsonvalue.Found, phrases []language.Phrase) (bool, Result) {
	for _, p := range phrases {
		if holds, r := fits(s, i, t, v, p); holds || r.Verdict != verdict.Pass {
			return holds && r.Verdict == verdict.Pass, r
		}
	}
	return false, pass()
}

// fits reports whether a value matches a phrase. The result is not a pass if that cannot be
// decided.
func fits(s *Scenario, i int, t *record.Attempt, v jsonvalue.Found, p language.Phrase) (bool, Result) {
	if test, ok := shapes[p.Kind]; ok {
		return test(v, p), pass()
	}
	switch p.Kind {
	case language.IsPathOfCall:
		return isPath(v.Value, t.Path()), pass()
	case language.IsTimeOfCall:
		ahead := s.ahead(t)
		return isNear(v.Value, t.Sent.Add(ahead), ahead != 0), pass()
	case language.IsMethodOfCall:
		return v.Value == t.Op.Method, pass()
	case language.IsTheCode:
		return v.Value == string(t.Code()), pass()
	case language.IsAvailable, language.IsBlocked, language.IsAvailableAndBlocked:
		b, r := balanceNow(s, i, t.Account, 0)
		got, ok := money.Of(v.Value)
		want := map[language.PhraseKind]money.Centavos{
			language.IsAvailable: b.Available, language.IsBlocked: b.Blocked, language.IsAvailableAndBlocked: b.Available + b.Blocked,
		}[p.Kind]
		return ok && got == want, r
	case language.IsFirst, language.IsOtherThanFirst:
		first, r := firstAnswered(s, p.Field)
		same := v.Present && jsonvalue.Equal(v.Value, first)
		return v.Present && same == (p.Kind == language.IsFirst), r
	case language.IsSent:
		return isSent(s, t, v, p.Field)
	case language.IsOfEvent:
		want, r := OfEvent(s, p.Field)
		return v.Present && v.Value == want, r
	case language.IsOfMade:
		want, r := OfMade(s.View, p.Makes, language.Nth(p.N), p.Field)
		return v.Present && fmt.Sprint(v.Value) == want, r
	case language.IsAnswered:
		want, r := LastAnswered(s.View, p.Field)
		return v.Present && v.Value == want, r
	case language.IsEndToEndID:
		id := EndToEndID(s.View)
		return v.Present && id != "" && v.Value == id, pass()
	case language.IsAfter:
		from, _ := jsonvalue.Lookup(t.Answer, p.Field)
		return isAfter(v.Value, from, p.By), pass()
	case language.IsPictureOf:
		code, _ := jsonvalue.Lookup(t.Answer, p.Field)
		return brcode.IsPictureOf(v.Value, fmt.Sprint(code)), pass()
	case language.IsSameAs:
		beside, ok := jsonvalue.Lookup(t.Answer, p.Field)
		return ok && v.Present && jsonvalue.Equal(v.Value, beside), pass()
	}
	return false, broken(fmt.Errorf("no meaning for phrase %d", p.Kind))
}

// shapes are the phrases that depend only on the value.
var shapes = map[language.PhraseKind]func(v jsonvalue.Found, p language.Phrase) bool{
	language.IsAbsent:   func(v jsonvalue.Found, _ language.Phrase) bool { return !v.Present },
	language.IsPresent:  func(v jsonvalue.Found, _ language.Phrase) bool { return v.Present && v.Value != nil },
	language.IsNull:     func(v jsonvalue.Found, _ language.Phrase) bool { return v.Present && v.Value == nil },
	language.IsString:   of(func(string) bool { return true }),
	language.IsText:     of(func(s string) bool { return s != "" }),
	language.AreTexts:   func(v jsonvalue.Found, _ language.Phrase) bool { return texts(v.Value) > 0 },
	language.IsNumber:   isA[json.Number],
	language.IsBoolean:  isA[bool],
	language.IsObject:   isA[map[string]any],
	language.IsArray:    isA[[]any],
	language.IsEmpty:    func(v jsonvalue.Found, _ language.Phrase) bool { return items(v.Value) == 0 },
	language.IsNotEmpty: func(v jsonvalue.Found, _ language.Phrase) bool { return isNotEmpty(v.Value) },
	language.IsUUID:     of(uuidForm.MatchString),
	language.IsJWT:      of(IsJWT),
	language.IsUTC:      func(v jsonvalue.Found, _ language.Phrase) bool { _, ok := utc(v.Value); return ok },
	language.IsMasked:   of(isMasked),
	language.IsEMV:      of(func(s string) bool { return strings.HasPrefix(s, "000201") }),
	language.IsCode:     of(brcode.Is),
	language.IsImage:    func(v jsonvalue.Found, _ language.Phrase) bool { return brcode.IsImage(v.Value) },
	language.HasItems:   func(v jsonvalue.Found, p language.Phrase) bool { return isCount(items(v.Value), p) },
	language.HasItemOf: func(v jsonvalue.Found, p language.Phrase) bool {
		return slices.ContainsFunc(jsonvalue.Items(v.Value, ""), func(item any) bool {
			got, ok := money.At(item, p.Field)
			return ok && got == p.Amount
		})
	},
	language.HasTexts: func(v jsonvalue.Found, p language.Phrase) bool { return isCount(texts(v.Value), p) },
	language.HasCharacters: func(v jsonvalue.Found, p language.Phrase) bool {
		s, ok := v.Value.(string)
		return ok && len([]rune(s)) == p.N
	},
	language.IsCodeOf: func(v jsonvalue.Found, p language.Phrase) bool {
		s, _ := v.Value.(string)
		return brcode.IsOf(s, p.Amount)
	},
	language.IsAmount: func(v jsonvalue.Found, p language.Phrase) bool {
		got, ok := money.Of(v.Value)
		return ok && got == p.Amount
	},
	language.Equals: func(v jsonvalue.Found, p language.Phrase) bool { return v.Present && jsonvalue.Equal(v.Value, p.JSON) },
}

// of tests a string.
func of(test func(string) bool) func(jsonvalue.Found, language.Phrase) bool {
	return func(v jsonvalue.Found, _ language.Phrase) bool {
		s, ok := v.Value.(string)
		return ok && test(s)
	}
}

func isA[T any](v jsonvalue.Found, _ language.Phrase) bool {
	_, ok := v.Value.(T)
	return ok
}

var (
	uuidForm = regexp.MustCompile(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
	utcForm  = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|\+00:00)$`)
)

func isCount(n int, p language.Phrase) bool { return n == p.N || p.More && n > p.N }

// items counts the elements of an array; -1 for anything else.
func items(v any) int {
	a, ok := v.([]any)
	if !ok {
		return -1
	}
	return len(a)
}

// texts counts the elements of an array of non-empty strings; -1 for anything else.
func texts(v any) int {
	a, _ := v.([]any)
	if slices.ContainsFunc(a, func(entry any) bool { s, _ := entry.(string); return s == "" }) {
		return -1
	}
	return items(v)
}

func isNotEmpty(v any) bool {
	switch v := v.(type) {
	case []any:
		return len(v) > 0
	case map[string]any:
		return len(v) > 0
	case string:
		return v != ""
	}
	return false
}

// utc parses an ISO 8601 time in UTC (Z or +00:00), with or without fractions of a second.
func utc(v any) (time.Time, bool) {
	s, _ := v.(string)
	if !utcForm.MatchString(s) {
		return time.Time{}, false
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	return t, err == nil
}

// IsJWT reports whether a string is a JSON Web Token: three parts in base64url, the first of them a
// JSON object.
func IsJWT(s string) bool {
	parts := strings.Split(s, ".")
	if len(parts) != 3 {
		return false
	}
	for _, p := range parts {
		if _, err := base64.RawURLEncoding.DecodeString(p); err != nil {
			return false
		}
	}
	header, _ := base64.RawURLEncoding.DecodeString(parts[0])
	var members map[string]any
	return json.Unmarshal(header, &members) == nil && members != nil
}

// isMasked reports whether a document does not show all its digits: the eleven of a person, or the fourteen of a company,
// of which it may show eleven or more if something stands in the place of the others.
func isMasked(s string) bool {
	const person, company = 11, 14
	shown, hidden := 0, 0
	for _, r := range s {
		switch {
		case '0' <= r && r <= '9':
			shown++
		case !strings.ContainsRune("./- ", r):
			hidden++
		}
	}
	return s != "" && (shown < person || shown < company && shown+hidden >= company)
}

// isAfter reports whether a UTC time is that long after another, as exactly as clocks are.
func isAfter(v, from any, by time.Duration) bool {
	later, ok := utc(v)
	earlier, okEarlier := utc(from)
	return ok && okEarlier && (later.Sub(earlier)-by).Abs() <= api.ClockTolerance
}

// isNear reports whether a UTC time may be the one at which a request was sent.
func isNear(v any, sent time.Time, moved bool) bool {
	within := api.StampTolerance
	if moved {
		within = api.MovedTolerance
	}
	at, ok := utc(v)
	return ok && at.Sub(sent).Abs() < within
}

// isPath reports whether a value is the path of the request, escaped or not, with or without the
// prefix of the base URL and the query.
func isPath(v any, path string) bool {
	p, _ := v.(string)
	p, _, _ = strings.Cut(p, "?")
	plain, err := url.PathUnescape(path)
	return strings.HasSuffix(p, path) || err == nil && strings.HasSuffix(p, plain)
}

// Values that a sentence takes from earlier in the scenario: "the txid sent", "the id of the event".

func firstAnswered(s *Scenario, field string) (any, Result) {
	for _, t := range s.Attempts {
		if v, ok := jsonvalue.Lookup(t.Answer, field); ok && t.Accepted() {
			return v, pass()
		}
	}
	return nil, couldNotTest("no accepted response in this scenario has the field " + field)
}

func isSent(s *Scenario, t *record.Attempt, v jsonvalue.Found, field string) (bool, Result) {
	sent, ok := t.SentField(field)
	switch {
	case ok:
		return v.Present && jsonvalue.Equal(v.Value, sent), pass()
	case field == "chave" && s.Accounts[t.Account].PixKey == "":
		return false, blocked(UnknownKey)
	}
	return false, unrecorded("a request with the field " + field)
}

// UnknownKey: accounts in the profile need not have a PIX key.
var UnknownKey = record.Cannot("the PIX key of the account is unknown: set accounts[].pixKey in the profile")

// OfEvent returns a field of the last event, or of the data in its envelope.
func OfEvent(s *Scenario, field string) (string, Result) {
	if s.Event == nil {
		return "", noEvent()
	}
	if v := s.Event.Text(field); v != "" {
		return v, pass()
	}
	return "", failEvent(s, article(field)+" "+field, "absent")
}

// LastAnswered returns a field of the last accepted response that has it.
func LastAnswered(v *record.View, field string) (string, Result) {
	for _, t := range slices.Backward(v.Attempts) {
		if v, ok := jsonvalue.Lookup(t.Answer, field); ok && v != nil && t.Accepted() {
			return jsonvalue.Plain(v), pass()
		}
	}
	return "", couldNotTest("no accepted response in this scenario has the field " + field)
}

// OfMade returns a field of a charge or refund: of the response, or of the request. The endToEndId of a
// charge is that of its payment.
func OfMade(v *record.View, makes api.Made, n language.Nth, field string) (string, Result) {
	t, r := madeAs(v, n, makes)
	if r.Verdict != verdict.Pass {
		return "", r
	}
	if field == "endToEndId" && t.EndToEndID == "" {
		return "", couldNotTest("the " + nthOf(n, makes.String()) + " was not paid")
	} else if field == "endToEndId" {
		return t.EndToEndID, pass()
	}
	if answered := jsonvalue.Text(t.Answer, field); answered != "" {
		return answered, pass()
	}
	if sent := t.SentText(field); sent != "" {
		return sent, pass()
	}
	return "", broken(fmt.Errorf("the %s has no field %s", t.Op.Noun, field))
}

// EndToEndID returns the end-to-end id of the payment of the last charge; empty if it has none.
func EndToEndID(v *record.View) string {
	for _, t := range slices.Backward(v.Attempts) {
		if t.Is(api.Charge) && t.EndToEndID != "" {
			return t.EndToEndID
		}
	}
	return ""
}
