package verdict

import (
	"fmt"
	"time"

	"github.com/pixcert/pixcert/steps/translation"
)

// Suspect is a control that almost all failing scenarios call, and most others do not.
type Suspect struct {
	Control string `json:"control"`
	Failing int    `json:"failing"` // scenarios that fail and call it
	Of      int    `json:"of"`      // scenarios that fail
}

// String says what to do about it.
func (s Suspect) String() string { return s.In(translation.English) }

// In is String in a language.
func (s Suspect) In(in translation.Language) string {
	if s.Failing == s.Of {
		return in.Sayf("All %d failing scenarios call the test control %s: check first that it does what it says", s.Of, s.Control)
	}
	return in.Sayf("%d of the %d failing scenarios call the test control %s: check first that it does what it says", s.Failing, s.Of, s.Control)
}

// BrokenControl is a control that stopped working during a run.
type BrokenControl struct {
	Control   string    `json:"control"`
	Why       string    `json:"why"`       // how it is known
	Since     time.Time `json:"since"`     // start of the first failing scenario that calls it
	Scenarios []string  `json:"scenarios"` // that could not be tested because of it
}

// String says what is wrong, and since when.
func (b BrokenControl) String() string {
	return fmt.Sprintf("the control %s does not work, since %s at the latest: %s", b.Control, b.Since.UTC().Format("15:04:05 UTC"), b.Why)
}
