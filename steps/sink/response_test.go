package sink

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestResponses(t *testing.T) {
	t.Parallel()
	s, client := listen(t)
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	for name, c := range map[string]struct {
		response Response
		body     string
	}{
		"plain":      {Response{Status: 202}, ""},
		"redirect":   {Response{Status: 307, Location: "https://hooks.example/other"}, ""},
		"late":       {Response{Status: 200, After: 20 * time.Millisecond}, ""},
		"compressed": {Response{Status: 200, Compressed: true}, acknowledgment},
		"chunked":    {Response{Status: 200, Chunked: true}, acknowledgment},
	} {
		m := s.Open("/"+name, nil)
		m.Respond(c.response)
		began := time.Now()
		r, err := client.Post(m.URL(), "application/json", strings.NewReader("1"))
		require.NoError(t, err, name)
		body, err := io.ReadAll(r.Body)
		require.NoError(t, err, name)
		r.Body.Close()
		assert.Equal(t, c.response.Status, r.StatusCode, name)
		assert.Equal(t, c.response.Location, r.Header.Get("Location"), name)
		assert.Equal(t, c.response.Compressed, r.Uncompressed, name)
		assert.Equal(t, c.response.Chunked, len(r.TransferEncoding) > 0, name)
		assert.Equal(t, c.body, string(body), name)
		assert.GreaterOrEqual(t, time.Since(began), c.response.After, name)
		assert.Equal(t, c.response.Status, m.Since(0)[0].Status, name)
	}
}

// A path is compared as it was registered, letter by letter.
func TestEscapedPaths(t *testing.T) {
	t.Parallel()
	s, client := listen(t)
	m := s.Open("/Run/a%20b/c%2Fd/%C3%A7/", nil)
	assert.True(t, strings.HasSuffix(m.URL(), "/Run/a%20b/c%2Fd/%C3%A7/"))
	for path, want := range map[string]int{
		"/Run/a%20b/c%2Fd/%C3%A7/":  200,
		"/Run/a%20b/c%2fd/%c3%a7/":  200,
		"/Run/a%20b/c/d/%C3%A7/":    404,
		"/Run/a%2520b/c%2Fd/%C3%A7": 404,
		"/Run/a%20b/c%2Fd/%C3%A7":   404,
		"/run/a%20b/c%2Fd/%C3%A7/":  404,
	} {
		u, err := url.Parse(s.base + path)
		require.NoError(t, err)
		assert.Equal(t, want, deliver(t, client, u.String(), "1"), path)
	}
	if came := m.Since(0); assert.Len(t, came, 2) {
		assert.Equal(t, m.URL(), s.URL(came[1]))
	}
}
