package exchange

import (
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestRedactedBodies(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, out string }{
		"token request":         {`{"clientId":"a","clientSecret":"s3cr3t"}`, `{"clientId":"a","clientSecret":"***"}`},
		"token response":        {`{"access_token" : "ey.J", "expires_in":1800}`, `{"access_token" : "***", "expires_in":1800}`},
		"escaped quote inside":  {`{"clientSecret":"a\"b","x":"y"}`, `{"clientSecret":"***","x":"y"}`},
		"not valid JSON":        {`{"clientSecret":"s3cr3t",,`, `{"clientSecret":"***",,`},
		"no opening quote":      {`{"clientSecret":NaNs3cr3t","a":1}`, `{"clientSecret":***","a":1}`},
		"no quotes":             {`{"clientSecret" : s3cr3t}`, `{"clientSecret" : ***}`},
		"cut off in the secret": {`{"clientSecret":"s3c`, `{"clientSecret":"***`},
		"not UTF-8":             {"{\"clientSecret\":\"s\xffx\",\"\xfe\"", "{\"clientSecret\":\"***\",\"\xfe\""},
		"twice":                 {`{"clientSecret":"a","clientSecret":"b"}`, `{"clientSecret":"***","clientSecret":"***"}`},
		"empty hides nothing":   {`{"clientSecret":""}`, `{"clientSecret":""}`},
		"wrong type is no secret": {`{"clientSecret":42,"access_token":null}`,
			`{"clientSecret":42,"access_token":null}`},
		"in a JSON string":         {`{"message":"of {\"clientSecret\":\"a\\\"b\",\"x\":\"y\"}"}`, `{"message":"of {\"clientSecret\":\"***\",\"x\":\"y\"}"}`},
		"deeper in strings":        {`"a \\\"clientSecret\\\" : \\\"abc\\\" b"`, `"a \\\"clientSecret\\\" : \\\"***"`},
		"slashes in a JSON string": {`{"data":"{\"client_secret\":\"abcdefgh\/ijkl\u002fmnop+q\",\"x\":\"y\"}"}`, `{"data":"{\"client_secret\":\"***\",\"x\":\"y\"}"}`},
		"a message about it":       {`{"message":["clientSecret must be a string"]}`, `{"message":["clientSecret must be a string"]}`},
		"form":                     {`grant_type=x&client_secret=abc&client_id=d`, `grant_type=x&client_secret=***&client_id=d`},
		"nothing":                  {`{"value":10.00}`, `{"value":10.00}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := Exchange{Body: []byte(c.in), ResponseBody: []byte(c.in), Err: c.in}.Redacted()
			assert.Equal(t, c.out, string(e.Body))
			assert.Equal(t, c.out, string(e.ResponseBody))
			assert.Equal(t, c.out, e.Err)
			assert.Equal(t, e, e.Redacted(), "redacting twice changes nothing more")
		})
	}
}

func TestRedactedHeaders(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("MIID", 100)
	for name, c := range map[string]struct{ header, in, out string }{
		"bearer":                 {"Authorization", "Bearer abc.def", "Bearer ***"},
		"another scheme":         {"authorization", "Token abc", "Token ***"},
		"no scheme":              {"Authorization", "abc", "***"},
		"a scheme alone":         {"Authorization", "Bearer", "Bearer"},
		"a scheme and a space":   {"Authorization", "Bearer ", "Bearer "},
		"cookie":                 {"Set-Cookie", "session=1", "***"},
		"custom":                 {"X-Api-Key", "k", "***"},
		"custom, by its meaning": {"X-Hook-Secret", "k", "***"},
		"plain":                  {"X-Tenant", "acme", "acme"},
		"challenge":              {"WWW-Authenticate", `Bearer error="invalid_token"`, `Bearer error="invalid_token"`},
		"short certificate":      {"X-SSL-Client-Cert", "not a certificate", "not a certificate"},
		"certificate": {"X-Ssl-Client-Cert", long,
			long[:40] + "… (400 characters) …" + long[:24]},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := http.Header{c.header: {c.in}}
			e := Exchange{Header: h, ResponseHeader: h}.Redacted()
			assert.Equal(t, c.out, e.Header[c.header][0])
			assert.Equal(t, c.out, e.ResponseHeader[c.header][0])
			assert.Equal(t, c.in, h[c.header][0], "the original stays")
			assert.Equal(t, e, e.Redacted())
		})
	}
}

func TestRedactedURL(t *testing.T) {
	t.Parallel()
	e := Exchange{URL: "https://user:pass@gw.example/x?access_token=abc&page=1"}.Redacted()
	assert.Equal(t, "https://***@gw.example/x?access_token=***&page=1", e.URL)
}

func TestRedactorFindsEchoes(t *testing.T) {
	t.Parallel()
	var r Redactor
	r.Add(`top/se"cret+1`, "eyJhbGciOi.one", "eyJhbGciOi.one.longer", "short")
	for name, c := range map[string]struct{ in, out string }{
		"as it is":               {`you sent top/se"cret+1!`, `you sent ***!`},
		"in JSON":                {`{"m":"top/se\"cret+1"}`, `{"m":"***"}`},
		"in a query":             {`/x?s=top%2Fse%22cret%2B1`, `/x?s=***`},
		"the longest of two":     {`eyJhbGciOi.one.longer|eyJhbGciOi.one|eyJhbGciOi.two`, `***|***|eyJhbGciOi.two`},
		"side by side":           {`eyJhbGciOi.oneeyJhbGciOi.one`, `***`},
		"too short to look for":  {`short of money`, `short of money`},
		"nothing":                {``, ``},
		"the beginning of one":   {`top/se"cre`, `top/se"cre`},
		"bytes that are no text": {"\xff\xfetop/se\"cret+1\xff", "\xff\xfe***\xff"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, c.out, r.Text(c.in))
			e := r.Exchange(Exchange{URL: c.in, Body: []byte(c.in), ResponseBody: []byte(c.in), Err: c.in, Command: Command{Program: []string{"sh", c.in}},
				Header: http.Header{"A": {c.in}}, ResponseHeader: http.Header{"B": {c.in}}})
			for where, got := range map[string]string{"URL": e.URL, "body": string(e.Body), "response": string(e.ResponseBody),
				"error": e.Err, "program": e.Program[1]} {
				assert.Equal(t, c.out, got, where)
			}
			header := c.in
			if c.out != c.in {
				header = Mask // the whole value
			}
			assert.Equal(t, []string{header, header}, []string{e.Header["A"][0], e.ResponseHeader["B"][0]})
		})
	}
	var none *Redactor
	assert.Equal(t, "as it was", none.Text("as it was"))
}

