package certificate

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/ed25519"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/verdict"
)

var update = flag.Bool("update", false, "write the certificate in testdata anew")

const kept = "testdata/certified" // a report with its certificate, and the public key next to it

// A certificate of an earlier commit is verified, whatever the rules have become: with the same edition there are no
// differences, with another one they are listed.
func TestACertificateOfAnEarlierCommitIsVerified(t *testing.T) {
	t.Parallel()
	if *update {
		keep(t)
	}
	key, err := ReadPublicKey(kept + ".pem")
	require.NoError(t, err)
	content, err := os.ReadFile(filepath.Join(kept, report.CertificateFile))
	require.NoError(t, err)
	v, err := verify(content, kept, "v0.0.0-later", []ed25519.PublicKey{key}, sampled)
	require.NoError(t, err, "a certificate that is out of date is not tampered with")
	require.False(t, v.Same())
	require.Equal(t, verdict.Conforms, v.Outcome)
	if v.Edition == v.Ours {
		require.Empty(t, v.Differences, "the same edition gives the same verdicts: if judging changed, raise its version in edition.go")
	}
}

func keep(t *testing.T) {
	t.Helper()
	private, public, err := NewKey()
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "key.pem")
	require.NoError(t, os.WriteFile(file, private, 0o600))
	key, err := ReadPrivateKey(file)
	require.NoError(t, err)
	s := newSample(t, key, nil)
	require.NoError(t, os.RemoveAll(kept))
	require.NoError(t, os.CopyFS(kept, os.DirFS(s.dir)))
	require.NoError(t, os.WriteFile(kept+".pem", public, 0o600))
}

// With another edition, the certificate says what it says, and this version what follows from its own rules.
func TestAnotherEditionIsNoTampering(t *testing.T) {
	t.Parallel()
	f := forged(t)
	f.lies(func(c *Claims, _ *rules) { c.Edition = strings.Repeat("ab", 32) })
	v, err := f.verified()
	require.NoError(t, err)
	require.False(t, v.Same())
	require.Empty(t, v.Differences)
	require.True(t, v.Conforms())

	f = forged(t)
	f.lies(func(c *Claims, r *rules) {
		c.Edition = strings.Repeat("ab", 32)
		c.Outcome, r.failed, r.passed = verdict.DoesNotConform, r.passed[:1], r.passed[1:]
	})
	v, err = f.verified()
	require.NoError(t, err)
	require.Contains(t, strings.Join(v.Differences, "\n"), `outcome: the certificate says "does not conform", the evidence "conforms"`)
	require.False(t, v.Conforms())
}

// Who claims another edition, or another version, gains nothing by it: the target must conform by the rules at hand.
func TestAnotherEditionHidesNoFailure(t *testing.T) {
	t.Parallel()
	for name, disguise := range map[string]func(c *Claims){
		"edition": func(c *Claims) { c.Edition = strings.Repeat("ab", 32) },
		"version": func(c *Claims) { c.Pixcert = "v9.9.9" },
	} {
		f := forged(t)
		f.reissued(func(e *run.Evidence) {
			for _, r := range e.Records {
				for _, x := range r.Entries {
					if x.Exchange != nil && x.Exchange.Status == 200 {
						x.Exchange.Status = 500
					}
				}
			}
		})
		f.lies(func(c *Claims, _ *rules) { disguise(c) })
		v, err := f.verified()
		require.NoError(t, err, name)
		require.True(t, v.Certificate.Conforms(), name)
		require.False(t, v.Conforms(), name)
		require.NotEmpty(t, v.Differences, name)
	}
}

// Facts of the evidence do not depend on the edition.
func TestAnotherEditionExcusesNoOtherFacts(t *testing.T) {
	t.Parallel()
	f := forged(t)
	f.lies(func(c *Claims, _ *rules) { c.Edition, c.Seed = strings.Repeat("ab", 32), 99 })
	_, err := f.verified()
	require.ErrorContains(t, err, "seed")
}

