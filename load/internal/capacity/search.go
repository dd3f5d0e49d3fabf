// Package capacity finds the highest rate that a target sustains: the rate grows until a
// window fails, is then bisected, and confirmed by a longer window. The search itself is
// pure: it neither waits nor measures. Package executor drives it within k6.
package capacity

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Search is the state of a search. It is not safe for concurrent use.
//
// Neither a chance failure nor a chance success decides the result: the lowest rate that
// failed is tried a second time before it counts as the bound, and the rate found has to
// pass a longer window.
type Search struct {
	cfg      Config
	step     *Step // returned by Next, not judged yet
	held     float64
	failures []failure // above held, by rate
	descents int
	confirms int
	ended    bool
	curve    Curve
}

type failure struct {
	rate    float64
	times   int
	verdict Verdict
}

// New starts a search. An error names the wrong field of the configuration.
func New(cfg Config) (*Search, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Search{cfg: cfg, curve: Curve{Outcome: Interrupted, Precision: cfg.Precision, Hold: cfg.Hold}}, nil
}

// Purpose is why a window is run.
type Purpose string

// Purposes, in the order in which a search reaches them.
const (
	Grow    Purpose = "grow"
	Descend Purpose = "descend" // the first rate failed already
	Bisect  Purpose = "bisect"
	Recheck Purpose = "recheck" // the lowest rate that failed, once more
	Confirm Purpose = "confirm"
)

// Step is what to do next: wait up to Recovery until the backlog is empty, offer Rate for
// Warmup, continue with it for Window, and judge the window.
type Step struct {
	Purpose  Purpose
	Rate     float64       // per second
	Recovery time.Duration // 0: continue immediately
	Warmup   time.Duration
	Window   time.Duration
}

const (
	maxDescents  = 4 // below the first rate
	maxConfirms  = 4
	maxFailures  = 2 // of one rate, before it counts as the bound
	spareWindows = 6 // for chance: rechecks that passed, brackets bisected again
)

// Next is the step to run, the same one until it is judged. It returns false when the search
// has ended.
func (s *Search) Next() (Step, bool) {
	if s.ended {
		return Step{}, false
	}
	if s.step == nil {
		purpose, rate := s.decide()
		if rate == 0 {
			s.end(NoneHeld, 0)
			return Step{}, false
		}
		s.step = &Step{Purpose: purpose, Rate: rate, Warmup: s.cfg.Warmup, Window: s.cfg.Window}
		if purpose == Confirm {
			s.step.Window = s.cfg.Confirm
		}
		if last := len(s.curve.Points) - 1; last >= 0 && s.curve.Points[last].Verdict != Held {
			s.step.Recovery = s.cfg.Recovery
		}
	}
	return *s.step, true
}

// Judge judges the window of the step that Next returned. It panics if there is no such step.
func (s *Search) Judge(w Window) Point {
	step := s.step
	s.step = nil
	point := s.cfg.Hold.point(*step, w)
	s.curve.Points = append(s.curve.Points, point)
	if point.Verdict == Held {
		s.holds(step.Rate)
	} else {
		s.fails(step.Rate, point.Verdict)
	}
	switch {
	case step.Purpose == Descend:
		s.descents++
	case step.Purpose == Confirm && point.Verdict == Held:
		s.end(s.bounded(), step.Rate)
	case step.Purpose == Confirm:
		if s.confirms++; s.confirms == maxConfirms {
			s.end(Unconfirmed, 0)
		}
	}
	return point
}

// Curve is the result so far.
func (s *Search) Curve() Curve {
	curve := s.curve
	curve.Points = slices.Clone(curve.Points)
	curve.Held = s.held
	if len(s.failures) > 0 {
		curve.Limit = s.failures[0].rate
	}
	return curve
}

// decide is the purpose and rate of the next window; a zero rate means that no rate passed.
func (s *Search) decide() (Purpose, float64) {
	if s.confirms > 0 {
		return Confirm, s.below()
	}
	exhausted := len(s.curve.Points) >= s.cfg.maxWindows()
	switch {
	case s.held == 0 && len(s.failures) == 0:
		return Grow, s.cfg.Start
	case s.held == 0 && (exhausted || s.descents == maxDescents):
		return Descend, 0
	case s.held == 0:
		if rate := rounded(s.failures[0].rate / s.cfg.Growth); !s.cfg.few(rate) {
			return Descend, rate
		}
		return Descend, 0
	case exhausted || s.held >= s.cfg.Max:
		return Confirm, s.held
	case len(s.failures) == 0:
		return Grow, min(rounded(s.held*s.cfg.Growth), s.cfg.Max)
	}
	bound := s.failures[0]
	middle := rounded(math.Sqrt(s.held * bound.rate))
	switch {
	case bound.rate-s.held > s.cfg.Precision*bound.rate && s.held < middle && middle < bound.rate:
		return Bisect, middle
	case bound.times < maxFailures:
		return Recheck, bound.rate
	}
	return Confirm, s.held
}

// below is the rate to confirm after the last one failed to be confirmed.
func (s *Search) below() float64 {
	last := s.curve.Points[len(s.curve.Points)-1].Rate
	return rounded(last * (1 - s.cfg.Precision))
}

// holds discards the failures up to the rate: they were chance.
func (s *Search) holds(rate float64) {
	s.held = max(s.held, rate)
	s.failures = slices.DeleteFunc(s.failures, func(f failure) bool { return f.rate <= s.held })
}

func (s *Search) fails(rate float64, verdict Verdict) {
	at, known := slices.BinarySearchFunc(s.failures, rate, func(f failure, rate float64) int {
		return cmp.Compare(f.rate, rate)
	})
	if !known {
		s.failures = slices.Insert(s.failures, at, failure{rate: rate})
	}
	s.failures[at].times++
	s.failures[at].verdict = verdict
	if s.held >= rate { // refuted by the longer window
		s.held = 0
		for _, p := range s.curve.Points {
			if p.Verdict == Held && p.Rate < rate {
				s.held = max(s.held, p.Rate)
			}
		}
	}
}

// bounded is the outcome for a confirmed rate, depending on what happened above it.
func (s *Search) bounded() Outcome {
	switch {
	case len(s.failures) == 0 && s.held >= s.cfg.Max:
		return ReachedMax
	case len(s.failures) > 0 && s.failures[0].verdict == Generator:
		return GeneratorLimited
	}
	return Found
}

func (s *Search) end(outcome Outcome, rate float64) {
	if rate == 0 && len(s.failures) > 0 && s.failures[0].verdict == Generator {
		outcome = GeneratorLimited
	}
	s.ended = true
	s.curve.Outcome, s.curve.Rate = outcome, rate
}

// rounded rounds a rate for readability: to a whole number from 100 on.
func rounded(rate float64) float64 {
	if rate >= 100 {
		return math.Round(rate)
	}
	return math.Round(rate*100) / 100
}
