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

// has judges fields against a table.
func has(s *Scenario, i int, m language.Has) Result {
	switch m.Of {
	case language.Others:
		return othersHave(s, i, m)
	case language.EachItem, language.AnyItem:
		return eachItemHas(s, i, m)
	case language.TheListing:
		return listedWith(s, i, m)
	case language.Event:
		return eventHas(s, i, m)
	}
	t := s.It()
	switch {
	case t == nil:
		return nothingSent()
	case m.IfAccepted && !t.Accepted():
		return pass()
	case t.Answer == nil && m.Modality == language.Must:
		return failAt(t, "a JSON body", t.Summary(), "")
	}
	return preferably(rowsHold(s, i, t, t.Answer, m.Rows), m.Modality)
}

func othersHave(s *Scenario, i int, m language.Has) Result {
	batch := s.AtOnce()
	if len(batch) == 0 {
		return nothingSent()
	}
	for _, t := range batch {
		if t.Accepted() {
			continue
		}
		if r := rowsHold(s, i, t, t.Answer, m.Rows); r.Verdict != verdict.Pass {
			return r
		}
	}
	return pass()
}

// preferably is r of what a sentence says should be.
func preferably(r Result, m language.Modality) Result {
	if m == language.Should && r.Verdict == verdict.Fail {
		r.Finding.Expected += ", preferably"
	}
	return softened(r, m)
}

// rowsHold judges the fields of a value that belongs to an attempt.
func rowsHold(s *Scenario, i int, t *record.Attempt, value any, rows []language.Row) Result {
	for _, row := range rows {
		v := jsonvalue.Find(value, row.Field)
		holds, r := fitsOne(s, i, t, v, row.Expected.Alternatives)
		switch {
		case r.Verdict != verdict.Pass:
			return r
		case !holds:
			return failAt(t, fmt.Sprintf("%s to be %s", row.Field, row.Expected.Words), v.String(), "").in(row.Field)
		}
	}
	return pass()
}

// fitsOne reports whether a value is what one of several phrases says. Once one holds, the
// others do not matter, even if they could not be told.
func fitsOne(s *Scenario, i int, t *record.Attempt, v jsonvalue.Found, phrases []language.Phrase) (bool, Result) {
	for _, p := range phrases {
		if holds, r := fits(s, i, t, v, p); holds || r.Verdict != verdict.Pass {
			return holds && r.Verdict == verdict.Pass, r
		}
	}
	return false, pass()
}

