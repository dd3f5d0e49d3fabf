package main

import (
	"bufio"
	"bytes"
	"database/sql"
	"encoding/json"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/sandbox"
	"github.com/pixcert/pixcert/reference/seedfile"
	"github.com/pixcert/pixcert/reference/store"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/shell"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// pastes runs the commands that serve printed, as a person would, and returns their output.
func pastes(t *testing.T, printed string) string {
	t.Helper()
	if _, err := exec.LookPath("curl"); err != nil {
		require.Empty(t, os.Getenv("PIXCERT_REQUIRE_ALL"), "curl is not installed")
		t.Skip("curl is not installed")
	}
	commands := regexp.MustCompile(`(?ms)^# Request a token.*?^# List [^\n]*\ncurl [^\n]*`).FindString(printed)
	require.NotEmpty(t, commands, printed)
	shell := exec.CommandContext(t.Context(), "sh", "-euc", regexp.MustCompile(`(?m)^.* trigger paid.*$`).ReplaceAllString(commands, "$0 >&2"))
	shell.Env = append(os.Environ(), asCommand+"=1")
	output, err := shell.Output()
	require.NoError(t, err, "%s\n%s", commands, output)
	return string(output)
}

// paysAtOnce requires that the commands which serve printed make a payment, a charge, a cob and a transfer.
func paysAtOnce(t *testing.T, printed string) {
	t.Helper()
	answers := json.NewDecoder(strings.NewReader(pastes(t, printed)))
	for _, made := range []map[string]any{{"status": "PENDING"}, {"status": "PENDING"}, {"status": "ATIVA"}, {"type": "PENDING"}} {
		var answer map[string]any
		require.NoError(t, answers.Decode(&answer))
		for field, want := range made {
			require.Equal(t, want, answer[field], "%v", answer)
		}
	}
	var list struct {
		Data []struct{ Status, OperationType string }
	}
	require.NoError(t, answers.Decode(&list))
	require.Len(t, list.Data, 4)
	require.Equal(t, "Pix out", list.Data[0].OperationType)
	for _, charge := range list.Data[1:3] {
		require.Equal(t, "Pix in", charge.OperationType)
		require.Equal(t, "Confirmado", charge.Status, "the customer has paid")
	}
}

// The commands that serve prints work when they are pasted into a shell.
func TestServePrintsTheFirstSteps(t *testing.T) {
	printed, stop := served(t, "--data", filepath.Join(t.TempDir(), "the reference's data"))
	defer stop()
	paysAtOnce(t, printed)
}

// Logs, such as those of a container, contain no client secret, but the file that does. A terminal shows it.
func TestServePrintsTheClientSecretOnlyOnATerminal(t *testing.T) {
	printed, stop := served(t)
	defer stop()
	named := regexp.MustCompile(`(?m)^clientSecret +in (.*)$`).FindStringSubmatch(printed)
	require.NotNil(t, named, printed)
	secret, err := os.ReadFile(named[1])
	require.NoError(t, err)
	require.Len(t, secret, len(store.NewSecret()))
	require.NotContains(t, printed, string(secret))
	info, err := os.Stat(named[1])
	require.NoError(t, err)
	require.EqualValues(t, 0o600, info.Mode().Perm())
}

// A gateway that other machines can reach prints commands for this one, and says that webhooks do not reach it.
func TestServeOnAllAddressesPrintsCommandsForThisMachine(t *testing.T) {
	printed, stop := served(t, "--listen", "0.0.0.0:0")
	defer stop()
	require.NotContains(t, printed, "//0.0.0.0")
	require.NotContains(t, printed, "//[::]")
	paysAtOnce(t, printed)
	require.Regexp(t, `listen --profile .*\n\nOther machines can reach the API, so webhooks go to public addresses only, and not to that command`, printed)
}

// The keys that the directory contains from the start are documented.
func TestTheExampleKeysAreDocumented(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../reference/README.md")
	require.NoError(t, err)
	for _, entry := range seedfile.ExampleKeys {
		require.NoError(t, entry.Check(), entry.Key)
		require.Regexp(t, regexp.QuoteMeta("| `"+entry.Key+"`")+`[^|]*\| `+entry.Name+` \| `+entry.Document+` \|`, string(readme))
	}
}

// With --data, credentials and certificates survive a restart, and so do tokens and payments.
func TestServeKeepsItsAccounts(t *testing.T) {
	for name, flags := range map[string][]string{"header": nil, "mutual TLS": {"--mtls"}} {
		t.Run(name, func(t *testing.T) {
			data := filepath.Join(t.TempDir(), "data")
			flags := append([]string{"--data", data}, flags...)
			account := regexp.MustCompile(`(?ms)^clientId.*?^private key.*?$`)
			first, stop := served(t, flags...)
			before := filesIn(t, data)
			pastes(t, first)
			stop()
			require.NotEmpty(t, account.FindString(first), first)

			second, stop := served(t, flags...)
			defer stop()
			require.Equal(t, account.FindString(first), account.FindString(second))
			require.Contains(t, second, "Account 1, example, with R$ 1040.00", "the balance after the payments")
			after := filesIn(t, data)
			for name := range before {
				if name != "pixcert.yaml" { // which names the new port
					require.Equal(t, before[name], after[name], name)
				}
			}
			pastes(t, second)
		})
	}
}

// A lost database is created again with the same credentials, which applications know.
func TestServeRestoresItsAccountsWithoutTheDatabase(t *testing.T) {
	data := t.TempDir()
	first, stop := served(t, "--data", data)
	stop()
	lost, err := filepath.Glob(filepath.Join(data, "pixcert.db*"))
	require.NoError(t, err)
	require.NotEmpty(t, lost)
	for _, file := range lost {
		require.NoError(t, os.Remove(file))
	}
	second, stop := served(t, "--data", data)
	defer stop()
	clientID := regexp.MustCompile(`(?m)^clientId +(.*)$`)
	require.Equal(t, clientID.FindString(first), clientID.FindString(second))
	pastes(t, second)
}

// Lost files of an account are noted: it gets new credentials, and applications with the old ones see another account.
func TestServeNotesLostCredentials(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	_, stderr, stop := servedNoting(t, "--data", data)
	stop()
	require.Empty(t, stderr.String())
	require.NoError(t, os.RemoveAll(filepath.Join(data, "accounts")))
	for _, want := range []string{"pixcert: note: " + filepath.Join(data, "accounts", "example") + " had no credentials, so account 2, example, is new; " +
		"account 1 keeps its data, and accepts only its old credentials and certificate: restore the directory to use it again\n", ""} {
		_, stderr, stop := servedNoting(t, "--data", data)
		stop()
		require.Equal(t, want, stderr.String())
	}
}

// What --data cannot be, and what is in use, is said with what to do.
func TestServeSaysWhatItCannotUse(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	damaged, foreign := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(damaged, "pixcert.db"), []byte("no database"), 0o600))
	db, err := sql.Open("sqlite", filepath.Join(foreign, "pixcert.db"))
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), `CREATE TABLE notes (text)`)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	at := taken.Addr().String()
	for says, flags := range map[string][]string{
		"--data: expected a value, got an empty string":                                                                                                            {"--data", ""},
		"--data " + file + ": expected a directory that can be written; change its permissions, or use another one":                                                {"--data", file},
		"pixcert.db\": it is damaged, or no database; restore a copy":                                                                                              {"--data", damaged},
		"pixcert.db\": it is the database of another program; use another directory\n":                                                                             {"--data", foreign},
		"cannot serve the API: " + at + ": the address is in use; stop the process":                                                                                {"--listen", at},
		"cannot serve the test controls: " + at + ": the address is in use; stop the process that listens there, or choose another address (--listen, --controls)": {"--controls", at},
	} {
		status, _, stderr := invoke(t, append([]string{"serve", "--listen", "127.0.0.1:0", "--controls", "off"}, flags...)...)
		require.Equal(t, exitNotRun, status, says)
		require.Contains(t, stderr, says)
	}
}

