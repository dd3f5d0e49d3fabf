package certs_test

import (
	"encoding/pem"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/certs"
)

// reading is what a receiver gets that percent-decodes the header, and takes a plus
// sign for a space (as forms do) or for itself (as paths do).
type reading struct{ asForm, asPath string }

func TestForms(t *testing.T) {
	t.Parallel()
	c, err := authority(t).Issue(certs.Client{})
	require.NoError(t, err)
	text := string(c.PEM())
	plusLost := strings.ReplaceAll(text, "+", " ")
	spacesGained := strings.ReplaceAll(text, " ", "+") // in the armour
	one := func(s string) reading { return reading{s, s} }

	const anyOther = "\x00" // another text, which does not parse
	want := map[string]reading{
		"as the specification asks": one(text),
		"plus as %20":               one(plusLost),
		"plus left literal":         {plusLost, text},
		"small escapes":             one(text),
		"space as plus":             {text, spacesGained},
		"raw newlines":              {strings.ReplaceAll(strings.TrimSpace(plusLost), "\n", " "), strings.ReplaceAll(strings.TrimSpace(text), "\n", " ")},
		"truncated":                 one(text[:len(text)/2]),
		"not PEM":                   one(anyOther),
		"garbage in the armour":     one(anyOther),
		"a chain":                   one(anyOther),
		"CRLF":                      one(strings.ReplaceAll(text, "\n", "\r\n")),
		"percent-encoding doubled":  one(certs.Header(c.PEM())),
		"base64 without the armour": one(strings.Join(strings.Split(strings.TrimSpace(text), "\n")[1:strings.Count(text, "\n")-1], "")),
	}
	require.Len(t, certs.Forms, len(want), "a form that this table does not know")
	for _, form := range certs.Forms {
		t.Run(form.Name, func(t *testing.T) {
			t.Parallel()
			header := form.Encode(c.PEM())
			assert.NotEmpty(t, form.Sender)
			assert.NotContains(t, header, "\n", "a header cannot hold it")
			assert.NotContains(t, header, "\r", "a header cannot hold it")
			w, known := want[form.Name]
			require.True(t, known)
			asForm, err := url.QueryUnescape(header)
			require.NoError(t, err)
			asPath, err := url.PathUnescape(header)
			require.NoError(t, err)
			if w == one(anyOther) {
				assert.NotEqual(t, text, asForm)
				return
			}
			assert.Equal(t, w, reading{asForm, asPath})
		})
	}
}

func TestFormsParse(t *testing.T) {
	t.Parallel()
	a := authority(t)
	c, err := a.Issue(certs.Client{})
	require.NoError(t, err)
	for name, blocks := range map[string]int{
		"as the specification asks": 1,
		"CRLF":                      1,
		"a chain":                   2,
		"space as plus":             1,
		"garbage in the armour":     1,
		"plus as %20":               0,
		"plus left literal":         0, // read as a form
		"truncated":                 0,
		"not PEM":                   0,
		"percent-encoding doubled":  0,
		"base64 without the armour": 0,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			form, err := certs.FormNamed(name)
			require.NoError(t, err)
			text, err := url.QueryUnescape(form.Encode(c.PEM()))
			require.NoError(t, err)
			var found []*pem.Block
			for block, rest := pem.Decode([]byte(text)); block != nil; block, rest = pem.Decode(rest) {
				found = append(found, block)
			}
			require.Len(t, found, blocks)
			switch {
			case name == "garbage in the armour":
				assert.NotEqual(t, c.X509().Raw, found[0].Bytes)
			case blocks > 0:
				assert.Equal(t, c.X509().Raw, found[0].Bytes, "the client's own certificate comes first")
			}
		})
	}
}

func TestChainNamesTheIssuer(t *testing.T) {
	t.Parallel()
	a := authority(t)
	c, err := a.Issue(certs.Client{})
	require.NoError(t, err)
	form, err := certs.FormNamed("a chain")
	require.NoError(t, err)
	text, err := url.PathUnescape(form.Encode(c.PEM()))
	require.NoError(t, err)
	_, rest := pem.Decode([]byte(text))
	block, _ := pem.Decode(rest)
	require.NotNil(t, block)
	issuer := parse(t, block.Bytes)
	assert.Equal(t, c.X509().RawIssuer, issuer.RawSubject)
	assert.True(t, issuer.IsCA)
}

// The unreserved marks are those of encodeURIComponent (ECMA-262, 19.2.6.4).
func TestHeaderIsEncodeURIComponent(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "aZ09-_.!~*'()", certs.Header([]byte("aZ09-_.!~*'()")))
	assert.Equal(t, "%2B%2F%3D%20%0A%0D%25%C3%A3", certs.Header([]byte("+/= \n\r%ã")))
}

func TestFormNamedListsTheNames(t *testing.T) {
	t.Parallel()
	_, err := certs.FormNamed("plus as %21")
	require.Error(t, err)
	for _, form := range certs.Forms {
		assert.ErrorContains(t, err, form.Name)
	}
}
