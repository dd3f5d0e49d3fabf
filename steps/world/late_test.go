package world

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/verdict"
)

// A webhook that arrives after its deadline is late, not lost: later scenarios wait longer. One that never arrives
// stays missing.
func TestAnEventThatComesLate(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	th.gateway.Deliver(0)
	th.stage.Terms.Deadlines.Webhook = 100 * time.Millisecond
	w := New(th.stage, th.script(receives+"When the account sends a cash-out of R$ 1.00\nThen a CashOut event arrives"))
	r := playOn(t.Context(), w)
	require.Equal(t, verdict.Fail, r.Verdict)
	require.True(t, Misses(r))
	last := len(w.Steps) - 1
	w.StayOpen()
	w.Leave(t.Context())
	w.Close()
	url := w.mail.opened[0].URL()
	require.False(t, w.CameLate(last))
	th.gateway.Send(url, `{"event":"Other"}`)
	require.False(t, w.CameLate(last), "another event")
	require.Same(t, th.stage.Terms, th.stage.terms())

	id := jsonvalue.Text(w.Judge.It().Answer, "transactionId")
	event, err := json.Marshal(map[string]string{"event": "CashOut", "status": "CONFIRMED", "transactionId": id})
	require.NoError(t, err)
	other := th.stage.Sink.Open(w.mail.opened[0].Path(), nil) // a later scenario has the same URL
	defer other.Close()
	th.gateway.Send(url, string(event))
	require.True(t, w.CameLate(last))
	require.True(t, w.Record.Unproven)
	require.GreaterOrEqual(t, th.stage.terms().Deadlines.Webhook, 200*time.Millisecond)
	require.LessOrEqual(t, th.stage.terms().Deadlines.Webhook, mostPatience*th.stage.Terms.Deadlines.Webhook)
}

// hangUp closes the connection after what was written.
func hangUp(w http.ResponseWriter) {
	controller := http.NewResponseController(w)
	if conn, _, err := controller.Hijack(); err == nil {
		conn.Close()
	}
}

// A request without a response spoils the attempt, also with a part of the body, or of a proxy. It fails the scenario
// only when it is sent alone, for the second time, while the target responds to others.
func TestARequestWithoutAResponse(t *testing.T) {
	t.Parallel()
	for name, cut := range map[string]func(http.ResponseWriter){
		"closed": hangUp,
		"half a body": func(w http.ResponseWriter) {
			if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
				_, _ = conn.Write([]byte("HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{"))
				conn.Close()
			}
		},
		"a proxy": func(w http.ResponseWriter) {
			w.WriteHeader(http.StatusBadGateway)
			_, _ = w.Write([]byte("bad gateway"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			th := newTestStage(t)
			th.stage.Target.Client.Watch(func(string) {})
			t.Cleanup(th.stage.Target.Client.Close)
			th.gateway.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
				if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/cash-out") {
					return false
				}
				cut(w)
				return true
			})
			s := th.script("Given an account with R$ 5.00 available\nWhen the account sends a cash-out of R$ 1.00\nThen the request is accepted")
			w, r := th.play(s)
			assert.Equal(t, verdict.CouldNotTest, r.Verdict, "%+v", r.Finding)
			assert.True(t, r.Spoiled)
			assert.Empty(t, w.Judge.Breaches())
			operation, isHeld := w.NoResponse()
			assert.Equal(t, "cash-out", operation)
			assert.False(t, isHeld)

			s.Alone = &Alone{Silent: map[string]int{}}
			w, r = th.play(s)
			assert.True(t, r.Spoiled, "once is not enough")
			assert.Equal(t, "cash-out", w.MetSilence())

			s.Alone.Silent[w.SilentRequest()] = 1
			_, r = th.play(s)
			assert.Equal(t, verdict.Fail, r.Verdict)
			assert.False(t, r.Spoiled)
			assert.Regexp(t, `^none in 2 attempts with nothing else in flight, .* while the target responded to \d+ other requests$`, r.Finding.Got)
		})
	}
}

// A low limit of MED lists is lifted by a scenario that is not about it.
func TestALowLimitOfMEDListsIsLifted(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	var lists, lifted atomic.Int64
	th.stage.Recorder = func(_ string, e exchange.Exchange) {
		if e.Party == exchange.Control && strings.HasSuffix(e.URL, "/limits") && strings.Contains(string(e.Body), `"requestsPerMinute":null`) {
			lifted.Add(1)
		}
	}
	th.gateway.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasSuffix(r.URL.Path, "/med") {
			return false
		}
		if lists.Add(1); lifted.Load() == 0 {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusTooManyRequests)
			return true
		}
		_, _ = w.Write([]byte(`{"data":[]}`))
		return true
	})
	th.passes("Given an account\nWhen the account sends a MED list request\nThen the request is accepted")
	require.EqualValues(t, 1, lifted.Load())
	require.EqualValues(t, 2, lists.Load())
}
