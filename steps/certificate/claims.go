package certificate

import (
	"encoding/hex"
	"fmt"
	"time"

	"github.com/pixcert/pixcert/steps/untrusted"
	"github.com/pixcert/pixcert/steps/verdict"
)

// mostListed bounds lists of a certificate: rules, controls, entries of a baseline.
const mostListed = 10_000

// valid checks what a certificate claims, without the evidence.
func (c *Claims) valid() error {
	known := map[verdict.Outcome]bool{
		verdict.Conforms: true, verdict.DoesNotConform: true, verdict.OwnRulesFail: true, verdict.Incomplete: true,
		verdict.NoNewFailures: true, verdict.Outdated: true,
	}
	switch {
	case !known[c.Outcome]:
		return fmt.Errorf("expected an outcome of a whole run, such as %q, got %q", verdict.Conforms, shorten(string(c.Outcome)))
	case c.Depth != verdict.Standard && c.Depth != verdict.Thorough:
		return fmt.Errorf("expected the depth %s or %s, got %q", verdict.Standard, verdict.Thorough, shorten(string(c.Depth)))
	case c.Target == "" || len(c.Target) > 1000:
		return fmt.Errorf("expected the name of the target, got %q", shorten(c.Target))
	case !isSHA256(c.Edition):
		return fmt.Errorf("expected the edition of the rules as a SHA-256, got %q", shorten(c.Edition))
	case !isSHA256(c.Profile):
		return fmt.Errorf("expected the profile as a SHA-256, got %q", shorten(c.Profile))
	case c.Started.IsZero() || c.Issued.Before(c.Started.Add(-earlier)) || c.Ended.Before(c.Started.Add(-earlier)):
		return fmt.Errorf("expected to be issued after the run: it started at %s and ended at %s, and this was issued at %s", rfc(c.Started), rfc(c.Ended), rfc(c.Issued))
	case len(c.Baseline) > mostListed || len(c.Expired) > mostListed:
		return &untrusted.LimitError{Most: mostListed, Of: "entries of the baseline"}
	}
	return validEvidence(c.Evidence)
}

func rfc(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func isSHA256(text string) bool {
	digest, err := hex.DecodeString(text)
	return err == nil && len(digest) == 32 && hex.EncodeToString(digest) == text
}
