package exchange

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/shell"
)

// StandIn is a value of a run that a shell variable replaces in a command.
type StandIn struct {
	Value    string
	After    string // what must precede the value; empty for anything
	Variable string // without its dollar sign
}

// in finds where the value occurs in a text, unless it is only the beginning of a longer name.
func (i StandIn) in(s string) []secret {
	var found []secret
	sought := i.After + i.Value
	for at := 0; i.Value != ""; {
		next := strings.Index(s[at:], sought)
		if next < 0 {
			break
		}
		from := at + next + len(i.After)
		at = from + len(i.Value)
		if at == len(s) || !shell.InName(s[at]) {
			found = append(found, secret{from: from, to: at, variable: i.Variable})
		}
	}
	return found
}

// variable returns the name of a variable of the account of e.
func (e Exchange) variable(name string) string {
	if e.Other && name != "CONTROL_TOKEN" {
		return "OTHER_" + name
	}
	return name
}

// parts splits s at its secrets and at the values that have a stand-in.
func (e Exchange) parts(s string, secrets []secret, standIns []StandIn) []shell.Part {
	var cut []shell.Part
	kept := 0
	for i := range secrets {
		secrets[i].variable = e.variable(secrets[i].variable)
	}
	for _, standIn := range standIns {
		secrets = append(secrets, standIn.in(s)...)
	}
	slices.SortStableFunc(secrets, func(a, b secret) int { return cmp.Compare(a.from, b.from) })
	secrets = apart(secrets)
	for _, secret := range secrets {
		cut = append(cut, shell.Part{Text: s[kept:secret.from]}, shell.Part{Variable: secret.variable})
		kept = secret.to
	}
	return append(cut, shell.Part{Text: s[kept:]})
}
