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
		want   verdict.Verdict
	}{
		"in time":                     {"3590s", 9, false, verdict.Fail},
		"expired meanwhile":           {"3590s", 10, false, verdict.CouldNotTest},
		"only looked at for so long":  {"3590s", 10, true, verdict.Fail},
		"expired by what it let pass": {"3601s", 10, false, verdict.Fail},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := at(100+c.took, refused())
			if c.looks {
				asked = at(100, refused())
			}
			j, entries := story{steps: steps, entries: list(nil, at(100, transfer), at(100, pass(c.passed)), asked, as(record.Look, at(100+c.took, during(3, refused()))))}.begin(t)
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
