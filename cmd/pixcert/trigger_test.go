package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
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
		c.triggers(event, id)
	}
	require.Equal(t, "Confirmado", c.transaction("r1")["status"])
	require.Equal(t, "Error", c.transaction("r2")["status"])
}

// The payment that is returned is the newest of which there is something to return.
func TestTriggerReturnsTheNewestThatCanBeReturned(t *testing.T) {
	t.Parallel()
	c := tryOut(t)
	for _, id := range []string{"out-1", "out-2"} {
		c.cashOut(id)
		c.becomes(id, "Confirmado")
	}
	c.triggers("hold")
	c.cashOut("rejected")
	c.triggers("rejected")
	c.cashOut("pending")
	require.Contains(t, c.triggers("returned", "--amount", "4.00"), "returned: cash-out out-2 E")
	require.Regexp(t, `^returned: cash-out out-2 E\w+ R\$ 6\.00\n$`, c.triggers("returned"), "what is left")
	require.Regexp(t, `^returned: cash-out out-1 E\w+ R\$ 10\.00\n$`, c.triggers("returned"))
	status, _, stderr := c.trigger("returned")
	require.Equal(t, exitNotRun, status)
	require.Contains(t, stderr, "returned: expected a confirmed cash-out or transfer that is not returned in full, but account 1 has none")
}

// What is finished is not said to be missing.
func TestTriggerSaysInWhichStateItIs(t *testing.T) {
	t.Parallel()
	c := tryOut(t)
	out := c.triggers("hold")
	require.Contains(t, out, "hold: payments and refunds stay pending")
	require.Contains(t, out, "\nTo end this, run: ")
	require.Contains(t, out, " trigger release --profile "+c.box.Profile+"\n")
	for _, id := range []string{"settled", "rejected", "pending", "returned"} {
		c.cashOut(id)
	}
	c.triggers("settled", "settled")
	c.triggers("settled", "returned")
	c.triggers("returned", "returned")
	c.triggers("rejected", "rejected", "--code", "ACCOUNT_CLOSED")
	c.cashIn("sale-1")
	c.triggers("paid")
	const txid = "7978c0c97ea847e78e8849634473c1f1"
	c.made(http.MethodPut, "/cob/"+txid, `{"calendario":{"expiracao":3600},"valor":{"original":"25.00"}}`)
	c.made(http.MethodPut, "/pix/"+c.transaction("sale-1")["endToEndId"].(string)+"/devolucao/r1", `{"valor":"1.00"}`)
	c.triggers("refunded")
	c.triggers("med")
	c.triggers("med-accepted")
	c.triggers("removed")
	c.cashIn("sale-2")
	c.triggers("time", "25h")
	c.refuses(map[string][]string{
		"settled settled: expected a pending cash-out or transfer, but it is CONFIRMED":             {"settled", "settled"},
		"settled rejected: expected a pending cash-out or transfer, but it is ERROR ACCOUNT_CLOSED": {"settled", "rejected"},
		"returned pending: expected a confirmed cash-out":                                           {"returned", "pending"},
		"returned in full, but it is PENDING":                                                       {"returned", "pending"},
		"returned in full, but it is returned in full":                                              {"returned", "returned"},
		"paid sale-1: expected an unpaid charge, but it is CONFIRMED":                               {"paid", "sale-1"},
		"paid sale-2: expected an unpaid charge, but it is expired":                                 {"paid", "sale-2"},
		"paid " + txid + ": expected an unpaid charge, but it is REMOVIDA_PELO_USUARIO_RECEBEDOR":   {"paid", txid},
		"refunded r1: expected a refund in processing, but it is DEVOLVIDO":                         {"refunded", "r1"},
		"med-accepted 999999: expected an open MED case, but account 1 has none with this id":       {"med-accepted", "999999"},
	})
}

func TestTriggerHelpListsTheCodes(t *testing.T) {
	t.Parallel()
	_, stdout, _ := invoke(t, "trigger", "--help")
	for _, code := range pix.ErrorCodes() {
		require.Contains(t, stdout, string(code)+" ")
	}
	require.Regexp(t, `rejected +the bank rejects a pending cash-out or transfer \(--code,\s+--reason\)`, stdout)
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
	for _, args := range [][]string{{"time", "-31m"}, {"time", "--", "-31m"}} {
		_, _, stderr := c.trigger(args...)
		require.Contains(t, stderr, "time: expected a duration that is not negative, such as 31m")
	}
	_, _, stderr = c.trigger("time", "soon")
	require.Contains(t, stderr, `time: expected a duration such as 30s, 31m, 2h, 89d or 2w, got "soon"`)
	before := c.clock()
	c.triggers("time", "2w")
	require.InDelta(t, 14*24*time.Hour, c.clock().Sub(before), float64(time.Minute))
}

