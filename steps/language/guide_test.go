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
		assert.NotRegexp(t, `[\\^*+?{}]`, entry.Form, "the guide shows no patterns")
		assert.NotEmpty(t, entry.Type)
		assert.Positive(t, entry.Rules)
	}
	for _, p := range Placeholders() {
		assert.NotEmpty(t, p.Means)
		for _, value := range p.Values {
			assert.NotRegexp(t, `[\\^*?{}]`, value)
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
	assert.Equal(t, "the [other] account (sends|has sent) a[n] OPERATION of R$ AMOUNT", guide[0].Form)
	assert.Regexp(t, `^the (other )?account sends a refund of R\$ `, guide[0].Example)
	guide, err = Guide(all, "zebra")
	require.NoError(t, err)
	assert.Empty(t, guide)
}

// The guide shows a form as it is written, which says what may be left out, and with which space.
func TestForms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		template, shown string
		has, lacks      []string
	}{
		{`the {Blocked=available|blocked} balance`, "the (available|blocked) balance", []string{"the blocked balance"}, []string{"the available|blocked balance", "the  balance"}},
		{`[if accepted,] the [{first:ordinal}] payment`, "[if accepted,] the [ORDINAL] payment", []string{"the payment", "if accepted, the 4th payment"}, []string{"if accepted,the payment", " the payment"}},
		{`costs {Least}[, or {Most}] [{Stays=now|then}][:]`, "costs R$ AMOUNT[, or R$ AMOUNT] [(now|then)][:]", []string{"costs R$ 1.00", "costs R$ 1.00, or R$ 2.00 now:"}, []string{"costs $ 1.00", "costs R$ 1900", "costs R$ 1.00now"}},
	} {
		f := newForm(c.template, Moved{})
		assert.Equal(t, c.shown, f.Display())
		for _, text := range c.has {
			_, read := f.read(text, nil)
			assert.NotNil(t, read, text)
		}
		for _, text := range c.lacks {
			_, read := f.read(text, nil)
			assert.Nil(t, read, text)
		}
	}
}

// A wrong template is found when the program starts, not when a user's sentence is read.
func TestAWrongTemplatePanics(t *testing.T) {
	t.Parallel()
	type Duration string // which is not the one that has a kind
	for _, c := range []struct {
		template string
		meaning  any
		want     string
	}{
		{`{Charge}`, Moved{}, "{Charge}: language.Moved has no field Charge"},
		{`{Least:lots}`, Moved{}, "{Least:lots}: there is no kind lots"},
		{`{By}`, struct{ By Duration }{}, "{By}: there is no kind for language.Duration"},
		{`{N:ispb}`, Value{}, "{N:ispb}: N is int, which cannot hold string"},
		{`{Swap:word}`, Value{}, "{Swap:word}: Swap is bool, which cannot hold string"},
		{`{Text:number}`, Value{}, "{Text:number}: Text is string, which cannot hold int"},
		{`{Amount:text}`, Pay{}, "{Amount:text}: Amount is *money.Centavos, which cannot hold string"},
		{`{Counts:word}`, AcceptedCount{}, "{Counts:word}: Counts is []int, which cannot hold string"},
		{`{Changes:word}`, Send{}, "{Changes:word}: Changes is []language.Change, which cannot hold string"},
		{`{Swap=a|b|c}`, Value{}, "{Swap=a|b|c}: Swap is bool, which cannot hold string"},
		{`{Parts=a|b}`, struct{ Parts Code }{}, "{Parts=a|b}: Parts is language.Code, which cannot hold string"},
	} {
		assert.PanicsWithValue(t, c.want, func() { newForm(c.template, c.meaning) })
	}
	assert.Panics(t, func() { newForm(`{Operation=cash-out|cash-uot}`, Send{}) })
	f := newForm(`{Least}`, finishedBy(Moved{}, func(w *words, m *Moved) { w.matched("Lest") }))
	assert.PanicsWithValue(t, "{Least}: there is no slot Lest", func() { f.read("R$ 1.00", nil) })
}
