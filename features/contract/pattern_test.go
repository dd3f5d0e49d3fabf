package contract

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/pixcert/pixcert/features"
)

// The hand-written pattern is that of the contract and matches the same.
func TestPatternOfTokens(t *testing.T) {
	t.Parallel()
	document, err := features.FS.ReadFile("openapi.yaml")
	require.NoError(t, err)
	require.Contains(t, string(document), webTokenPattern)
	written, pattern := webToken{}, regexp.MustCompile(webTokenPattern)
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{".", "a", "Z9", "_", "-", " ", "\n", "é", "\xff"}), 0, 8).Draw(t, "s"), "")
		require.Equal(t, pattern.MatchString(s), written.MatchString(s), "%q", s)
	})
}
