package api

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

// received has somebody pay a cob of the client, "10.00".
func (c *client) received(t testing.TB, amount string) pix.Payment {
	t.Helper()
	txid := strings.ReplaceAll(pix.NewUUID(), "-", "")
	charge := c.as(t, http.MethodPut, "/cob/"+txid, withBody(fmt.Sprintf(`{"calendario":{},"valor":{"original":%q}}`, amount)))
	require.Equal(t, http.StatusCreated, charge.status, "%s", charge.raw)
	payment, err := c.store.PayCharge(t.Context(), c.account.ID, charge.fields["location"].(string), 0,
		pix.Counterpart{Name: "Maria", Document: "52998224725", ISPB: "60701190"})
	require.NoError(t, err)
	return payment
}

func (c *client) refund(t testing.TB, original pix.Payment, id, body string) answer {
	t.Helper()
	return c.as(t, http.MethodPut, "/pix/"+original.EndToEndID+"/devolucao/"+id, withBody(body))
}

func TestRefund(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 0)
	original := c.received(t, "10.00")
	first := c.refund(t, original, "r1", `{"valor":"4.00","natureza":"RETIRADA","descricao":"sorry"}`)
	require.Equal(t, http.StatusCreated, first.status, "%s", first.raw)
	assert.Equal(t, "r1", first.fields["id"])
	assert.Regexp(t, `^D[0-9]{20}[A-Za-z0-9]{11}$`, first.fields["rtrId"])
	assert.Equal(t, "4.00", first.fields["valor"])
	assert.Equal(t, "RETIRADA", first.fields["natureza"])
	assert.Equal(t, "sorry", first.fields["descricao"])
	assert.Equal(t, "EM_PROCESSAMENTO", first.fields["status"])
	assert.Len(t, first.fields["horario"], 1)
	available, blocked := c.balance(t)
	assert.Equal(t, [2]pix.Centavos{6_00, 4_00}, [2]pix.Centavos{available, blocked})

	_, err := c.store.DoDue(t.Context())
	require.NoError(t, err)
	again := c.refund(t, original, "r1", `{"valor":"4.00","natureza":"RETIRADA","descricao":"sorry"}`)
	require.Equal(t, http.StatusCreated, again.status, "%s", again.raw)
	assert.Equal(t, first.fields["rtrId"], again.fields["rtrId"])
	assert.Equal(t, "DEVOLVIDO", again.fields["status"])
	assert.Len(t, again.fields["horario"], 2)
	available, blocked = c.balance(t)
	assert.Equal(t, [2]pix.Centavos{6_00, 0}, [2]pix.Centavos{available, blocked})

	plain := c.refund(t, original, "r2", `{"valor":"0.01"}`)
	assert.Equal(t, "ORIGINAL", plain.fields["natureza"])
	assert.NotContains(t, plain.fields, "descricao")
	assert.NotContains(t, plain.fields, "motivo")
}

