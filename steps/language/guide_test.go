package language

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/steps/catalogue"
)

// The guide has each sentence of the vocabulary, with an example that is read as that sentence.
func TestGuide(t *testing.T) {
	t.Parallel()
	all, err := catalogue.Load(features.FS)
	require.NoError(t, err)
	guide, err := Guide(all)
	require.NoError(t, err)
	require.Len(t, guide, len(vocabulary))
	for i, s := range vocabulary {
		entry := guide[i]
		step, err := Read(catalogue.Step{Text: entry.Example, Table: entry.Table})
		require.NoError(t, err)
		assert.Same(t, s, step.Sentence, entry.Example)
		assert.Equal(t, s.Display(), entry.Form)
		assert.NotRegexp(t, `[\\^*+?‹›]`, entry.Form, "a pattern is no form: add its parts to placeholders")
		assert.NotEmpty(t, entry.Type)
		assert.Positive(t, entry.Rules)
	}
	for _, p := range Placeholders() {
		assert.NotEmpty(t, p.Means)
		for _, value := range p.Values {
			assert.NotRegexp(t, `[\\^*?‹›]`, value)
		}
	}
}

// A search finds a sentence by its form or by any of its uses, of which it shows one.
func TestGuideSearches(t *testing.T) {
	t.Parallel()
	all, err := catalogue.Load(features.FS)
	require.NoError(t, err)
	guide, err := Guide(all, "sends", "REFUND of")
	require.NoError(t, err)
	require.NotEmpty(t, guide)
	assert.Equal(t, "the [other] account (sends|has sent) a OPERATION of R$ AMOUNT", guide[0].Form)
	assert.Regexp(t, `^the (other )?account sends a refund of R\$ `, guide[0].Example)
	guide, err = Guide(all, "zebra")
	require.NoError(t, err)
	assert.Empty(t, guide)
}

func TestDisplay(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string]string{
		`the (available|blocked) balance`:    "the (available|blocked) balance",
		`a (cash-out) of ` + amount:          "a cash-out of R$ AMOUNT",
		`sent(?: to (one|two))?( twice)?:?`:  "sent [to (one|two)] [twice][:]",
		`no` + ofNth:                         "no [of the ORDINAL (payment|charge|refund)]",
		`(if accepted, )?` + nth + `payment`: "[if accepted,] the [ORDINAL] payment",
		`(\d+) (second|minute)s pass`:        "NUMBER (second|minute)s pass",
		`a b(?: at (the other account))?`:    "a b [at the other account]",
	} {
		assert.Equal(t, want, displayed(pattern))
	}
}
