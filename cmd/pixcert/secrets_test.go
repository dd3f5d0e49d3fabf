package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/ci/hostile"
	"github.com/pixcert/pixcert/steps/progress"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
)

// secrets are the secrets of a run, as a proxy between the suite and the gateway sees them.
type secrets struct {
	mu      sync.Mutex
	pieces  map[string]string // texts of pieceLength, in any form → where they are from
	encoded map[string][]form // longer spellings of the first of them, by their first pieceLength bytes
	seen    map[string]int    // kinds
}

// form is a spelling of a secret.
type form struct{ text, kind string }

// pieceLength is the length from which on a part of a secret counts as leaked.
const pieceLength = 16

func (s *secrets) add(kind, secret string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(secret) < pieceLength {
		return
	}
	s.seen[kind]++
	quoted, _ := json.Marshal(secret)
	forms := []string{secret, string(quoted[1 : len(quoted)-1]), url.QueryEscape(secret), url.PathEscape(secret)}
	for before := range 3 {
		encoded := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x00", before) + secret))
		forms = append(forms, encoded[4:len(encoded)-4])
	}
	for _, encode := range []func(string) string{
		func(s string) string { return hex.EncodeToString([]byte(s)) }, formatted("%%%02X"), formatted("&#%d;"), formatted("&#x%x;"),
		formatted(`\u%04x`), formatted(`\\u%04x`), // the latter as a report writes it
		func(s string) string { return hex.EncodeToString([]byte(hex.EncodeToString([]byte(s)))) },
	} {
		s.spell(encode(secret[:pieceLength]), kind)
	}
	for i := range 9 { // where in three bytes each of two encodings begins
		encoded := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x00", i%3) + secret[:pieceLength]))
		encoded = base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x00", i/3) + encoded[4:len(encoded)-4]))
		s.spell(encoded[4:len(encoded)-4], kind)
	}
	for _, form := range forms {
		for i := 0; i+pieceLength <= len(form); i++ {
			s.pieces[form[i:i+pieceLength]] = kind
		}
	}
}

func (s *secrets) spell(text, kind string) {
	head := text[:pieceLength]
	if f := (form{text, kind}); !slices.Contains(s.encoded[head], f) {
		s.encoded[head] = append(s.encoded[head], f)
	}
}

// addToken adds the secret part of a token: the whole token, or the signature of a JSON Web Token, of
// which many share the header.
func (s *secrets) addToken(token string) {
	if parts := strings.Split(token, "."); len(parts) == 3 {
		token = parts[2]
	}
	s.add("token", token)
}

func (s *secrets) addKeys(kind string, file []byte) {
	for block, rest := pem.Decode(file); block != nil; block, rest = pem.Decode(rest) {
		if strings.HasSuffix(block.Type, "PRIVATE KEY") {
			s.add(kind, base64.StdEncoding.EncodeToString(block.Bytes))
		}
	}
}

// witness collects the secrets of the requests and responses that pass.
func (s *secrets) witness(_ *http.Request, sent []byte, _ *http.Response, came []byte) {
	for _, body := range [][]byte{sent, came} {
		var members struct {
			ClientSecret any
			AccessToken  any `json:"access_token"`
		}
		_ = json.Unmarshal(body, &members)
		if secret, ok := members.ClientSecret.(string); ok {
			s.add("client secret", secret)
		}
		if token, ok := members.AccessToken.(string); ok {
			s.addToken(token)
		}
	}
}

var broken = regexp.MustCompile(`(?:\r|\n|\\r|\\n|\\u000[ad])+\s*`)

// leaks finds parts of the secrets in a text, also across line ends.
func (s *secrets) leaks(text string) (found []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	texts := []string{text, broken.ReplaceAllString(text, "")}
	if texts[1] == text {
		texts = texts[:1]
	}
	for _, text := range texts {
		for i := 0; i+pieceLength <= len(text); i++ {
			piece := text[i : i+pieceLength]
			for _, f := range s.encoded[piece] {
				if strings.HasPrefix(text[i:], f.text) {
					found = append(found, f.kind+" as "+f.text)
				}
			}
			if kind := s.pieces[piece]; kind != "" {
				found = append(found, kind+": "+text[max(0, i-150):min(len(text), i+60)])
				i += 500
			}
		}
	}
	return found[:min(len(found), 10)]
}