func forged(t *testing.T) *forgery {
	t.Helper()
	own := conforming()
	f := &forgery{t, sample{t.TempDir(), bytes.Clone(own.content), own.key}}
	require.NoError(t, os.CopyFS(f.dir, os.DirFS(own.dir)))
	return f
}

func TestACertificateIsTrustedWithAKeyOnly(t *testing.T) {
	t.Parallel()
	s := conforming()
	_, err := Open(s.content, nil)
	require.ErrorContains(t, err, "expected the public key")
	require.Equal(t, Fingerprint(s.public()), SignedBy(s.content))
	require.Empty(t, SignedBy([]byte("{}")))
}

// A run of some rules is not certified.
func TestAPartialRunIsNotCertified(t *testing.T) {
	t.Parallel()
	f := forged(t)
	require.NoError(t, os.Remove(f.path(report.CertificateFile)))
	_, err := Issue(f.dir, testVersion, f.key)
	require.ErrorContains(t, err, "some rules only")
	require.NoFileExists(t, f.path(report.CertificateFile))
}

// A baseline is part of the certificate: entries with reasons and expiry.
func TestABaselineIsCertified(t *testing.T) {
	t.Parallel()
	s := newSample(t, nil, []byte(strings.Replace(expiredBaseline, "2020-01-31", "2199-01-31", 1)))
	v, err := s.verified()
	require.NoError(t, err)
	require.Equal(t, verdict.Outdated, v.Outcome, "the entry is about something that passes")
	require.Len(t, v.Baseline, 1)
	require.Equal(t, "known (ana, until 2199-01-31)", v.Baseline[0].Known.String())
	require.Empty(t, v.ExpiredSince(Day(time.Now())))
	require.Len(t, v.ExpiredSince("2200-01-01"), 1)
}

func TestPackedReportsAreVerified(t *testing.T) {
	t.Parallel()
	own := conforming()
	dir := t.TempDir()
	for name, pack := range map[string]func(t *testing.T, path, top string){
		"report.zip": zipped, "report.tar.gz": tarred,
	} {
		for _, top := range []string{"", "report/"} {
			file := filepath.Join(dir, name)
			pack(t, file, top)
			unpacked, remove, err := Unpack(file)
			require.NoError(t, err)
			_, err = sample{unpacked, own.content, own.key}.verified()
			require.NoError(t, err, "%s with %q", name, top)
			remove()
			require.NoDirExists(t, unpacked)
		}
	}
}

func zipped(t *testing.T, path, top string) {
	t.Helper()
	file, err := os.Create(path)
	require.NoError(t, err)
	z := zip.NewWriter(file)
	eachFile(t, func(name string, content []byte) {
		w, err := z.Create(top + name)
		require.NoError(t, err)
		_, err = w.Write(content)
		require.NoError(t, err)
	})
	require.NoError(t, z.Close())
	require.NoError(t, file.Close())
}

func tarred(t *testing.T, path, top string) {
	t.Helper()
	file, err := os.Create(path)
	require.NoError(t, err)
	z := gzip.NewWriter(file)
	w := tar.NewWriter(z)
	eachFile(t, func(name string, content []byte) {
		require.NoError(t, w.WriteHeader(&tar.Header{Name: top + name, Mode: 0o600, Size: int64(len(content))}))
		_, err := w.Write(content)
		require.NoError(t, err)
	})
	require.NoError(t, w.Close())
	require.NoError(t, z.Close())
	require.NoError(t, file.Close())
}

func eachFile(t *testing.T, do func(name string, content []byte)) {
	t.Helper()
	dir := conforming().dir
	names, err := list(dir)
	require.NoError(t, err)
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		do(name, content)
	}
}

