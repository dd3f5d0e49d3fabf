package main

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/pixcert/pixcert/steps/certificate"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/shell"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// signing signs the report of a run; nil signs nothing.
type signing struct{ key ed25519.PrivateKey }

// signing reads the key of --sign, and refuses runs that cannot be certified before anything is sent.
func (c *certifyCmd) signing() (*signing, error) {
	if c.Sign == "" {
		return nil, nil
	}
	for _, partial := range []struct {
		isSet bool
		flag  string
	}{
		{c.Tags != "", "--tags"}, {len(c.Rules) > 0, "--rule"}, {c.Shard.Of > 0, "--shard"}, {c.RerunFailed, "--rerun-failed"},
		{c.FailFast, "--fail-fast"}, {c.Depth == verdict.Quick, "--depth quick"},
	} {
		if partial.isSet {
			return nil, fmt.Errorf("--sign: a certificate is about a whole run; omit %s", partial.flag)
		}
	}
	key, err := certificate.ReadPrivateKey(c.Sign)
	if err != nil {
		return nil, fmt.Errorf("--sign: %w", err)
	}
	switch name, err := certificate.Foreign(c.Report); {
	case err != nil:
		return nil, fmt.Errorf("--sign: cannot list the report directory: %w", err)
	case name != "":
		return nil, fmt.Errorf("--sign: %s is not a file of a report: a certificate lists all files of its directory; remove it, or choose an empty directory with --report", exchange.Line(filepath.Join(c.Report, name)))
	}
	return &signing{key}, nil
}

// signedFiles are the files that a certificate needs besides those of every report.
func (c *certifyCmd) signedFiles(gateway target.Profile, secrets *exchange.Redactor) ([]report.File, error) {
	if c.Sign == "" {
		return nil, nil
	}
	var known []byte
	if c.Baseline != "" {
		var err error
		if known, err = readBaseline(c.Baseline); err != nil {
			return nil, err
		}
	}
	return certificate.Files(certificate.ProfileOf(gateway, secrets), known)
}

// issue writes the certificate of a report that has been written.
func (s *signing) issue(to *console, dir string, result *verdict.Run) error {
	switch {
	case s == nil:
		return nil
	case result.Ended != nil:
		return errors.New("no certificate was written: the run ended early")
	}
	issued, err := certificate.Issue(dir, version(), s.key)
	if err != nil {
		return fmt.Errorf("no certificate was written: %w", err)
	}
	file := filepath.Join(dir, report.CertificateFile)
	fmt.Fprintf(to.out, "Certificate: %s, signed with the key %s\n  verify it with: pixcert verify %s %s --key PUBLIC.pem\n",
		file, certificate.Fingerprint(issued.Key), shell.Quote(file), shell.Quote(dir))
	return nil
}