func TestRefundsAreRefusedInTheSimpleEnvelope(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 100_00)
	original := c.received(t, "10.00")
	require.Equal(t, http.StatusCreated, c.refund(t, original, "used", `{"valor":"1.00"}`).status)
	stranger := c.newClient(t, 100_00).received(t, "10.00")
	withE2E := func(id string) pix.Payment { return pix.Payment{EndToEndID: id} }
	const right = `{"valor":"1.00"}`
	for name, test := range map[string]struct {
		original pix.Payment
		id, body string
		status   int
		words    string // in the message
	}{
		"e2eid of 31":           {withE2E(original.EndToEndID[:31]), "a", right, 400, "e2eid"},
		"e2eid of 33":           {withE2E(original.EndToEndID + "0"), "a", right, 400, "e2eid"},
		"e2eid with a hyphen":   {withE2E(original.EndToEndID[:31] + "-"), "a", right, 400, "e2eid"},
		"e2eid with an NUL":     {withE2E(original.EndToEndID[:31] + "%00"), "a", right, 400, "e2eid"},
		"unknown e2eid":         {withE2E("E60701190202603011200k3v9x2m7q1z"), "a", right, 404, "no PIX received"},
		"of another account":    {stranger, "a", right, 404, "no PIX received"},
		"id of 36":              {original, strings.Repeat("a", 36), right, 400, "id must be"},
		"id with a NUL":         {original, "a%00", right, 400, "id must be"},
		"no valor":              {original, "a", `{}`, 400, "valor"},
		"valor null":            {original, "a", `{"valor":null}`, 400, "valor"},
		"valor a number":        {original, "a", `{"valor":1.00}`, 400, "valor"},
		"valor without places":  {original, "a", `{"valor":"1"}`, 400, "valor"},
		"valor of one place":    {original, "a", `{"valor":"1.0"}`, 400, "valor"},
		"valor of three places": {original, "a", `{"valor":"1.000"}`, 400, "valor"},
		"valor with a comma":    {original, "a", `{"valor":"1,00"}`, 400, "valor"},
		"valor of nothing":      {original, "a", `{"valor":"0.00"}`, 400, "valor"},
		"valor below nothing":   {original, "a", `{"valor":"-1.00"}`, 400, "valor"},
		"valor beyond reason":   {original, "a", `{"valor":"999999999999999999.00"}`, 400, "valor"},
		"valor above the rest":  {original, "a", `{"valor":"9.01"}`, 400, "at most 9.00"},
		"MED_FRAUDE":            {original, "a", `{"valor":"1.00","natureza":"MED_FRAUDE"}`, 400, "natureza"},
		"MED_OPERACIONAL":       {original, "a", `{"valor":"1.00","natureza":"MED_OPERACIONAL"}`, 400, "natureza"},
		"natureza of its own":   {original, "a", `{"valor":"1.00","natureza":"X"}`, 400, "natureza"},
		"natureza empty":        {original, "a", `{"valor":"1.00","natureza":""}`, 400, "natureza"},
		"descricao of 141":      {original, "a", `{"valor":"1.00","descricao":"` + strings.Repeat("é", 141) + `"}`, 400, "descricao"},
		"used id":               {original, "used", `{"valor":"2.00"}`, 400, "another refund"},
		"no JSON":               {original, "a", `{"valor"`, 400, "JSON"},
		"two faults":            {original, "a", `{"valor":1,"natureza":"X"}`, 400, "; "},
	} {
		a := c.refund(t, test.original, test.id, test.body)
		assert.Equal(t, test.status, a.status, name)
		checkEnvelope(t, a, http.MethodPut, "/pix/"+test.original.EndToEndID+"/devolucao/"+test.id)
		assert.Contains(t, fmt.Sprint(a.fields["message"]), test.words, name)
	}
	for name, test := range map[string]struct{ id, body string }{
		"id of 35":         {strings.Repeat("a", 35), right},
		"descricao of 140": {"b", `{"valor":"1.00","descricao":"` + strings.Repeat("é", 140) + `"}`},
		"unknown field":    {"c", `{"valor":"1.00","extra":1}`},
	} {
		a := c.refund(t, original, test.id, test.body)
		assert.Equal(t, http.StatusCreated, a.status, "%s: %s", name, a.raw)
	}
	for sent, id := range map[string]string{"order-7_a.b": "order-7_a.b", "2026%2F7": "2026/7", "n%C2%BA%207": "nº 7"} {
		a := c.refund(t, original, sent, `{"valor":"0.01"}`)
		assert.Equal(t, http.StatusCreated, a.status, "%s: %s", sent, a.raw)
		assert.Equal(t, id, a.fields["id"])
	}
	unauthorized := c.as(t, http.MethodPut, "/pix/"+original.EndToEndID+"/devolucao/x", withBody(right), withHeader("Authorization"))
	assert.Equal(t, http.StatusUnauthorized, unauthorized.status)
}

func TestRefundThatCannotBe(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 0)
	original := c.received(t, "10.00")
	_, err := c.store.SetBalance(t.Context(), c.account.ID, 9_99)
	require.NoError(t, err)
	poor := c.refund(t, original, "a", `{"valor":"10.00"}`)
	assert.Equal(t, http.StatusUnprocessableEntity, poor.status)
	assert.Equal(t, "Unprocessable Entity", poor.fields["error"])
	_, err = c.store.SetBalance(t.Context(), c.account.ID, 10_00)
	require.NoError(t, err)

	_, err = c.store.SetClock(t.Context(), c.account.ID, original.ProcessedAt.Add(89*24*time.Hour+time.Second))
	require.NoError(t, err)
	c.renew(t)
	late := c.refund(t, original, "a", `{"valor":"10.00"}`)
	assert.Equal(t, http.StatusUnprocessableEntity, late.status, "%s", late.raw)
	assert.Equal(t, "Unprocessable Entity", late.fields["error"])
	_, err = c.store.AdvanceClock(t.Context(), c.account.ID, -time.Minute)
	require.NoError(t, err)
	assert.Equal(t, http.StatusCreated, c.refund(t, original, "a", `{"valor":"10.00"}`).status)
}

func TestRefundsInParallel(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 0)
	original := c.received(t, "10.00")
	_, err := c.store.Configure(t.Context(), c.account.ID, func(s *pix.Settings) { s.Refunds = pix.Manual })
	require.NoError(t, err)
	var mu sync.Mutex
	statuses := map[int]int{}
	var calls sync.WaitGroup
	for i := range 8 {
		calls.Go(func() {
			a := c.refund(t, original, fmt.Sprint("r", i), `{"valor":"4.00"}`)
			mu.Lock()
			defer mu.Unlock()
			statuses[a.status]++
		})
	}
	calls.Wait()
	assert.Equal(t, map[int]int{http.StatusCreated: 2, http.StatusBadRequest: 6}, statuses)
	available, blocked := c.balance(t)
	assert.Equal(t, [2]pix.Centavos{2_00, 8_00}, [2]pix.Centavos{available, blocked})
}
