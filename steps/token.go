package steps

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/pixcert/pixcert/certs"
)

// bearerForms are the ways in which a request can go under a token: what stands in
// Authorization, made from a token that the target issued to the account.
var bearerForms = map[string]func(token string) (string, error){
	"its token":                        func(t string) (string, error) { return "Bearer " + t, nil },
	"its token without a scheme":       func(t string) (string, error) { return t, nil },
	"its token in the scheme Basic":    func(t string) (string, error) { return "Basic " + t, nil },
	"its token with another signature": forged(otherSignature),
	"its token with a later expiry":    forged(laterExpiry),
	"its token without signature":      forged(unsigned),
}

// authorization is the Authorization header for a request; empty for none.
func (s *scenario) authorization(ctx context.Context, a *actor, under string) (string, error) {
	switch under {
	case "no token":
		return "", nil
	case "a garbage token":
		return "Bearer x.y.z", nil
	case "its first token":
		return "Bearer " + a.firstToken, nil
	case "the token of that answer":
		return s.tokenOfAnswer()
	case "":
		under = "its token"
	}
	form, ok := bearerForms[under]
	if !ok {
		return "", fmt.Errorf("%q is no way to send a token", under)
	}
	token, err := s.tokenOf(ctx, a)
	if err != nil {
		return "", err
	}
	authorization, err := form(token)
	_, credentials, hasScheme := strings.Cut(authorization, " ")
	if !hasScheme {
		credentials = authorization
	}
	s.run.secrets.Add(credentials) // nearly a token that is good
	return authorization, err
}

// tokenOf gives the account's token, and asks for one when there is none.
func (s *scenario) tokenOf(ctx context.Context, a *actor) (string, error) {
	if a.token != "" {
		return a.token, nil
	}
	t, err := s.aside(ctx, a, "token request")
	if err != nil {
		return "", err
	}
	token, _ := lookup(t.answer, "access_token")
	text, ok := token.(string)
	switch {
	case !t.accepted() || !ok || text == "":
		return "", &unable{reason: "the target gives no token, without which this cannot be tested: " + t.summary()}
	case strings.ContainsFunc(text, unicode.IsControl):
		return "", &unable{reason: "the target gives a token that no header can hold, since it has control characters"}
	}
	a.token = text
	return a.token, nil
}

// holdsToken: "the account holds a token", which it can later send as its first.
func (s *scenario) holdsToken(ctx context.Context, who string) error {
	a, err := s.actorNamed(who)
	if err != nil {
		return err
	}
	a.firstToken, err = s.tokenOf(ctx, a)
	return err
}

func (s *scenario) tokenOfAnswer() (string, error) {
	for i := len(s.attempts) - 1; i >= 0; i-- {
		if s.attempts[i].op.id != "token" {
			continue
		}
		if token, ok := lookup(s.attempts[i].answer, "access_token"); ok {
			return fmt.Sprintf("Bearer %v", token), nil
		}
	}
	return "", &unable{reason: "no token request of this scenario was answered with a token"}
}

// presents sends a token request with the certificate that a sentence names.
func (s *scenario) presents(ctx context.Context, who, which string) error {
	r, err := s.valid(who, "token request")
	if err != nil {
		return err
	}
	switch which {
	case "no certificate":
		s.presentNone(r)
	case "that certificate":
		s.present(r, s.certificate)
		r.doubtful = s.spoilt
	case "a certificate that was never registered":
		if err := s.unregisteredCertificate("a"); err != nil {
			return err
		}
		s.present(r, s.certificate)
		r.doubtful = true
	case "the other account's certificate":
		if s.other.certificate.Fingerprint() == r.actor.certificate.Fingerprint() {
			return &unable{reason: "both accounts of the profile have the same certificate: give them two"}
		}
		s.present(r, s.other.certificate)
	}
	return s.sendsRequest(ctx, r, sends)
}

