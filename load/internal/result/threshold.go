package result

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/pixcert/pixcert/load/internal/measure"
)

// Threshold is one limit with its verdict.
type Threshold struct {
	Metric     string             `json:"metric"` // as k6 writes it: pix_duration{operation:cash-out,from:intended,stat:p99}
	Expression string             `json:"expression"`
	Type       string             `json:"type,omitempty"`   // counter, gauge, rate, trend
	Values     map[string]float64 `json:"values,omitempty"` // of the metric, as in k6's summary
	Value      *float64           `json:"value"`            // what was compared with the limit; null: unknown
	OK         bool               `json:"ok"`               // did not fail; as with k6, a threshold without data does not fail
	NoData     bool               `json:"noData,omitempty"` // there was nothing to compare: it neither passed nor failed
	Basis      Basis              `json:"basis"`
	Aborts     bool               `json:"abortOnFail,omitempty"` // the run, if it fails
	TooFew     *TooFew            `json:"tooFew,omitempty"`      // values for its percentile, which is then the maximum
	Bounds     *Bounds            `json:"bounds,omitempty"`      // of its percentile, if that is one of pixcert's
}

// TooFew says that a percentile is of fewer values than it needs.
type TooFew struct {
	Percentile float64 `json:"percentile"`
	Values     int64   `json:"values"`
	Needed     int64   `json:"needed"`
}

func (f TooFew) String() string {
	return fmt.Sprintf("the maximum of %d values: a p%g needs %d", f.Values, f.Percentile, f.Needed)
}

// Confidence of [Bounds].
const Confidence = 0.95

// Bounds are between what the true percentile lies, with [Confidence], in milliseconds.
type Bounds struct {
	From    float64  `json:"from"`
	To      *float64 `json:"to"`                // nil: there are too few values
	Needed  int64    `json:"needed,omitempty"`  // values for an upper bound
	Seconds float64  `json:"seconds,omitempty"` // how long the run would have to be for them
}

// BoundsOf are the bounds of a quantile of some measurements of the run.
func (r Result) BoundsOf(h *measure.Histogram, q float64) *Bounds {
	if h.Count() == 0 || q >= 1 {
		return nil
	}
	from, to, bounded := h.Bounds(q, Confidence)
	if bounded {
		upper := milliseconds(to)
		return &Bounds{From: milliseconds(from), To: &upper}
	}
	needed := measure.Needed(q, Confidence)
	return &Bounds{From: milliseconds(from), Needed: needed, Seconds: math.Ceil(r.Ended.Sub(r.Started).Seconds() * float64(needed) / float64(h.Count()))}
}

// bounds are those of the percentile that a threshold limits; nil if it is none of pixcert's.
func (r Result) bounds(t Threshold) *Bounds {
	h, tags := r.limited(splitMetric(t.Metric))
	q := measure.QuantileNamed(tags["stat"])
	if h == nil || q == 0 {
		return nil
	}
	return r.BoundsOf(h, q)
}

// limited is the histogram that a metric with tags is about, and its own tags; nil: none.
func (r Result) limited(name string, tags map[string]string) (*measure.Histogram, map[string]string) {
	some, own, ok := r.about(name, tags)
	if !ok {
		return nil, own
	}
	h, _ := some.histogram(strings.TrimPrefix(name, "pix_"), own)
	return h, own
}

// tooFew says whether a threshold is on a percentile, above the median, of too few values.
func (r Result) tooFew(t Threshold) *TooFew {
	p, limited := Percentile(t.Expression)
	n := int64(t.Values["count"])
	if !limited {
		h, tags := r.limited(splitMetric(t.Metric))
		if p = 100 * measure.QuantileNamed(tags["stat"]); h == nil || p == 0 {
			return nil
		}
		n = h.Count()
	}
	needed := int64(math.Ceil(100/(100-p) - 1e-9))
	if p <= 50 || p == 100 || n == 0 || n >= needed {
		return nil
	}
	return &TooFew{Percentile: p, Values: n, Needed: needed}
}

// Basis is the data that a threshold's verdict is based on.
type Basis string