// Archives of strangers write nothing outside, and no more than a report has.
func TestHostileArchivesAreRejected(t *testing.T) {
	t.Parallel()
	packed := func(h tar.Header, content string) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			t.Helper()
			var file bytes.Buffer
			z := gzip.NewWriter(&file)
			w := tar.NewWriter(z)
			for range 1 + h.Devmajor {
				one := h
				one.Devmajor, one.Size, one.Mode = 0, int64(len(content)), 0o600
				require.NoError(t, w.WriteHeader(&one))
				_, err := io.WriteString(w, content)
				require.NoError(t, err)
			}
			require.NoError(t, w.Close())
			require.NoError(t, z.Close())
			require.NoError(t, os.WriteFile(path, file.Bytes(), 0o600))
		}
	}
	for name, c := range map[string]struct {
		write func(t *testing.T, path string)
		says  string
	}{
		"a path out":      {packed(tar.Header{Name: "../../x"}, "x"), "expected names of files below the report"},
		"an absolute one": {packed(tar.Header{Name: "/tmp/x"}, "x"), "expected names of files below the report"},
		"a deep one":      {packed(tar.Header{Name: "a/b/c/d/e/f/g/h/x"}, "x"), "expected names of files below the report"},
		"a symbolic link": {packed(tar.Header{Name: "x", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}, ""), "got a symbolic link"},
		"a hard link":     {packed(tar.Header{Name: "x", Typeflag: tar.TypeLink, Linkname: "/etc/passwd"}, ""), "got a hard link"},
		"a file twice":    {packed(tar.Header{Name: "x", Devmajor: 1}, "x"), "twice"},
		"too many bytes":  {packed(tar.Header{Name: "x"}, strings.Repeat("x", mostSize+1)), "bytes of the unpacked archive"},
		"no archive": {func(t *testing.T, path string) {
			t.Helper()
			require.NoError(t, os.WriteFile(path, []byte("x"), 0o600))
		}, "EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "x.tar.gz")
			c.write(t, file)
			_, _, err := Unpack(file)
			require.ErrorContains(t, err, c.says)
		})
	}
}

func TestKeysOfOtherKindsAreRefused(t *testing.T) {
	t.Parallel()
	private, public, err := NewKey()
	require.NoError(t, err)
	dir := t.TempDir()
	file := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, content, 0o600))
		return path
	}
	secret, err := ReadPrivateKey(file("private", private))
	require.NoError(t, err)
	open, err := ReadPublicKey(file("public", public))
	require.NoError(t, err)
	require.Equal(t, open, secret.Public())
	_, err = ReadPrivateKey(file("swapped", public))
	require.ErrorContains(t, err, "expected a private key in PKCS#8 PEM")
	_, err = ReadPublicKey(file("swapped", private))
	require.ErrorContains(t, err, "expected a public key in PEM")
	_, err = ReadPublicKey(file("long", bytes.Repeat([]byte("x"), mostKey+1)))
	require.ErrorContains(t, err, "bytes of the file")
}

// A run whose scenarios sent pairs of choices only is not thorough. What could not be tested is no reason.
func TestADepthNeedsItsCoverage(t *testing.T) {
	t.Parallel()
	covered := func(missing ...verdict.Unsent) *judged {
		return &judged{run: &verdict.Run{
			Scenarios: []verdict.Scenario{{Rule: "a.b", Name: "tested", Verdict: verdict.Pass}, {Rule: "a.b", Name: "not", Verdict: verdict.CouldNotTest}},
			Course:    verdict.Course{Coverage: &verdict.Coverage{Of: 100, Operations: []verdict.Operation{{Missing: missing}}}},
		}}
	}
	require.NoError(t, covered().deepEnough())
	require.NoError(t, covered(verdict.Unsent{Scenario: "a.b/not", Count: 60}, verdict.Unsent{Scenario: "a.b/tested", Count: 20}).deepEnough())
	require.ErrorContains(t, covered(verdict.Unsent{Scenario: "a.b/tested", Count: 50}).deepEnough(), "did not send 50 of 100 combinations")
}
