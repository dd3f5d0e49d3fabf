package steps

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/google/uuid"
)

var (
	textForm    = regexp.MustCompile(`^a text of (\d+) (accented )?characters$`)
	headersForm = regexp.MustCompile(`^(\d+) headers$`)
	ofForm      = regexp.MustCompile(`^the (\S+) of (the account|the other account)$`)
)

// value gives the JSON for a value as features spell it: a JSON literal, or a phrase
// such as "a text of 141 characters". "absent" is nil: the field is left out.
func (s *scenario) value(phrase string) (json.RawMessage, error) {
	switch phrase {
	case "absent":
		return nil, nil
	case "a fresh UUID":
		return text(uuid.NewString()), nil
	case "a fresh e-mail":
		return text(s.fresh("payee") + "@payee.example"), nil
	case "that key":
		return text(s.key), nil
	case "the account's clientId":
		return text(s.account.clientID), nil
	case "a URL with a query":
		return text(s.openMailbox().URL() + "?" + urlQuery), nil
	}
	if nearly, ok := nearSecrets[phrase]; ok {
		return s.nearSecret(nearly)
	}
	if m := textForm.FindStringSubmatch(phrase); m != nil {
		n, _ := strconv.Atoi(m[1])
		letter := "x"
		if m[2] != "" {
			letter = "ã"
		}
		return text(strings.Repeat(letter, n)), nil
	}
	if m := headersForm.FindStringSubmatch(phrase); m != nil {
		return headers(m[1]), nil
	}
	if m := ofForm.FindStringSubmatch(phrase); m != nil {
		return s.sentBy(m[2], m[1])
	}
	if json.Valid([]byte(phrase)) {
		return literal(phrase), nil
	}
	return nil, fmt.Errorf("%q is neither JSON nor a phrase that the suite knows", phrase)
}

// urlQuery is the query of "a URL with a query".
const urlQuery = "tenant=pixcert&step=1%202"

// nearSecrets are secrets that are nearly the account's own.
var nearSecrets = map[string]func(secret string) string{
	"its clientSecret in the other case":   otherCase,
	"the first half of its clientSecret":   func(secret string) string { return secret[:len(secret)/2] },
	"its clientSecret and one letter more": func(secret string) string { return secret + "x" },
}

func (s *scenario) nearSecret(nearly func(string) string) (json.RawMessage, error) {
	secret := s.account.clientSecret
	wrong := nearly(secret)
	if wrong == secret {
		return nil, &unable{reason: "the account's clientSecret is empty or has no letters"}
	}
	s.run.secrets.Add(wrong)
	return text(wrong), nil
}

func otherCase(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, s)
}

// headers are that many different custom headers of a webhook.
func headers(count string) json.RawMessage {
	n, _ := strconv.Atoi(count)
	list := make([]map[string]string, n)
	for i := range list {
		list[i] = map[string]string{"key": fmt.Sprintf("X-Pixcert-%d", i+1), "value": strconv.Itoa(i + 1)}
	}
	b, err := json.Marshal(list)
	if err != nil {
		panic(err) // texts are always encodable
	}
	return b
}

// sentBy is the value of a field in the last request of an account.
func (s *scenario) sentBy(who, field string) (json.RawMessage, error) {
	a, err := s.actorNamed(who)
	if err != nil {
		return nil, err
	}
	if a.sent == nil {
		return nil, fmt.Errorf("%s has sent nothing", who)
	}
	v, ok := fieldOf(a.sent.body, field)
	if !ok {
		return nil, fmt.Errorf("the last request of %s has no %s", who, field)
	}
	return v, nil
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
