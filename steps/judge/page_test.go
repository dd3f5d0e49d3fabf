package judge

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/record"
)

// On a new account, nothing but the scenario opens cases: a page lacks none that its total counts.
func TestPagesOfANewAccount(t *testing.T) {
	t.Parallel()
	rulesBroken := func(opened record.Entry) (all []string) {
		e := sent(0, "MED list request", "", 200, page("", `"page":1,"pageSize":20,"totalPages":1,"total":1,"hasNext":false,"hasPrevious":false`))
		j, _ := story{steps: "When the account sends a MED list request"}.begin(t)
		j.Add(opened)
		j.Add(e)
		for _, met := range j.contradictions() {
			all = append(all, met.Rule+" "+met.Field)
		}
		return all
	}
	assert.Equal(t, []string{"med.pages data"}, rulesBroken(fact(0, record.Fact{Kind: record.Opened})))
	assert.Empty(t, rulesBroken(openedFixed()))
}
