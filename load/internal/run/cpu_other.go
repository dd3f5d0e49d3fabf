//go:build !unix

package run

import "time"

// cpuTime is unknown on this system: the CPU usage is reported as 0.
func cpuTime() time.Duration { return 0 }