// formatted writes every byte of a text in a format.
func formatted(format string) func(string) string {
	return func(s string) string {
		var out strings.Builder
		for i := range len(s) {
			fmt.Fprintf(&out, format, s[i])
		}
		return out.String()
	}
}

func newSecrets() *secrets {
	return &secrets{pieces: map[string]string{}, encoded: map[string][]form{}, seen: map[string]int{}}
}

// The search itself finds a secret in every form, also across line ends.
func TestLeaksAreFound(t *testing.T) {
	t.Parallel()
	const secret = "s3cr<t+of/this==run, 24 bytes"
	known := newSecrets()
	known.add("token", secret)
	require.Empty(t, known.leaks("nothing of it: "+secret[:pieceLength-1]))
	twice := base64.StdEncoding.EncodeToString([]byte("x" + base64.StdEncoding.EncodeToString([]byte("yy"+secret))))
	for _, leaked := range []string{
		secret, secret[3 : 3+pieceLength], url.QueryEscape(secret), base64.StdEncoding.EncodeToString([]byte("ab" + secret)), twice,
		hex.EncodeToString([]byte(secret)), hex.EncodeToString([]byte(hex.EncodeToString([]byte(secret)))),
		formatted("%%%02X")(secret), formatted("&#%d;")(secret), formatted("&#x%x;")(secret), formatted(`\u%04x`)(secret), formatted(`\\u%04x`)(secret),
		secret[:9] + "\n  " + secret[9:], secret[:9] + `\r\n` + secret[9:],
	} {
		require.NotEmpty(t, known.leaks(strings.Repeat("x", 700)+leaked+" and more"), leaked)
	}
}

// Nothing that a run writes shows a secret, even if the target and its controls echo every request.
func TestNothingSecretIsShown(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]int64{"from the start": 0, "in the middle": 400} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			known := newSecrets()
			const controlToken = "control-token/of+this==run"
			known.add("control token", controlToken)
			api, controls, log := servedVerbosely(t, controlToken)
			flags := []string{"certify", "--tags", "@cash-out or @token or @bearer or @webhook", "--control-token", controlToken, "--report", t.TempDir(), "--seed", "1",
				"--url", misbehaving(t, hostile.Config{Upstream: api, Witness: known.witness, After: after, Spoil: hostile.Echo("/token")}),
				"--control-url", misbehaving(t, hostile.Config{Upstream: controls, Witness: known.witness, After: 500, Spoil: hostile.Echo("none")})}
			status, stdout, stderr := invoke(t, flags...)
			require.Contains(t, notConforming, status, stderr)
			require.Positive(t, known.seen["client secret"])
			require.Positive(t, known.seen["token"])
			for file, text := range map[string]string{"stdout": stdout, "stderr": stderr, "the log of serve -v": log()} {
				require.Empty(t, known.leaks(text), file)
			}
			noLeaks(t, known, flags[6])
		})
	}
}

func noLeaks(t *testing.T, known *secrets, dir string) {
	t.Helper()
	for _, file := range []string{report.JSONFile, report.JUnitFile, report.HTMLFile} {
		read(t, filepath.Join(dir, file), func(b []byte) error {
			require.NotEmpty(t, b)
			require.Empty(t, known.leaks(string(b)), file)
			return nil
		})
	}
	archives, err := filepath.Glob(filepath.Join(dir, report.EvidenceDir, "*", "*"))
	require.NoError(t, err)
	require.NotEmpty(t, archives)
	for _, file := range archives {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Empty(t, known.leaks(string(content)), file)
	}
}

// servedVerbosely runs serve -v in a process of its own. Its log can be read once.
func servedVerbosely(t *testing.T, controlToken string) (api, controls string, log func() string) {
	t.Helper()
	serve := exec.Command(os.Args[0], "serve", "-v", "--listen", "127.0.0.1:0", "--controls", "127.0.0.1:0", "--control-token", controlToken)
	serve.Env = append(os.Environ(), asCommand+"=1")
	var logged bytes.Buffer
	serve.Stderr = &logged
	stdout, err := serve.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, serve.Start())
	stop := sync.OnceFunc(func() {
		_ = serve.Process.Signal(os.Interrupt)
		_ = serve.Wait()
	})
	t.Cleanup(stop)
	printed := readUntil(t, bufio.NewScanner(stdout), "Ctrl-C")
	urls := regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindAllString(printed, 2)
	require.Len(t, urls, 2, printed)
	return urls[0], urls[1], func() string {
		stop()
		require.Contains(t, logged.String(), "served", "it logs every request")
		return logged.String()
	}
}