func TestServeNamesABrokenFile(t *testing.T) {
	for _, name := range []string{sandbox.CredentialsFile, sandbox.CertificateFile} {
		data := t.TempDir()
		_, stop := served(t, "--data", data)
		stop()
		broken := filepath.Join(data, "accounts", "example", name)
		require.NoError(t, os.WriteFile(broken, []byte("no"), 0o600))
		status, _, stderr := invoke(t, "serve", "--listen", "127.0.0.1:0", "--controls", "off", "--data", data)
		require.Equal(t, exitNotRun, status)
		require.Contains(t, stderr, broken)
		require.Contains(t, stderr, "remove")
	}
}

// filesIn reads the files below a directory, except the database, and requires that only their
// owner can read them.
func filesIn(t *testing.T, directory string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(directory, func(path string, entry fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := entry.Info()
		require.NoError(t, err)
		if entry.IsDir() {
			require.Equal(t, fs.FileMode(0o700), info.Mode().Perm(), path)
			return nil
		}
		require.Equal(t, fs.FileMode(0o600), info.Mode().Perm(), path)
		name, err := filepath.Rel(directory, path)
		require.NoError(t, err)
		if strings.HasPrefix(name, "pixcert.db") {
			return nil
		}
		content, err := os.ReadFile(path)
		files[name] = string(content)
		return err
	}))
	return files
}

// It also works over mutual TLS. The profile that serve writes selects the gateway.
func TestServeOverMutualTLS(t *testing.T) {
	printed, stop := served(t, "--mtls", "--data", filepath.Join(t.TempDir(), "the reference's data"))
	defer stop()
	paysAtOnce(t, printed)

	file := regexp.MustCompile(`(?m)^profile +(.*)$`).FindStringSubmatch(printed)
	require.NotNil(t, file, printed)
	require.Contains(t, printed, shell.Command("certify", file[1]))
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
	printed, _, stop = servedNoting(t, flags...)
	return printed, stop
}

