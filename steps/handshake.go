package steps

import (
	"context"
	"crypto/tls"
	"fmt"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

const certificateHeader = "X-SSL-Client-Cert"

// way is how an account shows its certificate: to the gateway, in a header that the
// suite writes as an edge would, or to the edge, in the TLS handshake.
//
// In the handshake an account shows it with every request and not with the token request
// alone. Most edges ask for it once a connection, whatever the path, and a token may be
// bound to it (RFC 8705); one that does not ask never learns of it.
type way string

const (
	inHeader    way = "the header " + certificateHeader
	inHandshake way = "the TLS handshake"
)

func wayOf(p target.Profile) way {
	if p.TLS.Handshake {
		return inHandshake
	}
	return inHeader
}

func shownIn(w way, s sentence) sentence {
	s.way = w
	return s
}

// present has a token request bring a certificate, in the target's way.
func (s *scenario) present(r *request, c *certs.Certificate) {
	if wayOf(s.run.profile) == inHandshake {
		shown := c.TLS()
		r.certificate = &shown
		return
	}
	r.header.Set(certificateHeader, certs.Header(c.PEM()))
}

// presentNone has a token request bring no certificate.
func (s *scenario) presentNone(r *request) {
	r.header.Del(certificateHeader)
	if wayOf(s.run.profile) == inHandshake {
		r.certificate, r.doubtful = &tls.Certificate{}, true
	}
}

func (r *request) showsNone() bool {
	return r.certificate != nil && len(r.certificate.Certificate) == 0
}

// shownBy is what a request shows in its handshake; nil leaves it to the profile.
func (s *scenario) shownBy(r *request) *tls.Certificate {
	switch {
	case wayOf(s.run.profile) != inHandshake:
		return nil
	case r.certificate != nil:
		return r.certificate
	}
	own := r.actor.certificate.TLS()
	return &own
}

// mayBeOfEdge says whether the answer to a token request may be that of an edge that did
// not take the certificate, and says nothing of the gateway: the handshake was broken
// off, or the refusal has no code of the specification's. Where the certificate gives
// no reason to refuse, JSON is taken for the gateway's.
func (s *scenario) mayBeOfEdge(t *attempt) bool {
	if wayOf(s.run.profile) != inHandshake || t.op.id != "token" || !target.RefusedLikeEdge(t.exchange) {
		return false
	}
	return t.code() == "" && (t.doubtful || t.answer == nil)
}

// stoppedAtEdge tells that a request did not get as far as the gateway, which can
// therefore not be judged by it. The specification binds the gateway alone: an edge
// may refuse a certificate in words of its own.
func (s *scenario) stoppedAtEdge(ctx context.Context, t *attempt) error {
	switch {
	case t.showsNone() && t.code() == "PUB_CERT_MALFORMED_PEM":
		return &notApplicable{reason: "an edge that writes something into the header where there is no certificate: " + t.summary()}
	case !s.mayBeOfEdge(t):
		return nil
	case t.doubtful:
		return &notApplicable{reason: "an edge that refuses this certificate itself: " + t.summary()}
	}
	if again, err := s.sendsValid(ctx, t); err != nil || s.mayBeOfEdge(again) {
		return &unable{reason: "the edge does not let a good certificate through (" + t.summary() + "): " +
			"have it take every certificate, as nginx does with ssl_verify_client optional_no_ca, or give the profile accounts whose certificates it takes"}
	}
	s.run.contract.check(s, t) // the edge lets the certificate through: this is the gateway's
	return nil
}

// sendsValid sends a valid token request with the certificate of another, beside the
// requests of the sentences.
func (s *scenario) sendsValid(ctx context.Context, t *attempt) (*attempt, error) {
	sent, attempts := t.actor.sent, s.attempts
	defer func() { t.actor.sent, s.attempts = sent, attempts }()
	r, err := s.valid(t.actor.name, "token request")
	if err != nil {
		return nil, err
	}
	r.certificate = t.certificate
	return s.send(ctx, r)
}

// --- sentences ---

// smuggled are the ways to put a certificate into the header beside that of the
// handshake: what the header is called and which certificates it holds, "its own"
// being the one that is shown.
var smuggled = map[string][][2]string{
	"X-SSL-Client-Cert":                       {{"X-SSL-Client-Cert", "other"}},
	"x-ssl-client-cert":                       {{"x-ssl-client-cert", "other"}},
	"X_SSL_Client_Cert":                       {{"X_SSL_Client_Cert", "other"}},
	"X-SSL_CLIENT-CERT":                       {{"X-SSL_CLIENT-CERT", "other"}},
	"X-SSL-Client-Cert and X_SSL_Client_Cert": {{"X-SSL-Client-Cert", "other"}, {"X_SSL_Client_Cert", "other"}},
	"X-SSL-Client-Cert twice":                 {{"X-SSL-Client-Cert", "other"}, {"X-SSL-Client-Cert", "other"}},
	"X-SSL-Client-Cert before its own":        {{"X-SSL-Client-Cert", "other"}, {"X-SSL-Client-Cert", "own"}},
	"X-SSL-Client-Cert after its own":         {{"X-SSL-Client-Cert", "own"}, {"X-SSL-Client-Cert", "other"}},
}

// smuggles asks for a token as somebody would who has another account's credentials and
// its certificate, which is no secret, but not the certificate's key.
func (s *scenario) smuggles(ctx context.Context, whose, shown, in string) error {
	headers, ok := smuggled[in]
	if !ok {
		return fmt.Errorf("%q is no way to smuggle a certificate", in)
	}
	if s.other.certificate.Fingerprint() == s.account.certificate.Fingerprint() {
		return &unable{reason: "both accounts of the profile have the same certificate: give them two"}
	}
	r, err := s.valid("the account", "token request")
	if err != nil {
		return err
	}
	if shown == "no" {
		s.presentNone(r)
	}
	if whose == "the other account's" {
		r.body = object{"clientId": text(s.other.clientID), "clientSecret": text(s.other.clientSecret)}
	}
	for _, header := range headers {
		holder := s.account
		if header[1] == "other" {
			holder = s.other
		}
		r.header[header[0]] = append(r.header[header[0]], certs.Header(holder.certificate.PEM()))
	}
	r.doubtful = true // an edge may refuse whoever sends this header
	_, err = s.send(ctx, r)
	return err
}

// noTokenGiven: the last request was refused, by whomever and in whatever words.
func (s *scenario) noTokenGiven() error {
	t, err := s.it()
	if err != nil {
		return err
	}
	expected := "no token: the certificate shown in the handshake is not this account's"
	token, _ := lookup(t.answer, "access_token")
	switch {
	case t.accepted() || token != nil:
		return s.fail(t, expected, t.summary(), "the edge has to overwrite "+certificateHeader+" with the certificate of the handshake, "+
			"to drop it where there is none, and to drop what a gateway may read in its place: other spellings, repetitions")
	case t.status() == 0 && !target.HandshakeRefused(t.exchange):
		return &unable{reason: "whether a token is given does not show: " + t.summary()}
	case !target.RefusedLikeEdge(t.exchange):
		s.warn(verdict.Finding{Expected: "a refusal with 400, 401 or 403", Came: t.summary(), Exchange: t.index})
	}
	return nil
}
