package judge

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/steps/catalogue"
)

// unobserved are open points on which the judge or spec is lenient, and which open-points.yaml lacks, since no scenario records
// what a target does.
var unobserved = map[string]string{
	"what a failed order leaves":                   "What remains of an order that the gateway answered with 5xx?",
	"how often an event is delivered":              "May a gateway deliver an event twice, although the URL accepted it?",
	"MED case that moves by itself":                "May time, or a refund, change the state of a MED case?",
	"who sees a MED case":                          "Does the account that sent a payment see the case that contests it?",
	"payments of a MED case":                       "Which payments does a case lead to, and under which names do lists show them?",
	"splits in the list of transactions":           "Do lists show splits, and under which names?",
	"returned payment in the list of transactions": "How do lists show a payment of which the payee has returned a part?",
	"what a sandbox scenario plays":                "What does a sandbox scenario do to a payment, besides its event?",
	"spelling of the key of a list by key":         "Which spellings of a phone number, or of capitals, are one key?",
	"the case of an externalId":                    "Are externalIds case-sensitive?",
	"fees and limits":                              "Do fees count to the limits of an account?",
	"the limits of a transfer":                     "Do the limits of cash-outs apply to transfers?",
	"how long a cash-out waits":                    "When does a cash-out expire that no bank decides?",
	"events of other statuses":                     "What do events report whose status the specification does not show?",
	"errors of GET /balance":                       "Which envelope do the errors of GET /balance have?",
	"the time that a date filter compares":         "Do date filters compare the time of creation, or of the last change?",
}

// Each leniency of judge, listing and spec names its open point: open ("finality of a payment").
func TestLenienciesNameTheirOpenPoints(t *testing.T) {
	t.Parallel()
	recorded, err := catalogue.OpenPoints(features.FS)
	require.NoError(t, err)
	isPoint := map[string]bool{}
	for _, p := range recorded {
		isPoint[p.Name] = true
	}
	vague := regexp.MustCompile(`left open|leaves open|is silent|unspecified|may or may not|does not (say|state|define)|says too little`)
	names := regexp.MustCompile(`\("([^()]+)"\)`)
	used := map[string]bool{}
	for _, pattern := range []string{"*.go", "../listing/*.go", "../spec/*.go"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
			require.NoError(t, err)
			for _, comment := range file.Comments {
				text := strings.Join(strings.Fields(comment.Text()), " ")
				assert.NotRegexp(t, vague, text, "%s: name the open point: open (%q)", name, "finality of a payment")
				for _, found := range names.FindAllStringSubmatch(text, -1) {
					for point := range strings.SplitSeq(found[1], `", "`) {
						assert.True(t, isPoint[point] || unobserved[point] != "", "%s: there is no open point %q", name, point)
						used[point] = true
					}
				}
			}
		}
	}
	for point := range unobserved {
		assert.False(t, isPoint[point], "%q is in open-points.yaml", point)
		assert.True(t, used[point], "nothing needs %q", point)
	}
}