// servedNoting is served with the standard error, which is complete after stop.
func servedNoting(t *testing.T, flags ...string) (printed string, stderr *bytes.Buffer, stop func()) {
	t.Helper()
	serve := exec.Command(os.Args[0], append([]string{"serve", "--listen", "127.0.0.1:0", "--controls", "127.0.0.1:0"}, flags...)...)
	serve.Env = append(os.Environ(), asCommand+"=1")
	stdout, err := serve.StdoutPipe()
	require.NoError(t, err)
	stderr = new(bytes.Buffer)
	serve.Stderr = stderr
	require.NoError(t, serve.Start())
	return readUntil(t, bufio.NewScanner(stdout), "Ctrl-C"), stderr, func() {
		require.NoError(t, serve.Process.Signal(os.Interrupt))
		require.NoError(t, serve.Wait())
	}
}

// Whoever prepares a pipeline sees a run fail first.
func TestServeAFaultyGateway(t *testing.T) {
	t.Parallel()
	printed, stop := served(t, "--mutant", "debits a cash-out twice")
	defer stop()
	require.Contains(t, printed, "mutant         debits a cash-out twice\n")
	profile := regexp.MustCompile(`(?m)^profile +(\S+)$`).FindStringSubmatch(printed)
	require.Len(t, profile, 2, printed)
	status, stdout, stderr := invoke(t, "certify", profile[1], "--rule", "cash-out.debit", "--report", t.TempDir())
	require.Equal(t, 1, status, "%s%s", stdout, stderr)
	require.Contains(t, stdout, "rule      cash-out.debit: ")

	for name, says := range map[string]string{
		"debits":                  "mutants have \"debits\" in their name; name one, such as:\n  rejects a cash-out",
		"debits ever":             "mutants have \"debits ever\" in their name",
		"debits a cash-uot twice": `no mutant is named "debits a cash-uot twice"; did you mean "debits a cash-out twice"? pixcert explain RULE lists those of a rule`,
		"is perfect":              "no mutant is named \"is perfect\"; pixcert explain RULE lists those of a rule",
	} {
		_, err := mutantNamed(name)
		require.ErrorContains(t, err, says, name)
	}
	_, err := (&serveCmd{Mutant: new(string)}).gateway()
	assert.EqualError(t, err, "--mutant: expected a value, got an empty string; check that the variable is set")
	m, err := mutantNamed("debits the fee tw")
	require.NoError(t, err)
	require.Equal(t, "debits the fee twice", m.Name)
}

// A start that fails because an address is in use leaves nothing, and changes nothing of a gateway that runs.
func TestServeLeavesNothingIfAnAddressIsInUse(t *testing.T) {
	t.Parallel()
	running := t.TempDir()
	printed, stop := served(t, "--data", running)
	defer stop()
	taken := regexp.MustCompile(`(?m)^test controls +http://(\S+)$`).FindStringSubmatch(printed)[1]
	profile, err := os.ReadFile(filepath.Join(running, "pixcert.yaml"))
	require.NoError(t, err)
	fresh := filepath.Join(t.TempDir(), "data")
	for _, data := range []string{fresh, running} {
		for _, address := range []string{"--listen", "--controls"} {
			status, _, stderr := invoke(t, "serve", "--data", data, "--mtls", "--listen", "127.0.0.1:0", "--controls", "127.0.0.1:0", address, taken)
			require.Equal(t, exitNotRun, status)
			require.Contains(t, stderr, taken+": the address is in use")
		}
	}
	require.NoDirExists(t, fresh)
	require.NoFileExists(t, filepath.Join(running, "ca.pem"))
	after, err := os.ReadFile(filepath.Join(running, "pixcert.yaml"))
	require.NoError(t, err)
	require.Equal(t, string(profile), string(after))
}

// The faults are listed without starting anything.
func TestServeListsFaults(t *testing.T) {
	t.Parallel()
	status, stdout, _ := invoke(t, "serve", "--fault", "list", "--data", "/does/not/exist")
	require.Zero(t, status)
	require.Contains(t, stdout, "webhook-twice ")
	status, _, stderr := invoke(t, "serve", "--fault", "webhook-thrice", "--listen", "127.0.0.1:0", "--controls", "off")
	require.Equal(t, exitNotRun, status)
	require.Contains(t, stderr, `webhook-out-of-order, `)
}

func TestRetention(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{"30d": 30 * 24 * time.Hour, "1h": time.Hour, "90m": 90 * time.Minute} {
		var r retention
		require.NoError(t, r.UnmarshalText([]byte(text)))
		assert.Equal(t, want, time.Duration(r))
	}
	for _, text := range []string{"", "30", "59m", "0d", "-1d", "1.5d", "3d0", "d", "99999999d"} {
		var r retention
		assert.ErrorContains(t, r.UnmarshalText([]byte(text)), "expected a time of at least an hour, such as 30d or 12h, got "+text)
	}
}
