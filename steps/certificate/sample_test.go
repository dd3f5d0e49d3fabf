package certificate

import (
	"crypto/ed25519"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/fake"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/run"
)

// sampled are the rules of the certificates in these tests.
var sampled = scope{[]string{"balance.overdraft", "balance.answer", "cash-out.accepted", "cash-out.debit", "transfer.accepted", "token.issued"}}

const testVersion = "v0.0.0-test"

// sample is a report with its certificate.
type sample struct {
	dir     string
	content []byte
	key     ed25519.PrivateKey
}

func (s sample) public() ed25519.PublicKey { return s.key.Public().(ed25519.PublicKey) }

// verified verifies the sample.
func (s sample) verified() (*Verified, error) {
	return verify(s.content, s.dir, testVersion, []ed25519.PublicKey{s.public()}, sampled)
}

// conforming is a certificate of a gateway that conforms. Nobody changes it.
var conforming = sync.OnceValue(func() sample { return newSample(shared, nil, nil) })

// other is one of another run, signed with the same key.
var other = sync.OnceValue(func() sample { return newSample(shared, conforming().key, nil) })

// shared is the test that owns what all tests share.
var shared testing.TB

// recordedRun runs the sampled rules on a small gateway, and writes the report that is to be signed.
func recordedRun(t testing.TB, dir string, known []byte) {
	t.Helper()
	g := fake.New(t)
	gateway := g.Profile()
	gateway.Name = "acme sandbox"
	evidence, secrets := &run.Evidence{}, &exchange.Redactor{}
	result, err := run.Certify(t.Context(), run.Options{Target: gateway, Rules: sampled.rules, Seed: 1, Version: testVersion, Evidence: evidence, Secrets: secrets})
	require.NoError(t, err)
	files, err := Files(ProfileOf(gateway, secrets), known)
	require.NoError(t, err)
	files = append(files, report.File{Name: report.RecordsFile, Write: func(w io.Writer) error { return evidence.Write(w, secrets) }})
	require.NoError(t, report.Write(dir, result, files...))
}

func newSample(t testing.TB, key ed25519.PrivateKey, known []byte) sample {
	t.Helper()
	dir, err := os.MkdirTemp("", "certificate-")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if key == nil {
		_, key, err = ed25519.GenerateKey(nil)
		require.NoError(t, err)
	}
	recordedRun(t, dir, known)
	_, err = issue(dir, testVersion, key, sampled)
	require.NoError(t, err)
	content, err := os.ReadFile(filepath.Join(dir, report.CertificateFile))
	require.NoError(t, err)
	return sample{dir, content, key}
}

func TestACertificateIsVerified(t *testing.T) {
	shared = t
	s := conforming()
	v, err := s.verified()
	require.NoError(t, err)
	require.True(t, v.Same())
	require.Empty(t, v.Differences)
	t.Log(v.Outcome, v.Passed, v.Failed, v.Untested, v.Coverage, strings.Join(v.Families, ","), len(s.content))
}
