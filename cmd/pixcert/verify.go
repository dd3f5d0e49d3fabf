package main

import (
	"crypto/ed25519"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/certificate"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/untrusted"
	"github.com/pixcert/pixcert/steps/wording"
)

type verifyCmd struct {
	Certificate string `arg:"" placeholder:"CERTIFICATE" help:"Verify this certificate."`
	Report      string `arg:"" placeholder:"REPORT" help:"The report that it is about: a directory, .zip or .tar.gz."`
	keyFlag
}

// keyFlag names the keys whose certificates are trusted.
type keyFlag struct {
	Key []string `name:"key" placeholder:"PUBLIC.pem" help:"Trust certificates of this Ed25519 public key. Repeatable."`
}

func (*verifyCmd) Help() string {
	return `Works offline. Checks the signature, and that the report has exactly the files that the certificate lists. Then it judges the recorded evidence again: outcome, depth, coverage and every verdict must follow from it. If another edition of the rules judged the certificate, pixcert lists where its own rules differ.

Get the public key from its holder on another way than the certificate. Without --key nothing is trusted.

Exit status: 0 verified, and the target conforms; 1 verified, but the outcome is another one, or this version's rules differ on it; 2 not verified.

Examples:
  pixcert verify report/certificate.json report --key acme.pem
  pixcert verify certificate.json report.zip --key acme.pem`
}

// mostCertificate bounds the file of a certificate, in bytes.
const mostCertificate = 8 << 20

func (c *verifyCmd) Run(to *console, status *int) error {
	relaxGC()
	content, err := readCertificate(c.Certificate)
	if err != nil {
		return fmt.Errorf("not verified: %w", err)
	}
	if len(c.Key) == 0 {
		return fmt.Errorf("not verified: --key is missing; the certificate names the key %s, which proves nothing: get the public key from whoever signed it, and pass it with --key",
			certificate.SignedBy(content))
	}
	keys, err := c.keys()
	if err != nil {
		return err
	}
	dir, remove, err := certificate.Unpack(c.Report)
	if err != nil {
		return fmt.Errorf("not verified: %w", err)
	}
	defer remove()
	v, err := certificate.Verify(content, dir, version(), keys...)
	if err != nil {
		return fmt.Errorf("not verified: %w", err)
	}
	show(to, v, time.Now())
	if !v.Conforms() {
		*status = 1
	}
	return nil
}

func (f keyFlag) keys() (all []ed25519.PublicKey, err error) {
	for _, path := range f.Key {
		key, err := certificate.ReadPublicKey(path)
		if err != nil {
			return nil, fmt.Errorf("--key: %w", err)
		}
		all = append(all, key)
	}
	return all, nil
}

func readCertificate(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := untrusted.ReadAll(file, mostCertificate)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return content, nil
}

// show prints what was verified. The outcome comes last.
func show(to *console, v *certificate.Verified, now time.Time) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(to.out, "  %-9s %s\n", name, exchange.Line(fmt.Sprintf(format, args...)))
	}
	line("target", "%s", v.Target)
	line("run", "%s to %s, seed %d, pixcert %s", minute(v.Started), minute(v.Ended), v.Seed, v.Pixcert)
	line("signed", "%s with the key %s", minute(v.Issued), certificate.Fingerprint(v.Certificate.Key))
	line("edition", "%s", certificate.ShortEdition(v.Edition))
	line("depth", "%s: %s", v.Depth, v.Coverage)
	line("families", "%s", strings.Join(v.Families, ", "))
	line("controls", "%s", wording.List(strings.Join(v.Controls, ", "), 200))
	line("rules", "%d pass, %d with warnings or known failures, %d fail, %d not tested, %d do not apply", len(v.Passed), len(v.Warned), len(v.Failed), len(v.Untested), len(v.NotApplicable))
	if v.Explored != "" {
		line("explored", "%s (no evidence of it is kept)", v.Explored)
	}
	for _, e := range v.Baseline {
		line("accepted", "%s: %s", wording.List(strings.Join(e.Rules, ", "), 80), e.Known)
	}
	for _, e := range v.ExpiredSince(certificate.Day(now)) {
		line("expired", "%s, since %s", wording.List(strings.Join(e.Rules, ", "), 80), e.Expires)
	}
	differing(to, v)
	switch {
	case v.Conforms():
		fmt.Fprintf(to.out, "✓ Verified: %s conforms\n", exchange.Line(v.Target))
	case v.Certificate.Conforms():
		fmt.Fprintf(to.out, "✗ Verified, but the outcome by the rules of this pixcert is: %s\n", v.Run.Outcome())
	default:
		fmt.Fprintf(to.out, "✗ Verified, but the outcome is: %s\n", v.Outcome)
	}
}

// differing says by which rules the certificate was judged, if not by those of this version.
func differing(to *console, v *certificate.Verified) {
	if v.Same() {
		return
	}
	if v.Edition == v.Ours {
		fmt.Fprintf(to.out, "  Judged by pixcert %s with the same rules as this pixcert, %s. ", exchange.Line(v.Pixcert), v.Version)
	} else {
		fmt.Fprintf(to.out, "  Judged by edition %s of the rules. This pixcert has edition %s. ", certificate.ShortEdition(v.Edition), certificate.ShortEdition(v.Ours))
	}
	if len(v.Differences) == 0 {
		fmt.Fprintln(to.out, "Judged again, every verdict is the same.")
		return
	}
	fmt.Fprintf(to.out, "Judged again, %s:\n", wording.Count(len(v.Differences), "result")+" "+wording.Choose(len(v.Differences), "differs", "differ"))
	shown := slices.Clone(v.Differences[:min(len(v.Differences), 20)])
	if left := len(v.Differences) - len(shown); left > 0 {
		shown = append(shown, fmt.Sprintf("and %d more", left))
	}
	for _, d := range shown {
		fmt.Fprintln(to.out, "    "+exchange.Line(d))
	}
}

func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }
