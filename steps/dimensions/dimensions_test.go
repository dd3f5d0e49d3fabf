package dimensions

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
)

// dimensionOf has right choices and wrong ones.
func dimensionOf(name string, right []string, wrong ...string) Dimension {
	d := Dimension{Name: name}
	for _, words := range right {
		d.Choices = append(d.Choices, Choice{Words: words})
	}
	for _, words := range wrong {
		d.Choices = append(d.Choices, Choice{Words: words, Wrong: true})
	}
	return d
}

func TestEachWrongChoiceMeetsEveryOther(t *testing.T) {
	t.Parallel()
	met := map[string]bool{}
	rows := Rows([]Dimension{
		dimensionOf("status", []string{"absent", "PENDING", "ERROR"}, "FOO", "*"),
		dimensionOf("size", []string{"absent", "1"}, "0"),
		dimensionOf("page", []string{"absent", "1", "2"}),
	}, 2)
	for _, row := range rows {
		wrong := 0
		for _, c := range row {
			if !c.Wrong {
				continue
			}
			wrong++
			for _, other := range row {
				met[fmt.Sprintf("%s %s, %s %s", c.Dimension, c.Words, other.Dimension, other.Words)] = true
			}
		}
		assert.Equal(t, 1, wrong, "wrong choices in %v", row)
	}
	assert.Len(t, rows, 3+3+3, "one row for each of the most choices of another dimension")
	for _, pair := range []string{"status FOO, size 1", "status *, page 2", "size 0, status ERROR", "size 0, page absent"} {
		assert.True(t, met[pair], pair)
	}
}

// Whatever the rows cover is what is counted, neither more nor less.
func TestRowsCoverTheTuplesThatAreCounted(t *testing.T) {
	t.Parallel()
	for _, strength := range []int{Pairs, Triples} {
		for name, all := range map[string][]Dimension{
			"right": {dimensionOf("a", []string{"1", "2", "3"}), dimensionOf("c", []string{"1", "2"}), dimensionOf("b", []string{"1", "2", "3", "4"}), dimensionOf("d", []string{"1", "2"})},
			"wrong": {dimensionOf("a", []string{"1", "2"}, "x", "y"), dimensionOf("c", []string{"1", "2", "3"}), dimensionOf("b", []string{"1", "2"}, "z"), dimensionOf("d", []string{"1", "2", "3"})},
		} {
			sent, counted := Set{}, Set{}
			for _, row := range Rows(all, strength) {
				var picks []Pick
				for _, c := range row {
					picks = append(picks, Pick{c.Dimension, c.Words})
				}
				sent.Add(picks, strength)
			}
			Tuples(all, strength, func(tuple Tuple) {
				assert.True(t, counted.Insert(tuple), "%v counts twice", tuple)
				assert.True(t, sent.Has(tuple), "%s, %d together: %v is not sent", name, strength, tuple)
			})
			assert.NotEmpty(t, counted)
		}
	}
}

func TestDimensionsOfAStep(t *testing.T) {
	t.Parallel()
	literal := func(name, json string) language.Change {
		return language.Change{Name: name, Value: language.Value{Kind: language.Literal, JSON: []byte(json)}}
	}
	email, landline := language.Shape{Name: "To an e-mail"}, language.Shape{Name: "To a landline"}
	all, err := Of(language.Send{
		Operation: api.MustNamed("cash-out"), EveryShape: true,
		Dimensions: []language.Dimension{
			{Name: "token", Choices: []language.Choice{{Words: "no token", Under: language.NoToken}}},
			{Name: "value", Choices: []language.Choice{{Words: "1.00", Change: literal("value", "1.00")}, {Words: "invalid", Wrong: true, Change: language.Change{Name: "value", Value: language.Value{Kind: language.Invalid}}}}},
		},
	}, []language.Shape{email, landline})
	require.NoError(t, err)
	require.Len(t, all, 3)
	assert.Equal(t, []Choice{{Words: "To an e-mail", Shape: email}, {Words: "To a landline", Shape: landline}}, all[0].Choices)
	assert.Equal(t, []Choice{{Words: "no token", Under: language.NoToken}}, all[1].Choices)
	assert.Greater(t, len(all[2].Choices), 5, "every value that the contract forbids is a choice")
	assert.Equal(t, Choice{Words: "absent", Wrong: true, Changes: []language.Change{{Name: "value", Value: language.Value{Kind: language.Absent}}}}, all[2].Choices[1])

	all, err = Of(language.Send{Operation: api.MustNamed("cash-out"), EveryShape: true}, nil)
	assert.Empty(t, all, "no choices are combined")
	assert.NoError(t, err)
}
