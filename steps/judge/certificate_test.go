package judge

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// A certificate that is the account's own, and valid, is no reason to reject a token request.
func TestBlamedCertificate(t *testing.T) {
	t.Parallel()
	rejected := func(code string) record.Entry {
		return sent(0, "token request", `{}`, 401, `{"code":"`+code+`"}`)
	}
	const plain = "When the account sends a token request"
	for name, c := range map[string]struct {
		steps   string
		entries []record.Entry
		want    string
	}{
		"not yet valid":           {plain, list(nil, rejected("PUB_CERT_NOT_YET_VALID")), "token.certificate-not-yet-valid"},
		"with a wrong secret":     {plain + ` with clientSecret "wrong"`, list(nil, rejected("PUB_CERT_NOT_REGISTERED")), "token.certificate-registered"},
		"a wrong secret":          {plain + ` with clientSecret "wrong"`, list(nil, rejected("PUB_INVALID_CREDENTIALS")), ""},
		"of another account":      {plain + " with clientId a random UUID", list(nil, sent(0, "token request", `{}`, 403, `{"code":"PUB_CERT_NOT_AUTHORIZED_FOR_ACCOUNT"}`)), ""},
		"without one":             {plain + " with certificate absent", list(nil, rejected("PUB_CERT_NOT_REGISTERED")), ""},
		"a certificate was added": {plain, list(nil, called(target.Certificates, ""), rejected("PUB_CERT_EXPIRED")), ""},
		"a removed account":       {plain, list(nil, removed(), rejected("PUB_CERT_NOT_REGISTERED")), ""},
		"on another day":          {plain, list(nil, called(target.Clock, ""), rejected("PUB_CERT_EXPIRED")), ""},
		"of another step":         {"When the account requests a token with a certificate that was never registered", list(nil, rejected("PUB_CERT_NOT_REGISTERED")), ""},
		"to prepare another":      {plain, list(nil, as(record.Aside, rejected("PUB_CERT_EXPIRED"))), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j, entries := story{steps: c.steps, entries: c.entries}.begin(t)
			for _, e := range entries {
				j.Add(e)
			}
			var got []string
			for _, met := range j.contradictions() {
				got = append(got, met.Rule)
			}
			assert.Equal(t, c.want, strings.Join(got, "; "))
		})
	}
}

// No token is issued for a certificate that is not valid or not the account's, also where no step asks.
func TestAcceptedCertificate(t *testing.T) {
	t.Parallel()
	const first = "When the account requests a token with the first added certificate"
	for name, c := range map[string]struct {
		steps string
		moved bool // the account's clock
		want  string
	}{
		"expired":                 {steps: "Given the account also has an expired certificate\n" + first, want: "token.certificate-expired"},
		"not yet valid":           {steps: "Given the account also has a not yet valid certificate\n" + first, want: "token.certificate-not-yet-valid"},
		"revoked":                 {steps: "Given the account also has a revoked certificate\n" + first, want: "token.certificate-registered"},
		"of another account":      {steps: "Given another account\nGiven the other account also has a valid certificate\n" + first, want: "token.certificate-account"},
		"none":                    {steps: "When the account requests a token with no certificate", want: "token.certificate-required"},
		"never registered":        {steps: "When the account requests a token with a certificate that was never registered", want: "token.certificate-registered"},
		"the other account's":     {steps: "Given another account\nWhen the account requests a token with the other account's certificate", want: "token.certificate-account"},
		"valid":                   {steps: "Given the account also has a valid certificate\n" + first},
		"the second, expired":     {steps: "Given the account also has a valid certificate\nGiven the account also has an expired certificate\nWhen the account requests a token with the second added certificate", want: "token.certificate-expired"},
		"the second, valid":       {steps: "Given the account also has an expired certificate\nGiven the account also has a valid certificate\nWhen the account requests a token with the second added certificate"},
		"registered once more":    {steps: "Given another account\nGiven the other account also has a valid certificate\nGiven the account also has that certificate\n" + first},
		"on another day":          {steps: "Given the account also has a not yet valid certificate\n" + first, moved: true},
		"the account's usual one": {steps: "Given the account also has an expired certificate\nWhen the account sends a token request"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			last := strings.Count(c.steps, "\n")
			entries := list(nil, sent(last, "token request", `{}`, 201, `{}`))
			if c.moved {
				entries = list(nil, called(target.Clock, ""), sent(last, "token request", `{}`, 201, `{}`))
			}
			j, entries := story{steps: c.steps, entries: entries}.begin(t)
			for _, e := range entries {
				j.Add(e)
			}
			var got []string
			for _, met := range j.contradictions() {
				got = append(got, met.Rule)
			}
			assert.Equal(t, c.want, strings.Join(got, "; "))
		})
	}
}

