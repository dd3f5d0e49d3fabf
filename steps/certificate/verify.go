package certificate

import (
	"crypto/ed25519"
	"fmt"
	"strings"

	"github.com/pixcert/pixcert/steps/verdict"
)

// Verified is a certificate whose signature and evidence are right, and what follows from the evidence today.
type Verified struct {
	*Certificate
	Run         *verdict.Run // judged again by the rules of this version
	Ours        string       // edition of the rules of this version
	Version     string       // this version
	Differences []string     // where this version judges differently; none with its own edition
}

// Same reports whether this version is the one that judged the certificate.
func (v *Verified) Same() bool { return v.Edition == v.Ours && v.Pixcert == v.Version }

// Conforms reports whether the target conforms by the certificate, and by the rules of this version.
func (v *Verified) Conforms() bool {
	return v.Certificate.Conforms() && v.Run.Outcome() == verdict.Conforms
}

// Verify verifies a certificate with one of several keys, and the report that it is about. An error says why it is
// not to be trusted. version is that of this pixcert.
func Verify(content []byte, dir, version string, keys ...ed25519.PublicKey) (*Verified, error) {
	return verify(content, dir, version, keys, scope{})
}

func verify(content []byte, dir, version string, keys []ed25519.PublicKey, of scope) (*Verified, error) {
	c, err := Open(content, keys)
	if err != nil {
		return nil, err
	}
	if err := checkFiles(dir, c.Evidence); err != nil {
		return nil, err
	}
	edition, err := Edition()
	if err != nil {
		return nil, err
	}
	v := &Verified{Certificate: c, Ours: edition, Version: version}
	j, err := judgeReport(dir, c.Evidence)
	if err != nil {
		return nil, err
	}
	if err := j.consistent(of, v.Edition == v.Ours); err != nil {
		return nil, err
	}
	v.Run = j.run
	again := j.claims(c.Pixcert, c.Edition, c.Evidence)
	if c.URL != j.profile.URL {
		return nil, contradicted([]string{fmt.Sprintf("URL: the certificate says %s, %s %s", words(c.URL), profileFile, words(j.profile.URL))})
	}
	if facts := differentFacts(c.Claims, again); len(facts) > 0 {
		if c.Edition != edition {
			facts = withoutExpired(facts)
		}
		if len(facts) > 0 {
			return nil, contradicted(facts)
		}
	}
	differ, err := j.sameVerdicts(dir)
	if err != nil {
		return nil, err
	}
	differ = append(differencesOf(c, again, rulesOf(j.run)), differ...)
	if v.Same() && len(differ) > 0 {
		return nil, contradicted(differ)
	}
	v.Differences = differ
	return v, nil
}

// withoutExpired leaves out what the failures decide, and so the rules.
func withoutExpired(lines []string) (kept []string) {
	for _, line := range lines {
		if !strings.HasPrefix(line, "expired entries") {
			kept = append(kept, line)
		}
	}
	return kept
}

func contradicted(lines []string) error {
	return fmt.Errorf("the recorded evidence contradicts the certificate: %s", strings.Join(first(lines, 5), "; "))
}
