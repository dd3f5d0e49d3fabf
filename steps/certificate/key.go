package certificate

import (
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"os"

	"github.com/pixcert/pixcert/steps/untrusted"
)

// mostKey bounds a file with a key, in bytes.
const mostKey = 16 << 10

// ReadPrivateKey reads an Ed25519 key in PKCS#8 PEM, as openssl genpkey -algorithm ed25519 writes it.
func ReadPrivateKey(path string) (ed25519.PrivateKey, error) {
	der, err := readPEM(path, "PRIVATE KEY", "a private key in PKCS#8 PEM; create one with pixcert keys, or with openssl genpkey -algorithm ed25519")
	if err != nil {
		return nil, err
	}
	key, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return nil, fmt.Errorf("%s: expected a private key in PKCS#8: %w", path, err)
	}
	if private, is := key.(ed25519.PrivateKey); is {
		return private, nil
	}
	return nil, fmt.Errorf("%s: expected an Ed25519 key, got %T; create one with pixcert keys", path, key)
}

// ReadPublicKey reads an Ed25519 key in PEM, as openssl pkey -pubout writes it.
func ReadPublicKey(path string) (ed25519.PublicKey, error) {
	der, err := readPEM(path, "PUBLIC KEY", "a public key in PEM; the holder of the private key prints it with openssl pkey -in KEY -pubout")
	if err != nil {
		return nil, err
	}
	key, err := x509.ParsePKIXPublicKey(der)
	if err != nil {
		return nil, fmt.Errorf("%s: expected a public key: %w", path, err)
	}
	if public, is := key.(ed25519.PublicKey); is {
		return public, nil
	}
	return nil, fmt.Errorf("%s: expected an Ed25519 key, got %T", path, key)
}

func readPEM(path, kind, expected string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := untrusted.ReadAll(file, mostKey)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for block, rest := pem.Decode(content); block != nil; block, rest = pem.Decode(rest) {
		if block.Type == kind {
			return block.Bytes, nil
		}
	}
	return nil, fmt.Errorf("%s: expected %s", path, expected)
}

// Fingerprint identifies a public key: the SHA-256 of its DER form, in hex.
func Fingerprint(key ed25519.PublicKey) string {
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		panic(err) // every Ed25519 key has a DER form
	}
	sum := sha256.Sum256(der)
	return hex.EncodeToString(sum[:])
}

// NewKey creates a key pair in PEM.
func NewKey() (private, public []byte, err error) {
	open, secret, err := ed25519.GenerateKey(nil)
	if err != nil {
		return nil, nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(secret)
	if err != nil {
		return nil, nil, err
	}
	openDER, err := x509.MarshalPKIXPublicKey(open)
	if err != nil {
		return nil, nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: openDER}), nil
}

// signer signs an envelope.
type signer struct{ key ed25519.PrivateKey }

func (s signer) Sign(_ context.Context, data []byte) ([]byte, error) {
	return ed25519.Sign(s.key, data), nil
}
func (s signer) KeyID() (string, error) { return Fingerprint(s.key.Public().(ed25519.PublicKey)), nil }

// verifier verifies the signature of an envelope.
type verifier struct{ key ed25519.PublicKey }

func (v verifier) Verify(_ context.Context, data, sig []byte) error {
	if !ed25519.Verify(v.key, data, sig) {
		return errors.New("the signature is wrong")
	}
	return nil
}
func (v verifier) KeyID() (string, error)   { return Fingerprint(v.key), nil }
func (v verifier) Public() crypto.PublicKey { return v.key }
