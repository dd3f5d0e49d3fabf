package exchange

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

func TestKeptIsWhatTheTargetSentCut(t *testing.T) {
	t.Parallel()
	long := []byte(strings.Repeat("a", keptBody+5))
	header := http.Header{"A": {"1"}, "B": {strings.Repeat("b", keptHeader)}, "C": {"3", "4"}}
	e := Exchange{Party: API, Header: header, Body: long, ResponseHeader: header, ResponseBody: long}.Kept()
	assert.Len(t, e.Body, keptBody+5, "what the suite sent can be sent again")
	assert.Equal(t, header, e.Header)
	assert.Len(t, e.ResponseBody, keptBody)
	assert.Equal(t, 5, e.LeftOut)
	assert.Equal(t, http.Header{"A": {"1"}, "C": {"3", "4"}, "(lines left out)": {"1"}}, e.ResponseHeader)
	assert.Equal(t, e, e.Kept(), "once is enough")

	e = Exchange{Party: Webhook, Body: long, ResponseBody: long}.Kept()
	assert.Len(t, e.Body, keptBody)
	assert.Len(t, e.ResponseBody, keptBody+5)

	small := Exchange{Party: API, ResponseBody: []byte("{}"), ResponseHeader: http.Header{"A": {"1"}}}
	assert.Equal(t, small, small.Kept())
}

func TestBodiesAreCutBetweenCharacters(t *testing.T) {
	t.Parallel()
	for n := range 8 {
		assert.True(t, utf8.Valid(Beginning([]byte("aé€😀"), n)), n)
	}
	assert.Len(t, Beginning(bytes.Repeat([]byte{0x80}, 100), 50), 46, "what is no text is cut somewhere")
}
