package judge

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// What expires because the scenario is slow is no fault of the target's.
func TestOverrun(t *testing.T) {
	t.Parallel()
	const steps = "Given the account has sent a transfer with expiration 3600\nWhen 3590 seconds pass\nWhen the account sends a balance request\nThen the request is accepted with 200"
	at := func(seconds int64, e record.Entry) record.Entry {
		e.Exchange.Sent = time.Unix(seconds, 0)
		return e
	}
	transfer := sent(0, "transfer", `{"expiration":3600,"payment":{"amount":1.00}}`, 200, `{"type":"PENDING"}`)
	pass := func(advance string) record.Entry {
		return during(1, record.Entry{Exchange: &exchange.Exchange{
			Party: exchange.Control, Operation: string(target.Clock), Method: http.MethodPut, URL: "https://gw.example/controls/clock", Status: 200, Body: []byte(`{"advance":"` + advance + `"}`),
		}})
	}
	refused := func() record.Entry { return sent(2, "balance request", "", 500, `{}`) }
	for name, c := range map[string]struct {
		passed string
		took   int64 // seconds
		looks  bool
		late   bool // the first look
		want   verdict.Verdict
	}{
		"in time":                     {"3590s", 9, false, false, verdict.Fail},
		"expired meanwhile":           {"3590s", 10, false, false, verdict.CouldNotTest},
		"only looked at for so long":  {"3590s", 10, true, false, verdict.Fail},
		"first looked at too late":    {"3590s", 10, true, true, verdict.CouldNotTest},
		"expired by what it let pass": {"3601s", 10, false, false, verdict.Fail},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := at(100+c.took, refused())
			if c.looks {
				asked = at(100, refused())
			}
			first := at(100, as(record.Look, during(3, refused())))
			if c.late {
				first = at(100+c.took, as(record.Look, during(3, refused())))
			}
			j, entries := story{steps: steps, entries: list(nil, at(100, transfer), at(100, pass(c.passed)), asked, first, as(record.Look, at(100+c.took, during(3, refused()))))}.begin(t)
			for _, e := range entries {
				j.Add(e)
			}
			r := j.Judge(3)
			assert.Equal(t, c.want, r.Verdict)
			assert.Equal(t, c.want == verdict.CouldNotTest, r.Spoiled)
			if r.Spoiled {
				assert.Equal(t, "the scenario took 10s besides the 59m50s that it lets pass, so that what the transfer made had expired", r.Finding.Got)
			}
		})
	}
}

// A scenario sets the clock to a minute before a night begins, and is too slow.
func TestOverrunOfTheHour(t *testing.T) {
	t.Parallel()
	const steps = "Given it is 19:59 in São Paulo\nWhen the account sends a cash-out\nThen the request is accepted"
	for name, c := range map[string]struct {
		now  string
		took time.Duration
		want verdict.Verdict
	}{
		"in time":          {"2026-03-01T22:59:00Z", 59 * time.Second, verdict.Fail},
		"past the hour":    {"2026-03-01T22:59:00Z", time.Minute, verdict.CouldNotTest},
		"far from an hour": {"2026-03-01T22:01:00Z", time.Minute, verdict.Fail},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := during(0, record.Entry{Exchange: &exchange.Exchange{
				Party: exchange.Control, Operation: string(target.Clock), Method: http.MethodPut, URL: "https://gw.example/controls/clock", Status: 200, Body: []byte(`{"now":"` + c.now + `"}`), Sent: time.Unix(100, 0),
			}})
			order := sent(1, "cash-out", order, 400, refusal)
			order.Exchange.Sent = time.Unix(100, 0).Add(c.took)
			r := story{steps: steps, entries: list(nil, set, order)}.judged(t)
			assert.Equal(t, c.want, r.Verdict)
			assert.Equal(t, c.want == verdict.CouldNotTest, r.Spoiled)
		})
	}
}
