package profile

import (
	"cmp"
	"crypto/x509"
	"strings"
	"time"

	"github.com/pixcert/pixcert/certs"
)

// pem returns the PEM in a field, or in the file that it names; nil if there is none or it cannot
// be read.
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
		r.fieldError(field, "cannot read %s (relative to the profile): %v", r.secretly(field), err)
		return nil
	}
	return content
}

// secretly returns the value of a field that is a path, unless it may be a key without PEM armour.
func (r *reader) secretly(field string) string {
	written := r.written(field)
	if strings.HasSuffix(field, ".key") && !strings.ContainsAny(written, "/.") {
		return "a path that is hidden because it may be a key"
	}
	return written
}

// pair reads the certificate and key of an account, the sink or the client.
func (r *reader) pair(parent string) (certificate, key []byte) {
	at, keyAt := parent+".certificate", parent+".key"
	certificate, key = r.pem(at), r.pem(keyAt)
	if certificate == nil {
		return nil, key
	}
	loaded, err := certs.Load(certificate, nil)
	if err != nil {
		r.fieldError(at, "%v; use the file that contains the certificate", err)
		return nil, key
	}
	if key != nil {
		if _, err := certs.Load(certificate, key); err != nil {
			r.fieldError(keyAt, "%v", err)
		}
	}
	r.noteDates(loaded.X509(), at)
	return certificate, key
}

// noteDates: an expired certificate is allowed, but gateways reject it.
func (r *reader) noteDates(cert *x509.Certificate, field string) {
	now := time.Now()
	switch {
	case now.After(cert.NotAfter):
		r.note(field, "the certificate expired on "+cert.NotAfter.UTC().Format(time.DateOnly)+"; a gateway that checks the dates rejects it")
	case now.Before(cert.NotBefore):
		r.note(field, "the certificate is not valid before "+cert.NotBefore.UTC().Format(time.DateOnly)+"; a gateway that checks the dates rejects it until then")
	}
}

// authorities reads the certificates of trusted authorities.
func (r *reader) authorities(field string) []byte {
	content := r.pem(field)
	if content == nil {
		return nil
	}
	if _, err := certs.Load(content, nil); err != nil {
		r.fieldError(field, "%v; use the file that contains the authority's certificate", err)
	}
	return content
}

// isFor reports a server certificate for other hosts.
func (r *reader) isFor(certificate []byte, host, field string) {
	if certificate == nil || host == "" || host == "0.0.0.0" || host == "::" {
		return
	}
	loaded, err := certs.Load(certificate, nil)
	if err != nil {
		return // already reported
	}
	if cert := loaded.X509(); cert.VerifyHostname(host) != nil {
		hosts := cert.DNSNames
		for _, ip := range cert.IPAddresses {
			hosts = append(hosts, ip.String())
		}
		r.fieldError(field, "the certificate is for %s, not for the sink's host; issue one for that host, or correct sink.url", cmp.Or(strings.Join(hosts, ", "), "no host"))
	}
}
