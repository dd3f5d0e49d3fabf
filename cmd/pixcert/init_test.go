package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps/profile"
)

// converse runs init at a terminal, with these lines as input.
func converse(t *testing.T, c initCmd, typed string) (out string, err error) {
	t.Helper()
	var written bytes.Buffer
	err = c.Run(t.Context(), &console{out: &written, err: io.Discard, in: strings.NewReader(typed), interactive: true})
	return written.String(), err
}

func TestInitAsks(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	out, err := converse(t, initCmd{}, "gateway\nhttps://gateway.example/pix/\n\nmany\n2\n\nhttp://hooks.example\nhttps://hooks.example\n"+dir+"\n")
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(out, "Base URL of the gateway: "), "asked again")
	for _, said := range []string{
		"expected a URL with http:// or https://", `expected a number from 0 to 100, got "many"`,
		"expected a URL with https://,", "[127.0.0.1:9443]", "wrote " + filepath.Join(dir, "REGISTER.md"),
		"export PIXCERT_CLIENT_ID_2=...", "pixcert certify " + filepath.Join(dir, "pixcert.yaml"),
	} {
		require.Contains(t, out, said)
	}
	p, _, err := profile.Read(filepath.Join(dir, "pixcert.yaml"), func(name string) (string, bool) { return name, true })
	require.NoError(t, err)
	require.Equal(t, "https://gateway.example/pix", p.BaseURL)
	require.Len(t, p.Accounts, 2)
	require.Equal(t, "https://hooks.example", p.Sink.URL)
}

func TestInitPromptsOnlyForMissingFlags(t *testing.T) {
	accounts := 1
	c := initCmd{URL: "http://127.0.0.1:8080", Accounts: &accounts, Sink: "127.0.0.1:9443", SinkURL: "https://hooks.example", Controls: "http://127.0.0.1:8081"}
	dir := filepath.Join(t.TempDir(), "new")
	out, err := converse(t, c, dir+"\n")
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(out, "Directory to write to [.]: wrote "), out)
	require.Contains(t, out, "PIXCERT_ACCOUNT_ID_1=...")
}

func TestInitWritesTheChecklistInPortuguese(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	status, stdout, stderr := invoke(t, "init", "--url", "https://sandbox.example", "--language", "pt", "--directory", dir, "--yes")
	require.Equal(t, 0, status, stdout+stderr)
	checklist, err := os.ReadFile(filepath.Join(dir, "REGISTER.md"))
	require.NoError(t, err)
	require.Contains(t, string(checklist), "Para quem opera https://sandbox.example")

	status, _, stderr = invoke(t, "init", "--language", "es", "--yes")
	require.Equal(t, 2, status)
	require.Contains(t, stderr, `--language must be one of "en","pt"`)
}

// An operator elsewhere cannot send webhooks to a loopback address, which is the default.
func TestInitWarnsOfALoopbackSink(t *testing.T) {
	for _, c := range []struct {
		init initCmd
		want string
	}{
		{initCmd{URL: "https://sandbox.example"}, "REGISTER.md asks the operator of sandbox.example to send webhooks to https://127.0.0.1:9443, which is the gateway's own machine; pass --public-sink-url"},
		{initCmd{URL: "https://sandbox.example", Sink: "0.0.0.0:9443"}, "webhooks to https://0.0.0.0:9443,"},
		{initCmd{URL: "https://sandbox.example", Sink: "localhost:9443"}, "webhooks to https://localhost:9443,"},
		{initCmd{URL: "https://sandbox.example", SinkURL: "https://hooks.example"}, ""},
		{initCmd{URL: "http://127.0.0.1:8080"}, ""},
		{initCmd{URL: "http://[::1]:8080"}, ""},
	} {
		var out, warned bytes.Buffer
		c.init.Yes, c.init.Directory = true, t.TempDir()
		require.NoError(t, c.init.Run(t.Context(), &console{out: &out, err: &warned}))
		if c.want == "" {
			require.Empty(t, warned.String())
			continue
		}
		require.Contains(t, warned.String(), "pixcert: warning: ")
		require.Contains(t, warned.String(), c.want)
	}
}

func TestInitEndsWithItsInput(t *testing.T) {
	_, err := converse(t, initCmd{}, "https://gateway.example\n")
	require.ErrorContains(t, err, "input ended before the answer")
	require.ErrorContains(t, err, "pass --controls")
}