func TestRedactorFindsPieces(t *testing.T) {
	t.Parallel()
	const secret = "client/secret+of=an account that is known"
	const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI5MyJ9.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg"
	var r Redactor
	r.Add(secret, token, "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI5MyJ9.", strings.Repeat("x", LongestSecret+1))
	in64 := base64.StdEncoding.EncodeToString
	for name, c := range map[string]struct{ in, out string }{
		"cut off":                  {"you sent " + secret[:30], "you sent ***"},
		"a slash escaped":          {`"client\/secret+of=an account that is known"`, `"***"`},
		"lower-case escapes":       {"client%2fsecret%2bof%3dan+account+that+is+known!", "***!"},
		"a signature":              {"of " + token[len(token)-24:], "of ***"},
		"broken over lines":        {secret[:10] + "\r\n\t" + secret[10:20] + "\n" + secret[20:] + "\n", "***\n"},
		"broken in JSON":           {secret[:10] + `\n` + secret[10:] + "|", "***|"},
		"what all tokens share":    {"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI5", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI5"},
		"longer than any header":   {strings.Repeat("x", LongestSecret+1), "***"},
		"two beside each other":    {secret[:20] + secret[:20], "***"},
		"a break in what is shown": {"one\ntwo", "one\ntwo"},
	} {
		assert.Equal(t, c.out, r.Text(c.in), name)
	}
	for before := range 3 {
		text := in64([]byte(strings.Repeat("-", before) + secret + "!"))
		assert.Less(t, len(r.Text(text)), 12, "all but what others decide: %s", r.Text(text))
	}
}

func TestRedactorKnowsKeys(t *testing.T) {
	t.Parallel()
	key := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte(strings.Repeat("0123456789abcdefghijklmnopqrstuvw", 40))})
	var r Redactor
	r.AddKeys(append([]byte("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"), key...))
	assert.Equal(t, "-----BEGIN PRIVATE KEY-----\n***\n-----END PRIVATE KEY-----\n", r.Text(string(key)))
	assert.Less(t, len(r.Text(url.QueryEscape(string(key)))), 300)
}

