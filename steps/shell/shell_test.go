package shell_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/pixcert/pixcert/steps/shell"
)

func TestQuoteReads(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"":                          `''`,
		"cash-out.covers-fee/one":   `cash-out.covers-fee/one`,
		"http://127.0.0.1:8080/api": `http://127.0.0.1:8080/api`,
		"http://gw/x?a=1":           `'http://gw/x?a=1'`,
		"it's":                      `'it'\''s'`,
		"~/reports":                 `'~/reports'`,
		"${HOME}":                   `'${HOME}'`,
		"a\x1bb":                    `$'a\033b'`,
	} {
		assert.Equal(t, want, shell.Quote(s), "%q", s)
	}
}

func TestWordReads(t *testing.T) {
	t.Parallel()
	token := shell.Part{Variable: "TOKEN"}
	for want, parts := range map[string][]shell.Part{
		`''`:                       nil,
		`"$TOKEN"`:                 {token},
		`"Bearer $TOKEN"`:          {{Text: "Bearer "}, token},
		`"$TOKEN"'2'`:              {token, {Text: "2"}},
		`'{"token":"'"$TOKEN"'"}'`: {{Text: `{"token":"`}, token, {Text: `"}`}},
	} {
		assert.Equal(t, want, shell.Word(parts...))
	}
}

func TestCommandReads(t *testing.T) {
	t.Parallel()
	assert.Equal(t, `pixcert certify 'my profile.yaml' --seed 7`, shell.Command("pixcert", "certify", "my profile.yaml", "--seed", "7"))
}

func TestVariableName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"transactionId": "TRANSACTION_ID",
		"X-Api-Key":     "X_API_KEY",
		"a b--c":        "A_B_C",
		"2fa":           "_2FA",
		"":              "_",
	} {
		assert.Equal(t, want, shell.VariableName(name), name)
	}
}

// A shell reads back what was written, whatever bytes it holds.
func TestShellsReadBack(t *testing.T) {
	t.Parallel()
	bash := look(t, "bash")
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SliceOf(rapid.ByteRange(1, 255)), 20, 20).Draw(t, "words")
		var script, want strings.Builder
		script.WriteString("V=the-value\n")
		for _, word := range words {
			parts := []shell.Part{{Text: string(word)}, {Variable: "V"}, {Text: string(word)}}
			script.WriteString("printf '%s\\0' " + shell.Word(parts...) + "\n" + shell.Printf(append(parts, shell.Part{Text: "\x00"})...) + "\n")
			want.WriteString(strings.Repeat(string(word)+"the-value"+string(word)+"\x00", 2))
		}
		got, err := exec.Command(bash, "-c", script.String()).Output()
		require.NoError(t, err)
		assert.Equal(t, want.String(), string(got))
	})
}

func TestPrintableTextNeedsOnlySh(t *testing.T) {
	t.Parallel()
	const text = "it's \"quoted\" \\ $HOME `date` ! # café\n\t*?[a]~"
	got, err := exec.Command(look(t, "sh"), "-c", "printf %s "+shell.Quote(text)).Output()
	require.NoError(t, err)
	assert.Equal(t, text, string(got))
}

func look(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		require.Empty(t, os.Getenv("PIXCERT_REQUIRE_ALL"), "%s is not installed", name)
		t.Skipf("%s is not installed", name)
	}
	return path
}
