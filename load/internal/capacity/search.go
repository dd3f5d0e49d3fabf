// Package capacity searches for the highest rate at which a run passes. Each rate is tried by a
// run of its own, a window.
package capacity

import (
	"fmt"

	"github.com/pixcert/pixcert/load/internal/result"
)

// Window is one run.
type Window struct {
	Rate    int // per second
	Verdict result.Outcome
	Reason  string  // why it did not pass
	P99     float64 // of responses, from the intended start, in milliseconds; 0: unknown
	Offered int64   // iterations, including those that were dropped
	Stopped bool    // by a signal, whatever the verdict
}

// Config of a search. Rates are per second.
type Config struct {
	From, To  int     // the first rate, and the highest to try
	Precision float64 // the largest gap between the rates of Passed and Failed, as a share of the latter
}

// Found is what a search knows at its end.
type Found struct {
	Passed  Window // with the highest rate that passed; zero: none did
	Failed  Window // with the lowest rate that did not because of the gateway; zero: none
	Invalid Window // that ended the search; zero: none
	Wrong   Window // the first whose payments, webhooks or money were wrong; zero: none
	Stopped bool   // by a signal
	Ended   bool   // the search found what it looked for: it was not cut short
}

// Search doubles the rate until a window fails, and then halves the gap. An invalid window is run again, in case the machine
// was busy. A second one ends the search, as do a stopped one and an error of run: what is known is returned with it.
func Search(c Config, run func(rate int) (Window, error)) (f Found, err error) {
	for rate := c.From; rate > 0; rate = f.next(c) {
		w, err := run(rate)
		if err == nil && w.Verdict == result.Invalid && !w.Stopped {
			w, err = run(rate)
		}
		if err != nil {
			return f, fmt.Errorf("at %d/s: %w", rate, err)
		}
		w.Rate = rate
		f.add(w)
		if f.Stopped || f.Invalid.Rate > 0 {
			return f, nil
		}
	}
	f.Ended = true
	return f, nil
}

func (f *Found) add(w Window) {
	switch w.Verdict {
	case result.Pass:
		f.Passed = w
	case result.Fail, result.Wrong:
		f.Failed = w
	case result.Invalid:
		f.Invalid = w
	}
	if w.Verdict == result.Wrong && f.Wrong.Rate == 0 {
		f.Wrong = w
	}
	f.Stopped = w.Stopped || w.Verdict == result.Interrupted
}

// next is the rate to try; 0 at the end of the search.
func (f *Found) next(c Config) int {
	low, high := f.Passed.Rate, f.Failed.Rate
	switch {
	case low == 0, low == c.To:
		return 0
	case high == 0:
		return min(2*low, c.To)
	case high-low <= 1, float64(high-low) <= c.Precision*float64(high):
		return 0
	}
	return low + (high-low)/2
}

// String is the result in one line.
func (f Found) String() string {
	text := f.bounds()
	if f.Wrong.Rate > 0 && f.Wrong != f.Failed {
		text += fmt.Sprintf("; wrong at %d/s: %s", f.Wrong.Rate, f.Wrong.Reason)
	}
	if f.Stopped {
		text = "interrupted: " + text
	}
	return text
}

func (f Found) bounds() string {
	failed := ""
	if w := f.Failed; w.Rate > 0 {
		failed = fmt.Sprintf("%d/s was %s: %s", w.Rate, w.Verdict, w.Reason)
		if w.Verdict == result.Fail {
			failed = fmt.Sprintf("%d/s failed: %s", w.Rate, w.Reason)
		}
	}
	switch {
	case f.Passed.Rate == 0 && f.Invalid.Rate > 0:
		return fmt.Sprintf("no capacity found: %d/s was invalid twice: %s", f.Invalid.Rate, f.Invalid.Reason)
	case f.Passed.Rate == 0 && failed == "":
		return "no capacity found"
	case f.Passed.Rate == 0:
		return "no capacity found: " + failed
	case f.Invalid.Rate > 0:
		return fmt.Sprintf("capacity: at least %d/s; %d/s was invalid twice, which says nothing about the gateway: %s", f.Passed.Rate, f.Invalid.Rate, f.Invalid.Reason)
	case failed == "":
		return fmt.Sprintf("capacity: at least %d/s, the highest rate tried", f.Passed.Rate)
	case !f.Ended:
		return fmt.Sprintf("capacity: at least %d/s; %s", f.Passed.Rate, failed)
	}
	return fmt.Sprintf("capacity: %d/s; %s", f.Passed.Rate, failed)
}
