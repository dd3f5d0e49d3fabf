package result

import (
	"regexp"
	"strconv"
	"strings"
)

// Threshold is one limit with k6's verdict.
type Threshold struct {
	Metric     string  `json:"metric"` // as k6 writes it: pix_req_duration{operation:cash-out}
	Expression string  `json:"expression"`
	Value      float64 `json:"value"` // what was compared with the limit; 0 without data
	Time       bool    `json:"time"`  // milliseconds
	OK         bool    `json:"ok"`
	NoData     bool    `json:"noData,omitempty"`      // there was nothing to compare: k6 compares 0. A counter without a sample is 0
	Aborts     bool    `json:"abortOnFail,omitempty"` // the run, if it fails
}

// name of the metric, without tags.
func (t Threshold) name() string {
	name, _, _ := strings.Cut(t.Metric, "{")
	return name
}

// limit of a threshold's expression, in k6's syntax:
//
//	method  operator  number
//	value | count | rate | avg | min | med | max | p(number)
type limit struct {
	Method     string
	Percentile float64 // of p(number), med and max; 0: of another
	operator   string
	number     float64
}

var syntax = regexp.MustCompile(`^\s*(value|count|rate|avg|min|med|max|p\((.+)\))\s*(===?|!=|[<>]=?)\s*(\S+)\s*$`)

// Limit parses a threshold's expression, which k6 has accepted.
func Limit(expression string) (l limit) {
	parts := syntax.FindStringSubmatch(expression)
	if parts == nil {
		return limit{}
	}
	l = limit{Method: parts[1], operator: parts[3]}
	l.Percentile = map[string]float64{"med": 50, "max": 100}[l.Method]
	if parts[2] != "" {
		l.Percentile, _ = strconv.ParseFloat(parts[2], 64)
	}
	l.number, _ = strconv.ParseFloat(parts[4], 64)
	return l
}

// IsZero says whether the limit is that nothing is there.
func (l limit) IsZero() bool { return l.number == 0 && strings.HasPrefix(l.operator, "==") }

func (l limit) holds(value float64) bool {
	switch l.operator {
	case "<":
		return value < l.number
	case "<=":
		return value <= l.number
	case ">":
		return value > l.number
	case ">=":
		return value >= l.number
	case "!=":
		return value != l.number
	}
	return value == l.number
}

// mayBeDelayed says whether a threshold on a latency that failed might have passed with a generator that is never late.
func (r Result) mayBeDelayed(t Threshold) bool {
	l := Limit(t.Expression)
	of := r.Generator.Requests
	if strings.HasPrefix(t.name(), "pix_webhook") {
		of = r.Generator.Webhooks
	}
	if !of.delayed() {
		return false
	}
	for i, p := range Percentiles {
		if p >= l.Percentile && i < len(of.Least) {
			return l.holds(t.Value - (of.Measured[i] - of.Least[i]))
		}
	}
	return true // an average
}

// slight is the share of a p99 that a generator may add without anybody minding.
const slight = 0.1

// delayed says whether the generator itself may have caused more than a slight part of the p99.
func (l Latencies) delayed() bool {
	const p99 = 4 // of Percentiles
	return l.Count >= 100 && len(l.Least) > p99 && l.Measured[p99]-l.Least[p99] > slight*l.Measured[p99]
}
