package mutants

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// listCall is a call to a list by key, as it comes to the API.
func listCall(path, query string) *call {
	r := &http.Request{Method: http.MethodGet, URL: &url.URL{Path: path, RawQuery: query}, Header: http.Header{}}
	return newCall(front, r, nil, newJournal())
}

func TestParameters(t *testing.T) {
	t.Parallel()
	c := listCall("/api/pix/transactions/pix-key/a@b.example", "page=2&size=&startDate=2026-03-01T00:00:00Z&endDate=2026-04-01T00:00:00Z")
	c.server = func(*call) *answer {
		return &answer{message: message{body: []byte(`{"data":[{"eventDate":"2026-03-02T00:00:00Z"}]}`)}}
	}
	for name, held := range map[string]struct {
		condition condition
		want      bool
	}{
		"of the path":              {naming("pixKey", `^a@`), true},
		"of the path, another":     {naming("pixKey", `^b@`), false},
		"that the path has not":    {naming("txid", `.`), false},
		"of the query":             {asked("page", `^2$`), true},
		"of the query, another":    {asked("page", `^1$`), false},
		"empty":                    {asked("size", `^$`), true},
		"absent":                   {asked("status", `^$`), true},
		"31 days":                  {spanning(31, 31), true},
		"less than 31 days":        {spanning(0, 30.9), false},
		"more than 31 days":        {spanning(31.1, 99), false},
		"a start that has come":    {spanningNothing, false},
		"days of a call that asks": {all(spanning(31, 31), asked("startDate", `^2026`)), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, held.want, held.condition(c, nil))
		})
	}
	assert.False(t, spanning(0, 99)(listCall("/api/transactions", "startDate=2026-03-01"), nil), "half an interval spans nothing")
}

func TestEndpointsAreToldByTheirPaths(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]*endpoint{
		"/api/pix/transactions/pix-key/a": ofKey,
		"/api/pix/transactions/pix-key/":  nil,
		"/api/pix/transactions/pix-key":   nil,
		"/api/transactions":               transactions,
		"/api/transactions/1":             nil,
	} {
		assert.Same(t, want, endpointOf(front, http.MethodGet, path), path)
	}
}

func TestEditsOfParameters(t *testing.T) {
	t.Parallel()
	before := listCall("/api/pix/transactions/pix-key/a", "page=2&size=5")
	r := before.edited(renamed(ofKey, "pixKey", strings.ToUpper), ask("page", "1"), unasked("size", "status")).request()
	assert.Equal(t, "/api/pix/transactions/pix-key/A?page=1", r.URL.String())
	assert.Equal(t, "/api/pix/transactions/pix-key/a?page=2&size=5", before.request().URL.String(), "the call itself stays")
}

func TestRelationsOfParameters(t *testing.T) {
	t.Parallel()
	now, then := listCall("/api/pix/transactions/pix-key/a", "page=2"), &entry{call: listCall("/api/pix/transactions/pix-key/a", "")}
	assert.True(t, sameParameter("pixKey")(now, then))
	assert.False(t, otherParameter("pixKey")(now, then))
	then.call = listCall("/api/pix/transactions/pix-key/b", "page=2")
	assert.False(t, sameParameter("pixKey")(now, then))
	assert.True(t, otherParameter("pixKey")(now, then))
}

func TestARightThatIsLent(t *testing.T) {
	t.Parallel()
	g := &gateway{decide: func(_, path, authorization, body string) (int, string) {
		switch {
		case path == "/api/auth/token":
			return 201, `{"access_token":"` + textAt([]byte(body), "clientId") + `"}`
		case authorization == "Bearer owner":
			return 200, `{"data":[1]}`
		}
		return 200, `{"data":[]}`
	}}
	h := Mutant{fault: lending(transactions, nothingListed)}.API(g)
	for _, client := range []string{"stranger", "owner", "other"} {
		login(h, client)
	}
	answer := do(h, http.MethodGet, "/api/transactions", "", "Authorization", "Bearer stranger")
	assert.JSONEq(t, `{"data":[1]}`, read(t, answer))
	answer = do(h, http.MethodGet, "/api/med", "", "Authorization", "Bearer stranger")
	assert.JSONEq(t, `{"data":[]}`, read(t, answer), "at another endpoint nothing is lent")
}

func TestAFirstPageForEach(t *testing.T) {
	t.Parallel()
	g := &gateway{status: 200, answer: `{"data":[1],"metadata":{"page":1}}`}
	h := Mutant{fault: answersWithThePageAsked(transactions)}.API(g)
	answer := do(h, http.MethodGet, "/api/transactions?page=3", "")
	assert.JSONEq(t, `{"data":[1],"metadata":{"page":3}}`, read(t, answer))
}

func TestNullsAreLeftOut(t *testing.T) {
	t.Parallel()
	m := message{body: []byte(`{"data":[{"a":null,"b":{"c":null,"d":1}}]}`)}.edited([]edit{at("data", withoutNulls)})
	assert.JSONEq(t, `{"data":[{"b":{"d":1}}]}`, string(m.body))
}
