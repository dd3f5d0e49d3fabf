package judge

import (
	"net/http"
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// Which certificates a token request may have, whatever its step asks (Certificate validation, 1 to 5).

// certificateCodes say that a certificate is not valid. Which account it belongs to is another matter.
var certificateCodes = []string{
	"PUB_CERT_HEADER_MISSING", "PUB_CERT_MALFORMED_PEM", "PUB_CERT_NOT_YET_VALID", "PUB_CERT_EXPIRED", "PUB_CERT_NOT_REGISTERED",
}

// blamesCertificate: a token request is rejected for its certificate, which is the account's own and valid
// (Certificate validation, 1 to 5), whatever else is wrong with the request.
func (s audit) blamesCertificate(t *record.Attempt) []Breach {
	code := t.Code()
	if t.Op.ID != api.Token || t.Role != record.Spoken || t.Step >= len(s.Steps) || !slices.Contains(certificateCodes, code) {
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
	return []Breach{{statusOf[code].rule, "a token request with the account's own valid certificate not to be rejected for it", code, "code"}}
}

// unfit are certificates with which no token is issued, by the kind that a step adds, and the rules that say so.
var unfit = map[string]string{
	"an expired":      "token.certificate-expired",
	"a not yet valid": "token.certificate-not-yet-valid",
	"a revoked":       "token.certificate-registered",
}

// acceptsCertificate: a token is issued for a certificate that is not valid, or not the account's.
func (s audit) acceptsCertificate(t *record.Attempt) []Breach {
	if t.Op.ID != api.Token || t.Role != record.Spoken || !t.Accepted() || t.Step >= len(s.Steps) || len(s.callsOf(target.Clock, "")) > 0 {
		return nil
	}
	m, presents := s.Steps[t.Step].Meaning.(language.Present)
	if !presents {
		return nil
	}
	if rule, certificate := wrongCertificate(m, s.Steps[:t.Step]); rule != "" {
		return []Breach{{rule, "no token for " + certificate, "a token", ""}}
	}
	return nil
}

// wrongCertificate is the rule that a token for the presented certificate breaks; empty if it may be valid.
func wrongCertificate(m language.Present, before []language.Step) (rule, certificate string) {
	n := 0
	switch m.Certificate {
	case language.NoCertificate:
		return "token.certificate-required", "a request without a certificate"
	case language.UnregisteredCertificate:
		return "token.certificate-registered", "a certificate that was never registered"
	case language.OthersCertificate:
		return "token.certificate-account", "another account's certificate"
	case language.FirstAdded:
	case language.SecondAdded:
		n = 1
	default:
		return "", ""
	}
	var added []language.AddCertificate
	for _, step := range before {
		if of, adds := step.Meaning.(language.AddCertificate); adds {
			added = append(added, of)
		}
	}
	again := func(of language.AddCertificate) bool { return of.Kind == "that" } // with both accounts, perhaps
	if n >= len(added) || slices.ContainsFunc(added, again) {
		return "", ""
	}
	switch of := added[n]; {
	case unfit[of.Kind] != "":
		return unfit[of.Kind], of.Kind + " certificate"
	case of.Account != m.Account:
		return "token.certificate-account", "another account's certificate"
	}
	return "", ""
}
