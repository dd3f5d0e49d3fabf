package certs_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/certs"
)

func TestLoad(t *testing.T) {
	t.Parallel()
	a := authority(t)
	for name, kind := range map[string]certs.KeyType{"ECDSA": certs.ECDSA, "RSA": certs.RSA} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			issued, err := a.Issue(certs.Client{Name: "shop", Key: kind})
			require.NoError(t, err)
			chain := append([]byte("Subject: shop\n"), append(issued.PEM(), a.PEM()...)...)
			loaded, err := certs.Load(chain, issued.KeyPEM())
			require.NoError(t, err)
			assert.Equal(t, issued.PEM(), loaded.PEM(), "the certificate alone, without what stands around it")
			assert.Equal(t, issued.KeyPEM(), loaded.KeyPEM())
			assert.Equal(t, issued.Fingerprint(), loaded.Fingerprint())
			assert.Len(t, loaded.TLS().Certificate, 2, "its issuer is sent along")

			public, err := certs.Load(issued.PEM(), nil)
			require.NoError(t, err)
			assert.Nil(t, public.KeyPEM())
			assert.Nil(t, public.TLS().PrivateKey)
		})
	}
}

func TestLoadOtherKeys(t *testing.T) {
	t.Parallel()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "shop"}, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, public, private)
	require.NoError(t, err)
	key, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	loaded, err := certs.Load(block("CERTIFICATE", der), block("PRIVATE KEY", key))
	require.NoError(t, err)
	assert.Equal(t, block("PRIVATE KEY", key), loaded.KeyPEM())

	_, err = certs.LoadAuthority(block("CERTIFICATE", der), block("PRIVATE KEY", key))
	assert.ErrorContains(t, err, "expected an ECDSA key")
}

func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	a := authority(t)
	shop, err := a.Issue(certs.Client{Name: "shop"})
	require.NoError(t, err)
	other, err := a.Issue(certs.Client{Name: "other", Key: certs.RSA})
	require.NoError(t, err)
	for name, test := range map[string]struct {
		certificate, key []byte
		says             string
	}{
		"nothing":             {nil, nil, "got nothing"},
		"text":                {[]byte("a certificate"), nil, "got 13 bytes without a PEM block"},
		"a key":               {shop.KeyPEM(), nil, "got only PRIVATE KEY"},
		"garbage":             {block("CERTIFICATE", []byte("garbage")), nil, "invalid certificate between BEGIN CERTIFICATE and END CERTIFICATE"},
		"no key":              {shop.PEM(), []byte{}, "expected a PEM private key (-----BEGIN PRIVATE KEY-----), got nothing"},
		"a certificate twice": {shop.PEM(), shop.PEM(), "got only CERTIFICATE"},
		"another's key":       {shop.PEM(), other.KeyPEM(), `does not match the certificate of "shop"`},
		"a broken key":        {shop.PEM(), block("RSA PRIVATE KEY", []byte("garbage")), "unusable RSA PRIVATE KEY block"},
		"an encrypted key":    {shop.PEM(), block("ENCRYPTED PRIVATE KEY", []byte("garbage")), "decrypt it"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := certs.Load(test.certificate, test.key)
			assert.ErrorContains(t, err, test.says)
		})
	}
}

func TestLoadAuthority(t *testing.T) {
	t.Parallel()
	a := authority(t)
	loaded, err := certs.LoadAuthority(a.PEM(), a.KeyPEM())
	require.NoError(t, err)
	assert.Equal(t, a.PEM(), loaded.PEM())
	c, err := loaded.Issue(certs.Client{Name: "shop"})
	require.NoError(t, err)
	_, err = c.X509().Verify(x509.VerifyOptions{Roots: a.Pool(), KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	assert.NoError(t, err, "the authority goes on where it was")

	_, err = certs.LoadAuthority(c.PEM(), c.KeyPEM())
	assert.ErrorContains(t, err, "is not an authority's")
	_, err = certs.LoadAuthority(a.PEM(), c.KeyPEM())
	assert.ErrorContains(t, err, "does not match")
	_, err = certs.LoadAuthority(nil, nil)
	assert.ErrorContains(t, err, "expected a PEM certificate")
}

func block(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

// Some editors write a byte order mark before the first block.
func TestLoadWithAByteOrderMark(t *testing.T) {
	t.Parallel()
	authority, err := certs.NewAuthority()
	require.NoError(t, err)
	c, err := authority.Issue(certs.Client{})
	require.NoError(t, err)
	mark := []byte("\ufeff")
	loaded, err := certs.Load(append(mark, c.PEM()...), append(mark, c.KeyPEM()...))
	require.NoError(t, err)
	require.Equal(t, c.Fingerprint(), loaded.Fingerprint())
}
