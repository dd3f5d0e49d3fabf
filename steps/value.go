package steps

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"
)

// phrase is a way in which features spell a value that is no JSON literal.
type phrase struct {
	form *regexp.Regexp
	make func(ctx context.Context, s *scenario, m []string) (string, error)
}

// textPhrases are the phrases for a text; m holds the groups of the form. The first that
// matches counts.
var textPhrases = []phrase{
	{exactly(`a text of (\d+) (accented )?characters`), func(_ context.Context, _ *scenario, m []string) (string, error) {
		return strings.Repeat(map[bool]string{false: "x", true: "ã"}[m[2] != ""], atoi(m[1])), nil
	}},
	{exactly(`a fresh text of (\d+) letters and digits`), func(_ context.Context, s *scenario, m []string) (string, error) {
		return s.freshText(atoi(m[1])), nil
	}},
	{exactly(`a fresh text of (\d+) characters with an? (hyphen|underscore|dot)`), func(_ context.Context, s *scenario, m []string) (string, error) {
		mark := map[string]string{"hyphen": "-", "underscore": "_", "dot": "."}[m[2]]
		return s.freshText(atoi(m[1])-11) + mark + s.freshText(10), nil
	}},
	{exactly(`a fresh UUID`), func(context.Context, *scenario, []string) (string, error) { return uuid.NewString(), nil }},
	{exactly(`a fresh e-mail`), func(_ context.Context, s *scenario, _ []string) (string, error) { return s.freshEmail(), nil }},
	{exactly(`a key of (\d+) characters`), func(_ context.Context, s *scenario, m []string) (string, error) {
		return s.freshText(atoi(m[1])-len(emailDomain)) + emailDomain, nil
	}},
	{exactly(`a fresh end-to-end id`), func(_ context.Context, s *scenario, _ []string) (string, error) { return s.freshEndToEndID(), nil }},
	{exactly(`that key`), func(_ context.Context, s *scenario, _ []string) (string, error) { return s.holder.key, nil }},
	{exactly(`that document`), func(_ context.Context, s *scenario, _ []string) (string, error) { return s.holder.document, nil }},
	{exactly(`the account's`), func(_ context.Context, s *scenario, _ []string) (string, error) { return s.ownKey() }},
	{exactly(`the payee's`), func(_ context.Context, s *scenario, _ []string) (string, error) { return s.payeesKey(), nil }},
	{exactly(`the account's clientId`), func(_ context.Context, s *scenario, _ []string) (string, error) { return s.account.clientID, nil }},
	{exactly(`a URL with a query`), func(_ context.Context, s *scenario, _ []string) (string, error) {
		return s.openMailbox().URL() + "?" + urlQuery, nil
	}},
	{exactly(`a fresh URL`), func(_ context.Context, s *scenario, _ []string) (string, error) {
		s.temporary = s.temporaryMailbox()
		return s.temporary.URL(), nil
	}},
	{exactly(`(its clientSecret in the other case|the first half of its clientSecret|its clientSecret and one letter more)`), nearSecret},
	{exactly(`its endToEndId( without the last character| and one letter more| with a hyphen for the last character)?`), nearEndToEndID},
	{exactly(`the (\S+) of (the account|the other account)( in the other case)?`), sentBy},
	{exactly(`the (\S+) of the event`), func(_ context.Context, s *scenario, m []string) (string, error) { return s.ofEvent(m[1]) }},
	{exactly(`the (\S+) answered`), func(_ context.Context, s *scenario, m []string) (string, error) { return s.lastAnswered(m[1]) }},
	{exactly(`now`), func(_ context.Context, s *scenario, _ []string) (string, error) { return wireTime(s.now()), nil }},
	{exactly(`(\d+) (second|minute|hour|day)s? (ago|ahead)`), func(_ context.Context, s *scenario, m []string) (string, error) {
		return wireTime(s.now().Add(span(m[1], m[2], m[3]))), nil
	}},
	{exactly(`the date (\d+) (day)s? (ago|ahead)`), func(_ context.Context, s *scenario, m []string) (string, error) {
		return s.now().Add(span(m[1], m[2], m[3])).In(s.run.zone).Format(time.DateOnly), nil
	}},
	{exactly(`a code of a charge of its own`), ownCode},
	{exactly(`000201 and (\d+) letters`), func(_ context.Context, _ *scenario, m []string) (string, error) {
		return "000201" + strings.Repeat("x", atoi(m[1])), nil
	}},
	{exactly(`a (static|dynamic) code(?: (.+))?`), func(_ context.Context, s *scenario, m []string) (string, error) { return s.spoiltCode(m[1], m[2]) }},
}

func exactly(form string) *regexp.Regexp { return regexp.MustCompile(`^` + form + `$`) }

// value gives the JSON for a value as features spell it: a JSON literal, or a phrase
// such as "a text of 141 characters". "absent" is nil: the field is left out.
func (s *scenario) value(ctx context.Context, spelled string) (json.RawMessage, error) {
	if spelled == "absent" {
		return nil, nil
	}
	if v, ok, err := s.structure(spelled); ok {
		return v, err
	}
	if t, ok, err := s.phrased(ctx, spelled); ok {
		return text(t), err
	}
	if json.Valid([]byte(spelled)) {
		return literal(spelled), nil
	}
	return nil, fmt.Errorf("%q is neither JSON nor a phrase that the suite knows", spelled)
}

// words gives the text for a header, a path or a query: a phrase's, or what is spelled.
func (s *scenario) words(ctx context.Context, spelled string) (string, error) {
	if t, ok, err := s.phrased(ctx, spelled); ok {
		return t, err
	}
	return spelled, nil
}

