package replay

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
)

// counterparts maps values that mean the same thing on both sides: ids of the two runs, and ids
// that the gateways generated.
type counterparts struct {
	toReference map[string]string
	toTarget    map[string]string
}

func newCounterparts() counterparts {
	return counterparts{map[string]string{}, map[string]string{}}
}

// learn records two values as counterparts. It returns false if one of them already has another
// counterpart.
func (c counterparts) learn(target, reference string) bool {
	a, knownA := c.toReference[target]
	b, knownB := c.toTarget[reference]
	if knownA || knownB {
		return a == reference && b == target
	}
	c.toReference[target], c.toTarget[reference] = reference, target
	return true
}

func (c counterparts) hasReference(value string) bool {
	_, known := c.toTarget[value]
	return known
}

// same reports whether two strings mean the same: they are equal, are counterparts, or are equal
// after known values in them are replaced with their counterparts.
func (c counterparts) same(target, reference string) bool {
	if partner, known := c.toReference[target]; known {
		return partner == reference
	}
	if target == reference {
		return true
	}
	return c.translated(target) == reference
}

// shortestPart is the minimum length of a known value to be replaced inside others.
const shortestPart = 6

func (c counterparts) translated(target string) string {
	const most = 4 << 10
	if len(target) > most {
		return target
	}
	longest := ""
	for known := range c.toReference { // the longest: one may lie within another
		if len(known) < shortestPart || len(known) < len(longest) || !strings.Contains(target, known) {
			continue
		}
		if len(known) > len(longest) || known < longest {
			longest = known
		}
	}
	if longest == "" {
		return target
	}
	before, after, _ := strings.Cut(target, longest)
	return c.translated(before) + c.toReference[longest] + c.translated(after)
}

// learnRequests records what the suite sent in the same place on both sides: it means the same.
// An account is known from the response of the control that created it.
func (c counterparts) learnRequests(target, reference exchange.Exchange) {
	if target.Party != exchange.Webhook {
		c.learnBodies(target.Body, reference.Body)
	}
	if target.Party == exchange.Control && target.Operation == "accounts" {
		c.learnBodies(target.ResponseBody, reference.ResponseBody)
	}
	a, err := url.Parse(target.URL)
	b, errB := url.Parse(reference.URL)
	if err != nil || errB != nil {
		return
	}
	c.learn(a.Scheme+"://"+a.Host, b.Scheme+"://"+b.Host)
	x, y := strings.Split(a.Path, "/"), strings.Split(b.Path, "/")
	for i := 1; i <= min(len(x), len(y)); i++ { // from the end: base URLs may have a path
		c.learnText(x[len(x)-i], y[len(y)-i])
	}
	for name, values := range a.Query() {
		for i, value := range b.Query()[name] {
			if i < len(values) {
				c.learnText(values[i], value)
			}
		}
	}
}

func (c counterparts) learnBodies(target, reference []byte) {
	a, isA := decoded(target)
	b, isB := decoded(reference)
	if isA && isB {
		c.learnValues("", a, b)
	}
}

// learnValues records the strings and ids in two JSON values of the field of that name.
func (c counterparts) learnValues(member string, a, b any) {
	switch a := a.(type) {
	case map[string]any:
		b, _ := b.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(a)) {
			c.learnValues(name, a[name], b[name])
		}
	case []any:
		b, _ := b.([]any)
		for i := range min(len(a), len(b)) {
			c.learnValues(member, a[i], b[i])
		}
	case string:
		if b, isText := b.(string); isText {
			c.learnText(a, b)
		}
	case json.Number:
		if b, isNumber := b.(json.Number); isNumber && isID(member) {
			c.learnNumber(member, a, b)
		}
	}
}

// learnText records a string long enough to be a name. If it is the same on both sides, it is
// its own counterpart.
func (c counterparts) learnText(target, reference string) {
	if len(target) >= shortestPart && len(reference) >= shortestPart {
		c.learn(target, reference)
	}
}

// learnNumber is learn for a numeric id. Each field has its own numbers.
func (c counterparts) learnNumber(member string, target, reference json.Number) bool {
	return c.learn(member+" "+string(target), member+" "+string(reference))
}
