package judge

import (
	"net/http"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// Which certificates a token request may have, whatever its step asks (Certificate validation, 1 to 5).

// acceptsOwnCertificate: a token request is not rejected for its certificate, which is the account's own and valid
// (Certificate validation, 1 to 5), whatever else is wrong with the request.
func acceptsOwnCertificate(s *facts, t *record.Attempt) []Breach {
	code := t.Code()
	if t.Role != record.Spoken || t.Step >= len(s.Steps) || !slices.Contains(api.CertificateCodes, code) {
		return nil
	}
	m, sends := s.Steps[t.Step].Meaning.(language.Send)
	presentsOther := func(c language.Change) bool {
		return c.Where == language.ClientCertificate || c.Where == language.Header
	}
	touched := len(s.callsOf(target.Accounts, http.MethodDelete)) + len(s.callsOf(target.Certificates, "")) + len(s.callsOf(target.Clock, "")) + len(s.callsOf(target.FaultsControl, ""))
	if !sends || m.Operation != t.Op || slices.ContainsFunc(m.Changes, presentsOther) || touched > 0 {
		return nil
	}
	return []Breach{{api.Codes[code].Rule, "a token request with the account's own valid certificate not to be rejected for it", string(code), "code"}}
}

// wrongCertificate is a certificate with which no token is issued, the rule that says so, and the codes with
// which a token request is rejected for it if its credentials are right.
type wrongCertificate struct {
	rule, name string
	codes      []api.Code
}

// unfit are the kinds that a step can add.
var unfit = map[string]wrongCertificate{
	"an expired":      {"token.certificate-expired", "an expired certificate", []api.Code{api.CertExpired}},
	"a not yet valid": {"token.certificate-not-yet-valid", "a not yet valid certificate", []api.Code{api.CertNotYetValid}},
	"a revoked":       {"token.certificate-registered", "a revoked certificate", []api.Code{api.CertNotRegistered}},
}

// presented are those that a step presents. One that was never registered was made for it and is valid by its dates.
var presented = map[language.Certificate]wrongCertificate{
	language.NoCertificate:           {"token.certificate-required", "a request without a certificate", []api.Code{api.CertHeaderMissing}},
	language.UnregisteredCertificate: {"token.certificate-registered", "a certificate that was never registered", []api.Code{api.CertNotRegistered}},
	language.OthersCertificate:       othersCertificate,
}

var othersCertificate = wrongCertificate{"token.certificate-account", "another account's certificate", []api.Code{api.CertNotAuthorized}}

// rejectsWrongCertificate: no token is issued for a certificate that is not valid, or not the account's, and a request
// with such a certificate is rejected for no other reason.
func rejectsWrongCertificate(s *facts, t *record.Attempt) []Breach {
	if t.Role != record.Spoken || t.Step >= len(s.Steps) || len(s.callsOf(target.Clock, "")) > 0 {
		return nil
	}
	m, presents := s.Steps[t.Step].Meaning.(language.Present)
	if !presents {
		return nil
	}
	wrong := wrongWith(m, s.Steps[:t.Step])
	mayDiffer := len(s.callsOf(target.Accounts, http.MethodDelete))+len(s.callsOf(target.FaultsControl, "")) > 0
	if len(s.callsOf(target.Certificates, http.MethodDelete)) > 0 {
		wrong.codes = append(slices.Clip(wrong.codes), api.CertNotRegistered)
	}
	switch code := t.Code(); {
	case wrong.rule == "":
	case t.Accepted():
		return []Breach{{wrong.rule, "no token for " + wrong.name, "a token", ""}}
	case code != "" && t.Status < 500 && !mayDiffer && !slices.Contains(wrong.codes, code):
		return []Breach{{wrong.rule, "a token request with " + wrong.name + " to be rejected with " + strings.Join(api.Spelled(wrong.codes...), " or "), string(code), "code"}}
	}
	return nil
}

// wrongWith is what is wrong with the presented certificate; empty if it may be valid.
func wrongWith(m language.Present, before []language.Step) wrongCertificate {
	n := 0
	switch m.Certificate {
	case language.FirstAdded:
	case language.SecondAdded:
		n = 1
	default:
		return presented[m.Certificate]
	}
	var added []language.AddCertificate
	for _, step := range before {
		if of, adds := step.Meaning.(language.AddCertificate); adds {
			added = append(added, of)
		}
	}
	again := func(of language.AddCertificate) bool { return of.Kind == "that" } // with both accounts, perhaps
	if n >= len(added) || slices.ContainsFunc(added, again) {
		return wrongCertificate{}
	}
	wrong := unfit[added[n].Kind]
	switch isOthers := added[n].Account != m.Account; {
	case isOthers && wrong.rule == "":
		return othersCertificate
	case isOthers:
		wrong.codes = append(slices.Clip(wrong.codes), api.CertNotAuthorized, api.CertNotRegistered)
	}
	return wrong
}
