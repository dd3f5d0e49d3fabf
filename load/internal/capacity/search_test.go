package capacity

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/load/internal/result"
)

func TestSearch(t *testing.T) {
	t.Parallel()
	// sustains is a gateway that passes up to a rate.
	sustains := func(most int, above result.Outcome) func(int) (Window, error) {
		return func(rate int) (Window, error) {
			if rate <= most {
				return Window{Verdict: result.Pass}, nil
			}
			return Window{Verdict: above, Reason: "because"}, nil
		}
	}
	gone := errors.New("no gateway responds")
	for name, c := range map[string]struct {
		from, to  int
		precision float64
		run       func(int) (Window, error)
		rates     []int
		text      string
		err       error
	}{
		"a capacity is found within the precision": {
			50, 20000, 0.05, sustains(730, result.Fail),
			[]int{50, 100, 200, 400, 800, 600, 700, 750, 725}, "capacity: 725/s; 750/s failed: because", nil,
		},
		"single rates are the finest gap": {1, 10, 0.001, sustains(6, result.Fail), []int{1, 2, 4, 8, 6, 7}, "capacity: 6/s; 7/s failed: because", nil},
		"the highest rate is tried once":  {50, 150, 0.05, sustains(1000, result.Fail), []int{50, 100, 150}, "capacity: at least 150/s, the highest rate tried", nil},
		"one rate":                        {80, 80, 0.05, sustains(1000, result.Fail), []int{80}, "capacity: at least 80/s, the highest rate tried", nil},
		"the first rate fails":            {50, 1000, 0.05, sustains(20, result.Fail), []int{50}, "no capacity found: 50/s failed: because", nil},
		"the generator is the bottleneck": {
			50, 1000, 0.05, sustains(300, result.Invalid),
			[]int{50, 100, 200, 400, 400}, "capacity: at least 200/s; 400/s was invalid twice, which says nothing about the gateway: because", nil,
		},
		"the generator is the bottleneck below a rate that failed": {
			100, 1000, 0.05, func(rate int) (Window, error) {
				return Window{Verdict: map[int]result.Outcome{100: result.Pass, 200: result.Fail, 150: result.Invalid}[rate], Reason: "because"}, nil
			},
			[]int{100, 200, 150, 150}, "capacity: at least 100/s; 150/s was invalid twice, which says nothing about the gateway: because", nil,
		},
		"the generator cannot offer anything": {50, 1000, 0.05, sustains(20, result.Invalid), []int{50, 50}, "no capacity found: 50/s was invalid twice: because", nil},
		"the machine was busy for a moment": {
			50, 100, 0.05, busyOnce(), []int{50, 100, 100}, "capacity: at least 100/s, the highest rate tried", nil,
		},
		"wrong money bounds the capacity": {
			100, 1000, 0.2, sustains(300, result.Wrong),
			[]int{100, 200, 400, 300, 350}, "capacity: 300/s; 350/s was wrong: because; wrong at 400/s: because", nil,
		},
		"wrong money at one rate is not forgotten": {
			100, 1000, 0.4, func(rate int) (Window, error) {
				return Window{Verdict: map[int]result.Outcome{100: result.Pass, 200: result.Wrong, 150: result.Fail}[rate], Reason: "because"}, nil
			},
			[]int{100, 200, 150}, "capacity: 100/s; 150/s failed: because; wrong at 200/s: because", nil,
		},
		"an interrupt": {
			100, 1000, 0.05, func(rate int) (Window, error) {
				return Window{Verdict: map[int]result.Outcome{100: result.Pass, 200: result.Fail, 150: result.Interrupted}[rate], Reason: "because"}, nil
			},
			[]int{100, 200, 150}, "interrupted: capacity: at least 100/s; 200/s failed: because", nil,
		},
		"an interrupt of the first window": {100, 1000, 0.05, sustains(10, result.Interrupted), []int{100}, "interrupted: no capacity found", nil},
		"an interrupted window may have a verdict": {
			100, 1000, 0.05, func(int) (Window, error) { return Window{Verdict: result.Wrong, Reason: "because", Stopped: true}, nil },
			[]int{100}, "interrupted: no capacity found: 100/s was wrong: because", nil,
		},
		"an error": {
			100, 1000, 0.05, func(rate int) (Window, error) {
				if rate == 150 {
					return Window{}, gone
				}
				return Window{Verdict: map[int]result.Outcome{100: result.Pass, 200: result.Fail}[rate], Reason: "because"}, nil
			},
			[]int{100, 200, 150}, "capacity: at least 100/s; 200/s failed: because", gone,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var rates []int
			found, err := Search(Config{c.from, c.to, c.precision}, func(rate int) (Window, error) {
				rates = append(rates, rate)
				return c.run(rate)
			})
			assert.Equal(t, c.rates, rates)
			assert.ErrorIs(t, err, c.err)
			assert.Equal(t, c.text, found.String())
		})
	}
}

// busyOnce passes at every rate, except that the second window is invalid.
func busyOnce() func(int) (Window, error) {
	n := 0
	return func(int) (Window, error) {
		if n++; n == 2 {
			return Window{Verdict: result.Invalid}, nil
		}
		return Window{Verdict: result.Pass}, nil
	}
}