// fits reports whether a value is what a phrase says. The result is not a pass if that cannot
// be told.
func fits(s *Scenario, i int, t *record.Attempt, v jsonvalue.Found, p language.Phrase) (bool, Result) {
	if test, ok := shapes[p.Kind]; ok {
		return test(v, p), pass()
	}
	switch p.Kind {
	case language.IsPathOfCall:
		return isPath(v.Value, t.Path()), pass()
	case language.IsTimeOfCall:
		return isNear(v.Value, t.Sent), pass()
	case language.IsMethodOfCall:
		return v.Value == t.Op.Method, pass()
	case language.IsTheCode:
		return v.Value == t.Code(), pass()
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

// shapes are the phrases that depend on the value alone.
var shapes = map[language.PhraseKind]func(v jsonvalue.Found, p language.Phrase) bool{
	language.IsAbsent:  func(v jsonvalue.Found, _ language.Phrase) bool { return !v.Present },
	language.IsPresent: func(v jsonvalue.Found, _ language.Phrase) bool { return v.Present && v.Value != nil },
	language.IsNull:    func(v jsonvalue.Found, _ language.Phrase) bool { return v.Present && v.Value == nil },
	language.IsString:  of(func(string) bool { return true }),
	language.IsText:    of(func(s string) bool { return s != "" }),
	language.AreTexts:  func(v jsonvalue.Found, _ language.Phrase) bool { return texts(v.Value) > 0 },
	language.IsNumber:  isA[json.Number],
	language.IsBoolean: isA[bool],
	language.IsObject:  isA[map[string]any],
	language.IsArray:   isA[[]any],
	language.IsEmpty:   func(v jsonvalue.Found, _ language.Phrase) bool { return items(v.Value) == 0 },
	language.IsNotEmpty: func(v jsonvalue.Found, _ language.Phrase) bool {
		return isNotEmpty(v.Value)
	},
	language.IsUUID:        of(uuidForm.MatchString),
	language.IsJWT:         of(IsJWT),
	language.IsUTC:         func(v jsonvalue.Found, _ language.Phrase) bool { _, ok := utc(v.Value); return ok },
	language.IsMasked:      of(isMasked),
	language.IsDecimalText: of(decimalForm.MatchString),
	language.IsEMV:         of(func(s string) bool { return strings.HasPrefix(s, "000201") }),
	language.IsImage:       func(v jsonvalue.Found, _ language.Phrase) bool { return brcode.IsImage(v.Value) },
	language.HasItems:      func(v jsonvalue.Found, p language.Phrase) bool { return isCount(items(v.Value), p) },
	language.HasTexts:      func(v jsonvalue.Found, p language.Phrase) bool { return isCount(texts(v.Value), p) },
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
	uuidForm    = regexp.MustCompile(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
	utcForm     = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|\+00:00)$`)
	decimalForm = regexp.MustCompile(`^\d+\.\d{2}$`)
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

// texts counts the elements of an array of texts; -1 for anything else.
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

// utc reads a time of ISO 8601 in UTC, marked Z or +00:00, with or without a fraction.
func utc(v any) (time.Time, bool) {
	s, _ := v.(string)
	if !utcForm.MatchString(s) {
		return time.Time{}, false
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	return t, err == nil
}

// IsJWT reports whether a text is a JSON Web Token: three parts in base64url, of which the
// first is a JSON object.
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

// isMasked: a document that does not show all of its eleven digits.
func isMasked(s string) bool {
	shown := 0
	for _, r := range s {
		if '0' <= r && r <= '9' {
			shown++
		}
	}
	return s != "" && shown < 11
}

// isAfter: a UTC time that long after another, give or take a few seconds.
func isAfter(v, from any, by time.Duration) bool {
	later, ok := utc(v)
	earlier, okEarlier := utc(from)
	return ok && okEarlier && (later.Sub(earlier)-by).Abs() <= 5*time.Second
}

// isNear: a UTC time within half an hour, so that clocks may differ and zones may not.
func isNear(v any, sent time.Time) bool {
	at, ok := utc(v)
	return ok && at.Sub(sent).Abs() < 30*time.Minute
}

// isPath: the path of the request, escaped or not, whatever prefix the base URL or a query
// puts around it.
func isPath(v any, path string) bool {
	p, _ := v.(string)
	p, _, _ = strings.Cut(p, "?")
	plain, err := url.PathUnescape(path)
	return strings.HasSuffix(p, path) || err == nil && strings.HasSuffix(p, plain)
}

// firstAnswered is a field of the first accepted response that has it.
func firstAnswered(s *Scenario, field string) (any, Result) {
	for _, t := range s.Attempts {
		if v, ok := jsonvalue.Lookup(t.Answer, field); ok && t.Accepted() {
			return v, pass()
		}
	}
	return nil, cannot("no accepted response of this scenario has the field " + field)
}

func isSent(s *Scenario, t *record.Attempt, v jsonvalue.Found, field string) (bool, Result) {
	sent, ok := t.SentField(field)
	switch {
	case ok:
		return v.Present && jsonvalue.Equal(v.Value, sent), pass()
	case field == "chave" && s.Accounts[t.Account].PixKey == "":
		return false, unable(UnknownKey)
	}
	return false, broken(fmt.Errorf("the %s has no field %s", t.Op.Noun, field))
}

// UnknownKey: an account of the profile need not give a key of its own.
var UnknownKey = record.Cannot("the account's own key is not known: give the account a pixKey in the profile")

// OfEvent is a field of the last event, or of the data in its envelope.
func OfEvent(s *Scenario, field string) (string, Result) {
	if s.Event == nil {
		return "", noEvent()
	}
	if v, ok := s.Event.Field(field); ok {
		return v, pass()
	}
	return "", failEvent(s, "a "+field, string(s.Event.Body))
}

// LastAnswered is a field of the last accepted response that has it.
func LastAnswered(v *record.View, field string) (string, Result) {
	for _, t := range slices.Backward(v.Attempts) {
		if v, ok := jsonvalue.Lookup(t.Answer, field); ok && v != nil && t.Accepted() {
			return fmt.Sprint(v), pass()
		}
	}
	return "", cannot("no accepted response of this scenario has the field " + field)
}

// EndToEndID is the id of the payment of the last charge; empty if there is none.
func EndToEndID(v *record.View) string {
	for _, t := range slices.Backward(v.Attempts) {
		if t.Is(api.Charge) && t.EndToEndID != "" {
			return t.EndToEndID
		}
	}
	return ""
}
