package exchange

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestCurlReads(t *testing.T) {
	t.Parallel()
	e := Exchange{
		Party: API, Method: "POST", URL: "https://gw.example/api/auth/token",
		Header: http.Header{
			"Content-Type":      {"application/json"},
			"Content-Length":    {"33"},
			"X-Ssl-Client-Cert": {strings.Repeat("-----BEGIN%20", 20)},
		},
		Body: []byte(`{"clientId":"it's","clientSecret":"s3cr3t"}`),
	}
	want := `curl -i -X POST https://gw.example/api/auth/token \
  -H 'Content-Type: application/json' \
  -H "X-Ssl-Client-Cert: $CLIENT_CERT" \
  --data-raw '{"clientId":"it'\''s","clientSecret":"'"$CLIENT_SECRET"'"}'`
	assert.Equal(t, want, e.Curl())
	assert.Equal(t, want, e.Redacted().Curl(), "the same once redacted")
}

func TestCurlNamesSecrets(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		e    Exchange
		want string
	}{
		"token":             {Exchange{Header: http.Header{"Authorization": {"Bearer abc"}}}, `-H "Authorization: Bearer $TOKEN"`},
		"control token":     {Exchange{Party: Control, Header: http.Header{"Authorization": {"Bearer abc"}}}, `-H "Authorization: Bearer $CONTROL_TOKEN"`},
		"custom header":     {Exchange{Header: http.Header{"X-Api-Key": {"abc"}}}, `-H "X-Api-Key: $X_API_KEY"`},
		"token in a query":  {Exchange{URL: "/x?access_token=abc&y"}, `"/x?access_token=$TOKEN&y"`},
		"short certificate": {Exchange{Header: http.Header{"X-Ssl-Client-Cert": {"nonsense"}}}, `-H 'X-Ssl-Client-Cert: nonsense'`},
		"a handshake":       {Exchange{ClientCertificate: "9f86d0"}, `--cert "$CLIENT_CERT_FILE" --key "$CLIENT_KEY_FILE"`},
		"underscores":       {Exchange{Header: http.Header{"X_SSL_Client_Cert": {strings.Repeat("-----BEGIN%20", 20)}}}, `-H "X_SSL_Client_Cert: $CLIENT_CERT"`},
		"a body too long":   {Exchange{Body: make([]byte, 1<<20)}, `--data-binary @body.bin`},
		"head":              {Exchange{Method: "HEAD", URL: "/x"}, `curl --head /x`},
		"globs":             {Exchange{URL: "/x?a[]={1}"}, `--globoff '/x?a[]={1}'`},
		"dots":              {Exchange{URL: "/a/../b"}, `--path-as-is /a/../b`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Contains(t, c.e.Curl(), c.want)
			assert.Contains(t, c.e.Redacted().Curl(), c.want)
		})
	}
}

func TestCurlShowsNoCertificateThatWasKeptBack(t *testing.T) {
	t.Parallel()
	assert.NotContains(t, Exchange{ClientCertificate: NoCertificate}.Curl(), "--cert")
}

// pasted runs a command in a shell in which curl notes its arguments and its
// standard input instead of sending anything.
func pasted(t require.TestingT, shell, dir, command string) (arguments []string, stdin string) {
	script := `curl() { printf '%s\0' "$@" > args; cat > stdin; }
TOKEN=the-token CLIENT_SECRET=the-secret
` + command
	run := exec.Command(shell, "-c", script)
	run.Dir = dir
	output, err := run.CombinedOutput()
	require.NoError(t, err, "%s\n%s", command, output)
	noted, err := os.ReadFile(filepath.Join(dir, "args"))
	require.NoError(t, err)
	input, err := os.ReadFile(filepath.Join(dir, "stdin"))
	require.NoError(t, err)
	return strings.Split(strings.TrimSuffix(string(noted), "\x00"), "\x00"), string(input)
}

func lookBash(t *testing.T) string {
	bash, err := exec.LookPath("bash")
	if err != nil {
		require.Empty(t, os.Getenv("PIXCERT_REQUIRE_ALL"), "bash is not installed")
		t.Skip("bash is not installed; it runs the curl lines as a person would")
	}
	return bash
}

