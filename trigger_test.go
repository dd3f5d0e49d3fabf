package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTriggerPaysTheNewestCharge(t *testing.T) {
	t.Parallel()
	c := tryOut(t)
	c.cashIn("sale-1")
	c.cashIn("sale-2")
	require.Contains(t, c.triggers("paid"), "paid: cash-in sale-2 R$ 25.00\n")
	require.Equal(t, "Confirmado", c.transaction("sale-2")["status"])
	require.Equal(t, "Pendente", c.transaction("sale-1")["status"])
	c.triggers("paid", "sale-1")
	require.Equal(t, "Confirmado", c.transaction("sale-1")["status"])

	status, _, stderr := c.trigger("paid")
	require.Equal(t, exitNotRun, status)
	require.Contains(t, stderr, "expected an unpaid charge, but account 1 has none")
}

func TestTriggerPaysACobByItsTxid(t *testing.T) {
	t.Parallel()
	c := tryOut(t)
	const txid = "7978c0c97ea847e78e8849634473c1f1"
	c.made(http.MethodPut, "/cob/"+txid, `{"calendario":{"expiracao":3600},"valor":{"original":"25.00","modalidadeAlteracao":1}}`)
	c.triggers("paid", txid, "--amount", "26.00")
	require.EqualValues(t, 1026, c.made(http.MethodGet, "/balance", "")["netBalance"])
}

// Payments stay pending on hold, until they are settled or rejected or the hold ends.
func TestTriggerSettlesAndRejects(t *testing.T) {
	t.Parallel()
	c := tryOut(t)
	_, _, stderr := c.trigger("settled")
	require.Contains(t, stderr, "expected a pending cash-out or transfer, but account 1 has none; run `pixcert trigger hold` first")
	c.triggers("hold")
	c.cashOut("settled")
	c.cashOut("rejected")
	key := c.transfer()
	c.cashOut("left")
	c.triggers("settled", "settled")
	require.Equal(t, "Confirmado", c.transaction("settled")["status"])
	c.triggers("rejected", "rejected", "--code", "ACCOUNT_CLOSED", "--reason", "closed yesterday")
	require.Equal(t, "Error", c.transaction("rejected")["status"])
	c.triggers("settled", key)
	require.Equal(t, "Confirmado", c.transaction(key)["status"])
	require.Equal(t, "Pendente", c.transaction("left")["status"])
	c.triggers("release")
	require.Equal(t, "Confirmado", c.transaction("left")["status"])
}

func TestTriggerReturnsAndRefunds(t *testing.T) {
	t.Parallel()
	c := tryOut(t)
	c.cashOut("out-1")
	c.becomes("out-1", "Confirmado")
	c.triggers("returned", "--amount", "4.00")
	require.EqualValues(t, 994, c.made(http.MethodGet, "/balance", "")["netBalance"])

	c.triggers("hold")
	c.cashIn("sale-1")
	c.triggers("paid")
	received := c.transaction("sale-1")["endToEndId"].(string)
	for id, event := range map[string]string{"r1": "refunded", "r2": "refund-failed"} {
		c.made(http.MethodPut, "/pix/"+received+"/devolucao/"+id, `{"valor":"1.00"}`)
		c.triggers(event, id, "--reason", "why")
	}
	require.Equal(t, "Confirmado", c.transaction("r1")["status"])
	require.Equal(t, "Error", c.transaction("r2")["status"])
}

func TestTriggerMEDs(t *testing.T) {
	t.Parallel()
	c := tryOut(t)
	c.cashIn("sale-1")
	c.triggers("paid")
	for event, result := range map[string]string{"med-accepted": "APPROVED", "med-rejected": "REJECTED"} {
		c.triggers("med", "sale-1", "--reason", "stolen phone")
		c.triggers(event)
		cases := c.made(http.MethodGet, "/api/med", "")["data"].([]any)
		newest := cases[0].(map[string]any)
		require.Equal(t, "stolen phone", newest["description"])
		require.Equal(t, result, newest["analysisResult"])
	}
}

func TestTriggerSetsFundsAndTime(t *testing.T) {
	t.Parallel()
	c := tryOut(t)
	c.triggers("funds", "12.34")
	require.EqualValues(t, 12.34, c.made(http.MethodGet, "/balance", "")["netBalance"])
	c.triggers("time", "31m")
	status, _ := c.send(http.MethodGet, "/balance", "")
	require.Equal(t, http.StatusUnauthorized, status, "the token has expired")
	status, _, stderr := c.trigger("time")
	require.Equal(t, exitNotRun, status)
	require.Contains(t, stderr, "expected a value")
}

func TestTriggerRefuses(t *testing.T) {
	t.Parallel()
	c := tryOut(t)
	stopped := httptest.NewServer(http.NotFoundHandler())
	stopped.Close()
	for says, args := range map[string][]string{
		`got "payed"`:                                  {"payed"},
		"start a gateway with `pixcert serve`":         {"paid", "--control-url", stopped.URL},
		"but account 9 has none":                       {"paid", "--account", "9"},
		"paid nothing: the test controls answered 404": {"paid", "nothing"},
		"the test controls answered 400: the bod":      {"funds", "many"},
	} {
		status, _, stderr := c.trigger(args...)
		require.Equal(t, exitNotRun, status, says)
		require.Contains(t, stderr, says)
	}
}

// A gateway that has only the controls of the protocol takes the ids of the protocol.
func TestTriggerOnAnotherGateway(t *testing.T) {
	t.Parallel()
	var calls []string
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/latest/") {
			http.NotFound(w, r)
			return
		}
		body, _ := io.ReadAll(r.Body)
		calls = append(calls, fmt.Sprintf("%s %s %s", r.Method, r.URL.Path, body))
		w.WriteHeader(http.StatusNoContent)
	}))
	defer other.Close()
	for _, args := range [][]string{{"settled", "17"}, {"rejected", "abc"}, {"med-accepted", "5"}} {
		status, _, stderr := invoke(t, append([]string{"trigger", "--control-url", other.URL, "--account", "93"}, args...)...)
		require.Zero(t, status, stderr)
	}
	require.Equal(t, []string{
		`POST /accounts/93/settlements {"id":17,"outcome":"CONFIRMED"}`,
		`POST /accounts/93/settlements {"errorCode":"ORDER_REJECTED","outcome":"ERROR","transactionId":"abc"}`,
		`PATCH /accounts/93/meds/5 {"status":"RECEIVED"}`,
		`PATCH /accounts/93/meds/5 {"analysisResult":"APPROVED","status":"ANALYZED"}`,
	}, calls)
}
