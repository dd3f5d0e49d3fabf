package module

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWebhooksThatAreDueInWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n, noResponse int64
		want          string
	}{
		{1, 0, "1 webhook"},
		{1, 1, "1 webhook, 1 of payments that may not have been accepted"},
		{1200, 0, "1,200 webhooks"},
		{1200, 1100, "1,200 webhooks, 1,100 of payments that may not have been accepted"},
	} {
		assert.Equal(t, c.want, due(c.n, c.noResponse))
	}
}
