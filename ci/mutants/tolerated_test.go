package mutants

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSpellingsSayTheSame(t *testing.T) {
	t.Parallel()
	const body = `{"b":"São João 😀 a/b","a":[{"y":null,"x":1.50}],"c":"a+b@c&d"}`
	var want any
	require.NoError(t, json.Unmarshal([]byte(body), &want))
	for name, c := range map[string]struct {
		spell func([]byte) []byte
		want  string // empty for random ones
	}{
		"backwards": {inOrder(backwards), `{"c":"a+b@c&d","b":"São João 😀 a/b","a":[{"y":null,"x":1.50}]}`},
		"shuffled":  {inOrder(shuffled), ""},
		"escaped":   {escaped(nonASCIILetters), `{"b":"S\u00e3o Jo\u00e3o \ud83d\ude00 a/b","a":[{"y":null,"x":1.50}],"c":"a+b@c&d"}`},
		"slashes":   {escapedSlashes, `{"b":"São João 😀 a\/b","a":[{"y":null,"x":1.50}],"c":"a+b@c&d"}`},
		"CRLF":      {indentedWithCRLF, ""},
	} {
		spelt := c.spell([]byte(body))
		var got any
		require.NoError(t, json.Unmarshal(spelt, &got), name)
		assert.Equal(t, want, got, name)
		if c.want != "" {
			assert.Equal(t, c.want, string(spelt), name)
		}
		assert.Equal(t, "no JSON", string(c.spell([]byte("no JSON"))), name)
	}
	for amount, want := range map[string]string{"10.00": "1000e-2", "0.07": "7e-2", "0.00": "0", "10": "10"} {
		assert.Equal(t, want, inCents(amount))
	}
}

// A body that an edit has only encoded again is the same; one that is written otherwise on
// purpose is another.
func TestAnotherSpellingShows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		of   edit
		want int64
	}{
		"encoded again":   {replaced("status", "x", "y"), 0},
		"another order":   {rewritten(inOrder(backwards)), 1},
		"indented":        {rewritten(indented), 1},
		"sent in chunks":  {inPieces, 1},
		"sent later":      {held(time.Millisecond), 1},
		"not quite later": {held(0), 0},
	} {
		var shown atomic.Int64
		h := Mutant{fault: answering(cashOut, always, c.of)}.Noticed(&shown).API(&gateway{status: 201, answer: `{"status":"PENDING", "id":1}`})
		for range 2 { // it is noticed once
			pay(h, "t", `{}`)
			assert.Equal(t, c.want, shown.Load(), name)
		}
	}
}

func TestAResponseIsHeldBackAfterTheGatewayHasActed(t *testing.T) {
	t.Parallel()
	const pause = 30 * time.Millisecond
	var acted time.Time
	h := Mutant{fault: answering(cashOut, always, held(pause))}.API(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { acted = time.Now() }))
	pay(h, "t", `{}`)
	assert.GreaterOrEqual(t, time.Since(acted), pause)
}

func TestEventsInChunks(t *testing.T) {
	t.Parallel()
	var encoding []string
	var body string
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		encoding = r.TransferEncoding
		b, _ := io.ReadAll(r.Body)
		body = string(b)
	}))
	defer receiver.Close()
	client := http.Client{Transport: Mutant{fault: sending(always, inPieces)}.Webhooks(http.DefaultTransport)}
	response, err := client.Post(receiver.URL, "application/json", http.NoBody)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	assert.Empty(t, encoding, "there is nothing to send")
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, receiver.URL, strings.NewReader(`{"event":"CashOut"}`))
	require.NoError(t, err)
	response, err = client.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	assert.Equal(t, []string{"chunked"}, encoding)
	assert.Equal(t, `{"event":"CashOut"}`, body)
}

func TestACacheIsOfOneRequestAndForAMoment(t *testing.T) {
	t.Parallel()
	reads := 0
	read := func() *answer { reads++; return jsonAnswer(http.StatusOK, `{"read":%d}`, reads) }
	var k cache
	first := k.of("a", time.Hour, read)
	assert.Same(t, first, k.of("a", time.Hour, read))
	assert.NotSame(t, first, k.of("b", time.Hour, read))
	assert.NotSame(t, first, k.of("a", 0, read))
	refused := jsonAnswer(http.StatusUnauthorized, `{}`)
	failing := func() *answer { return refused }
	assert.Same(t, refused, k.of("b", time.Hour, failing), "what is refused now is not answered from before")
	assert.NotSame(t, refused, k.of("b", time.Hour, read), "failures are not kept")
}
