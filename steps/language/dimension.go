package language

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Dimension is one thing in which requests differ: a field with several values, the token, or the account that sends
// them. A request has one choice in each.
type Dimension struct {
	Name    string // "query status", "token"
	Choices []Choice
}

// Choice is one value of a dimension.
type Choice struct {
	Words   string // as the feature spells it
	Change  Change
	Under   Authorization // in the dimension "token"
	Account Account       // in the dimension "account"
	Wrong   bool          // a gateway must reject a request that has it: "wrong: FOO", "invalid"
}

// wrongMark begins a choice that is wrong.
const wrongMark = "wrong: "

// LeftOut is the choice of a field that a request lacks.
const LeftOut = "absent"

// everyWrongToken is a choice for each wrong way to send a token.
const everyWrongToken = "every wrong token"

// TokenDimension is the dimension of how a request carries a token.
const TokenDimension = "token"

// AccountDimension is the dimension of which account sends a request.
const AccountDimension = "account"

// everyChange are the changes of a request, and those that its choices may make.
func (s Send) everyChange() []Change {
	all := slices.Clone(s.Changes)
	for _, d := range s.Dimensions {
		for _, c := range d.Choices {
			all = append(all, c.Change)
		}
	}
	return all
}

// pairsOf reads a table in which each column is a dimension: its name, and below it its choices. Shorter columns end in
// empty cells.
func pairsOf(w *words, s *Send) {
	if len(w.table) < 2 {
		w.check(errors.New("expected a table with a name and values in each column"))
		return
	}
	for i, name := range w.table[0] {
		d := Dimension{Name: name}
		for _, row := range w.table[1:] {
			switch {
			case row[i] == "":
				continue
			case name == TokenDimension && row[i] == everyWrongToken:
				for _, under := range wrongTokens {
					d.Choices = append(d.Choices, Choice{Words: string(under), Under: under})
				}
				continue
			}
			c, err := choiceOf(name, row[i])
			w.check(err)
			d.Choices = append(d.Choices, c)
		}
		if len(d.Choices) == 0 {
			w.check(fmt.Errorf("the column %q has no values", name))
		}
		s.Dimensions = append(s.Dimensions, d)
	}
	if len(s.Dimensions) == 1 && !s.EveryShape {
		w.check(errors.New("expected two columns or more: with one, there are no pairs"))
	}
}

func choiceOf(name, spelled string) (c Choice, err error) {
	c.Words, c.Wrong = strings.CutPrefix(spelled, wrongMark)
	spelled = c.Words
	c.Wrong = c.Wrong || spelled == invalid
	switch {
	case name == TokenDimension:
		c.Under, err = authorizationOf(spelled)
	case name == AccountDimension:
		c.Account = Account(slices.Index(accounts, spelled))
		if c.Account < 0 {
			err = fmt.Errorf("expected the account or the other account, got %q", spelled)
		}
	case spelled == LeftOut && strings.HasPrefix(name, string(Query)+" "): // elsewhere, it is the text of the parameter
		c.Change = Change{Where: Query, Name: strings.TrimPrefix(name, string(Query)+" "), Value: Value{Kind: Absent}}
	default:
		c.Change, err = changeOf(name, spelled)
	}
	return c, err
}
