package result

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Threshold is one limit with its verdict.
type Threshold struct {
	Metric     string             `json:"metric"` // as k6 writes it: pix_duration{operation:cash-out,from:intended,stat:p99}
	Expression string             `json:"expression"`
	Type       string             `json:"type,omitempty"`   // counter, gauge, rate, trend
	Values     map[string]float64 `json:"values,omitempty"` // of the metric, as k6's summary has them
	Value      *float64           `json:"value"`            // what was held against the limit; null: not known
	OK         bool               `json:"ok"`               // did not fail; as with k6, a limit on what was not measured does not
	NoData     bool               `json:"noData,omitempty"` // there was nothing to hold against the limit: it neither holds nor failed
	Basis      Basis              `json:"basis"`
}

// Basis is what a threshold's verdict rests on.
type Basis string

// Bases.
const (
	ByK6      Basis = "k6"        // k6's own verdict, of one instance
	OnMerged  Basis = "merged"    // judged again on the merged data
	EveryPart Basis = "instances" // holds when it holds in every instance: its data do not merge
)

// judge holds values against the threshold.
func (t *Threshold) judge(values map[string]float64) error {
	e, err := parseExpression(t.Expression)
	if err != nil {
		return err
	}
	t.Values, t.Value, t.OK = values, nil, true
	if value, ok := values[e.method]; ok {
		t.Value, t.OK = &value, e.holds(value)
	}
	return nil
}

// vacuous says whether there was nothing that the threshold could hold or not: no values,
// no balance, no payment, no repeat.
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

// expression is a threshold's expression as k6 has it:
//
//	method  operator  number
//	value | count | rate | avg | min | med | max | p(number)
//	<  <=  >  >=  ==  ===  !=
type expression struct {
	method   string // p(99.9) as k6 spells it among a metric's values
	operator string
	limit    float64
}

// operators, of which each comes before those that it begins with.
var operators = [...]string{"===", "==", "!=", "<=", ">=", "<", ">"}

var methods = [...]string{"value", "count", "rate", "avg", "min", "med", "max"}

func parseExpression(text string) (expression, error) {
	at := strings.IndexAny(text, "<>=!")
	if at < 0 {
		return expression{}, fmt.Errorf("threshold %q: expected a comparison as in value<500, found none", text)
	}
	method, rest := strings.TrimSpace(text[:at]), text[at:]
	e := expression{}
	for _, operator := range operators {
		if right, ok := strings.CutPrefix(rest, operator); ok {
			e.operator, rest = operator, strings.TrimSpace(right)
			break
		}
	}
	if e.operator == "" {
		return expression{}, fmt.Errorf("threshold %q: expected an operator out of %s", text, strings.Join(operators[:], " "))
	}
	var err error
	if e.method, err = parseMethod(method); err != nil {
		return expression{}, fmt.Errorf("threshold %q: %w", text, err)
	}
	if e.limit, err = strconv.ParseFloat(rest, 64); err != nil || math.IsNaN(e.limit) {
		return expression{}, fmt.Errorf("threshold %q: expected a number after %s, got %q", text, e.operator, rest)
	}
	return e, nil
}

func parseMethod(text string) (string, error) {
	for _, method := range methods {
		if text == method {
			return method, nil
		}
	}
	inner, opened := strings.CutPrefix(text, "p(")
	inner, closed := strings.CutSuffix(inner, ")")
	if opened && closed {
		if p, err := strconv.ParseFloat(inner, 64); err == nil && p >= 0 && p <= 100 {
			return fmt.Sprintf("p(%g)", p), nil
		}
	}
	return "", fmt.Errorf("expected one of %s or p(0…100), got %q", strings.Join(methods[:], " "), text)
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

// splitMetric takes a metric apart as k6 writes it: name{tag:value,tag:value}.
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
