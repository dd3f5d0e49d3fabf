package exchange

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// each escapes every byte of a text.
func each(format string) func(string) string {
	return func(s string) string {
		var out strings.Builder
		for i := range len(s) {
			fmt.Fprintf(&out, format, s[i])
		}
		return out.String()
	}
}

func inJSON(s string) string {
	quoted, _ := json.Marshal(s)
	return string(quoted[1 : len(quoted)-1])
}

// encodings are the ways in which a target may encode what it echoes.
var encodings = map[string]func(string) string{
	"JSON":                    inJSON,
	"JSON, slashes":           func(s string) string { return strings.ReplaceAll(inJSON(s), "/", `\/`) },
	"JSON, all of it":         each(`\u%04x`),
	"a URL":                   url.QueryEscape,
	"a path":                  url.PathEscape,
	"a URL, all of it":        each("%%%02X"),
	"a URL, lower case":       each("%%%02x"),
	"HTML":                    html.EscapeString,
	"HTML, all of it":         each("&#%d;"),
	"HTML, all in hex":        each("&#x%x;"),
	"HTML, no semicolons":     each("&#%d"),
	"escapes of C":            each(`\x%02x`),
	"hexadecimal":             func(s string) string { return hex.EncodeToString([]byte(s)) },
	"hexadecimal, upper case": func(s string) string { return strings.ToUpper(hex.EncodeToString([]byte(s))) },
	"hexadecimal, shifted":    func(s string) string { return "f" + hex.EncodeToString([]byte(s)) + "0" },
	"base64":                  func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	"base64 of more":          func(s string) string { return base64.StdEncoding.EncodeToString([]byte("x" + s + "yz")) },
	"base64 for URLs":         func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte("id" + s)) },
	"base64 in a path":        func(s string) string { return "/ab/" + base64.RawStdEncoding.EncodeToString([]byte(s)) },
	"lines": func(s string) string {
		var out strings.Builder
		for i := 0; i < len(s); i += 40 {
			out.WriteString(s[i:min(i+40, len(s))] + "\r\n\t")
		}
		return out.String()
	},
}

// secretsOfARun are typical secrets: a client secret, a short one, an opaque token, a JSON Web
// Token, a header with spaces, and one that looks as if it were escaped.
var secretsOfARun = []string{
	"Client/Secret+of=an \"account\" & 42", "short-42", "b2f1c0de9a7e4455b2f1c0de9a7e4456", accessToken,
	"Basic of two words", `a%41\u0042&amp;secret`,
}

// No secret is shown, however a target encodes what it echoes, with up to three nested encodings.
func TestSecretsAreFoundInEncodings(t *testing.T) {
	t.Parallel()
	var r Redactor
	r.Add(secretsOfARun...)
	d := r.Disguise()
	check := func(name, encoded string) {
		body := `{"statusCode":400,"message":["you sent ` + inJSON(encoded) + `."],"code":"X"}`
		e := r.Exchange(Exchange{ResponseBody: []byte(body), ResponseHeader: http.Header{"X-Echo": {"of " + encoded}}, Err: "of " + encoded, URL: "https://gw.example/x?y=" + encoded + "&z=1"})
		assert.Equal(t, `{"statusCode":400,"message":["***"],"code":"X"}`, string(e.ResponseBody), "%s: %s", name, encoded)
		assert.Equal(t, Mask, e.ResponseHeader.Get("X-Echo"), "%s: %s", name, encoded)
		for _, text := range []string{e.Err, e.URL, d.Text("of " + encoded), string(d.Exchange(Exchange{Body: []byte(body)}).Body)} {
			assert.NotContains(t, text, encoded, name)
			assert.Empty(t, r.places(text), "%s: %s", name, text)
		}
	}
	for _, secret := range secretsOfARun {
		for first, one := range encodings {
			check(first, one(secret))
			for second, two := range encodings {
				check(first+" in "+second, two(one(secret)))
			}
		}
	}
	names := slices.Sorted(maps.Keys(encodings))
	rapid.Check(t, func(t *rapid.T) {
		encoded, chain := rapid.SampledFrom(secretsOfARun).Draw(t, "secret"), rapid.SliceOfN(rapid.SampledFrom(names), 3, 3).Draw(t, "encodings")
		for _, name := range chain {
			encoded = encodings[name](encoded)
		}
		check(fmt.Sprint(chain), encoded)
	})
}
