package reftest

import (
	"bytes"
	"sync"
)

// Output keeps the end of a process's output, and can be read while the process runs. The zero
// value is ready to use.
type Output struct {
	mu   sync.Mutex
	kept bytes.Buffer
}

const keptOutput = 1 << 20

// Write is called with the output of the process.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.kept.Write(p)
	if extra := o.kept.Len() - keptOutput; extra > 0 {
		o.kept.Next(extra)
	}
	return len(p), nil
}

// String is the output kept so far.
func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.kept.String()
}