func (s *scenario) phrased(ctx context.Context, spelled string) (string, bool, error) {
	for _, p := range textPhrases {
		if m := p.form.FindStringSubmatch(spelled); m != nil {
			t, err := p.make(ctx, s, m)
			return t, true, err
		}
	}
	return "", false, nil
}

func atoi(digits string) int {
	n, _ := strconv.Atoi(digits) // the forms accept digits alone
	return n
}

var units = map[string]time.Duration{"second": time.Second, "minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour}

// span is "3 days ahead", or ago.
func span(count, unit, direction string) time.Duration {
	by := time.Duration(atoi(count)) * units[unit]
	if direction == "ago" {
		return -by
	}
	return by
}

func wireTime(t time.Time) string { return t.UTC().Truncate(time.Second).Format(time.RFC3339) }

// now is the time as the account sees it.
func (s *scenario) now() time.Time { return time.Now().Add(s.account.ahead) }

// urlQuery is the query of "a URL with a query".
const urlQuery = "tenant=pixcert&step=1%202"

// emailDomain ends the e-mail keys that the suite makes up.
const emailDomain = "@payee.example"

func (s *scenario) freshEmail() string { return s.fresh("payee") + emailDomain }

// freshText is made of that many letters and digits and is used nowhere else, as far as
// the number allows it.
func (s *scenario) freshText(n int) string {
	t := "Tt"
	for len(t) < n {
		t += strings.ReplaceAll(uuid.NewString(), "-", "")
	}
	return t[:n]
}

// freshEndToEndID is one that no bank has given out.
func (s *scenario) freshEndToEndID() string {
	return "E60701190" + s.now().UTC().Format("200601021504") + s.freshText(11)
}

// ownKey is a key at which the account receives.
func (s *scenario) ownKey() (string, error) {
	if s.account.pixKey == "" {
		return "", unknownKey
	}
	return s.account.pixKey, nil
}

// nearSecrets are secrets that are nearly the account's own.
var nearSecrets = map[string]func(secret string) string{
	"its clientSecret in the other case":   otherCase,
	"the first half of its clientSecret":   func(secret string) string { return secret[:len(secret)/2] },
	"its clientSecret and one letter more": func(secret string) string { return secret + "x" },
}

func nearSecret(_ context.Context, s *scenario, m []string) (string, error) {
	secret := s.account.clientSecret
	wrong := nearSecrets[m[1]](secret)
	if wrong == secret {
		return "", &unable{reason: "the account's clientSecret is empty or has no letters"}
	}
	s.run.secrets.Add(wrong)
	return wrong, nil
}

func otherCase(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, s)
}

// nearEndToEndID is the id of the last payment received, or nearly.
func nearEndToEndID(_ context.Context, s *scenario, m []string) (string, error) {
	id := s.endToEndID()
	if len(id) < 2 {
		return "", fmt.Errorf("the account has received no payment")
	}
	switch m[1] {
	case " without the last character":
		return id[:len(id)-1], nil
	case " and one letter more":
		return id + "x", nil
	case " with a hyphen for the last character":
		return id[:len(id)-1] + "-", nil
	}
	return id, nil
}

// sentBy is the value of a field in the last request of an account that has it.
func sentBy(_ context.Context, s *scenario, m []string) (string, error) {
	a, err := s.actorNamed(m[2])
	if err != nil {
		return "", err
	}
	for i := len(s.attempts) - 1; i >= 0; i-- {
		raw, ok := s.attempts[i].sent(m[1])
		if !ok || s.attempts[i].actor != a {
			continue
		}
		v := textOf(raw)
		if m[3] != "" {
			v = otherCase(v)
		}
		return v, nil
	}
	return "", fmt.Errorf("no request of %s has a %s", m[2], m[1])
}

// ofEvent is a field of the last event, also of the data in an envelope.
func (s *scenario) ofEvent(field string) (string, error) {
	if s.event == nil {
		return "", fmt.Errorf("no event has arrived")
	}
	for _, path := range []string{field, "data." + field} {
		if v, ok := lookup(s.event.payload, path); ok && v != nil {
			return fmt.Sprint(v), nil
		}
	}
	return "", s.failEvent("a "+field, string(s.event.Body))
}

// lastAnswered is a field of the last accepted answer that has it.
func (s *scenario) lastAnswered(field string) (string, error) {
	for i := len(s.attempts) - 1; i >= 0; i-- {
		if v, ok := lookup(s.attempts[i].answer, field); ok && s.attempts[i].accepted() && v != nil {
			return fmt.Sprint(v), nil
		}
	}
	return "", &unable{reason: "no accepted answer of this scenario has a " + field}
}

// ownCode is the code of a charge that the account makes for the purpose.
func ownCode(ctx context.Context, s *scenario, _ []string) (string, error) {
	t, err := s.aside(ctx, s.account, "cash-in")
	if err != nil {
		return "", err
	}
	code, _ := lookup(t.answer, "pixCode")
	if !t.accepted() || code == nil {
		return "", &unable{reason: "the target makes no charge, whose code would be needed: " + t.summary()}
	}
	return fmt.Sprint(code), nil
}

// fieldOf finds a leaf of a request's body by its path.
func fieldOf(o object, path string) (json.RawMessage, bool) {
	name, rest, nested := strings.Cut(path, ".")
	if !nested {
		v, ok := o[name].(json.RawMessage)
		return v, ok
	}
	child, ok := o[name].(object)
	if !ok {
		return nil, false
	}
	return fieldOf(child, rest)
}
