package exchange

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const (
	clientSecret = "Client-Secret/of+an=account 42"
	accessToken  = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI5MyJ9.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg"
)

func disguiseOf(secrets ...string) *Redactor {
	var r Redactor
	r.Add(secrets...)
	return r.Disguise()
}

func TestAStandInHasTheShapeOfItsSecret(t *testing.T) {
	t.Parallel()
	d := disguiseOf(clientSecret, accessToken)
	shape := func(s string) string {
		for of, all := range map[string]string{"a": "[a-z]", "A": "[A-Z]", "0": "[0-9]"} {
			s = regexp.MustCompile(all).ReplaceAllString(s, of)
		}
		return s
	}
	for _, secret := range []string{clientSecret, accessToken} {
		got := d.Text(secret)
		assert.NotEqual(t, secret, got)
		assert.Equal(t, shape(secret), shape(got))
	}
	parts := strings.Split(d.Text(accessToken), ".")
	assert.Equal(t, "eyJhbGciOiJIUzI1NiJ9", parts[0], "the header is no secret")
	for _, part := range parts {
		_, err := base64.RawURLEncoding.DecodeString(part)
		assert.NoError(t, err)
	}
	assert.NotEqual(t, d.Text(accessToken), disguiseOf(accessToken).Text(accessToken), "another disguise draws another key")
}

// A secret has the same stand-in everywhere, however it is escaped; other secrets have others.
func TestASecretHasOneStandIn(t *testing.T) {
	t.Parallel()
	const odd = `Top/"Secret"+<of>&an % account ção`
	d := disguiseOf(odd, clientSecret, accessToken)
	inJSON, err := json.Marshal(map[string]string{"m": odd})
	require.NoError(t, err)
	standIn := d.Text(odd)

	var back map[string]string
	require.NoError(t, json.Unmarshal([]byte(d.Text(string(inJSON))), &back), "what was JSON stays JSON")
	assert.Equal(t, standIn, back["m"])
	slashes := strings.ReplaceAll(string(inJSON), "/", `\/`)
	require.NoError(t, json.Unmarshal([]byte(d.Text(slashes)), &back))
	assert.Equal(t, standIn, back["m"])

	u, err := url.Parse(d.Text("https://gw.example/x?s=" + url.QueryEscape("Top/Secret+"+clientSecret)))
	require.NoError(t, err, "what was a URL stays one")
	assert.Contains(t, u.Query().Get("s"), d.Text(clientSecret))

	e := d.Exchange(Exchange{
		Header:       http.Header{"Authorization": {"Bearer " + accessToken}},
		ResponseBody: []byte(`{"access_token":"` + accessToken + `","refresh_token":"unknown-until-now"}`),
		Body:         []byte(`{"refresh_token":"unknown-until-now","clientSecret":"` + clientSecret + `"}`),
	})
	token := strings.TrimPrefix(e.Header.Get("Authorization"), "Bearer ")
	var answer, request map[string]string
	require.NoError(t, json.Unmarshal(e.ResponseBody, &answer))
	require.NoError(t, json.Unmarshal(e.Body, &request))
	assert.Equal(t, token, answer["access_token"])
	assert.Equal(t, d.Text(clientSecret), request["clientSecret"])
	assert.Equal(t, request["refresh_token"], answer["refresh_token"])
	assert.NotEqual(t, "unknown-until-now", request["refresh_token"])

	assert.NotEqual(t, d.Text(accessToken), d.Text(accessToken[:len(accessToken)-1]+"h"))
	assert.Equal(t, d.Text("{\n" + clientSecret[:9] + "\n  " + clientSecret[9:] + "}")[2:11], d.Text(clientSecret)[:9], "broken over lines")
}

func TestADisguiseOfADisguise(t *testing.T) {
	t.Parallel()
	d := disguiseOf(clientSecret, accessToken)
	e := Exchange{
		URL: "https://user:pass@gw.example/x?access_token=abc&s=" + url.QueryEscape(clientSecret), Operation: clientSecret + " event", Method: "POST",
		Header:       http.Header{"Authorization": {"Basic x" + base64.StdEncoding.EncodeToString([]byte(clientSecret))}, "Cookie": {"a=1"}, "X-Api-Key": {"!"}},
		Body:         []byte(`{"clientSecret":"` + clientSecret + `","password":"a1","token":"` + accessToken + `"}`),
		ResponseBody: []byte("not JSON " + clientSecret + accessToken[:30]),
		Err:          "no " + clientSecret, Command: Command{Program: []string{"sh", "-c", clientSecret}},
	}
	once := d.Exchange(e)
	assert.NotEqual(t, e, once)
	assert.Equal(t, once, d.Exchange(once))
	assert.Equal(t, "***", once.Header.Get("X-Api-Key"), "nothing stands in for what has no letter and no digit")
}

// Short secrets are found only where secrets are expected. The shortest are masked, because one
// could be the stand-in of another. No two others share a stand-in.
func TestShortSecrets(t *testing.T) {
	t.Parallel()
	d := disguiseOf()
	assert.Equal(t, `{"password":"***"}`, d.Text(`{"password":"abc-123"}`))
	seen := map[string]bool{}
	for c := range 1000 {
		in := fmt.Sprintf(`{"password":"a%07d"}`, c)
		got := d.Text(in)
		assert.NotEqual(t, in, got)
		seen[got] = true
	}
	assert.Equal(t, 1000, len(seen))
}

func TestADisguiseLeavesNoSecret(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.StringMatching(`[A-Za-z0-9._/+"<&%-]{0,20}[A-Za-z0-9]{8,20}`).Draw(t, "secret")
		around := rapid.StringMatching(`[ -~\n]{0,10}`).Draw(t, "around")
		d := disguiseOf(secret)
		got := d.Text(around + secret + around)
		assert.NotContains(t, got, secret)
		assert.Equal(t, got, d.Text(got), "idempotent")
		assert.NotContains(t, d.Text(base64.StdEncoding.EncodeToString([]byte(secret))), base64.StdEncoding.EncodeToString([]byte(secret))[:10])
	})
}

// A secret that is added later does not change a disguise that is already in use.
func TestADisguiseIsIndependent(t *testing.T) {
	t.Parallel()
	var r Redactor
	r.Add(clientSecret)
	d := r.Disguise()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { r.Add("another-secret-of-the-run") })
		wg.Go(func() { assert.NotContains(t, d.Text("of "+clientSecret), clientSecret) })
	}
	wg.Wait()
	assert.Equal(t, "another-secret-of-the-run", d.Text("another-secret-of-the-run"), "it knows the secrets of its time")
}
