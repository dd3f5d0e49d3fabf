package result

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/measure"
)

// tag of a metric, with its possible values.
type tag struct {
	name     string
	values   []string
	optional bool // the metric also has a total without the tag
}

var (
	operations = operationNames()
	operation  = tag{name: "operation", values: operations}
	stat       = tag{name: "stat", values: statistics()}
)

// Metric is one of pixcert's own.
type Metric struct {
	Counter bool // otherwise a gauge
	Time    bool // in milliseconds
	whole   bool // about the whole run, and not about the calls of an origin
	tags    []tag
}

// Metrics are pixcert's own metrics by name: those below, and the counts of the ledger.
var Metrics = func() map[string]Metric {
	all := map[string]Metric{
		"pix_duration":             {Time: true, tags: []tag{operation, {name: "from", values: []string{"send", "intended"}}, stat}},
		"pix_duration_now":         {Time: true, whole: true, tags: []tag{operation, {name: "from", values: []string{"intended"}}, stat}},
		"pix_webhook_delivery":     {Time: true, tags: []tag{{name: "from", values: []string{"acceptance", "intended"}}, stat}},
		"pix_webhook_delivery_now": {Time: true, whole: true, tags: []tag{{name: "from", values: []string{"acceptance"}}, stat}},
		"pix_schedule_lag":         {Time: true, tags: []tag{stat}},
		"pix_hiccup":               {Time: true, whole: true, tags: []tag{stat}},
		"pix_failed":               {tags: []tag{{name: "operation", values: operations, optional: true}}},
		"pix_tokens_rejected":      {Counter: true, tags: []tag{{name: "operation", values: operations, optional: true}}},
		"pix_backlog":              {whole: true},
		"pix_invalid":              {Counter: true, whole: true},
		"pix_iterations_thrown":    {Counter: true, whole: true},
	}
	for name := range (ledger.Counts{}).All() {
		all["pix_"+name] = Metric{Counter: true, whole: ledger.Unattributed(name)}
	}
	return all
}()

// tagsOf separates a metric's own tags from those of the calls that it is about.
func tagsOf(metric string, tags map[string]string) (own, origin map[string]string) {
	own, origin = map[string]string{}, map[string]string{}
	for name, value := range tags {
		if slices.ContainsFunc(Metrics[metric].tags, func(t tag) bool { return t.name == name }) {
			own[name] = value
		} else {
			origin[name] = value
		}
	}
	return own, origin
}

// OriginTags are the tags of calls to which a threshold on one of pixcert's metrics is limited.
func OriginTags(threshold string) map[string]string {
	metric, tags := splitMetric(threshold)
	if !strings.HasPrefix(metric, "pix_") || Metrics[metric].whole {
		return nil
	}
	_, origin := tagsOf(metric, tags)
	return origin
}

// CheckThreshold returns an error if a threshold's metric, as in options.thresholds, can
// never have a value: k6 passes a threshold on a combination of tags that does not exist.
// The error lists what exists. Which tags calls will have is not known before, except the
// names of scenarios, the tags of the whole test (options.tags) and the declared ones: see
// [Result.Unseen]. Of k6's own metrics, only the scenario is checked, and of a script's own metrics
// nothing.
func CheckThreshold(metric string, test map[string]string, scenarios []string, declared TagValues) error {
	metricName, tags := splitMetric(metric)
	if name, given := tags["scenario"]; given && ofCalls(metricName) && test["scenario"] != name && !slices.Contains(scenarios, name) && !declared.has("scenario", name) {
		return fmt.Errorf("threshold on %s: expected the tag scenario to be one of %s, got %q; if a call sets it, declare it with the option tagValues", metric, strings.Join(scenarios, ", "), name)
	}
	if !strings.HasPrefix(metricName, "pix_") {
		return nil
	}
	of, known := Metrics[metricName]
	if !known {
		return fmt.Errorf("threshold on %s: expected a metric of pixcert, got %s; see Metrics in the README", metric, metricName)
	}
	for _, t := range of.tags {
		value, given := tags[t.name]
		switch {
		case given && !slices.Contains(t.values, value):
			return fmt.Errorf("threshold on %s: expected the tag %s to be one of %s, got %q", metric, t.name, strings.Join(t.values, ", "), value)
		case !given && !t.optional:
			return fmt.Errorf("threshold on %s: expected the tag %s, as in %s; without it, the threshold is compared with whichever value came last", metric, t.name, example(metricName, of.tags))
		}
	}
	_, origin := tagsOf(metricName, tags)
	for _, name := range slices.Sorted(maps.Keys(origin)) {
		if value, set := test[name]; set && value == origin[name] {
			continue
		}
		if of.whole {
			return fmt.Errorf("threshold on %s: expected %s: this metric is about the whole run and has no tag %s:%s", metric, example(metricName, of.tags), name, tags[name])
		}
	}
	return nil
}