// A token request whose certificate alone is wrong is rejected for what is wrong with it.
func TestRejectedCertificate(t *testing.T) {
	t.Parallel()
	const first = "When the account requests a token with the first added certificate"
	const expired = "Given the account also has an expired certificate\n" + first
	for name, c := range map[string]struct {
		steps, code string
		before      []record.Entry
		want        string
	}{
		"expired":                       {steps: expired, code: "PUB_CERT_EXPIRED"},
		"expired, other code":           {steps: expired, code: "PUB_INVALID_CREDENTIALS", want: "token.certificate-expired"},
		"expired and revoked":           {steps: expired, code: "PUB_CERT_NOT_REGISTERED", before: list(nil, revoked())},
		"expired, another account's":    {steps: "Given another account\nGiven the other account also has an expired certificate\n" + first, code: "PUB_CERT_NOT_AUTHORIZED_FOR_ACCOUNT"},
		"expired, an account removed":   {steps: expired, code: "PUB_INVALID_CREDENTIALS", before: list(nil, removed())},
		"not yet valid, as expired":     {steps: "Given the account also has a not yet valid certificate\n" + first, code: "PUB_CERT_EXPIRED", want: "token.certificate-not-yet-valid"},
		"another account's":             {steps: "Given another account\nGiven the other account also has a valid certificate\n" + first, code: "PUB_CERT_NOT_AUTHORIZED_FOR_ACCOUNT"},
		"another account's, as unknown": {steps: "Given another account\nGiven the other account also has a valid certificate\n" + first, code: "PUB_CERT_NOT_REGISTERED", want: "token.certificate-account"},
		"never registered":              {steps: "When the account requests a token with a certificate that was never registered", code: "PUB_CERT_NOT_REGISTERED"},
		"never registered, as expired":  {steps: "When the account requests a token with a certificate that was never registered", code: "PUB_CERT_EXPIRED", want: "token.certificate-registered"},
		"none":                          {steps: "When the account requests a token with no certificate", code: "PUB_CERT_MALFORMED_PEM", want: "token.certificate-required"},
		"without a code":                {steps: expired},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status := http.StatusUnauthorized
			if api.Code(c.code) == api.CertNotAuthorized {
				status = http.StatusForbidden
			}
			answer := sent(strings.Count(c.steps, "\n"), "token request", `{}`, status, `{"code":"`+c.code+`"}`)
			j, entries := story{steps: c.steps, entries: append(c.before, answer)}.begin(t)
			for _, e := range entries {
				j.Add(e)
			}
			got := ""
			for _, met := range j.contradictions() {
				if strings.HasPrefix(met.Rule, "token.certificate-") {
					got = met.Rule
				}
			}
			assert.Equal(t, c.want, got)
		})
	}
}

func removed() record.Entry { return deleted(target.Accounts) }
func revoked() record.Entry { return deleted(target.Certificates) }

func deleted(by target.Control) record.Entry {
	e := called(by, "")
	e.Exchange.Method = http.MethodDelete
	return e
}
