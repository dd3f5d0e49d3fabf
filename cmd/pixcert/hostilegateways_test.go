package main

import (
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/ci/hostile"
	"github.com/pixcert/pixcert/steps/verdict"
)

// judgesAll are rules that use requests, lists, events and controls of most kinds.
const judgesAll = "@balance.available or @token.issued or @cash-out.accepted or @delivery.own-type or @delivery.own-account or " +
	"@webhook.list or @lists.page or @contract.balances or @contract.token"

// Whatever a gateway, its controls and strangers do, certify ends with a verdict that names the fault,
// shows no secret, and prints and writes nothing that a terminal or a CI system executes. A gateway that
// only does what the specification permits conforms, and one whose controls alone misbehave does not fail.
func TestHostileGateways(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	for name, gateway := range hostile.Gateways() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			known := newSecrets()
			var followed atomic.Bool
			profile := bundledFor(t)
			running, err := gateway.Start(profile.BaseURL, profile.Control.URL, func(r *http.Request, _ []byte, response *http.Response, body []byte) {
				known.witness(r, nil, response, body)
				if strings.HasSuffix(r.URL.Path, hostile.Stolen) {
					followed.Store(true)
				}
			})
			require.NoError(t, err)
			dir := t.TempDir()
			status, stdout, stderr := invoke(t, "certify", hostileProfile(t, running, gateway.Correct), "--report", dir, "--timeout", hostileBound.String(), "--tags", judgesAll)
			sent := running.Stop()
			said := stdout + stderr
			t.Log(said)
			require.NotContains(t, said, "--timeout "+hostileBound.String()+" reached")
			if says, isFault := faults[name]; isFault {
				require.Regexp(t, says, said)
			} else {
				require.True(t, gateway.Correct, "faults needs the message for this gateway")
			}
			switch {
			case gateway.Correct:
				require.Equal(t, verdict.Conforms.ExitStatus(), status)
			case !gateway.API.Misbehaves():
				require.NotEqual(t, verdict.DoesNotConform.ExitStatus(), status)
			}
			require.Equal(t, gateway.Stranger != nil, sent > 0, "webhooks of strangers")
			require.False(t, followed.Load(), "certify followed a redirect")
			require.Empty(t, known.leaks(said))
			require.Empty(t, controlCharacter.FindString(said))
			require.Empty(t, executed.FindString(said))
			if status != exitNotRun {
				readable(t, dir)
				inertReport(t, known, dir)
			}
		})
	}
}

// faults are the messages for gateways and controls that do what they must not, by gateway.
var faults = map[string]string{
	"a byte order mark":                  `the body must be JSON: expected JSON, but found a byte order mark before it`,
	"a cache of everything":              `available to fall|webhooks to be 1 item`,
	"a certificate with dangerous names": `use a host name that the certificate contains`,
	"a compressed bomb":                  `body`,
	"a late second response":             `sent a response that was not requested`,
	"accounts of others":                 `it returned the account with clientId .* again instead of a new one`,
	"accounts that are paths":            `expected clientId to be a UUID`,
	"accounts that cannot be deleted":    `Conforms`,
	"ambiguous lengths":                  `bad Content-Length|transfer encoding`,
	"balances beyond 64 bits":            `balanceAmount.available must have at most 2 decimals`,
	"beginnings of secrets":              `HTTP_ERROR`,
	"clocks that jump":                   `Conforms|clock`,
	"commands of CI systems":             `owned`,
	"controls that come and go":          `cannot do this for|does not offer`,
	"credentials in broken responses":    `without a readable clientSecret`,
	"encodings nobody knows":             `Content-Encoding: `,
	"encodings of encodings":             `got +422`,
	"HTTP/2 without negotiation":         `the server does not speak HTTP`,
	"ids that are paths":                 `transactionId to be a UUID`,
	"lists that never end":               `at most 2 items with size 2`,
	"lone surrogates":                    `token_type must be "Bearer"`,
	"look-alikes":                        `expected +status to be "PENDING"`,
	"money that never arrives":           `the balance is still R. 0.00`,
	"redirects elsewhere":                `got +30[0-8] to \S`,
	"responses before requests":          `with a body that is not JSON|expected`,
	"responses of each other":            `the target issued no token|expected +accepted with`,
	"scripts":                            `javascript:alert`,
	"secrets in odd places":              `expected`,
	"status lines nobody knows":          `malformed HTTP`,
	"ten million transactions":           `got +10000000`,
	"terminal sequences":                 `\\u001b`,
	"thousands of webhooks":              `got +a list of 300. items`,
	"times that do not exist":            `generateTime to be the time of the request`,
	"tokens that cannot be sent":         `access_token to be a JWT`,
	"webhook URLs with a detour":         `got +none`,
	"webhooks for each other":            `webhooks`,
}

// executed matches what a terminal or a CI system executes, wherever in a line it does so. A terminal
// also reorders text after bidirectional controls.
var executed = regexp.MustCompile(`[\x00-\x08\x0b-\x1f\x7f\x{80}-\x{9f}\x{202a}-\x{202e}\x{2066}-\x{2069}]|##vso\[|##teamcity\[|##\[|section_(?:start|end):|(?m)^\s*(?:::[a-z-]+(?: .*)?::)`)

// hostileProfile writes a profile. Correct gateways have time to be slow; of the others, many let every
// deadline pass.
func hostileProfile(t *testing.T, running *hostile.Running, isCorrect bool) (file string) {
	t.Helper()
	text := fmt.Sprintf("url: %s\ncontrols: {url: %s}\n", running.API, running.Controls)
	if !isCorrect {
		text += fmt.Sprintf("deadlines: {answer: %v, control: %v, webhook: %v, balance: %v}\n",
			hostileBound, hostileBound, shortDeadlines.Webhook, shortDeadlines.Balance)
	}
	file = filepath.Join(t.TempDir(), "pixcert.yaml")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// inertReport checks that no file of a report contains a secret or a control character.
func inertReport(t *testing.T, known *secrets, dir string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, file fs.DirEntry, err error) error {
		if err != nil || file.IsDir() {
			return err
		}
		read(t, path, func(b []byte) error {
			require.Empty(t, known.leaks(string(b)), path)
			require.Empty(t, controlCharacter.FindString(string(b)), path)
			return nil
		})
		return nil
	}))
}

var controlCharacter = regexp.MustCompile(`[\x00-\x08\x0b\x0c\x0e-\x1f]`)
