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

// presented holds for a token request whose certificate parses and is such.
func presented(such func(*x509.Certificate) bool) condition {
	return func(c *call, _ *answer) bool {
		block := presentedPEM(c)
		if block == nil {
			return false
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		return err == nil && such(certificate)
	}
}

// otherPEM holds for a token request whose PEM is no certificate.
func otherPEM(c *call, _ *answer) bool {
	block := presentedPEM(c)
	if block == nil {
		return false
	}
	_, err := x509.ParseCertificate(block.Bytes)
	return err != nil
}

// presentedPEM is the PEM of a token request; nil if there is none.
func presentedPEM(c *call) *pem.Block {
	text, err := url.QueryUnescape(c.header.Get(certificateHeader))
	if err != nil {
		return nil
	}
	block, _ := pem.Decode([]byte(text))
	return block
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
