package judge

import (
	"net/http"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/spec"
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

// presented are the flaws of certificates that a step presents. One that was never registered was made for it and is valid
// by its dates.
var presented = map[language.Certificate]spec.Flaw{
	language.NoCertificate:           spec.NoCertificate,
	language.UnregisteredCertificate: spec.Unregistered,
	language.OthersCertificate:       spec.OfAnother,
}

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
	flaws := flawsOf(m, s.Steps[:t.Step])
	if len(flaws) == 0 {
		return nil
	}
	wrong, rule := string(flaws[0]), api.Codes[spec.RejectedFor(flaws[0])[0]].Rule
	mayDiffer := len(s.callsOf(target.Accounts, http.MethodDelete))+len(s.callsOf(target.FaultsControl, "")) > 0
	if len(s.callsOf(target.Certificates, http.MethodDelete)) > 0 {
		flaws = append(flaws, spec.Revoked)
	}
	switch code, codes := t.Code(), spec.RejectedFor(flaws...); {
	case t.Accepted():
		return []Breach{{rule, "no token for " + wrong, "a token", ""}}
	case code != "" && t.Status < 500 && !mayDiffer && !slices.Contains(codes, code):
		return []Breach{{rule, "a token request with " + wrong + " to be rejected with " + strings.Join(api.Spelled(codes...), " or "), string(code), "code"}}
	}
	return nil
}

// flawsOf are those of the presented certificate; none if it may be valid.
func flawsOf(m language.Present, before []language.Step) []spec.Flaw {
	n := 0
	switch m.Certificate {
	case language.FirstAdded:
	case language.SecondAdded:
		n = 1
	default:
		if flaw, wrong := presented[m.Certificate]; wrong {
			return []spec.Flaw{flaw}
		}
		return nil
	}
	var added []language.AddCertificate
	for _, step := range before {
		if of, adds := step.Meaning.(language.AddCertificate); adds {
			added = append(added, of)
		}
	}
	again := func(of language.AddCertificate) bool { return of.Kind == "that" } // with both accounts, perhaps
	if n >= len(added) || slices.ContainsFunc(added, again) {
		return nil
	}
	flaws := spec.FlawsOf(added[n].Kind)
	if added[n].Account != m.Account {
		flaws = append(flaws, spec.OfAnother)
	}
	return flaws
}