// presentsAs sends a token request whose header has the certificate in a form of
// certs.Forms.
func (s *scenario) presentsAs(ctx context.Context, who, form string) error {
	r, err := s.valid(who, "token request")
	if err != nil {
		return err
	}
	named, err := certs.FormNamed(form)
	if err != nil {
		return err
	}
	pem := r.actor.certificate.PEM()
	written := named.Encode(pem)
	if named.Name != certs.Forms[0].Name && written == certs.Header(pem) {
		return &unable{reason: "the account's certificate has nothing in it that this form writes otherwise, such as a plus sign"}
	}
	r.header.Set(certificateHeader, written)
	return s.sendsRequest(ctx, r, sends)
}

// certificateKinds are the certificates that an account can have beside its first.
var certificateKinds = map[string]certs.Client{
	"a":               {},
	"a valid":         {},
	"a revoked":       {},
	"an ECDSA":        {Key: certs.ECDSA},
	"an RSA":          {Key: certs.RSA},
	"an expired":      {Validity: certs.Expired},
	"a not yet valid": {Validity: certs.NotYetValid},
}

func (s *scenario) unregisteredCertificate(kind string) (err error) {
	client, ok := certificateKinds[kind]
	if !ok {
		return fmt.Errorf("%q is no kind of certificate", kind)
	}
	client.Name = "pixcert"
	s.spoilt = true
	s.certificate, err = s.run.authority.Issue(client)
	return err
}

// registersCertificate: "the account also has an expired certificate".
func (s *scenario) registersCertificate(ctx context.Context, who, kind string) error {
	a, err := s.actorNamed(who)
	if err != nil {
		return err
	}
	if err := s.unregisteredCertificate(kind); err != nil {
		return err
	}
	if a.fixed != nil {
		a.fixed.touched = append(a.fixed.touched, without(s.certificate.Fingerprint()))
	}
	if err := s.controls().RegisterCertificate(ctx, a.id, s.certificate.PEM()); err != nil {
		return err
	}
	s.spoilt = kind == "a revoked" || certificateKinds[kind].Validity != certs.Valid
	if kind == "a revoked" {
		return s.controls().RevokeCertificate(ctx, a.id, s.certificate.Fingerprint())
	}
	return nil
}

func (s *scenario) revokesCertificate(ctx context.Context) error {
	s.spoilt = true
	return s.controls().RevokeCertificate(ctx, s.account.id, s.certificate.Fingerprint())
}

// forged makes a form of a token that the target did not issue; it needs a token that
// is a JWT.
func forged(forge func(header, claims, signature string) string) func(string) (string, error) {
	return func(token string) (string, error) {
		parts := strings.Split(token, ".")
		if !isJWT(token) {
			return "", &unable{reason: "the target's token is no JWT, so that no forged one can be made of it"}
		}
		return "Bearer " + forge(parts[0], parts[1], parts[2]), nil
	}
}

// otherSignature changes a character in the middle of the signature: the last one may
// hold unused bits. Where there is no signature it makes one up.
func otherSignature(header, claims, signature string) string {
	if signature == "" {
		signature = "c2lnbmF0dXJl"
	}
	middle := len(signature) / 2
	other := byte('A')
	if signature[middle] == other {
		other = 'B'
	}
	return header + "." + claims + "." + signature[:middle] + string(other) + signature[middle+1:]
}

// laterExpiry claims another day and keeps the signature.
func laterExpiry(header, claims, signature string) string {
	return header + "." + rewritten(claims, func(c map[string]any) {
		c["exp"] = time.Now().Add(24 * time.Hour).Unix()
	}) + "." + signature
}

// unsigned claims that there is no signature (alg none).
func unsigned(header, claims, _ string) string {
	return rewritten(header, func(h map[string]any) { h["alg"] = "none" }) + "." + claims + "."
}

func rewritten(part string, change func(map[string]any)) string {
	members := map[string]any{}
	if b, err := base64.RawURLEncoding.DecodeString(part); err == nil {
		_ = json.Unmarshal(b, &members) // what is no object is replaced by one
	}
	if members == nil { // JSON null
		members = map[string]any{}
	}
	change(members)
	b, err := json.Marshal(members)
	if err != nil {
		panic(err) // it was JSON before
	}
	return base64.RawURLEncoding.EncodeToString(b)
}
