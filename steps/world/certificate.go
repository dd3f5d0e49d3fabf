package world

import (
	"context"
	"fmt"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
)

type certificate struct {
	*certs.Certificate
	account int64 // that it was added to
	spoilt  bool  // an edge may refuse it by itself
}

// presentCertificate sends a token request with a certificate.
func presentCertificate(ctx context.Context, w *World, m language.Present) error {
	a, err := w.actor(m.Account)
	if err != nil {
		return err
	}
	r := a.valid("token request")
	switch m.Certificate {
	case language.NoCertificate:
		r.presentNone()
	case language.UnregisteredCertificate:
		if err := makeCertificate(ctx, w, language.MakeCertificate{Kind: "a"}); err != nil {
			return err
		}
		fallthrough
	case language.ThatCertificate, language.FirstAdded, language.SecondAdded:
		c, err := w.certificateNamed(m.Certificate)
		if err != nil {
			return err
		}
		r.present(c.Certificate)
		r.doubtful = c.spoilt
	case language.OthersCertificate:
		other, err := othersCertificate(w)
		if err != nil {
			return err
		}
		r.present(other)
	}
	return r.sendSpoken(ctx, false)
}

// certificateNamed is one that the scenario has made.
func (w *World) certificateNamed(name language.Certificate) (*certificate, error) {
	n, numbered := map[language.Certificate]int{language.FirstAdded: 0, language.SecondAdded: 1}[name]
	switch {
	case numbered && n < len(w.added):
		return w.added[n], nil
	case numbered || w.certificate == nil:
		return nil, fmt.Errorf("the scenario has not made %s", name)
	}
	return w.certificate, nil
}

// revokeCertificate: "the first added certificate is revoked".
func revokeCertificate(ctx context.Context, w *World, m language.RevokeCertificate) error {
	c, err := w.certificateNamed(m.Certificate)
	if err != nil {
		return err
	}
	c.spoilt = true
	return w.controls().RevokeCertificate(ctx, c.account, c.Fingerprint())
}

// othersCertificate is that of the other account, which must differ from the account's.
func othersCertificate(w *World) (*certs.Certificate, error) {
	other, err := w.actor(language.TheOther)
	if err != nil {
		return nil, err
	}
	if other.certificate.Fingerprint() == w.the().certificate.Fingerprint() {
		return nil, record.Cannot("both accounts in the profile have the same certificate: use one for each")
	}
	return other.certificate, nil
}

// presentAs sends a token request whose header writes the certificate in a form of certs.Forms.
func presentAs(ctx context.Context, w *World, m language.PresentAs) error {
	a, err := w.actor(m.Account)
	if err != nil {
		return err
	}
	named, err := certs.FormNamed(m.Form)
	if err != nil {
		return err
	}
	pem := a.certificate.PEM()
	written := named.Encode(pem)
	if named.Name != certs.Forms[0].Name && written == certs.Header(pem) {
		return record.Cannot("the account's certificate contains no character that this encoding changes, such as a plus sign")
	}
	r := a.valid("token request")
	r.header.Set(certificateHeader, written)
	return r.sendSpoken(ctx, false)
}

// certificateKinds are the certificates that an account can have besides its first.
var certificateKinds = map[string]certs.Client{
	"a":               {},
	"a valid":         {},
	"a revoked":       {},
	"an ECDSA":        {Key: certs.ECDSA},
	"an RSA":          {Key: certs.RSA},
	"an expired":      {Validity: certs.Expired},
	"a not yet valid": {Validity: certs.NotYetValid},
}

func makeCertificate(_ context.Context, w *World, m language.MakeCertificate) error {
	client, ok := certificateKinds[m.Kind]
	if !ok {
		return fmt.Errorf("unknown kind of certificate: %q", m.Kind)
	}
	client.Name = "pixcert"
	made, err := w.Authority.Issue(client)
	w.certificate = &certificate{Certificate: made, spoilt: true}
	return err
}

// addCertificate: "the account also has an expired certificate".
func addCertificate(ctx context.Context, w *World, m language.AddCertificate) error {
	a, err := w.actor(m.Account)
	if err != nil {
		return err
	}
	if m.Kind == "that" {
		c, err := w.certificateNamed(language.ThatCertificate)
		if err != nil {
			return err
		}
		return a.register(ctx, c)
	}
	if err := makeCertificate(ctx, w, language.MakeCertificate{Kind: m.Kind}); err != nil {
		return err
	}
	w.certificate.account = a.id
	w.added = append(w.added, w.certificate)
	if err := a.register(ctx, w.certificate); err != nil {
		return err
	}
	if m.Kind == "a revoked" {
		return w.controls().RevokeCertificate(ctx, a.id, w.certificate.Fingerprint())
	}
	w.certificate.spoilt = certificateKinds[m.Kind].Validity != certs.Valid
	return nil
}

// register registers one more certificate with the account.
func (a *actor) register(ctx context.Context, c *certificate) error {
	if a.fixed != nil {
		a.fixed.touched = append(a.fixed.touched, withoutCertificate(c.Fingerprint()))
	}
	return a.w.controls().RegisterCertificate(ctx, a.id, c.PEM())
}

// headerForms are the ways to put a certificate into a header besides that of the handshake: how
// the header is written, and whose certificates it holds.
var headerForms = map[string][]struct {
	header string
	whose  language.Account
}{
	"X-SSL-Client-Cert":                       {{"X-SSL-Client-Cert", language.TheOther}},
	"x-ssl-client-cert":                       {{"x-ssl-client-cert", language.TheOther}},
	"X_SSL_Client_Cert":                       {{"X_SSL_Client_Cert", language.TheOther}},
	"X-SSL_CLIENT-CERT":                       {{"X-SSL_CLIENT-CERT", language.TheOther}},
	"X-SSL-Client-Cert and X_SSL_Client_Cert": {{"X-SSL-Client-Cert", language.TheOther}, {"X_SSL_Client_Cert", language.TheOther}},
	"X-SSL-Client-Cert twice":                 {{"X-SSL-Client-Cert", language.TheOther}, {"X-SSL-Client-Cert", language.TheOther}},
	"X-SSL-Client-Cert before its own":        {{"X-SSL-Client-Cert", language.TheOther}, {"X-SSL-Client-Cert", language.TheAccount}},
	"X-SSL-Client-Cert after its own":         {{"X-SSL-Client-Cert", language.TheAccount}, {"X-SSL-Client-Cert", language.TheOther}},
}

// presentInHeader asks for a token as somebody would who has another account's credentials and its
// certificate, which is no secret, but not the certificate's key.
func presentInHeader(ctx context.Context, w *World, m language.PresentInHeader) error {
	headers, ok := headerForms[m.In]
	if !ok {
		return fmt.Errorf("unknown way to send a certificate in a header: %q", m.In)
	}
	if _, err := othersCertificate(w); err != nil {
		return err
	}
	r := w.the().valid("token request")
	if m.ShowNone {
		r.presentNone()
	}
	if m.ForOther {
		other := w.actors[language.TheOther]
		r.body = object{"clientId": text(other.clientID), "clientSecret": text(other.clientSecret)}
	}
	for _, h := range headers {
		r.header[h.header] = append(r.header[h.header], certs.Header(w.actors[h.whose].certificate.PEM()))
	}
	r.doubtful = true // an edge may refuse whoever sends this header
	r.role = record.Spoken
	_, err := r.send(ctx)
	return err
}