// Unseen are the reasons why a run is invalid because a threshold is on tags that no call had. In a
// run that was stopped, a scenario may not have begun.
func (r Result) Unseen() (reasons []Reason) {
	if r.Interrupted {
		return nil
	}
	for _, t := range r.Thresholds {
		reason := Reason{Figure: UnseenTags, Instance: r.Instance, Detail: "no call had the tags of the threshold on " + t.Metric}
		tags := OriginTags(t.Metric)
		maps.DeleteFunc(tags, r.TagValues.has)
		if _, seen := r.from(tags); (!seen || r.misspelt(t)) && !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	return reasons
}

// Doubted says whether a threshold on one of k6's or the script's metrics had no data, with tags that
// neither [CheckThreshold] has checked nor the script declares. The tags of pixcert's own are either
// right or make the run invalid.
func (r Result) Doubted(t Threshold) bool {
	metric, tags := splitMetric(t.Metric)
	maps.DeleteFunc(tags, r.TagValues.has)
	if ofCalls(metric) {
		delete(tags, "scenario")
	}
	return t.NoData && len(tags) > 0 && !strings.HasPrefix(metric, "pix_")
}

// TagValues are those that a script declares, by tag: calls may have them.
type TagValues map[string][]string

func (v TagValues) has(tag, value string) bool { return slices.Contains(v[tag], value) }

// SystemTags are the tags that k6 itself sets.
var SystemTags = []string{
	"check", "error", "error_code", "expected_response", "group", "ip", "iter", "method", "name", "ocsp_status", "proto",
	"scenario", "service", "status", "subproto", "tls_version", "url", "vu",
}

// ofCalls says whether a metric of pixcert or k6 has the tags of a scenario.
func ofCalls(metric string) bool {
	of, known := Metrics[metric]
	return known && !of.whole || slices.Contains(k6Metrics, metric) || metric == "checks" || metric == "group_duration"
}

// k6Metrics are k6's own with the tags of requests or iterations. A script's own metrics may be named
// like them, and have any tags.
var k6Metrics = []string{
	"http_reqs", "http_req_failed", "http_req_duration", "http_req_blocked", "http_req_connecting", "http_req_tls_handshaking",
	"http_req_sending", "http_req_waiting", "http_req_receiving", "iterations", "iteration_duration", "dropped_iterations",
}

// misspelt says whether a threshold on one of k6's metrics has a tag that k6 does not set, and that no
// call and no other threshold with data has. One without data may be right, such as that on a status
// that no response had, or on a tag's value that no request of the script had.
func (r Result) misspelt(t Threshold) bool {
	metric, tags := splitMetric(t.Metric)
	if !t.NoData || !slices.Contains(k6Metrics, metric) {
		return false
	}
	for name, value := range tags {
		ofCall := func(o Origin) bool { _, ok := o.Tags[name]; return ok }
		ofOther := func(o Threshold) bool {
			metric, tags := splitMetric(o.Metric)
			_, ok := tags[name]
			return ok && !o.NoData && slices.Contains(k6Metrics, metric)
		}
		if !r.TagValues.has(name, value) && !slices.Contains(SystemTags, name) && !slices.ContainsFunc(r.Origins, ofCall) && !slices.ContainsFunc(r.Thresholds, ofOther) {
			return true
		}
	}
	return false
}

// example is a metric with the tags that a threshold has to set.
func example(name string, tags []tag) string {
	var pairs []string
	for _, t := range tags {
		if !t.optional {
			pairs = append(pairs, t.name+":…")
		}
	}
	if len(pairs) == 0 {
		return name
	}
	return name + "{" + strings.Join(pairs, ",") + "}"
}

func statistics() (names []string) {
	for _, q := range measure.Quantiles {
		names = append(names, q.Name)
	}
	return names
}

func operationNames() []string {
	var names []string
	for _, o := range gateway.Operations() {
		names = append(names, string(o))
	}
	return names
}
