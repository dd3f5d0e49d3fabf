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

// mould is a certificate of which others are cast: the same but for the serial number
// and the signature. Every scenario of a run has certificates of its own, and casting
// one costs a fourth of making it anew.
type mould struct {
	key       crypto.Signer
	signed    []byte // the part of the certificate that is signed
	serial    []byte // as it stands in there
	algorithm asn1.RawValue
}

// mouldFor gives the mould of a kind of certificate, made when it is first asked for.
// Who asks for another kind does not wait: an RSA key takes its time.
func (a *Authority) mouldFor(c Client) (*mould, error) {
	once, _ := a.moulds.LoadOrStore(c, sync.OnceValues(func() (*mould, error) { return a.newMould(c) }))
	return once.(func() (*mould, error))()
}

func (a *Authority) newMould(c Client) (*mould, error) {
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
		return nil, fmt.Errorf("reading a certificate that was just made: %w", err)
	}
	return &mould{key: key, signed: whole.Signed.FullBytes, serial: cert.SerialNumber.Bytes(), algorithm: whole.Algorithm}, nil
}

// cast gives the DER of a certificate with a serial number of its own, signed by the
// authority's key.
func (m *mould) cast(authority *ecdsa.PrivateKey) ([]byte, error) {
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
