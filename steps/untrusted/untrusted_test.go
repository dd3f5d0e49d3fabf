package untrusted

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOnlyRegularFilesOfTheDirectoryAreOpened(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	outside := filepath.Join(t.TempDir(), "key.pem")
	require.NoError(t, os.WriteFile(outside, []byte("a private key"), 0o600))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "evidence"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "evidence", "plain"), []byte("text"), 0o600))
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "link")))
	require.NoError(t, os.Symlink(filepath.Join("evidence", "plain"), filepath.Join(dir, "inside")))
	require.NoError(t, os.Symlink(filepath.Dir(outside), filepath.Join(dir, "linked")))

	content, err := ReadFile(dir, filepath.Join("evidence", "plain"), 4)
	require.NoError(t, err)
	assert.Equal(t, "text", string(content))
	for name, says := range map[string]string{
		"link":                               "got a symbolic link",
		"inside":                             "got a symbolic link",
		"evidence":                           "got a directory",
		filepath.Join("linked", "key.pem"):   "escapes",
		filepath.Join("..", "x", "key.pem"):  "escapes",
		outside:                              "escapes",
		filepath.Join("evidence", "missing"): "no such file",
	} {
		_, err := Open(dir, name)
		require.ErrorContains(t, err, says, name)
	}
	_, err = ReadFile(dir, filepath.Join("evidence", "plain"), 3)
	require.ErrorContains(t, err, "plain: expected at most 3 bytes of the file")
}

func TestJSONIsLimitedBeforeItIsDecoded(t *testing.T) {
	t.Parallel()
	limits := Limits{Depth: 3, String: 5, Objects: 4, Values: 12}
	for name, c := range map[string]struct{ in, says string }{
		"within all":     {`{"a":[{},{}],"b":"\"]{"}`, ""},
		"nesting":        {`[[[[1]]]]`, "3 levels of nesting"},
		"a long string":  {`"123456"`, "5 bytes of a string"},
		"an escape":      {`"\\\\\\"`, "5 bytes of a string"},
		"objects":        {`[{},{},{},{},{}]`, "4 objects"},
		"values":         {`[1,2,3,4,5,6,7,8,9,10,11,12,13]`, "12 values"},
		"white space":    {"[1," + strings.Repeat(" ", 5000) + "2]", "4096 bytes between values"},
		"a long number":  {"[" + strings.Repeat("1", 5000) + "]", "4096 bytes between values"},
		"indented":       {"[" + strings.Repeat("\n    1,", 10) + "2]", ""},
		"no end in here": {`["1234`, "unexpected EOF"},
	} {
		var value any
		err := json.NewDecoder(Check(byteByByte(c.in), limits)).Decode(&value)
		if c.says == "" {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorContains(t, err, c.says, name)
	}
}

// byteByByte returns one byte at a time: limits must not depend on how the input is split.
func byteByByte(s string) io.Reader { return &slow{strings.NewReader(s)} }

type slow struct{ *strings.Reader }

func (s *slow) Read(p []byte) (int, error) { return s.Reader.Read(p[:1]) }
