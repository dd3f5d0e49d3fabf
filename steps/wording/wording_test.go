package wording_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/wording"
)

func TestCount(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "0 rules", wording.Count(0, "rule"))
	assert.Equal(t, "1 rule", wording.Count(1, "rule"))
	assert.Equal(t, "2 rules", wording.Count(2, "rule"))
}

func TestEvery(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "both rules", wording.Every(2, "rule"))
	assert.Equal(t, "all 4 rules", wording.Every(4, "rule"))
}

func TestChoose(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "does", wording.Choose(1, "does", "do"))
	assert.Equal(t, "do", wording.Choose(0, "does", "do"))
}

func TestDuration(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		340 * time.Microsecond: "340 µs", 12 * time.Millisecond: "12 ms", 1200 * time.Millisecond: "1.2 s",
		125*time.Second + 300*time.Millisecond: "2 min 5 s",
	} {
		assert.Equal(t, want, wording.Duration(d))
	}
	assert.Equal(t, 1.25, wording.Milliseconds(1250*time.Microsecond))
}

func TestJSON(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	require.NoError(t, wording.JSON(&out, map[string]string{"a": "<&>"}))
	assert.Equal(t, "{\n  \"a\": \"<&>\"\n}\n", out.String())
}

func TestList(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "a.b, c.d and 2 more", wording.List("a.b, c.d, e.f, g.h", 6))
	assert.Equal(t, "a.b, c.d", wording.List("a.b, c.d", 6))
	assert.Equal(t, "a long first item and 1 more", wording.List("a long first item, b", 6))
	assert.Equal(t, "@a and not @b", wording.List("@a and not @b", 6))
}
