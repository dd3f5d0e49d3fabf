package pix

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// maxDuration is longer than any clock can be advanced.
const maxDuration = 250 * 366 * 24 * time.Hour

// longUnits are the units that time.ParseDuration lacks.
var longUnits = map[string]time.Duration{"d": 24 * time.Hour, "w": 7 * 24 * time.Hour}

// ParseDuration reads a length of time that is not negative, in the units of Go, in days or in weeks: 31m, 89d, 2w.
func ParseDuration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	for name, unit := range longUnits {
		if digits, given := strings.CutSuffix(text, name); given {
			var n int64
			n, err = strconv.ParseInt(digits, 10, 32)
			if d = time.Duration(n) * unit; n > int64(maxDuration/unit) {
				d = maxDuration + 1
			}
		}
	}
	switch {
	case err != nil:
		return 0, fmt.Errorf("expected a duration such as 30s, 31m, 2h, 89d or 2w, got %q", text)
	case d < 0 || strings.HasPrefix(text, "-"):
		return 0, fmt.Errorf("expected a duration that is not negative, such as 31m, got %q", text)
	case d > maxDuration:
		return 0, fmt.Errorf("expected a duration of at most %dd, got %q", maxDuration/longUnits["d"], text)
	}
	return d, nil
}
