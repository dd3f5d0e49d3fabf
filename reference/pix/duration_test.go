package pix_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/reference/pix"
)

func TestParseDuration(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"0s": 0, "30s": 30 * time.Second, "1h30m": 90 * time.Minute, "89d": 89 * 24 * time.Hour, "2w": 14 * 24 * time.Hour,
	} {
		d, err := pix.ParseDuration(text)
		assert.NoError(t, err, text)
		assert.Equal(t, want, d, text)
	}
	for text, says := range map[string]string{
		"": "such as 30s", "soon": "such as 30s", "5": "such as 30s", "w": "such as 30s", "1.5w": "such as 30s", "99999999999d": "such as 30s",
		"-31m": "not negative", "-2w": "not negative", "-0s": "not negative", "2000000000w": "at most", "91501d": "at most 91500d",
	} {
		_, err := pix.ParseDuration(text)
		assert.ErrorContains(t, err, says, text)
	}
}
