package profile

import (
	"crypto/x509"
	"path/filepath"
	"strings"
	"time"

	"github.com/pixcert/pixcert/certs"
)

// directory is that of the profile.
func (s *source) directory() string { return filepath.Dir(s.file) }

// pem is the PEM that a text holds, or that the file holds whose path it is; nil for no
// text and for what cannot be read.
func (r *reader) pem(text string, p path) []byte {
	if text == "" || r.wrong[p.key()] {
		return nil
	}
	if strings.HasPrefix(strings.TrimSpace(text), "-----BEGIN") {
		return []byte(text)
	}
	content, err := contents(r.beside(text))
	if err != nil && (r.assumed[p.key()] || r.assume(p, r.secretly(p))) {
		return nil
	}
	if err != nil {
		r.mistake(p, "%w (%s is relative to the profile)", err, r.secretly(p))
		return nil
	}
	if content == nil {
		content = []byte{}
	}
	return content
}

// secretly is what was written at p, if that is a path: a key may have been put there
// without its armour.
func (r *reader) secretly(p path) string {
	written := shown(r.places[p.key()].written)
	if p[len(p)-1] == "key" && !strings.ContainsAny(written, "/.") {
		return "what is not shown here, as it may be a key,"
	}
	return written
}

// pair reads the certificate and the key of an account, of the sink or of the client.
func (r *reader) pair(certificate, key string, p path) (certificatePEM, keyPEM []byte) {
	at, keyAt := p.below("certificate"), p.below("key")
	certificatePEM, keyPEM = r.pem(certificate, at), r.pem(key, keyAt)
	if certificatePEM == nil {
		return nil, keyPEM
	}
	loaded, err := certs.Load(certificatePEM, nil)
	if err != nil {
		r.mistake(at, "%w; give the file that holds it", err)
		return nil, keyPEM
	}
	if keyPEM != nil {
		if _, err := certs.Load(certificatePEM, keyPEM); err != nil {
			r.mistake(keyAt, "%w", err)
		}
	}
	r.noteDates(loaded.X509(), at)
	return certificatePEM, keyPEM
}

// noteDates: a certificate out of its dates may be given, but is refused.
func (r *reader) noteDates(cert *x509.Certificate, p path) {
	now := time.Now()
	switch {
	case now.After(cert.NotAfter):
		r.note(r.places[p.key()], "the certificate expired on "+cert.NotAfter.UTC().Format(time.DateOnly)+", so that whoever checks it refuses it")
	case now.Before(cert.NotBefore):
		r.note(r.places[p.key()], "the certificate is valid from "+cert.NotBefore.UTC().Format(time.DateOnly)+" on, so that whoever checks it refuses it until then")
	}
}

// authorities reads certificates whose issuers are trusted.
func (r *reader) authorities(text string, p path) []byte {
	content := r.pem(text, p)
	if content == nil {
		return nil
	}
	if _, err := certs.Load(content, nil); err != nil {
		r.mistake(p, "%w; give the file that holds the authority's certificate", err)
	}
	return content
}

// isFor notes that a server's certificate is for other hosts.
func (r *reader) isFor(certificate []byte, host string, p path) {
	if certificate == nil || host == "" || host == "0.0.0.0" || host == "::" {
		return
	}
	loaded, err := certs.Load(certificate, nil)
	if err != nil {
		return // told where it was read
	}
	if cert := loaded.X509(); cert.VerifyHostname(host) != nil {
		hosts := cert.DNSNames
		for _, ip := range cert.IPAddresses {
			hosts = append(hosts, ip.String())
		}
		r.mistake(p, "expected a certificate for the host by which the gateway reaches the sink, found one for %s; have one issued for that host, or correct sink.url", strings.Join(append(hosts, "no other host")[:max(1, len(hosts))], ", "))
	}
}
