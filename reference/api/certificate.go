package api

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	certificateHeader = "X-SSL-Client-Cert"

	// maxCertificateHeader bounds the header in bytes as sent. An RSA certificate of
	// 4096 bits with two issuers, every character escaped, takes half of it.
	maxCertificateHeader = 32 << 10
)

// Hints for who meets a certificate error, sent as details.hint.
const (
	hintHeader      = "send the PEM certificate, URL-encoded, in the header X-SSL-Client-Cert"
	hintRepeated    = "send the header X-SSL-Client-Cert once"
	hintTooLong     = "the header is longer than 32 KiB: send the client certificate alone"
	hintEscapes     = "the header is not URL-encoded: a % must be followed by two hex digits"
	hintDoubled     = "the header is URL-encoded twice"
	hintPlus        = "a space stands where the base64 had a +: write each + as %2B"
	hintNewlines    = "the line breaks of the PEM are gone: write each as %0A"
	hintArmour      = "expected a text that begins with -----BEGIN CERTIFICATE-----"
	hintBlock       = "the PEM block is incomplete or its base64 is damaged"
	hintCertificate = "the PEM block does not hold an X.509 certificate"
	hintDates       = "present a certificate that is valid now"
	hintUnknown     = "register the certificate with the account, or present one that is registered"
	hintOther       = "present a certificate of the account that the clientId belongs to"
)

const (
	pemBegin = "-----BEGIN CERTIFICATE-----"
	pemEnd   = "-----END CERTIFICATE-----"
)

// clientCertificate reads X-SSL-Client-Cert. Its value is decoded as a form is, so that
// a + that was not escaped is a space and spoils the base64 ("Token endpoint": + must
// become %2B). Of a chain the first certificate counts. Errors are problems.
func clientCertificate(header http.Header) (*x509.Certificate, error) {
	values := header.Values(certificateHeader)
	switch {
	case len(values) == 0 || len(values) == 1 && values[0] == "":
		return nil, tokenProblem(codeCertHeaderMissing, hintHeader)
	case len(values) > 1:
		return nil, tokenProblem(codeCertMalformed, hintRepeated)
	case len(values[0]) > maxCertificateHeader:
		return nil, tokenProblem(codeCertMalformed, hintTooLong)
	}
	certificate, hint := decodeCertificate(values[0])
	if hint != "" {
		return nil, tokenProblem(codeCertMalformed, hint)
	}
	return certificate, nil
}

// decodeCertificate gives the certificate of a header's value, or a hint at what is
// wrong with it.
func decodeCertificate(value string) (certificate *x509.Certificate, hint string) {
	text, err := url.QueryUnescape(value)
	if err != nil {
		return nil, hintEscapes
	}
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, pemBegin) {
		if strings.Contains(text, "%20CERTIFICATE") {
			return nil, hintDoubled
		}
		return nil, hintArmour
	}
	body, _, _ := strings.Cut(text[len(pemBegin):], pemEnd)
	if !strings.ContainsAny(body, "\r\n") {
		return nil, hintNewlines
	}
	if strings.Contains(strings.TrimSpace(body), " ") {
		return nil, hintPlus
	}
	block, _ := pem.Decode([]byte(text))
	if block == nil || block.Type != "CERTIFICATE" {
		return nil, hintBlock
	}
	certificate, err = x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil, hintCertificate
	}
	return certificate, ""
}

// checkDates judges a certificate by the real time: no account is known yet whose clock
// could count ("Certificate validation", 2).
func checkDates(certificate *x509.Certificate, now time.Time) error {
	switch {
	case now.Before(certificate.NotBefore):
		return tokenProblem(codeCertNotYetValid, hintDates)
	case now.After(certificate.NotAfter):
		return tokenProblem(codeCertExpired, hintDates)
	}
	return nil
}

// fingerprint is the SHA-256 of a certificate in lower-case hex.
func fingerprint(certificate *x509.Certificate) string {
	sum := sha256.Sum256(certificate.Raw)
	return hex.EncodeToString(sum[:])
}