// init ends at Ctrl-C, without waiting for input.
func TestInitCanBeInterrupted(t *testing.T) {
	in, keyboard, err := os.Pipe()
	require.NoError(t, err)
	defer in.Close()
	defer keyboard.Close()
	ctx, cancel := context.WithCancel(t.Context())
	asked := writerFunc(func(p []byte) (int, error) {
		cancel()
		return len(p), nil
	})
	require.ErrorIs(t, (&initCmd{}).Run(ctx, &console{out: asked, err: io.Discard, in: in, interactive: true}), context.Canceled)
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestInitReportsEveryWrongFlag(t *testing.T) {
	dir := t.TempDir()
	status, _, stderr := invoke(t, "init", "--yes", "--url", "gateway", "--accounts", "101", "--sink", "localhost", "--directory", dir)
	require.Equal(t, exitNotRun, status)
	require.Contains(t, stderr, "--url: expected a URL")
	require.Contains(t, stderr, "--accounts: expected a number from 0 to 100")
	require.Contains(t, stderr, "--sink: expected host:port")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries)
}

// certify works with the profile that init writes, and its report repeats the same run.
func TestFromInitToAVerdict(t *testing.T) {
	gateway, stop, err := bundled(t.Context(), reference.Config{ControlToken: "token-of-the-controls"})
	require.NoError(t, err)
	defer stop()
	sink, err := freeAddress()
	require.NoError(t, err)
	dir, report := t.TempDir(), t.TempDir()
	status, stdout, stderr := invoke(t, "init", "--yes", "--url", gateway.BaseURL, "--controls", gateway.Control.URL, "--accounts", "0", "--sink", sink, "--directory", dir)
	require.Equal(t, 0, status, stderr)
	require.Contains(t, stdout, "pixcert certify ")

	file := filepath.Join(dir, "pixcert.yaml")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	text = append(text, "\nheaders: {X-Shop: \"${SHOP}\", X-Tiny: tiny}\nrequestsPerSecond: 1000\n"...)
	require.NoError(t, os.WriteFile(file, text, 0o600))
	t.Setenv("SHOP", "secret-of-the-shop")
	t.Setenv("PIXCERT_CONTROL_TOKEN", "token-of-the-controls")
	status, stdout, stderr = invoke(t, "certify", file, "--rule", "cash-out.covers-fee", "--seed", "7", "--report", report)
	require.Equal(t, 0, status, "%s\n%s", stdout, stderr)
	page, err := os.ReadFile(filepath.Join(report, "index.html"))
	require.NoError(t, err)
	require.Contains(t, string(page), "pixcert certify "+file+" --rule cash-out.covers-fee --seed 7")

	// The same profile with another URL, at which nothing listens.
	status, _, stderr = invoke(t, "certify", file, "--url", "http://127.0.0.1:1", "--report", report)
	require.Equal(t, exitNotRun, status)
	require.Contains(t, stderr, "cannot reach the target at http://127.0.0.1:1")
	junit, err := os.ReadFile(filepath.Join(report, "junit.xml"))
	require.NoError(t, err)
	require.Contains(t, string(junit), `message="cannot reach the target at http://127.0.0.1:1`, "not the results of the run before")
	require.Contains(t, string(junit), `tests="1" failures="0" errors="1"`)
	again, err := os.ReadFile(filepath.Join(report, "index.html"))
	require.NoError(t, err)
	require.Equal(t, page, again)
}

// Extra headers are sent, but never shown.
func TestExtraHeadersAreHidden(t *testing.T) {
	dir, report := t.TempDir(), t.TempDir()
	gateway, stop, err := bundled(t.Context(), reference.Config{})
	require.NoError(t, err)
	defer stop()
	file := filepath.Join(dir, "pixcert.yaml")
	// Nothing ever arrives at this path, so that evidence is kept.
	text := "url: " + gateway.BaseURL + "\ntokenPath: /nowhere\ncontrols: {url: '" + gateway.Control.URL + "'}\nheaders: {X-Shop: secret-of-the-shop, X-Tiny: tiny-1}\n"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	status, stdout, stderr := invoke(t, "certify", file, "--rule", "token.issued", "--report", report)
	require.NotEqual(t, 0, status)
	var seen strings.Builder
	for _, name := range []string{"index.html", "verdict.json", "junit.xml"} {
		b, err := os.ReadFile(filepath.Join(report, name))
		require.NoError(t, err)
		seen.Write(b)
		if name == "verdict.json" {
			require.True(t, json.Valid(b))
			require.Contains(t, string(b), "X-Tiny")
		}
	}
	require.Contains(t, seen.String(), "$X_SHOP", "the curl line asks for it")
	require.NotContains(t, seen.String()+stdout+stderr, "secret-of-the-shop")
	require.NotContains(t, seen.String()+stdout+stderr, "tiny-1")
}
