package baseline

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
)

// what is which failure an entry lists, in whichever words it is reported. Entries of earlier versions have none.
type what struct {
	Kind              verdict.Kind      `yaml:"kind,omitempty"`
	Field             string            `yaml:"field,omitempty"`             // without indexes: data[].status
	Status            int               `yaml:"status,omitempty"`            // of the response: to a request, or that breaks the contract
	Code              string            `yaml:"code,omitempty"`              // of the response to a request
	Variant           string            `yaml:"variant,omitempty"`           // of that request
	MustFail          bool              `yaml:"mustFail,omitempty"`          // it should have been rejected
	Direction         verdict.Direction `yaml:"direction,omitempty"`         // in which a balance moved
	ExpectedDirection verdict.Direction `yaml:"expectedDirection,omitempty"` // in which it should have, or must not
	Stranger          bool              `yaml:"stranger,omitempty"`          // a transaction is listed that nobody made
}

// whatFields are the names of its fields.
var whatFields = []string{"kind", "field", "status", "code", "variant", "mustFail", "direction", "expectedDirection", "stranger"}

// whatOf is what a failure is; empty if a report of an earlier version does not say it.
func whatOf(s verdict.Scenario) what {
	if !s.IsTyped() {
		return what{}
	}
	is := s.Identity()
	a := is.About
	return what{
		Kind: a.Kind, Field: is.Field, Status: a.Status, Code: a.Code, Variant: a.Variant, MustFail: a.MustFail,
		Direction: a.Got, ExpectedDirection: a.Expected, Stranger: a.Stranger,
	}
}

// identity is that of the failure that an entry lists.
func (w written) identity() verdict.Identity {
	about := verdict.About{
		Kind: w.What.Kind, Status: w.What.Status, Code: w.What.Code, Variant: w.What.Variant, MustFail: w.What.MustFail,
		Got: w.What.Direction, Expected: w.What.ExpectedDirection, Stranger: w.What.Stranger,
	}
	return verdict.IdentityOf(w.Operation, about, w.What.Field, w.Expected, w.Got)
}

// what reads a field of an entry that says which failure it is; false for another one.
func (p *problems) what(w *what, name string, value *yaml.Node) bool {
	switch name {
	case "field":
		w.Field = p.text(name, value)
	case "code":
		w.Code = p.text(name, value)
	case "variant":
		w.Variant = p.text(name, value)
	case "kind":
		w.Kind = choice(p, name, value, verdict.Kinds)
	case "direction":
		w.Direction = choice(p, name, value, verdict.Directions)
	case "expectedDirection":
		w.ExpectedDirection = choice(p, name, value, verdict.Directions)
	case "status":
		if value.Decode(&w.Status) != nil {
			p.add(value.Line, "status: expected an HTTP status such as 400, got %s", exchange.Line(value.Value))
		}
	case "mustFail", "stranger":
		if value.Decode(map[string]*bool{"mustFail": &w.MustFail, "stranger": &w.Stranger}[name]) != nil {
			p.add(value.Line, "%s: expected true or false, got %s", name, exchange.Line(value.Value))
		}
	default:
		return false
	}
	return true
}

// choice reads one of several words.
func choice[T ~string](p *problems, name string, node *yaml.Node, of []T) T {
	one := T(p.text(name, node))
	if node.Kind == yaml.ScalarNode && !slices.Contains(of, one) {
		p.add(node.Line, "%s: expected %s, got %s", name, oneOf(of), exchange.Line(node.Value))
	}
	return one
}

// oneOf lists words: "rejection, movement or other".
func oneOf[T ~string](words []T) string {
	var all []string
	for _, word := range words {
		all = append(all, string(word))
	}
	last := len(all) - 1
	return fmt.Sprintf("%s or %s", strings.Join(all[:last], ", "), all[last])
}
