package judge

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/steps/catalogue"
)

// The table names rules that exist, and statements that justify them: of the rule itself, or of another one.
func TestInvariantsHaveRulesAndStatements(t *testing.T) {
	t.Parallel()
	all, err := catalogue.Load(features.FS)
	require.NoError(t, err)
	var rules, stated []string
	for _, f := range all.Features {
		for _, r := range f.Rules {
			rules = append(rules, r.Name)
		}
	}
	for _, s := range all.Statements {
		stated = append(stated, s.ID)
	}
	for _, v := range invariants {
		for rule := range strings.FieldsSeq(v.rule) {
			assert.True(t, slices.ContainsFunc(rules, func(name string) bool { is, _ := path.Match(rule, name); return is }), rule)
		}
		assert.NotEmpty(t, v.statements, v.rule)
		assert.Subset(t, stated, strings.Fields(v.statements), v.rule)
	}
}
