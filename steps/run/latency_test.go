package run

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Only responses of the API count: neither controls, nor webhooks, nor requests without a response.
func TestLatenciesAreOfResponses(t *testing.T) {
	t.Parallel()
	var l latencies
	assert.Empty(t, l.summaries(nil))
	l.add([]exchange.Exchange{
		{Party: exchange.API, Operation: "refund", Status: 201, Took: 2 * time.Millisecond},
		{Party: exchange.API, Operation: "cash-out", Status: 500, Took: 3 * time.Millisecond},
		{Party: exchange.API, Operation: "cash-out", Took: time.Minute, Err: "timed out"},
		{Party: exchange.API, Operation: "another", Status: 200},
		{Party: exchange.Control, Operation: "accounts", Status: 201, Took: time.Second},
		{Party: exchange.Webhook, Operation: "CashOut", Status: 200, Took: time.Second},
	})
	l.add([]exchange.Exchange{{Party: exchange.API, Operation: "cash-out", Status: 201, Took: time.Millisecond}})
	var operations []string
	all := l.summaries([]time.Duration{0, time.Second})
	for _, one := range all {
		operations = append(operations, one.Operation)
	}
	assert.Equal(t, []string{"cash-out", "refund", "another", verdict.OfWebhooks}, operations, "in the order of the API")
	assert.Equal(t, 2, all[0].Count)
	assert.Equal(t, 3*time.Millisecond, all[0].Slowest)
}

// Each rule is about an endpoint, or about something that several have in common.
func TestSubjectsOfRules(t *testing.T) {
	t.Parallel()
	suite, err := embeddedFeatures()
	require.NoError(t, err)
	subjects := map[string]string{}
	for rule := range suite.Rules() {
		subject, statements := stated(suite, rule)
		assert.NotEmpty(t, subject, rule.Name)
		assert.NotEmpty(t, statements, rule.Name)
		subjects[rule.Name] = subject
	}
	assert.Equal(t, "POST /api/pix/cash-out", subjects["cash-out.covers-fee"])
	assert.Equal(t, "POST /api/pix/cash-out", subjects["cash-out.accepted"], "although it shows statements about all endpoints")
}
