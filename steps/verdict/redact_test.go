package verdict

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
)

// A secret that a target echoed appears nowhere in a redacted run, and the run itself stays
// as it was.
func TestRedacted(t *testing.T) {
	t.Parallel()
	const secret = "an-echoed-secret"
	var secrets exchange.Redactor
	secrets.Add(secret)
	finding := Finding{Expected: secret, Got: secret, Hint: secret, Field: secret}
	run := &Run{
		Subject: Subject{Target: "https://user:" + secret + "@gw", Arguments: []string{"--url", "http://gw/" + secret}},
		Scenarios: []Scenario{{
			Rule: "a.b", Name: secret, Verdict: Fail, Finding: &finding, Warnings: []Finding{finding},
			Steps:        []Step{{Text: secret, Table: [][]string{{"key", secret}}}},
			Exchanges:    []exchange.Exchange{{URL: "/" + secret, ResponseBody: []byte(secret)}},
			Right:        &exchange.Exchange{URL: "/" + secret},
			Observations: []Observed{{Point: "point", Value: secret}},
		}},
	}
	before := asJSON(t, run)
	require.Contains(t, before, secret)
	redacted := run.Redacted(&secrets)
	assert.NotContains(t, asJSON(t, redacted), secret)
	assert.Equal(t, before, asJSON(t, run))
	assert.Equal(t, asJSON(t, redacted), asJSON(t, redacted.Redacted(&secrets)), "redacting twice changes nothing more")
}

// Secrets in the usual places need no redactor.
func TestRedactedWithoutKnownSecrets(t *testing.T) {
	t.Parallel()
	s := Scenario{Finding: &Finding{Got: `{"clientSecret":"abc"}`}}
	assert.Equal(t, `{"clientSecret":"***"}`, s.Redacted(nil).Finding.Got)
}

// In a scenario that passes, too, the target's text is redacted; the text of the feature is kept.
func TestRedactedPass(t *testing.T) {
	t.Parallel()
	const secret = "an-echoed-secret"
	var secrets exchange.Redactor
	secrets.Add(secret)
	redacted := Scenario{
		Name: secret, Verdict: Pass, Warnings: []Finding{{Got: secret}}, Steps: []Step{{Text: secret}},
		Exchanges: []exchange.Exchange{{URL: "/" + secret}}, Observations: []Observed{{Point: "point", Value: secret}},
	}.Redacted(&secrets)
	assert.Equal(t, Scenario{
		Name: secret, Verdict: Pass, Warnings: []Finding{{Got: exchange.Mask}}, Steps: []Step{{Text: secret}},
		Exchanges: []exchange.Exchange{{URL: "/" + exchange.Mask}}, Observations: []Observed{{Point: "point", Value: exchange.Mask}},
	}, redacted)
}

func TestRedactedBoundsTexts(t *testing.T) {
	t.Parallel()
	s := Scenario{Name: strings.Repeat("é", longestText)}.Redacted(nil)
	assert.LessOrEqual(t, len(s.Name), longestText+len("…"))
	assert.True(t, utf8.ValidString(s.Name))
	assert.True(t, strings.HasSuffix(s.Name, "…"))
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	// Byte slices are base64 in JSON: append them as they are.
	if run, ok := v.(*Run); ok {
		for _, s := range run.Scenarios {
			for _, e := range s.Exchanges {
				text = append(text, e.ResponseBody...)
			}
		}
	}
	return string(text)
}
