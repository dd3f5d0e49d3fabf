package spelling_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/spelling"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	known := []string{"clientId", "clientSecret", "certificate", "cash-out.night-limit"}
	for name, want := range map[string][]string{
		"clientid":    {"clientId"},
		"client_id":   {"clientId"},
		"certficate":  {"certificate"},
		"night-limit": {"cash-out.night-limit"},
		"client":      {"clientId", "clientSecret"},
		"nonsense":    nil,
		"":            nil,
	} {
		assert.Equal(t, want, spelling.Nearest(name, known, 3), name)
	}
	assert.Len(t, spelling.Nearest("client", known, 1), 1)
	assert.Empty(t, spelling.Nearest(strings.Repeat("c", 1<<20), known, 3))
}
