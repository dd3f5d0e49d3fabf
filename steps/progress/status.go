package progress

import (
	"fmt"
	"io"
	"time"
)

// Status shows how far something is that is not a run of scenarios: a line that is redrawn or, in a log, one every ten
// seconds.
type Status struct {
	w    io.Writer
	now  func() time.Time
	live *line // nil if a line cannot be redrawn
	last time.Time
}

// NewStatus returns a Status that writes to w; nil, which shows nothing, if the output is quiet.
func NewStatus(w io.Writer, opts Options) *Status {
	if opts.Quiet {
		return nil
	}
	opts = opts.withDefaults()
	s := &Status{w: w, now: opts.Now, last: opts.Now()}
	if opts.Terminal {
		s.live = &line{w: w, width: opts.Width}
	}
	return s
}

// Show shows a state, if it is time.
func (s *Status) Show(state fmt.Stringer) {
	const every = 10 * time.Second
	switch {
	case s == nil:
	case s.live != nil:
		s.live.draw(s.now(), state.String)
	case s.now().Sub(s.last) >= every:
		s.last = s.now()
		fmt.Fprintln(s.w, state)
	}
}

// Clear removes the line.
func (s *Status) Clear() {
	if s != nil && s.live != nil {
		s.live.clear()
	}
}
