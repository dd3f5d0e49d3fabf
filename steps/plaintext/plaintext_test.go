package plaintext

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRead(t *testing.T) {
	t.Parallel()
	text, err := Read([]byte("\ufeffa\ufeff"))
	require.NoError(t, err)
	assert.Equal(t, "a\ufeff", string(text))
	for _, utf16 := range []string{"\xff\xfea\x00", "\xfe\xff\x00a"} {
		_, err := Read([]byte(utf16))
		assert.EqualError(t, err, "the file is in UTF-16; save it in UTF-8")
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	_, found := Find("a b\tc\n")
	assert.False(t, found)
	for text, want := range map[string]Odd{
		"\u00a0":          {1, 1, "a no-break space (U+00A0)"},
		"a\né\u202fb\n":   {2, 2, "a narrow no-break space (U+202F)"},
		"a\n\nab\ufeff\n": {3, 3, "a byte order mark (U+FEFF)"},
	} {
		odd, found := Find(text)
		assert.True(t, found)
		assert.Equal(t, want, odd)
	}
}