// clock is the time of the account.
func (c *tried) clock() time.Time {
	c.t.Helper()
	response, err := http.Get(c.gateway.ControlsURL() + "/accounts/1/overview")
	require.NoError(c.t, err)
	defer response.Body.Close()
	var overview struct{ Account struct{ Now time.Time } }
	require.NoError(c.t, json.NewDecoder(response.Body).Decode(&overview))
	return overview.Account.Now
}

func TestTriggerListsEvents(t *testing.T) {
	t.Parallel()
	status, stdout, _ := invoke(t, "trigger", "--list")
	require.Zero(t, status)
	require.Contains(t, stdout, "  paid           a payer pays a charge")
	require.NotContains(t, stdout, "CODE")
	status, _, stderr := invoke(t, "trigger")
	require.Equal(t, exitNotRun, status)
	require.Contains(t, stderr, "expected one of paid, ")
}

// Trigger and listen use the profile that the environment names.
func TestTheProfileOfTheEnvironment(t *testing.T) {
	c := tryOut(t)
	t.Setenv("PIXCERT_PROFILE", c.box.Profile)
	c.cashIn("sale-1")
	status, stdout, stderr := invoke(t, "trigger", "paid")
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, "paid: cash-in sale-1")
	status, _, stderr = invoke(t, "listen", "--account", "9")
	require.Equal(t, exitNotRun, status)
	require.Contains(t, stderr, c.box.Profile+": expected an account with id 9")
	_, stdout, stderr = invoke(t, "plan", "--rule", "token.issued")
	require.Contains(t, stdout, "Test plan for the reference\n")
	require.Contains(t, stderr, "using "+c.box.Profile)
}

// Without it, they use pixcert.yaml in the current directory, as certify does, unless the address of another gateway is
// given.
func TestTriggerAndListenUseTheProfileInTheDirectory(t *testing.T) {
	c := tryOut(t)
	t.Chdir(filepath.Dir(c.box.Profile))
	require.Equal(t, "pixcert.yaml", filepath.Base(c.box.Profile))
	c.cashIn("sale-1")
	status, stdout, stderr := invoke(t, "trigger", "paid")
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, "paid: cash-in sale-1")
	require.Contains(t, stderr, "using pixcert.yaml; for another gateway, pass --profile or --control-url\n")
	status, _, stderr = invoke(t, "listen", "--account", "9")
	require.Equal(t, exitNotRun, status)
	require.Contains(t, stderr, "pixcert.yaml: expected an account with id 9")

	file, err := os.ReadFile("pixcert.yaml")
	require.NoError(t, err)
	withoutSecrets := regexp.MustCompile(`clientSecret: .*`).ReplaceAllLiteral(file, []byte("clientSecret: ${NOT_SET_HERE}"))
	require.NotEqual(t, file, withoutSecrets)
	require.NoError(t, os.WriteFile("pixcert.yaml", withoutSecrets, 0o600))
	c.cashIn("sale-2")
	status, _, stderr = invoke(t, "trigger", "paid")
	require.Zero(t, status, "the controls need no credentials of the API: %s", stderr)
	_, _, stderr = invoke(t, "trigger", "paid", "--control-url", "http://127.0.0.1:1")
	require.NotContains(t, stderr, "using")
	require.Contains(t, stderr, "http://127.0.0.1:1")
}

func TestTriggerRefuses(t *testing.T) {
	t.Parallel()
	c := tryOut(t)
	stopped := httptest.NewServer(http.NotFoundHandler())
	stopped.Close()
	c.refuses(map[string][]string{
		`got "payed"`:                          {"payed"},
		"start a gateway with `pixcert serve`": {"paid", "--control-url", stopped.URL},
		"but account 9 has none":               {"paid", "--account", "9"},
		"paid nothing: expected an unpaid charge, but account 1 has none with this id; the test controls answered 404": {"paid", "nothing"},
		`hold: expected no argument, got "out-1"`:                       {"hold", "out-1"},
		"settled: does not take --amount; run `pixcert trigger --help`": {"settled", "--amount", "1.00"},
		"paid: does not take --code":                                    {"paid", "--code", "ACCOUNT_CLOSED"},
		"release: does not take --reason":                               {"release", "--reason", "why"},
		"the test controls answered 400: the bod":                       {"funds", "many"},
	})
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

// refuses checks what trigger says of arguments.
func (c *tried) refuses(rows map[string][]string) {
	c.t.Helper()
	for says, args := range rows {
		status, _, stderr := c.trigger(args...)
		require.Equal(c.t, exitNotRun, status, says)
		require.Contains(c.t, stderr, says)
	}
}