// Bases.
const (
	ByK6      Basis = "k6"        // k6's own verdict, of one instance
	EveryPart Basis = "instances" // passes if it passes in every instance
)

// judge compares values with the threshold.
func (t *Threshold) judge(values map[string]float64) error {
	e, err := parseExpression(t.Expression)
	if err != nil {
		return err
	}
	t.Values, t.Value, t.OK = maps.Clone(values), nil, true
	if value, ok := values[e.method]; ok {
		t.Value, t.OK = &value, e.holds(value)
	}
	return nil
}

// vacuous says whether the threshold had no data: no values, no balance, no payment or no
// repeat.
func (r Result) vacuous(t Threshold) bool {
	if values, own := r.values(t.Metric); own && len(values) == 0 {
		return true
	}
	name, _ := splitMetric(t.Metric)
	c := r.Ledger.Counts
	switch {
	case name == "pix_money_drift":
		return len(r.Accounts) == 0
	case name == "pix_double_debits":
		return c.RepeatsSent == 0
	case strings.HasPrefix(name, "pix_payments_"), strings.HasPrefix(name, "pix_webhooks_"):
		return c.PaymentsSent == 0 && c.WebhooksReceived == 0
	case t.Type == "rate":
		return t.Values["passes"]+t.Values["fails"] == 0
	}
	return false
}

// expression is a threshold's expression in k6's syntax:
//
//	method  operator  number
//	value | count | rate | avg | min | med | max | p(number)
//	<  <=  >  >=  ==  ===  !=
type expression struct {
	method   string // such as p(99.9), as in the keys of a metric's values
	operator string
	limit    float64
}

var syntax = regexp.MustCompile(`^\s*(value|count|rate|avg|min|med|max|p\((.+)\))\s*(===?|!=|[<>]=?)\s*(\S+)\s*$`)

func parseExpression(text string) (expression, error) {
	parts := syntax.FindStringSubmatch(text)
	if parts == nil {
		return expression{}, fmt.Errorf("threshold %q: expected a comparison such as value<500 or p(99.9)<=2000", text)
	}
	e := expression{method: parts[1], operator: parts[3]}
	if percentile := parts[2]; percentile != "" {
		p, err := strconv.ParseFloat(percentile, 64)
		if err != nil || !(p >= 0 && p <= 100) {
			return expression{}, fmt.Errorf("threshold %q: expected p(0…100), got %q", text, e.method)
		}
		e.method = fmt.Sprintf("p(%g)", p)
	}
	var err error
	if e.limit, err = strconv.ParseFloat(parts[4], 64); err != nil || math.IsNaN(e.limit) {
		return expression{}, fmt.Errorf("threshold %q: expected a number after %s, got %q", text, e.operator, parts[4])
	}
	return e, nil
}

// Percentile is the percentile that a threshold's expression limits; false if it limits
// something else.
func Percentile(text string) (float64, bool) {
	e, err := parseExpression(text)
	if err != nil {
		return 0, false
	}
	inner, ok := strings.CutPrefix(e.method, "p(")
	p, err := strconv.ParseFloat(strings.TrimSuffix(inner, ")"), 64)
	return p, ok && err == nil
}

func (e expression) holds(value float64) bool {
	switch e.operator {
	case "<":
		return value < e.limit
	case "<=":
		return value <= e.limit
	case ">":
		return value > e.limit
	case ">=":
		return value >= e.limit
	case "!=":
		return value != e.limit
	}
	return value == e.limit
}

// splitMetric parses a metric as k6 writes it: name{tag:value,tag:value}.
func splitMetric(metric string) (name string, tags map[string]string) {
	name, inner, _ := strings.Cut(strings.TrimSpace(metric), "{")
	tags = make(map[string]string)
	for pair := range strings.SplitSeq(strings.TrimSuffix(inner, "}"), ",") {
		if key, value, ok := strings.Cut(pair, ":"); ok {
			tags[unquote(key)] = unquote(value)
		}
	}
	return strings.TrimSpace(name), tags
}

func unquote(text string) string { return strings.Trim(strings.TrimSpace(text), `"'`) }
