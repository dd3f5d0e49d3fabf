package executor

import (
	"fmt"
	"sync/atomic"

	"go.k6.io/k6/v2/lib"
)

// progress is how much of a scenario is over, 0 to 1, and where it stands, in words.
type progress func() (share float64, columns []string)

// bar is what k6's progress bar says of where a scenario stands. Of the bar an extension can
// only write the name on its left: k6 itself leaves it at "0% started".
type bar struct{ now atomic.Pointer[progress] }

func (b *bar) show(p progress) { b.now.Store(&p) }

// inBar is a configuration whose name tells where the scenario stands.
type inBar struct {
	lib.ExecutorConfig
	bar *bar
}

// barWidth is the most that k6 shows of a name. It gives a bar the width that the longest
// name has at the start.
const barWidth = 30

// GetName is the scenario's name, and where it stands.
func (b inBar) GetName() string {
	text := b.ExecutorConfig.GetName()
	if now := b.bar.now.Load(); now != nil {
		share, columns := (*now)()
		text = fmt.Sprintf("%s %.0f%% %s", text, 100*share, columns[0])
	}
	return fmt.Sprintf("%-*s", barWidth, text)
}
