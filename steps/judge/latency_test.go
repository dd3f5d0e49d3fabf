package judge

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/record"
)

// An event that arrives before its cause has been answered took no time, however long ago the change
// before that was.
func TestTheLatencyOfAnEvent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		took time.Duration // of the control call that causes the event, a second before it
		want time.Duration
	}{
		"after the answer":  {300 * time.Millisecond, 700 * time.Millisecond},
		"before the answer": {2 * time.Second, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := New("a.rule", stepsOf(t, "When the account sends a cash-out"), &record.Terms{})
			order := sent(0, "cash-out", `{"externalId":"pedido-0001"}`, 201, `{"transactionId":"tx-0000001"}`)
			order.Exchange.Sent = began
			settled := record.Entry{Exchange: &exchange.Exchange{Party: exchange.Control, Method: http.MethodPost, Status: 204, Sent: began.Add(10 * time.Second), Took: c.took}}
			event := record.Entry{Exchange: &exchange.Exchange{Party: exchange.Webhook, Method: http.MethodPost, URL: "https://sink.example/1", Sent: began.Add(11 * time.Second), Body: []byte(`{"event":"CashOut","transactionId":"tx-0000001"}`)}}
			for _, e := range []record.Entry{order, settled, event} {
				j.Add(e)
			}
			latency, known := j.Latency(j.Events[0])
			assert.True(t, known)
			assert.Equal(t, c.want, latency)
		})
	}
}
