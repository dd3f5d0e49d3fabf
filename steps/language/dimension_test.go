package language

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/catalogue"
)

const everyPair = "the account sends a transaction list request for every pair of:"

func TestColumnsAreDimensions(t *testing.T) {
	t.Parallel()
	step, err := Read(catalogue.Step{Text: everyPair, Table: [][]string{
		{"token", "query status", "query size"},
		{"no token", "absent", "1"},
		{"its token", "PENDING", ""},
		{"", "wrong: FOO", ""},
	}})
	require.NoError(t, err)
	m := step.Meaning.(Send)
	status := func(v Value) Change { return Change{Where: Query, Name: "status", Value: v} }
	assert.Equal(t, []Dimension{
		{"token", []Choice{{Words: "no token", Under: NoToken}, {Words: "its token", Under: ItsToken}}},
		{"query status", []Choice{
			{Words: "absent", Change: status(Value{Kind: Absent})},
			{Words: "PENDING", Change: status(Value{Kind: Text, Text: "PENDING"})},
			{Words: "FOO", Change: status(Value{Kind: Text, Text: "FOO"}), Wrong: true},
		}},
		{"query size", []Choice{{Words: "1", Change: Change{Where: Query, Name: "size", Value: Value{Kind: Text, Text: "1"}}}}},
	}, m.Dimensions)
	assert.Empty(t, m.Changes)
	assert.True(t, m.Varies())
}

func TestWrongColumns(t *testing.T) {
	t.Parallel()
	for want, table := range map[string][][]string{
		"expected two columns or more":      {{"query status"}, {"PENDING"}},
		"expected a table with a name":      {{"query status", "query size"}},
		`the column "query size" has no va`: {{"query status", "query size"}, {"PENDING", ""}},
		"is not a way to send a token":      {{"token", "query size"}, {"two tokens", "1"}},
		"is neither JSON nor a phrase":      {{"value", "query size"}, {"ten reais", "1"}},
	} {
		_, err := Read(catalogue.Step{Text: everyPair, Table: table})
		assert.ErrorContains(t, err, want)
	}
}
