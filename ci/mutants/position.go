package mutants

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// Position is where the table declares the mutant: "ci/mutants/cashout.go:38". For
// one of a family that a function generates (one per endpoint, one per field) it is where
// the table calls that function.
func (m Mutant) Position() string {
	frames := runtime.CallersFrames(m.fault.stack)
	for {
		frame, more := frames.Next()
		if _, function, ok := strings.Cut(frame.Function, "/mutants."); ok && (strings.HasPrefix(function, "init") || strings.HasPrefix(function, "glob.")) {
			return fmt.Sprintf("ci/mutants/%s:%d", path.Base(frame.File), frame.Line)
		}
		if !more {
			return ""
		}
	}
}

// callers is the stack of whoever makes a fault. Tables are package variables, so their
// lines are frames of the package's initialization.
func callers() []uintptr {
	stack := make([]uintptr, 12)
	return stack[:runtime.Callers(2, stack)]
}
