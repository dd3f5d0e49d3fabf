//go:build !unix

package run

import "time"

// cpuTime is not known here: the share of the processors is reported as none.
func cpuTime() time.Duration { return 0 }
