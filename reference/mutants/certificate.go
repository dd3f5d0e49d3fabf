package mutants

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"net/url"
	"strings"
	"time"
)

var certificateMutants = []Mutant{
	{"gives a token without a certificate", "token.certificate-required", pretending(token, refusedAs("PUB_CERT_HEADER_MISSING"))},
	{"answers a missing certificate with 401", "token.certificate-required", answering(token, refusedAs("PUB_CERT_HEADER_MISSING"), status(401))},
	{"calls a missing certificate malformed", "token.certificate-required", answering(token, refusedAs("PUB_CERT_HEADER_MISSING"), code("PUB_CERT_MALFORMED_PEM"))},

	{"decodes the certificate's header twice", "token.certificate-encoding", refusing(token, under(certificateHeader, `%2B`), 400, "PUB_CERT_MALFORMED_PEM")},
	{"takes spaces in a certificate for plus signs", "token.certificate-encoding", accepting(token, refusedAs("PUB_CERT_MALFORMED_PEM"), plusRestored)},
	{"calls a certificate with spaces for plus signs unregistered", "token.certificate-encoding", answering(token, refusedAs("PUB_CERT_MALFORMED_PEM"), status(401), code("PUB_CERT_NOT_REGISTERED"))},

	{"takes a truncated certificate", "token.certificate-pem", pretending(token, all(under(certificateHeader, `BEGIN`), not(under(certificateHeader, `END`))))},
	{"takes a certificate that is no PEM", "token.certificate-pem", pretending(token, under(certificateHeader, `^.{1,99}$`))},
	{"takes PEM that holds no certificate", "token.certificate-pem", pretending(token, under(certificateHeader, `BEGIN.{0,160}-----END`))},
	{"takes a certificate without its armour", "token.certificate-pem", pretending(token, under(certificateHeader, `^MI`))},
	{"calls what it cannot parse unregistered", "token.certificate-pem", answering(token, refusedAs("PUB_CERT_MALFORMED_PEM"), status(401), code("PUB_CERT_NOT_REGISTERED"))},

	{"takes a certificate that is not yet valid", "token.certificate-not-yet-valid", pretending(token, refusedAs("PUB_CERT_NOT_YET_VALID"))},
	{"calls a certificate that is not yet valid expired", "token.certificate-not-yet-valid", answering(token, refusedAs("PUB_CERT_NOT_YET_VALID"), code("PUB_CERT_EXPIRED"))},
	{"answers a certificate that is not yet valid with 400", "token.certificate-not-yet-valid", answering(token, refusedAs("PUB_CERT_NOT_YET_VALID"), status(400))},
	{"waits two days before it takes a certificate", "token.certificate-not-yet-valid", refusing(token, presented(youngerThan(48*time.Hour)), 401, "PUB_CERT_NOT_YET_VALID")},

	{"takes an expired certificate", "token.certificate-expired", pretending(token, refusedAs("PUB_CERT_EXPIRED"))},
	{"calls an expired certificate unregistered", "token.certificate-expired", answering(token, refusedAs("PUB_CERT_EXPIRED"), code("PUB_CERT_NOT_REGISTERED"))},
	{"answers an expired certificate with 403", "token.certificate-expired", answering(token, refusedAs("PUB_CERT_EXPIRED"), status(403))},
	{"calls a certificate expired that lasts another year", "token.certificate-expired", refusing(token, presented(endingWithin(367*24*time.Hour)), 401, "PUB_CERT_EXPIRED")},

	{"takes a certificate that was never registered", "token.certificate-registered", pretending(token, refusedAs("PUB_CERT_NOT_REGISTERED"))},
	{"answers an unregistered certificate with 403", "token.certificate-registered", answering(token, refusedAs("PUB_CERT_NOT_REGISTERED"), status(403), code("PUB_CERT_NOT_AUTHORIZED_FOR_ACCOUNT"))},
	{"knows only the first certificate of an account", "token.certificate-registered", ignoring(certificates, always)},

	{"goes on taking a revoked certificate", "token.certificate-revoked", ignoring(revocation, always)},
	{"says PUB_CERT_REVOKED", "token.certificate-revoked", answering(token, refusedAs("PUB_CERT_NOT_REGISTERED"), code("PUB_CERT_REVOKED"))},
	{"answers a revoked certificate with 403", "token.certificate-revoked", answering(token, refusedAs("PUB_CERT_NOT_REGISTERED"), status(403))},
	{"revokes every certificate of the account", "token.certificate-revoked", changing(revocation, revokingAll)},

	{"takes another account's certificate", "token.certificate-account", pretending(token, refusedAs("PUB_CERT_NOT_AUTHORIZED_FOR_ACCOUNT"))},
	{"answers another account's certificate with 401", "token.certificate-account", answering(token, refusedAs("PUB_CERT_NOT_AUTHORIZED_FOR_ACCOUNT"), status(401))},
	{"calls another account's certificate unregistered", "token.certificate-account", answering(token, refusedAs("PUB_CERT_NOT_AUTHORIZED_FOR_ACCOUNT"), status(401), code("PUB_CERT_NOT_REGISTERED"))},
}

func youngerThan(age time.Duration) func(*x509.Certificate) bool {
	return func(c *x509.Certificate) bool {
		since := time.Since(c.NotBefore)
		return since >= 0 && since < age
	}
}

func endingWithin(d time.Duration) func(*x509.Certificate) bool {
	return func(c *x509.Certificate) bool {
		left := time.Until(c.NotAfter)
		return left >= 0 && left < d
	}
}

// plusRestored writes the plus signs of a certificate again that became spaces.
func plusRestored(m *message) {
	text, err := url.QueryUnescape(m.header.Get(certificateHeader))
	if err != nil {
		return
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, "-----") {
			lines[i] = strings.ReplaceAll(line, " ", "+")
		}
	}
	m.header.Set(certificateHeader, url.QueryEscape(strings.Join(lines, "\n")))
}

// revokingAll revokes, with a certificate, the one that the account was opened with.
func revokingAll(c *call, pass server) *answer {
	a := pass(c)
	opened := c.lastBefore(newAccount, taken, func(now *call, then *entry) bool {
		id, _ := lookup(then.answer.body, "accountId")
		return fmt.Sprint(id) == now.client
	})
	if opened == nil {
		return a
	}
	if block, _ := pem.Decode([]byte(textAt(opened.call.body, "certificate"))); block != nil {
		first := *c
		fingerprint := sha256.Sum256(block.Bytes)
		first.path = "/accounts/" + c.client + "/certificates/" + hex.EncodeToString(fingerprint[:])
		pass(&first)
	}
	return a
}
