package progress

import (
	"fmt"
	"io"
	"time"

	"github.com/charmbracelet/x/ansi"
)

type line struct {
	w     io.Writer
	width int
	drawn bool
	last  time.Time
}

// redrawEvery limits redraws to twenty a second, so that the terminal does not cost more than
// the run.
const redrawEvery = 50 * time.Millisecond

// draw redraws the line, unless it was drawn a moment ago. The last column stays free: some
// terminals wrap when it is filled.
func (l *line) draw(now time.Time, text func() string) {
	if l.drawn && now.Sub(l.last) < redrawEvery {
		return
	}
	fmt.Fprint(l.w, "\r\x1b[K"+ansi.Truncate(text(), l.width-1, "…"))
	l.drawn, l.last = true, now
}

func (l *line) clear() {
	if l.drawn {
		fmt.Fprint(l.w, "\r\x1b[K")
		l.drawn = false
	}
}
