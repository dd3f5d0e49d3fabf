package verdict

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSlug(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"One cent short":             "r.a/one-cent-short",
		"0.01 is accepted":           "r.a/0.01-is-accepted",
		`"10" is refused`:            "r.a/10-is-refused-eb1a5c",
		"-1 is refused":              "r.a/1-is-refused-3e0e2e",
		"1 is refused":               "r.a/1-is-refused",
		"É":                          "",
		"../../etc/passwd":           "",
		strings.Repeat("long ", 100): "",
		"":                           "",
	} {
		slug := Scenario{Rule: "r.a", Name: name}.Slug()
		assert.Regexp(t, `^r\.a/[a-z0-9][a-z0-9.-]*$`, slug, "%q can be typed and be a file", name)
		assert.LessOrEqual(t, len(slug), 80)
		if strings.Contains(want, "refused-") { // any hash will do
			want, slug = want[:len(want)-6], slug[:len(slug)-6]
		}
		if want != "" {
			assert.Equal(t, want, slug)
		}
	}
}
