package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/report"
)

// newKeys creates a key pair and returns its files.
func newKeys(t *testing.T) (private, public string) {
	t.Helper()
	dir := t.TempDir()
	status, stdout, stderr := invoke(t, "keys", dir)
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, "fingerprint ")
	return filepath.Join(dir, "pixcert.key"), filepath.Join(dir, "pixcert.pub.pem")
}

func TestKeysAreNeverOverwritten(t *testing.T) {
	t.Parallel()
	private, _ := newKeys(t)
	info, err := os.Stat(private)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	status, _, stderr := invoke(t, "keys", filepath.Dir(private))
	require.Equal(t, exitNotRun, status)
	require.Contains(t, stderr, "never overwritten")
}

// A run that cannot be certified is refused before anything is sent.
func TestPartialRunsAreNotSigned(t *testing.T) {
	t.Parallel()
	private, public := newKeys(t)
	full := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(full, "notes.txt"), []byte("mine"), 0o600))
	for says, args := range map[string][]string{
		"omit --tags":                {"--sign", private, "--tags", "@cash-out"},
		"omit --rule":                {"--sign", private, "--rule", "cash-out.accepted"},
		"omit --shard":               {"--sign", private, "--shard", "1/2"},
		"omit --fail-fast":           {"--sign", private, "--fail-fast"},
		"omit --depth quick":         {"--sign", private, "--depth", "quick"},
		"expected a private key":     {"--sign", public},
		"no such file":               {"--sign", filepath.Join(full, "absent.key")},
		"notes.txt is not a file of": {"--sign", private, "--report", full},
	} {
		if !strings.Contains(strings.Join(args, " "), "--report") {
			args = append(args, "--report", t.TempDir())
		}
		status, stdout, stderr := invoke(t, append([]string{"certify", "--reference"}, args...)...)
		require.Equal(t, exitNotRun, status, "%s\n%s", says, stdout)
		require.Contains(t, stderr, says)
	}
}

// Nothing is trusted without a key, and what is not verified says why.
func TestWhatIsNotVerifiedSaysWhy(t *testing.T) {
	t.Parallel()
	_, public := newKeys(t)
	const kept = "../../steps/certificate/testdata/certified"
	file := filepath.Join(kept, report.CertificateFile)
	for says, args := range map[string][]string{
		"--key is missing":         {file, kept},
		"signed with another key":  {file, kept, "--key", public},
		"some rules only":          {file, kept, "--key", kept + ".pem"},
		"no such file":             {file, filepath.Join(kept, "absent"), "--key", public},
		"a .zip or a .tar.gz":      {file, file, "--key", public},
		"the envelope: ":           {filepath.Join(kept, report.JSONFile), kept, "--key", public},
		"expected a public key in": {file, kept, "--key", file},
	} {
		status, stdout, stderr := invoke(t, append([]string{"verify"}, args...)...)
		require.Equal(t, exitNotRun, status, "%s\n%s", says, stdout)
		require.Empty(t, stdout)
		require.Contains(t, stderr, says)
	}
	status, _, stderr := invoke(t, "register", filepath.Dir(kept), "--site", t.TempDir())
	require.Equal(t, exitNotRun, status)
	require.Contains(t, stderr, "--key")
}

// A whole run is signed, verified, and shown in a register; a changed report is not.
func TestAWholeRunIsCertified(t *testing.T) {
	t.Parallel()
	takesMinutes(t)
	private, public := newKeys(t)
	all, site := t.TempDir(), t.TempDir()
	dir := filepath.Join(all, "reference")
	status, stdout, stderr := invoke(t, "certify", "--reference", "--quiet", "--sign", private, "--report", dir)
	require.Zero(t, status, "%s\n%s", stdout, stderr)
	file := filepath.Join(dir, report.CertificateFile)
	status, stdout, stderr = invoke(t, "verify", file, dir, "--key", public)
	require.Zero(t, status, "%s\n%s", stdout, stderr)
	require.Contains(t, stdout, "✓ Verified: the bundled reference gateway conforms")

	require.NoError(t, os.CopyFS(filepath.Join(all, "changed"), os.DirFS(dir)))
	require.NoError(t, os.WriteFile(filepath.Join(all, "changed", report.HTMLFile), []byte("conforms"), 0o600))
	status, stdout, stderr = invoke(t, "register", all, "--key", public, "--site", site)
	require.Equal(t, 1, status)
	require.Contains(t, stderr, "not verified: changed: index.html: the file was changed")
	require.Contains(t, stdout, "the bundled reference gateway: conforms, standard")
	require.FileExists(t, filepath.Join(site, "index.pt.html"))

	status, _, stderr = invoke(t, "certify", "--reference", "--rule", "token.issued", "--report", dir)
	require.Zero(t, status, stderr)
	require.NoFileExists(t, file, "a new report has no certificate of the old one")
}