func TestCurlSurvivesTheShell(t *testing.T) {
	t.Parallel()
	bash := lookBash(t)
	for name, body := range map[string]string{
		"JSON":           `{"value":10.00,"description":"café"}`,
		"quotes":         `it's "quoted" \ and $HOME and ` + "`date`!",
		"several lines":  "{\n  \"a\": 1\n}\n",
		"control":        "a\tb\r\x1b[2J\x01" + "7",
		"not UTF-8":      "\xff\xfe'1",
		"no breaks":      "\u200b\u202e",
		"an at sign":     "@/etc/passwd",
		"NUL":            "-a\x00" + `1%s%%\n'"` + "\xff\n",
		"form":           "a=1&b=2;c",
		"comment":        "# not a comment",
		"looks like one": "--output",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := Exchange{Method: "POST", URL: "https://gw.example/it's?a=$b&c=d", Body: []byte(body),
				Header: http.Header{"A": {"b'c"}, "Empty": {""}, "Authorization": {"Bearer x"}}}
			arguments, stdin := pasted(t, bash, t.TempDir(), e.Curl())
			want := []string{"-i", "-X", "POST", e.URL, "-H", "A: b'c", "-H", "Authorization: Bearer the-token",
				"-H", "Empty;", "-H", "Content-Type:"}
			if strings.Contains(body, "\x00") {
				assert.Equal(t, append(want, "--data-binary", "@-"), arguments)
				assert.Equal(t, body, stdin)
			} else {
				assert.Equal(t, append(want, "--data-raw", body), arguments)
			}
		})
	}
}

func TestCurlSurvivesTheShellWhateverTheBytes(t *testing.T) {
	t.Parallel()
	bash, dir := lookBash(t), t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		bodies := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 1, 60), 20, 20).Draw(t, "bodies")
		var script, want strings.Builder
		script.WriteString("curl() { for last; do :; done; if [ \"$last\" = @- ]; then cat; else printf %s \"$last\"; fi; }\n")
		for _, body := range bodies {
			e := Exchange{Method: "POST", URL: "/", Body: append(body, '"')}
			script.WriteString(e.Curl() + "\n")
			want.Write(e.Body)
		}
		run := exec.Command(bash, "-c", script.String())
		run.Dir = dir
		got, err := run.Output()
		require.NoError(t, err)
		assert.Equal(t, want.String(), string(got))
	})
}

func TestCurlWithoutControlCharactersIsPlainSh(t *testing.T) {
	t.Parallel()
	sh, err := exec.LookPath("sh")
	if err != nil {
		require.Empty(t, os.Getenv("PIXCERT_REQUIRE_ALL"), "sh is not installed")
		t.Skip("sh is not installed")
	}
	e := Exchange{Method: "POST", URL: "/x", Body: []byte(`{"a":"it's","clientSecret":"x"}`)}
	arguments, _ := pasted(t, sh, t.TempDir(), e.Curl())
	assert.Equal(t, `{"a":"it's","clientSecret":"the-secret"}`, arguments[len(arguments)-1])
	e.Body = []byte("\x00%d\\1\xff")
	_, stdin := pasted(t, sh, t.TempDir(), e.Curl())
	assert.Equal(t, string(e.Body), stdin)
}

func TestCurlOfAProgramIsItsCommand(t *testing.T) {
	t.Parallel()
	e := Exchange{
		Party: Control, Operation: "accounts", Method: "POST", URL: "/accounts",
		Command: Command{Program: []string{"python3", "the adapter's.py", "accounts", "POST", "/accounts"}},
		Body:    []byte(`{"certificate":"it's","clientSecret":"s3cr3t"}`),
	}
	want := `printf %s '{"certificate":"it'\''s","clientSecret":"'"$CLIENT_SECRET"'"}' | \
  python3 'the adapter'\''s.py' accounts POST /accounts`
	assert.Equal(t, want, e.Curl())
	assert.Equal(t, want, e.Redacted().Curl(), "the same once redacted")
	e.Body = nil
	assert.Equal(t, `python3 'the adapter'\''s.py' accounts POST /accounts < /dev/null`, e.Curl())
	e.Body = make([]byte, 1<<20)
	assert.True(t, strings.HasSuffix(e.Curl(), " /accounts < body.bin"), e.Curl())
}

func TestCommandOfAProgramSurvivesTheShell(t *testing.T) {
	t.Parallel()
	bash := lookBash(t)
	for name, body := range map[string]string{"JSON": `{"a":"it's 100 % \\n"}`, "control": "a\x01\n", "NUL": "a\x00%s", "nothing": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := Exchange{Command: Command{Program: []string{"curl", "--x y", "funds", "PUT", "/a?b=$c&d"}}, Body: []byte(body)}
			arguments, stdin := pasted(t, bash, t.TempDir(), e.Curl())
			assert.Equal(t, e.Program[1:], arguments)
			assert.Equal(t, body, stdin)
		})
	}
}
