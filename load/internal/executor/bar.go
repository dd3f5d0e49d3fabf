package executor

import (
	"fmt"
	"sync/atomic"

	"go.k6.io/k6/v2/lib"
)

// progress is how much of a scenario is over, 0 to 1, and a description.
type progress func() (share float64, columns []string)

// bar shows the progress of a scenario in k6's progress bar. An extension can only change the
// name on the left; otherwise k6 would stay at "0% started".
type bar struct{ now atomic.Pointer[progress] }

func (b *bar) show(p progress) { b.now.Store(&p) }

// inBar is a configuration whose name shows the scenario's progress.
type inBar struct {
	lib.ExecutorConfig
	bar *bar
}

// barWidth is how much of a name k6 shows. k6 sets the width of the bar to that of the longest
// name at the start.
const barWidth = 30

// GetName is the scenario's name and progress.
func (b inBar) GetName() string {
	text := b.ExecutorConfig.GetName()
	if now := b.bar.now.Load(); now != nil {
		share, columns := (*now)()
		text = fmt.Sprintf("%s %.0f%% %s", text, 100*share, columns[0])
	}
	return fmt.Sprintf("%-*s", barWidth, text)
}