func TestRedactorLeavesNoSecret(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.StringMatching(`[A-Za-z0-9._/+-]{8,40}`).Draw(t, "secret")
		around := rapid.String().Draw(t, "around")
		var r Redactor
		r.Add(secret)
		assert.NotContains(t, r.Text(around+secret+around), secret)
	})
}

func TestRedactorIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	var r Redactor
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			r.Add("a-secret-of-a-run")
			assert.Equal(t, Mask, r.Text("a-secret-of-a-run"))
		})
	}
	wg.Wait()
}

func TestVisible(t *testing.T) {
	t.Parallel()
	for in, out := range map[string]string{
		"R$ 10,00 ção\n\tok":         "R$ 10,00 ção\n\tok",
		"\x1b[2Jgone\a":              `\x1b[2Jgone\a`,
		"a\x00b\rc\u0085d\x7f":       `a\x00b\rc\u0085d\x7f`,
		"\u202egnp.exe \u200b\ufeff": `\u202egnp.exe \u200b\ufeff`,
		"\xff\xc3(":                  `\xff\xc3(`,
		"\ufffd":                     `\ufffd`,
		"no\u00a0break \u2028":       `no\u00a0break \u2028`,
		"\U000e0041":                 `\U000e0041`,
	} {
		assert.Equal(t, out, Visible(in))
	}
	assert.Equal(t, `two lines \x1b`, Line("two\n\tlines \r\n\x1b "))
}

// Redacted redacts e without any known secrets: see Redactor.Exchange.
func (e Exchange) Redacted() Exchange {
	var none *Redactor
	return none.Exchange(e)
}

// Nobody knows a token that nobody can read.
func TestUnreadableTokensAreHidden(t *testing.T) {
	t.Parallel()
	e := Exchange{Party: API, Operation: tokenRequest, ResponseBody: []byte("{\"acc\xffss_tok\xffn\":\"\xffyJhbGciOiJIUzI1NiIsImtp.short\xff.MX7s0IkQ0nAuRZxLM\"}")}
	var r Redactor
	shown := r.Exchange(e)
	assert.Equal(t, "{\"acc\xffss_tok\xffn\":\"\xff***\xff***\"}", string(shown.ResponseBody))
	assert.Equal(t, shown, r.Exchange(shown))

	const token = "eyJhbGciOiJIUzI1NiIsImtp.short.MX7s0IkQ0nAuRZxLM"
	for _, pad := range []string{"%c\x00", "\x00%c", "%c\x00\x00\x00"} {
		var wide strings.Builder
		for _, c := range `{"access_token":"` + token + `"}` {
			fmt.Fprintf(&wide, pad, c)
		}
		shown := r.Exchange(Exchange{Party: API, Operation: tokenRequest, ResponseBody: []byte(wide.String())})
		plain := strings.ReplaceAll(string(shown.ResponseBody), "\x00", "")
		for part := range strings.SplitSeq(token, ".") {
			assert.NotContains(t, plain, part, "%q", pad)
		}
	}
}