// The secrets of a profile are not shown either: headers, client secrets and keys of its accounts, and
// the keys of the profile itself.
func TestNothingSecretOfAProfileIsShown(t *testing.T) {
	profile := bundledFor(t)
	account, key := fixedAccount(t, profile)
	known := newSecrets()
	known.add("header", "header+value/that=opens the gateway")
	known.add("client secret", account.ClientSecret)
	known.addKeys("private key", key)
	account.Key = key
	profile.Accounts = []target.Account{account}
	profile.TLS.Certificate, profile.TLS.Key, profile.Sink.Key = account.Certificate, key, key
	profile.Header = map[string]string{"X-Gateway": "header+value/that=opens the gateway"}
	profile.Deadlines = shortDeadlines
	// The gateway knows all of it, and echoes all of it.
	all := "header+value/that=opens the gateway " + account.ClientSecret + " " + string(key) + url.QueryEscape(string(key))
	tell := func(a *hostile.Answer) {
		a.Sent = all
		hostile.Echo("none")(a)
	}
	profile.BaseURL = misbehaving(t, hostile.Config{Upstream: profile.BaseURL, Witness: known.witness, Spoil: tell, After: 3})
	var out bytes.Buffer
	result, err := run.Certify(t.Context(), run.Options{Target: profile, Tags: "@cash-out", Progress: progress.New(&out, progress.Options{Terminal: true, Colour: true})})
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, report.Write(dir, result))
	require.Empty(t, known.leaks(out.String()))
	noLeaks(t, known, dir)
}

// fixedAccount makes an account with its private key.
func fixedAccount(t *testing.T, profile target.Profile) (target.Account, []byte) {
	t.Helper()
	authority, err := certs.NewAuthority()
	require.NoError(t, err)
	certificate, err := authority.Issue(certs.Client{Name: "fixed", Key: certs.RSA})
	require.NoError(t, err)
	body, err := json.Marshal(map[string]string{"certificate": string(certificate.PEM())})
	require.NoError(t, err)
	answer, err := http.Post(profile.Control.URL+"/accounts", "application/json", bytes.NewReader(body))
	require.NoError(t, err)
	defer answer.Body.Close()
	defer http.DefaultClient.CloseIdleConnections()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	var account target.Account
	require.NoError(t, json.Unmarshal(text, &account))
	account.Certificate = certificate.PEM()
	return account, certificate.KeyPEM()
}

// An error that ends a run before it begins contains no secret.
func TestNothingSecretInErrors(t *testing.T) {
	t.Parallel()
	profile := bundledFor(t)
	known := newSecrets()
	const token = "the-token-of-the-controls"
	known.add("control token", token)
	echo := misbehaving(t, hostile.Config{Upstream: profile.Control.URL, Spoil: func(a *hostile.Answer) { a.Write("HTTP/1.1 200 OK\r\n\r\n" + a.Sent) }})
	for name, args := range map[string][]string{
		"an echo":      {"--url", profile.BaseURL, "--control-url", echo, "--control-token", token},
		"a user":       {"--url", "https://someone:" + token + "@gateway.example"},
		"a bad URL":    {"--url", "https://someone:" + token + "@gateway.example:bad"},
		"a query":      {"--url", "https://gateway.example/?key=" + token},
		"a bad scheme": {"--url", "gopher://gateway.example/?key=" + token},
	} {
		t.Run(name, func(t *testing.T) {
			for _, command := range [][]string{{"certify", "--report", t.TempDir()}, {"plan"}} {
				status, stdout, stderr := invoke(t, append(command, args...)...)
				require.Equal(t, exitNotRun, status, command[0])
				require.NotContains(t, stdout+stderr, token, command[0])
			}
		})
	}
}
