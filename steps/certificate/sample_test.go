package certificate

import (
	"crypto/ed25519"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/baseline"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/fake"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/run"
)

// sampled are the rules of the certificates in these tests.
var sampled = scope{[]string{"balance.overdraft", "token.issued"}}

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

// samples are made once, before the tests: a gateway belongs to a test.
var samples struct{ conforming, other sample }

// conforming is a certificate of a gateway that conforms. Nobody changes it.
func conforming() sample { return samples.conforming }

// other is one of another run, signed with the same key.
func other() sample { return samples.other }

// TestSamples makes what the other tests share. They are parallel, so they wait until it has ended.
func TestSamples(t *testing.T) {
	samples.conforming = newSample(t, nil, nil)
	samples.other = newSample(t, samples.conforming.key, nil)
}

// recordedRun runs the sampled rules on a small gateway, and writes the report that is to be signed.
func recordedRun(t testing.TB, dir string, known []byte) {
	t.Helper()
	g := fake.New(t)
	gateway := g.Profile()
	gateway.Name = "acme sandbox"
	evidence, secrets := &run.Evidence{}, &exchange.Redactor{}
	result, err := run.Certify(t.Context(), run.Options{Target: gateway, Rules: sampled.rules, Seed: 1, Version: testVersion, Evidence: evidence, Secrets: secrets})
	require.NoError(t, err)
	if known != nil {
		list, err := baseline.Parse("known.yaml", known)
		require.NoError(t, err)
		list.Apply(result, Day(result.Started))
	}
	files, err := Files(ProfileOf(gateway, secrets), known)
	require.NoError(t, err)
	files = append(files, report.File{Name: report.RecordsFile, Write: func(w io.Writer) error { return evidence.Write(w, secrets) }})
	require.NoError(t, report.Write(dir, result, files...))
}

func newSample(t testing.TB, key ed25519.PrivateKey, known []byte) sample {
	t.Helper()
	dir, err := os.MkdirTemp("", "certificate-")
	require.NoError(t, err)
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
	t.Parallel()
	s := conforming()
	v, err := s.verified()
	require.NoError(t, err)
	require.True(t, v.Same())
	require.Empty(t, v.Differences)
	t.Log(v.Outcome, v.Passed, v.Failed, v.Untested, v.Coverage, strings.Join(v.Families, ","), len(s.content))
}

// entry is what a record has of one moment.
type entry = record.Entry

// source is a feature of somebody's own.
var source = catalogue.Source{File: "own.feature", Text: "Feature: Own\n\n  @acme.own\n  Rule: Own\n\n    Scenario: Own\n      Given an account\n"}
