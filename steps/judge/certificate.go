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
	n, added := map[language.Certificate]int{language.FirstAdded: 0, language.SecondAdded: 1}[m.Certificate]
	if !presents || !added {
		return nil
	}
	var certificates []language.AddCertificate
	for _, step := range s.Steps[:t.Step] {
		if of, adds := step.Meaning.(language.AddCertificate); adds {
			certificates = append(certificates, of)
		}
	}
	again := func(of language.AddCertificate) bool { return of.Kind == "that" } // registered with both accounts, perhaps
	if n >= len(certificates) || slices.ContainsFunc(certificates, again) {
		return nil
	}
	switch of := certificates[n]; {
	case unfit[of.Kind] != "":
		return []Breach{{unfit[of.Kind], "no token for " + of.Kind + " certificate", "a token", ""}}
	case of.Account != m.Account:
		return []Breach{{"token.certificate-account", "no token for another account's certificate", "a token", ""}}
	}
	return nil
}
