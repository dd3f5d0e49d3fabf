package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/preset"
	"github.com/pixcert/pixcert/load/internal/result"
)

// fact is a labelled value.
type fact struct{ Label, Value string }

// runName is the run's name, if it has one, and its id.
func runName(r result.Result) string {
	if r.Name == "" {
		return r.Run
	}
	return visible(r.Name) + " (" + r.Run + ")"
}

// about says which run this is.
func about(r result.Result) []fact {
	instances := "1 instance"
	if r.Instances > 1 {
		instances = fmt.Sprintf("instance %d of %d", r.Instance, r.Instances)
		if len(r.Parts) > 0 {
			instances = fmt.Sprintf("%d of %d instances", len(r.Parts), r.Instances)
		}
		if r.Segment != "" {
			instances += ", segment " + r.Segment
		}
	}
	took := r.Ended.Sub(r.Started).Round(time.Second).String()
	if r.Warmup > 0 {
		took += fmt.Sprintf(", including %s warm-up", time.Duration(r.Warmup*float64(time.Second)))
	}
	script := r.Script
	if r.Profile != "" {
		script = strings.TrimPrefix(script+", profile "+r.Profile, ", ")
	}
	facts := []fact{
		{"run", runName(r) + ", " + instances},
		{"started", r.Started.UTC().Format("2006-01-02 15:04:05 UTC") + ", took " + took},
		{"target", visible(r.Target)},
		{"script", visible(script)},
	}
	return slices.DeleteFunc(facts, func(f fact) bool { return f.Value == "" })
}

// environment is the versions and the machine of the generator.
func environment(e result.Environment) string {
	var parts []string
	for _, p := range []struct {
		label, value string
	}{{"pixcert ", e.Pixcert}, {"k6 ", e.K6}, {"", e.Go}, {"", e.OS}} {
		if p.value != "" {
			parts = append(parts, p.label+p.value)
		}
	}
	if e.CPUs > 0 {
		parts = append(parts, plural(int64(e.CPUs), "CPU", "CPUs"))
	}
	if len(parts) == 0 {
		return "unknown environment"
	}
	return strings.Join(parts, ", ")
}

// measuredWhich says which requests were measured, unless all of them were.
func measuredWhich(r result.Result) string {
	s := ""
	if r.Warmup > 0 {
		s += " after the warm-up"
	}
	if r.Ledger.Counts.RepeatsSent > 0 {
		s += " (a payment and its repeat count as one)"
	}
	return s
}

// payments says how many were sent, and how the gateway responded.
func payments(r result.Result) string {
	c := r.Ledger.Counts
	sent := plural(c.PaymentsSent, "payment", "payments")
	if r.Warmup > 0 {
		sent += ", including the warm-up"
	}
	if c.RepeatsSent > 0 {
		sent += ", and " + plural(c.RepeatsSent, "deliberate repeat", "deliberate repeats")
	}
	unsent := min(r.Ledger.Unsent, c.PaymentsRefused)
	s := fmt.Sprintf("%s: %s accepted, %s refused (4xx), %s unheard", sent, count(c.PaymentsAccepted), count(c.PaymentsRefused-unsent), count(c.PaymentsUnheard))
	if unsent > 0 {
		s += fmt.Sprintf(", %s never sent (no connection)", count(unsent))
	}
	return s
}

// precision is how precisely the slowest percentiles of the most frequent operation are known.
func precision(r result.Result) string {
	for _, name := range busiest(r)[:min(1, len(r.Operations))] {
		h := r.Operations[name].Intended
		if h.Resolves(0.99) {
			return fmt.Sprintf("95%% confidence for %s: p99 %s, p99.9 %s", name, bounds(r.BoundsOf(h, 0.99)), bounds(r.BoundsOf(h, 0.999)))
		}
	}
	return ""
}

// early counts the webhooks that arrived before the response to their payment.
func early(r result.Result) string {
	if n := r.Delivery.Acceptance.Zeros(); n > 0 {
		return plural(n, "webhook", "webhooks") + " arrived before the response to the payment, counted as 0 from acceptance"
	}
	return ""
}

// unheard says what became of the payments without a conclusive response, if there are any.
func unheard(c ledger.Counts) string {
	if c.PaymentsUnheard == 0 {
		return ""
	}
	unknown := min(c.PaymentsUnknown+c.PaymentsUntold, c.PaymentsUnheard)
	taken := max(0, c.PaymentsUnheard-c.PaymentsAbsent-unknown)
	return fmt.Sprintf("%s: %s accepted after all, %s never accepted (absent), %s unknown",
		plural(c.PaymentsUnheard, "payment unheard", "payments unheard"), count(taken), count(c.PaymentsAbsent), count(unknown))
}

// thrown says how many iterations threw an error in the script; empty if none did.
func thrown(r result.Result) string {
	if r.Threw() == 0 {
		return ""
	}
	return fmt.Sprintf("%s of %s threw an error: see k6's log", count(r.Threw()), plural(r.Iterations, "iteration", "iterations"))
}

// dropped says how many iterations could not be started.
func dropped(r result.Result) string { return count(r.Dropped) + " dropped" }

// strays counts requests that may explain lost webhooks: the gateway may have sent them to
// the wrong URL.
func strays(r result.Result) string {
	if r.Strays == 0 {
		return ""
	}
	return plural(r.Strays, "request to the webhook listener was not a webhook", "requests to the webhook listener were not webhooks") +
		": wrong path or method, or a truncated body"
}

// grouped groups items by a key, both in their order.
func grouped[T any](items []T, key func(T) string) (keys []string, groups [][]T) {
	for _, item := range items {
		of := key(item)
		at := slices.Index(keys, of)
		if at < 0 {
			at, keys, groups = len(keys), append(keys, of), append(groups, nil)
		}
		groups[at] = append(groups[at], item)
	}
	return keys, groups
}

// pace is how fast requests were sent.
type pace struct {
	Mean, Peak float64 // requests a second, from the first to the last
}

func paceOf(r result.Result) pace {
	var p pace
	var sent, first, last int64
	length := max(r.Timeline.Seconds, 1)
	for _, i := range r.Timeline.Intervals {
		n := i.Total().Started
		if n == 0 {
			continue
		}
		if sent == 0 {
			first = i.At
		}
		last = i.At + length
		sent += n
		p.Peak = max(p.Peak, float64(n)/float64(length))
	}
	if seconds := float64(last - first); seconds > 0 {
		p.Mean = float64(sent) / seconds
	}
	// Intervals are whole clock seconds: of a short run they cut off a part.
	if exact := r.Total().Rate(); exact > 0 {
		p.Mean = exact
	}
	p.Peak = max(p.Peak, p.Mean)
	return p
}

// sourceOf is a preset's source with its date.
func sourceOf(p preset.Source) string {
	if p.Date == "" {
		return p.Source
	}
	return p.Source + " (" + p.Date + ")"
}

// late says how much of the latencies the generator itself may have caused, if that is
// noticeable, and how many iterations it dropped.
func late(r result.Result) string {
	var parts []string
	if shares := r.Shares(); len(shares) > 0 && float64(shares[0].Measured-shares[0].Least) > noticed*float64(shares[0].Measured) {
		parts = append(parts, shares[0].String())
	}
	if r.Dropped > 0 && r.Validity.Valid && !r.DroppedTooMany(r.Dropped) {
		parts = append(parts, fmt.Sprintf("%s of %s iterations were dropped: too few to move a p99", count(r.Dropped), count(r.Iterations+r.Dropped)))
	}
	return joined(parts...)
}

// noticed is the share of a p99 from which the generator's delays are reported.
const noticed = 0.01
