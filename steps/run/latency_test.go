package run

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Only responses of the API count: neither controls, nor webhooks, nor requests without a response.
func TestLatenciesAreOfResponses(t *testing.T) {
	t.Parallel()
	var l latencies
	assert.Empty(t, l.summaries())
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
	all := l.summaries()
	for _, one := range all {
		operations = append(operations, one.Operation)
	}
	assert.Equal(t, []string{"cash-out", "refund", "another"}, operations, "in the order of the API")
	assert.Equal(t, 2, all[0].Count)
	assert.Equal(t, 3*time.Millisecond, all[0].Slowest)
}

// Webhooks are told apart by their event, if its name is one, and not one of too many.
func TestLatenciesOfWebhooks(t *testing.T) {
	t.Parallel()
	began := time.Now()
	attempt := judge.New("a.rule", nil, &record.Terms{})
	entry := func(e exchange.Exchange, after time.Duration) {
		e.Sent = began.Add(after)
		attempt.Add(record.Entry{Exchange: &e})
	}
	entry(exchange.Exchange{
		Party: exchange.API, Operation: "cash-out", Method: http.MethodPost, URL: "https://gw.example/api/pix/cash-out", Status: 201, Took: time.Second,
		Body: []byte(`{"externalId":"pedido-0001"}`), ResponseBody: []byte(`{"transactionId":"tx-0000001"}`),
	}, 0)
	for i, name := range []string{"<b>own</b>", "REFUND", "CashOut", "CashOut"} {
		entry(exchange.Exchange{Party: exchange.Webhook, Method: http.MethodPost, URL: fmt.Sprint("https://sink.example/", i), Body: []byte(`{"transactionId":"tx-0000001","event":"` + name + `"}`)}, time.Duration(2+i)*time.Second)
	}
	var l latencies
	l.addWebhooks(attempt)
	var got []string
	for _, one := range l.summaries() {
		got = append(got, fmt.Sprint(one.Operation, " ", one.Count, " ", one.Slowest))
	}
	assert.Equal(t, []string{"CashOut webhook 2 4s", "REFUND webhook 1 2s", verdict.OfWebhooks + " 1 1s"}, got)
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
