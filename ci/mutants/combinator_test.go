package mutants

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAnswering(t *testing.T) {
	t.Parallel()
	g := &gateway{status: 201, answer: `{"amount":10.00,"name":"a"}`}
	h := Mutant{fault: answering(cashOut, accepted, status(200), set("name", `"b"`))}.API(g)

	changed := pay(h, "t", `{}`)
	assert.Equal(t, 200, changed.StatusCode)
	assert.Empty(t, changed.Header.Get("Content-Length"), "the length is the server's to find")
	assert.JSONEq(t, `{"amount":10.00,"name":"b"}`, read(t, changed))

	other := do(h, http.MethodGet, "/accounts/balances", "")
	assert.Equal(t, 201, other.StatusCode, "another endpoint is left alone")
	assert.Equal(t, g.answer, read(t, other))
}

func TestNumbersStayAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	g := &gateway{status: 200, answer: `{"a":90071992547409.93,"b":1e1,"c":10.00,"d":"<&>"}`}
	h := Mutant{fault: answering(list, always, set("e", `null`))}.API(g)
	assert.Equal(t, `{"a":90071992547409.93,"b":1e1,"c":10.00,"d":"<&>","e":null}`, read(t, do(h, http.MethodGet, "/api/webhooks", "")))
}

func TestMisreading(t *testing.T) {
	t.Parallel()
	g := &gateway{status: 201, answer: `{}`}
	h := Mutant{fault: misreading(cashOut, sent("value", `0.1`), times("value", 1, 10))}.API(g)
	pay(h, "t", `{"value":0.1}`)
	pay(h, "t", `{"value":0.10}`)
	assert.Equal(t, []string{`{"value":0.01}`, `{"value":0.10}`}, g.bodies(), "a value is compared as it is written")
}

func TestAccepting(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault  fault
		body   string
		status int
		calls  int
	}{
		"what is refused is repaired":          {accepting(cashOut, sent("value", `0`), set("value", `0.01`)), `{"value":0}`, 201, 2},
		"what is accepted passes once":         {accepting(cashOut, always, set("value", `0.01`)), `{"value":0.01}`, 201, 1},
		"what the fault is not about":          {accepting(cashOut, sent("value", `-1`), set("value", `0.01`)), `{"value":0}`, 400, 1},
		"what cannot be repaired":              {accepting(cashOut, always, set("value", `7`)), `{"value":0}`, 400, 2},
		"a success with nothing done":          {pretending(cashOut, refusedAs("PIX_INVALID_AMOUNT")), `{"value":0}`, 201, 1},
		"a success without being passed on":    {ignoring(cashOut, always), `{"value":0}`, 201, 0},
		"a refusal without being passed on":    {refusing(cashOut, always, 422, "X"), `{"value":0.01}`, 422, 0},
		"a refusal of what is done":            {despite(cashOut, always, set("value", `0.01`)), `{"value":0}`, 400, 2},
		"a success that is done twice":         {doubling(cashOut, always, fresh("externalId")), `{"value":0.01}`, 201, 2},
		"a refusal that is not done twice":     {doubling(cashOut, always, fresh("externalId")), `{"value":0}`, 400, 1},
		"a body that is no JSON is left alone": {misreading(cashOut, notJSON, set("value", `0.01`)), `{"value":`, 400, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := &gateway{decide: refusesValues}
			answer := pay(Mutant{fault: c.fault}.API(g), "t", c.body)
			assert.Equal(t, c.status, answer.StatusCode)
			valid(t, read(t, answer))
			assert.Len(t, g.bodies(), c.calls)
		})
	}
}

func TestFaultsAtOneSeamBothShow(t *testing.T) {
	t.Parallel()
	g := &gateway{status: 201, answer: `{}`}
	h := Mutant{fault: both(
		misreading(cashOut, always, set("a", `1`)),
		misreading(fees, always, set("b", `2`)),
		answering(cashOut, always, status(202)),
	)}.API(g)
	assert.Equal(t, 202, pay(h, "t", `{}`).StatusCode)
	assert.Equal(t, []string{`{"a":1}`}, g.bodies())
}

func TestRepeating(t *testing.T) {
	t.Parallel()
	paid := 0
	g := &gateway{decide: func(_, path, _, body string) (int, string) {
		if path == "/api/auth/token" {
			return refusesValues("", path, "", body)
		}
		paid++
		return 201, `{"transactionId":"` + strings.Repeat("x", paid) + `"}`
	}}
	h := Mutant{fault: repeating(cashOut, byTheSame, taken, same("externalId"))}.API(g)
	login(h, "anna")
	login(h, "bruno")
	for _, c := range []struct{ token, body, answer string }{
		{"anna", `{"externalId":"1"}`, "x"},
		{"anna", `{"externalId":"1"}`, "x"},
		{"bruno", `{"externalId":"1"}`, "xx"},
		{"anna", `{"externalId":"2"}`, "xxx"},
	} {
		assert.JSONEq(t, `{"transactionId":"`+c.answer+`"}`, read(t, pay(h, c.token, c.body)))
	}
}

func TestRelationsOfPaths(t *testing.T) {
	t.Parallel()
	g := &gateway{status: 201, answer: `{"txid":"a"}`}
	h := Mutant{fault: both(
		refusing(cob, after(1, cob, samePath), 409, ""),
		refusing(cob, after(1, cob, samePathInAnyCase), 422, ""),
	)}.API(g)
	for _, c := range []struct {
		path   string
		status int
	}{{"/cob/a", 201}, {"/cob/b", 201}, {"/cob/a", 409}, {"/cob/A", 422}} {
		assert.Equal(t, c.status, do(h, http.MethodPut, c.path, `{}`).StatusCode, c.path)
	}
	assert.Len(t, g.bodies(), 2)
}

