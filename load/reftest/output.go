package reftest

import (
	"bytes"
	"sync"
)

// Output keeps the last of what a process prints, for whoever reads it while it runs. The
// zero value is ready.
type Output struct {
	mu   sync.Mutex
	kept bytes.Buffer
}

const keptOutput = 1 << 20

// Write is for the process.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.kept.Write(p)
	if extra := o.kept.Len() - keptOutput; extra > 0 {
		o.kept.Next(extra)
	}
	return len(p), nil
}

// String is what was kept.
func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.kept.String()
}
