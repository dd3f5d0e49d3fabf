package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/shell"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// pastesTokenRequest runs the token request that serve printed, as a person would.
func pastesTokenRequest(t *testing.T, printed string) {
	t.Helper()
	if _, err := exec.LookPath("curl"); err != nil {
		require.Empty(t, os.Getenv("PIXCERT_REQUIRE_ALL"), "curl is not installed")
		t.Skip("curl is not installed")
	}
	command := regexp.MustCompile(`(?m)^curl .*$`).FindString(printed)
	answer, err := exec.CommandContext(t.Context(), "sh", "-c", command).CombinedOutput()
	require.NoError(t, err, "%s\n%s", command, answer)
	require.Contains(t, string(answer), "access_token")
}

// The token request that serve prints works when it is pasted into a shell.
func TestServePrintsATokenRequest(t *testing.T) {
	printed, stop := served(t, "--data", filepath.Join(t.TempDir(), "the reference's data"))
	defer stop()
	pastesTokenRequest(t, printed)
}

// It also works over mutual TLS. The profile that serve writes selects the gateway.
func TestServeOverMutualTLS(t *testing.T) {
	printed, stop := served(t, "--mtls", "--data", filepath.Join(t.TempDir(), "the reference's data"))
	defer stop()
	pastesTokenRequest(t, printed)

	file := regexp.MustCompile(`(?m)^profile +(.*)$`).FindStringSubmatch(printed)
	require.NotNil(t, file, printed)
	require.Contains(t, printed, shell.Command("pixcert", "certify", file[1]))
	profile, err := os.ReadFile(file[1])
	require.NoError(t, err)
	url := regexp.MustCompile(`(?m)^url: (https://.*)$`).FindSubmatch(profile)
	controls := regexp.MustCompile(`(?m)^  url: (http://.*)$`).FindSubmatch(profile)
	require.NotNil(t, url, "%s", profile)
	require.NotNil(t, controls, "%s", profile)
	ca, err := os.ReadFile(filepath.Join(filepath.Dir(file[1]), "ca.pem"))
	require.NoError(t, err)
	conforms(t, target.Profile{
		BaseURL: string(url[1]), TLS: target.TLS{CA: ca, Handshake: true},
		Control: &target.ControlAccess{URL: string(controls[1])},
	}, edgeRules, ofTheHeaderAlone)
}

// Without --mtls, serve accepts the certificate header from this machine or from --trust-proxy.
func TestServeTrustsOnlyProxies(t *testing.T) {
	for name, c := range map[string]struct {
		flags   []string
		outcome verdict.Outcome
	}{
		"this machine": {nil, verdict.Conforms},
		"another":      {[]string{"--trust-proxy", "192.0.2.0/24"}, verdict.DoesNotConform},
		"both":         {[]string{"--trust-proxy", "192.0.2.0/24", "--trust-proxy", "127.0.0.1/32"}, verdict.Conforms},
		"anybody":      {[]string{"--trust-proxy", "0.0.0.0/0,::/0"}, verdict.Conforms},
	} {
		t.Run(name, func(t *testing.T) {
			printed, stop := served(t, c.flags...)
			defer stop()
			urls := regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindAllString(printed, 2)
			require.Len(t, urls, 2, printed)
			run, err := run.Certify(t.Context(), run.Options{
				Target: target.Profile{BaseURL: urls[0], Control: &target.ControlAccess{URL: urls[1]}}, Rules: []string{"token.issued"},
			})
			require.NoError(t, err)
			require.Equal(t, c.outcome, run.Outcome())
		})
	}
}

func TestServeRejectsContradictoryEdgeFlags(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.pem")
	require.NoError(t, os.WriteFile(file, []byte("no PEM"), 0o600))
	for says, flags := range map[string][]string{
		"pass both":                               {"--mtls", "--tls-cert", file},
		"requires --mtls":                         {"--tls-cert", file, "--tls-key", file},
		"remove one of them":                      {"--mtls", "--trust-proxy", "192.0.2.0/24"},
		"expected a certificate and its key":      {"--mtls", "--tls-cert", file, "--tls-key", file},
		"--trust-proxy":                           {"--trust-proxy", "192.0.2.7"},
		"--tls-cert":                              {"--mtls", "--tls-cert", file + ".missing"},
		"add --mtls, or terminate TLS at a proxy": {"--tls-cert", file},
	} {
		status, _, stderr := invoke(t, append([]string{"serve", "--listen", "127.0.0.1:0", "--controls", "off"}, flags...)...)
		require.Equal(t, exitNotRun, status)
		require.Contains(t, stderr, says)
	}
}

// serve offers no controls without a token to other machines, and says what to do.
func TestServeRequiresATokenForReachableControls(t *testing.T) {
	t.Setenv("PIXCERT_CONTROL_TOKEN", "")
	for _, address := range []string{"0.0.0.0:0", ":0"} {
		status, stdout, stderr := invoke(t, "serve", "--listen", "127.0.0.1:0", "--controls", address)
		require.Equal(t, exitNotRun, status)
		require.Empty(t, stdout)
		require.Contains(t, stderr, "--controls "+address)
		require.Contains(t, stderr, "set PIXCERT_CONTROL_TOKEN")
	}
}

// served starts pixcert serve in a process of its own and returns what it prints.
func served(t *testing.T, flags ...string) (printed string, stop func()) {
	t.Helper()
	serve := exec.Command(os.Args[0], append([]string{"serve", "--listen", "127.0.0.1:0", "--controls", "127.0.0.1:0"}, flags...)...)
	serve.Env = append(os.Environ(), asCommand+"=1")
	stdout, err := serve.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, serve.Start())
	return readUntil(t, bufio.NewScanner(stdout), "Ctrl-C"), func() {
		require.NoError(t, serve.Process.Signal(os.Interrupt))
		require.NoError(t, serve.Wait())
	}
}
