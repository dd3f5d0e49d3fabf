package reference

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each threat of THREATS.md names a test, and each test that it names exists.
func TestEveryThreatHasItsTest(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)
	files, err := filepath.Glob("../cmd/pixcert/*_test.go") // the command's own
	require.NoError(t, err)
	require.NoError(t, filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, "_test.go") {
			files = append(files, path)
		}
		return err
	}))
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, found := range declared.FindAllSubmatch(text, -1) {
			tests[string(found[1])] = true
		}
	}

	page, err := os.ReadFile("THREATS.md")
	require.NoError(t, err)
	threats := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || strings.HasPrefix(strings.TrimSpace(cells[1]), "**") || strings.HasPrefix(cells[1], "---") || cells[1] == " threat " {
			continue
		}
		threats++
		named := regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(cells[3], -1)
		assert.NotEmpty(t, named, "no test for: %s", cells[1])
		for _, test := range named {
			assert.True(t, tests[test[1]], "%s does not exist, for: %s", test[1], cells[1])
		}
	}
	assert.Greater(t, threats, 25)
}