func TestRepeatsOfATransfer(t *testing.T) {
	t.Parallel()
	g := &gateway{status: 200, answer: `{"id":1}`}
	h := Mutant{fault: changing(transfer, debitingRepeats)}.API(g)
	for range 2 {
		do(h, http.MethodPost, "/dict/pix", `{}`, idempotency, "a")
	}
	do(h, http.MethodPost, "/dict/pix", `{}`, idempotency, "b")
	assert.Len(t, g.bodies(), 3, "a repeat is passed on as a transfer of its own")
}

func TestEachEndpointIsFoundAndAnswersAlone(t *testing.T) {
	t.Parallel()
	for _, e := range endpoints {
		if e.method == "" {
			continue // every call
		}
		path := strings.ReplaceAll(e.path, "*", "x1")
		assert.Same(t, e, endpointOf(e.seam, e.method, path), "%s %s", e.method, path)
		body := `{"externalId":"a","transaction":{"externalId":"a"},"payment":{"amount":1.00},"valor":"1.00"}`
		answer := do(Mutant{fault: ignoring(e, always)}.at(e.seam)(&gateway{}), e.method, path, body)
		assert.Less(t, answer.StatusCode, 300, "%s %s", e.method, path)
		if text := read(t, answer); text != "" {
			valid(t, text)
		}
	}
}

// at puts the mutant's fault around a handler of the API or of the controls.
func (m Mutant) at(s seam) func(http.Handler) http.Handler {
	if s == controls {
		return m.Controls
	}
	return m.API
}

func TestAMutantStartedTwiceRemembersApart(t *testing.T) {
	t.Parallel()
	m := Mutant{fault: refusing(cashOut, after(1, cashOut, taken), 409, "X")}
	for range 2 {
		h := m.API(&gateway{status: 201, answer: `{}`})
		assert.Equal(t, 201, pay(h, "t", `{}`).StatusCode)
		assert.Equal(t, 409, pay(h, "t", `{}`).StatusCode)
	}
}

// expiring gives tokens that are refused from the second use on.
func expiring() func(string, string, string, string) (int, string) {
	issued, used := 0, map[string]bool{}
	return func(_, path, authorization, _ string) (int, string) {
		switch {
		case path == "/api/auth/token":
			issued++
			return 201, `{"access_token":"h.` + strings.Repeat("c", issued) + `.s"}`
		case used[authorization] || authorization == "Bearer h.c.forged":
			return 401, `{}`
		}
		used[authorization] = true
		return 200, `{}`
	}
}

func TestRenewing(t *testing.T) {
	t.Parallel()
	h := Mutant{fault: renewing(balances, always)}.API(&gateway{decide: expiring()})
	login(h, "anna")
	for range 3 {
		assert.Equal(t, 200, do(h, http.MethodGet, "/accounts/balances", "", "Authorization", "Bearer h.c.s").StatusCode)
	}
	assert.Equal(t, 401, do(h, http.MethodGet, "/accounts/balances", "", "Authorization", "Bearer h.c.forged").StatusCode)
}

func TestTrusting(t *testing.T) {
	t.Parallel()
	h := Mutant{fault: trusting(balances, always, 1)}.API(&gateway{decide: expiring()})
	login(h, "anna")
	assert.Equal(t, 200, do(h, http.MethodGet, "/accounts/balances", "", "Authorization", "Bearer h.c.forged").StatusCode)
}

func TestConfusing(t *testing.T) {
	t.Parallel()
	g := &gateway{decide: refusesValues}
	h := Mutant{fault: confusing(cashOut, always)}.API(g)
	login(h, "anna")
	login(h, "bruno")
	pay(h, "bruno", `{}`)
	assert.Equal(t, "Bearer anna", g.calls[2].authorization)
}

func TestConcurrent(t *testing.T) {
	t.Parallel()
	h := Mutant{fault: pretending(cashOut, all(refusedAs("PIX_INVALID_AMOUNT"), concurrent))}.API(&gateway{decide: refusesValues})
	login(h, "anna")
	login(h, "bruno")
	assert.Equal(t, 400, pay(h, "anna", `{"value":0}`).StatusCode, "one after the other is refused")
	assert.Equal(t, 400, pay(h, "bruno", `{"value":0}`).StatusCode)

	var wait sync.WaitGroup
	statuses := make([]int, 4)
	for i := range statuses {
		wait.Go(func() { statuses[i] = pay(h, "anna", `{"value":0}`).StatusCode })
	}
	wait.Wait()
	assert.Contains(t, statuses, 201)
}

func TestDelayingEndsWithItsSender(t *testing.T) {
	t.Parallel()
	sink := transportFunc(func(r *http.Request) (*http.Response, error) { return nil, r.Context().Err() })
	wire := Mutant{fault: delaying(event, always, time.Hour)}.Webhooks(sink)
	r, err := http.NewRequestWithContext(canceled(t), http.MethodPost, "https://sink.invalid/", strings.NewReader(`{}`))
	require.NoError(t, err)
	_, err = wire.RoundTrip(r)
	assert.Error(t, err)
}
