// Package dimensions says in what the requests of a step differ, which combinations of choices it sends, and which pairs of
// choices they cover. It is pure: world sends the requests, run counts what was judged.
package dimensions

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/pixcert/pixcert/features/contract"
	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/covering"
	"github.com/pixcert/pixcert/steps/language"
)

// Pairs and Triples are how many choices occur together in every way.
const (
	Pairs   = 2
	Triples = 3
)

// Shape is the dimension of a step that speaks of every shape.
const Shape = "shape"

// Dimension is one thing in which the requests of a step differ.
type Dimension struct {
	Name    string // "query status", Shape, language.TokenDimension, language.AccountDimension
	Choices []Choice
}

// Choice is one value of a dimension: what it makes of a valid request.
type Choice struct {
	Words   string         // as the feature, or the contract, names it
	Shape   language.Shape // of the dimension Shape
	Changes []language.Change
	Under   language.Authorization // of the dimension of tokens; empty elsewhere
	Account language.Account       // of the dimension of accounts
	Wrong   bool                   // a gateway must reject a request that has it
}

// Chosen is the choice of one request in a dimension.
type Chosen struct {
	Dimension string
	Choice
}

// Of are the dimensions of a step, with the given shapes of its operation; none if it does not combine choices.
func Of(m language.Send, shapes []language.Shape) ([]Dimension, error) {
	if len(m.Dimensions) == 0 {
		return nil, nil
	}
	var all []Dimension
	if m.EveryShape {
		d := Dimension{Name: Shape}
		for _, s := range shapes {
			d.Choices = append(d.Choices, Choice{Words: s.Name, Shape: s, Changes: s.Changes})
		}
		all = append(all, d)
	}
	for _, spelled := range m.Dimensions {
		d := Dimension{Name: spelled.Name}
		for _, c := range spelled.Choices {
			if spelled.Name == language.TokenDimension || spelled.Name == language.AccountDimension {
				d.Choices = append(d.Choices, Choice{Words: c.Words, Under: c.Under, Account: c.Account, Wrong: c.Wrong})
				continue
			}
			samples, err := SamplesOf(m.Operation, c.Change)
			if err != nil {
				return nil, err
			}
			for _, s := range samples {
				change := c.Change
				change.Value = s.Value
				d.Choices = append(d.Choices, Choice{Words: cmp.Or(s.Name, c.Words), Changes: []language.Change{change}, Wrong: c.Wrong})
			}
		}
		all = append(all, d)
	}
	return all, nil
}

// Rows are combinations in which all choices of so many dimensions occur together. If some choices are wrong, each
// combination has one of them, so that it is to blame if the request is rejected, or accepted.
func Rows(dimensions []Dimension, strength int) (rows [][]Chosen) {
	right := rightOf(dimensions)
	hasWrong := false
	for i, d := range dimensions {
		for _, c := range d.Choices {
			if c.Wrong {
				hasWrong = true
				rows = append(rows, arrayOf(with(right, i, d.Name, c), strength-1)...)
			}
		}
	}
	if !hasWrong {
		return arrayOf(right, strength)
	}
	return rows
}

// Strength is how many choices of a step occur together if so many are wanted. What is accepted and moves money is only
// paired: the accounts of a scenario have the money for that.
func Strength(m language.Send, wanted int) int {
	moves := m.Operation.TakesMoney() || m.Operation.Makes == api.Refund
	for _, d := range m.Dimensions {
		moves = moves && !slices.ContainsFunc(d.Choices, func(c language.Choice) bool { return c.Wrong })
	}
	if moves {
		return min(wanted, Pairs)
	}
	return wanted
}

// rightOf are the dimensions without wrong choices.
func rightOf(dimensions []Dimension) []Dimension {
	right := make([]Dimension, len(dimensions))
	for i, d := range dimensions {
		right[i] = Dimension{d.Name, slices.DeleteFunc(slices.Clone(d.Choices), func(c Choice) bool { return c.Wrong })}
	}
	return right
}

// with are dimensions of which one has a single choice.
func with(dimensions []Dimension, i int, name string, only Choice) []Dimension {
	all := slices.Clone(dimensions)
	all[i] = Dimension{name, []Choice{only}}
	return all
}

func arrayOf(dimensions []Dimension, strength int) (rows [][]Chosen) {
	var sizes []int
	for _, d := range dimensions {
		sizes = append(sizes, len(d.Choices))
	}
	for _, array := range covering.Array(sizes, strength) {
		var row []Chosen
		for i, n := range array {
			row = append(row, Chosen{dimensions[i].Name, dimensions[i].Choices[n]})
		}
		rows = append(rows, row)
	}
	return rows
}

// Sample is a value with what is wrong with it; without a name if nothing is.
type Sample struct {
	Name  string
	Value language.Value
}

// MayBeAdded reports whether a field can be added to the body of any request that lacks it: see contract.MayBeAdded.
func MayBeAdded(op *api.Operation, field string) (bool, error) {
	described, err := describedBy(op)
	if err != nil {
		return false, err
	}
	return described.MayBeAdded(field)
}

func describedBy(op *api.Operation) (*contract.Operation, error) {
	openapi, err := contract.Load()
	if err != nil {
		return nil, err
	}
	described, ok := openapi.Operation(op.ID)
	if !ok {
		return nil, fmt.Errorf("the contract has no operation %s", op.ID)
	}
	return described, nil
}

// SamplesOf are the values that a change stands for, most often its own.
func SamplesOf(op *api.Operation, c language.Change) ([]Sample, error) {
	derive := map[language.ValueKind]func(*contract.Operation, string) ([]contract.Sample, error){
		language.Invalid: (*contract.Operation).Invalid, language.Mistyped: (*contract.Operation).Mistyped,
	}[c.Value.Kind]
	if derive == nil {
		return []Sample{{"", c.Value}}, nil
	}
	described, err := describedBy(op)
	if err != nil {
		return nil, err
	}
	samples, err := derive(described, c.Name)
	var all []Sample
	for _, s := range samples {
		v := language.Value{Kind: language.Absent}
		if s.JSON != nil {
			v = language.Value{Kind: language.Literal, JSON: s.JSON}
		}
		all = append(all, Sample{s.Name, v})
	}
	return all, err
}
