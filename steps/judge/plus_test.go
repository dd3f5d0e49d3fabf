package judge

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/exchange"
)

func TestPlusHint(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"http://g/list?from=2026-03-01T00:00:00+03:00":   "raw +",
		"http://g/list?from=2026-03-01T00:00:00%2b03:00": "%2B, a plus sign",
		"http://g/list?pixKey=%2B5511987654321":          "%2B, a plus sign",
	} {
		assert.Contains(t, plusHint(&exchange.Exchange{Party: exchange.API, URL: url}), want)
	}
	for _, url := range []string{"http://g/pix-key/+5511", "http://g/list?a=b%20c", "http://g/list"} {
		assert.Empty(t, plusHint(&exchange.Exchange{Party: exchange.API, URL: url}))
	}
	assert.Empty(t, plusHint(&exchange.Exchange{Party: exchange.Control, URL: "http://g/list?a=+"}))
}
