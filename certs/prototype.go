package certs

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/asn1"
	"fmt"
	"sync"
	"time"
)

// prototype is a certificate from which others are issued that differ only in serial number
// and signature. Every scenario of a run has its own certificates, and issuing one from a
// prototype takes a quarter of the time.
type prototype struct {
	key       crypto.Signer
	signed    []byte // the part of the certificate that is signed
	serial    []byte // as encoded in signed
	algorithm asn1.RawValue
}

// prototypeFor returns the prototype of a kind of certificate, and creates it on first use.
// Callers of other kinds do not wait: an RSA key is slow to create.
func (a *Authority) prototypeFor(c Client) (*prototype, error) {
	once, _ := a.prototypes.LoadOrStore(c, sync.OnceValues(func() (*prototype, error) { return a.newPrototype(c) }))
	return once.(func() (*prototype, error))()
}

func (a *Authority) newPrototype(c Client) (*prototype, error) {
	key, err := newKey(c.Key)
	if err != nil {
		return nil, err
	}
	notBefore, notAfter := c.Validity.dates(time.Now())
	cert, err := sign(&x509.Certificate{
		Subject:     subject(c.name()),
		NotBefore:   notBefore,
		NotAfter:    notAfter,
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}, a.cert, key.Public(), a.key)
	if err != nil {
		return nil, err
	}
	var whole struct {
		Signed    asn1.RawValue
		Algorithm asn1.RawValue
		Signature asn1.BitString
	}
	if _, err := asn1.Unmarshal(cert.Raw, &whole); err != nil {
		return nil, fmt.Errorf("reading a new certificate: %w", err)
	}
	return &prototype{key: key, signed: whole.Signed.FullBytes, serial: cert.SerialNumber.Bytes(), algorithm: whole.Algorithm}, nil
}

// issue returns the DER of a certificate with a new serial number, signed by the authority's
// key.
func (m *prototype) issue(authority *ecdsa.PrivateKey) ([]byte, error) {
	signed := bytes.Clone(m.signed)
	copy(signed[bytes.Index(signed, m.serial):], newSerial())
	digest := sha256.Sum256(signed)
	signature, err := ecdsa.SignASN1(rand.Reader, authority, digest[:])
	if err != nil {
		return nil, err
	}
	return asn1.Marshal(struct {
		Signed    asn1.RawValue
		Algorithm asn1.RawValue
		Signature asn1.BitString
	}{asn1.RawValue{FullBytes: signed}, m.algorithm, asn1.BitString{Bytes: signature, BitLength: 8 * len(signature)}})
}

// newSerial is a random serial number whose DER always takes the same 16 bytes:
// positive, and without a leading zero.
func newSerial() []byte {
	serial := make([]byte, 16)
	rand.Read(serial) // never fails
	serial[0] = serial[0]&0x3f | 0x40
	return serial
}
