package language

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/steps/catalogue"
)

func TestCheckOwn(t *testing.T) {
	t.Parallel()
	all, err := catalogue.Load(features.FS)
	require.NoError(t, err)
	points, err := catalogue.OpenPoints(features.FS)
	require.NoError(t, err)
	for step, want := range map[string]string{
		"And no event arrives":               "",
		"And the request should be accepted": "",

		"And another account\nAnd the account has a token": "",

		"And the available balance fall by R$ 3.00":               `x.feature:7: "the available balance fall by R$ 3.00" is not a sentence of the vocabulary; did you mean "the available balance falls by R$ `,
		"And the gateway dances the samba":                        `"the gateway dances the samba" is not a sentence of the vocabulary; pixcert steps lists all sentences`,
		"And the request is rejected":                             `x.feature:7: "the request is rejected": "rejected": expected`,
		"And a Cashout event arrives":                             `x.feature:7: there is no event "Cashout"; did you mean "CashOut"?`,
		"And no cashin event arrives":                             `there is no event "cashin"; did you mean "cash_in"?`,
		"When the account receives pix webhooks":                  `there is no event type "pix"; it is one of cash_in, cash_out`,
		`And the event's body is recorded for open point "zebra"`: `there is no open point "zebra"; features/open-points.yaml lists all`,
		"And nothing changes\n\"\"\"\nx\n\"\"\"":                  `"nothing changes" has a text in triple quotes below it, which no sentence takes`,
	} {
		text := "Feature: F\n@m.b\nRule: R\nScenario: S\nGiven an account\nThen the request is accepted\n" + step + "\n"
		both, err := all.With(catalogue.Own{Sources: []catalogue.Source{{File: "x.feature", Text: text}}})
		require.NoError(t, err)
		err = CheckOwn(both, points)
		if want == "" {
			require.NoError(t, err, step)
			continue
		}
		require.ErrorContains(t, err, want, step)
	}
}

// Each error is reported once, with its place: the steps of a background are those of many scenarios.
func TestCheckOwnReportsAllErrorsOnce(t *testing.T) {
	t.Parallel()
	all, err := catalogue.Load(features.FS)
	require.NoError(t, err)
	points, err := catalogue.OpenPoints(features.FS)
	require.NoError(t, err)
	var listed, free string
	for _, p := range points {
		if len(p.Readings) > 0 {
			listed = p.Name
		} else {
			free = p.Name
		}
	}
	both, err := all.With(catalogue.Own{Sources: []catalogue.Source{{File: "x.feature", Text: `Feature: F
Background:
Given the samba
@m.b @open:the-limit-itself
Rule: R
Scenario: S
Then the request is accepted
@open:the-limit
Scenario: T
Given an account
Then the response's code is recorded for open point "` + listed + `"
And the response's code is recorded for open point "` + free + `"
`}}})
	require.NoError(t, err)
	err = CheckOwn(both, points)
	require.Error(t, err)
	lines := strings.Split(err.Error(), "\n")
	require.Len(t, lines, 4, err.Error())
	require.Contains(t, lines[0], `x.feature:3: "the samba" is not a sentence`)
	require.Contains(t, lines[1], `x.feature:7: "the request is accepted" comes before the account exists; begin`)
	require.Contains(t, lines[2], `x.feature:9: there is no open point with the tag @open:the-limit; did you mean "@open:the-limit-itself"?`)
	require.Contains(t, lines[3], "x.feature:11: the open point \""+listed+`" has a fixed list of readings`)
}
