package profile

import (
	"crypto/x509"
	"strings"
	"time"

	"github.com/pixcert/pixcert/certs"
)

// pem is the PEM that a field holds, or that the file holds whose path it is; nil for
// nothing and for what cannot be read.
func (r *reader) pem(field string) []byte {
	text := r.text(field)
	if text == "" {
		return nil
	}
	if strings.HasPrefix(strings.TrimSpace(text), "-----BEGIN") {
		return []byte(text)
	}
	content, err := contents(r.beside(text))
	if err != nil && (r.assumed[field] || r.assume(field, r.secretly(field))) {
		return nil
	}
	if err != nil {
		r.mistake(field, "%v (%s is relative to the profile)", err, r.secretly(field))
		return nil
	}
	return content
}

// secretly is what was written in a field, if that is a path: a key may have been put there
// without its armour.
func (r *reader) secretly(field string) string {
	written := r.written(field)
	if strings.HasSuffix(field, ".key") && !strings.ContainsAny(written, "/.") {
		return "what is not shown here, as it may be a key,"
	}
	return written
}

// pair reads the certificate and the key of an account, of the sink or of the client.
func (r *reader) pair(parent string) (certificate, key []byte) {
	at, keyAt := parent+".certificate", parent+".key"
	certificate, key = r.pem(at), r.pem(keyAt)
	if certificate == nil {
		return nil, key
	}
	loaded, err := certs.Load(certificate, nil)
	if err != nil {
		r.mistake(at, "%v; give the file that holds it", err)
		return nil, key
	}
	if key != nil {
		if _, err := certs.Load(certificate, key); err != nil {
			r.mistake(keyAt, "%v", err)
		}
	}
	r.noteDates(loaded.X509(), at)
	return certificate, key
}

// noteDates: a certificate out of its dates may be given, but is refused.
func (r *reader) noteDates(cert *x509.Certificate, field string) {
	now := time.Now()
	switch {
	case now.After(cert.NotAfter):
		r.note(field, "the certificate expired on "+cert.NotAfter.UTC().Format(time.DateOnly)+", so that whoever checks it refuses it")
	case now.Before(cert.NotBefore):
		r.note(field, "the certificate is valid from "+cert.NotBefore.UTC().Format(time.DateOnly)+" on, so that whoever checks it refuses it until then")
	}
}

// authorities reads certificates whose issuers are trusted.
func (r *reader) authorities(field string) []byte {
	content := r.pem(field)
	if content == nil {
		return nil
	}
	if _, err := certs.Load(content, nil); err != nil {
		r.mistake(field, "%v; give the file that holds the authority's certificate", err)
	}
	return content
}

// isFor notes that a server's certificate is for other hosts.
func (r *reader) isFor(certificate []byte, host, field string) {
	if certificate == nil || host == "" || host == "0.0.0.0" || host == "::" {
		return
	}
	loaded, err := certs.Load(certificate, nil)
	if err != nil {
		return // reported where it was read
	}
	if cert := loaded.X509(); cert.VerifyHostname(host) != nil {
		hosts := cert.DNSNames
		for _, ip := range cert.IPAddresses {
			hosts = append(hosts, ip.String())
		}
		r.mistake(field, "expected a certificate for the host by which the gateway reaches the sink, found one for %s; have one issued for that host, or correct sink.url", strings.Join(append(hosts, "no other host")[:max(1, len(hosts))], ", "))
	}
}
