package target

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
)

// allControls is a target whose controls are served by handler, with a recorder.
func allControls(t *testing.T, url string) (*Controls, *[]exchange.Exchange) {
	target := open(t, Profile{BaseURL: "http://127.0.0.1:1", Control: &ControlAccess{URL: url, Token: "t0ken"}})
	way := &controlsAt{target.Client}
	for _, control := range []Control{Accounts, Funds, FeesControl, LimitsControl, Clock, Certificates, Directory, Settlement, Payments, Charges, Refunds, Returns, Splits, MED, FaultsControl} {
		target.ways[control] = way
	}
	var recorded []exchange.Exchange
	return target.Controls("a.b", func(e exchange.Exchange) int {
		recorded = append(recorded, e)
		return len(recorded) + 40
	}), &recorded
}

func amount(s string) *Limit {
	limit := &s
	return &limit
}

func TestControlsCall(t *testing.T) {
	t.Parallel()
	var lifted Limit
	perMinute := 60
	limited := &perMinute
	for want, call := range map[string]func(context.Context, *Controls) error{
		`DELETE /accounts/7 `:                            func(ctx context.Context, c *Controls) error { return c.RemoveAccount(ctx, 7) },
		`PUT /accounts/7/balance {"available":"100.00"}`: func(ctx context.Context, c *Controls) error { return c.SetBalance(ctx, 7, "100.00") },
		`PUT /accounts/7/fees {"cashOut":"0.50"}`:        func(ctx context.Context, c *Controls) error { return c.SetFees(ctx, 7, Fees{CashOut: "0.50"}) },
		`PUT /accounts/7/fees {"cashIn":"0.00"}`:         func(ctx context.Context, c *Controls) error { return c.SetFees(ctx, 7, Fees{CashIn: "0.00"}) },
		`PUT /accounts/7/limits {"perTransaction":"500.00","daily":null,"requestsPerMinute":60}`: func(ctx context.Context, c *Controls) error {
			return c.SetLimits(ctx, 7, Limits{PerTransaction: amount("500.00"), Daily: &lifted, RequestsPerMinute: &limited})
		},
		`PUT /accounts/7/clock {"now":"2026-03-01T23:30:00Z"}`: func(ctx context.Context, c *Controls) error {
			return c.SetClock(ctx, 7, time.Date(2026, 3, 1, 20, 30, 0, 0, time.FixedZone("", -3*3600)))
		},
		`PUT /accounts/7/clock {"now":"2026-03-01T23:30:00.5Z"}`: func(ctx context.Context, c *Controls) error {
			return c.SetClock(ctx, 7, time.Date(2026, 3, 1, 23, 30, 0, 5e8, time.UTC))
		},
		`PUT /accounts/7/clock {"advance":"1801s"}`:             func(ctx context.Context, c *Controls) error { return c.AdvanceClock(ctx, 7, 1800*time.Second+1) },
		`POST /accounts/7/certificates {"certificate":"PEM\n"}`: func(ctx context.Context, c *Controls) error { return c.RegisterCertificate(ctx, 7, []byte("PEM\n")) },
		`DELETE /accounts/7/certificates/ab12 `:                 func(ctx context.Context, c *Controls) error { return c.RevokeCertificate(ctx, 7, "ab12") },
		`PUT /accounts/7/settlement {"mode":"manual"}`:          func(ctx context.Context, c *Controls) error { return c.SetSettlement(ctx, 7, "manual") },
		`PUT /accounts/7/faults {"auth":"error"}`:               func(ctx context.Context, c *Controls) error { return c.SetFaults(ctx, 7, Faults{Auth: "error"}) },
		`POST /accounts/7/settlements {"transactionId":"x","outcome":"CONFIRMED"}`: func(ctx context.Context, c *Controls) error {
			return c.Settle(ctx, 7, Payment{TransactionID: "x"}, Result{Outcome: "CONFIRMED"})
		},
		`POST /accounts/7/settlements {"transactionId":"x","outcome":"ERROR","errorCode":"ORDER_REJECTED","errorMessage":"no"}`: func(ctx context.Context, c *Controls) error {
			return c.Settle(ctx, 7, Payment{TransactionID: "x"}, Result{Outcome: "ERROR", ErrorCode: "ORDER_REJECTED", ErrorMessage: "no"})
		},
		`POST /accounts/7/settlements {"id":17,"outcome":"CONFIRMED"}`: func(ctx context.Context, c *Controls) error {
			return c.Settle(ctx, 7, Payment{ID: "17"}, Result{Outcome: "CONFIRMED"})
		},
		`POST /accounts/7/payments {"pixCode":"000201","payer":{"name":"N","document":"1","ispb":"2"}}`: func(ctx context.Context, c *Controls) error {
			_, err := c.Pay(ctx, 7, "000201", "", Payer{Name: "N", Document: "1", ISPB: "2"})
			return err
		},
		`POST /accounts/7/payments {"pixCode":"000201","amount":"12.00","payer":{"name":"N","document":"1","ispb":"2"}}`: func(ctx context.Context, c *Controls) error {
			_, err := c.Pay(ctx, 7, "000201", "12.00", Payer{Name: "N", Document: "1", ISPB: "2"})
			return err
		},
		`POST /accounts/7/charges/tx/end {"by":"psp"}`: func(ctx context.Context, c *Controls) error { return c.EndCharge(ctx, 7, "tx", "psp") },
		`GET /accounts/7/charges/tx `: func(ctx context.Context, c *Controls) error {
			return c.ShowCharge(ctx, 7, "tx")
		},
		`PUT /accounts/7/refunds {"mode":"manual"}`: func(ctx context.Context, c *Controls) error { return c.SetRefunds(ctx, 7, "manual") },
		`POST /accounts/7/refunds/D1/result {"status":"NAO_REALIZADO","motivo":"no"}`: func(ctx context.Context, c *Controls) error {
			return c.EndRefund(ctx, 7, "D1", RefundResult{Status: "NAO_REALIZADO", Motivo: "no"})
		},
		`GET /accounts/7/refunds/D1 `: func(ctx context.Context, c *Controls) error {
			return c.ShowRefund(ctx, 7, "D1")
		},
		`POST /accounts/7/returns {"amount":"10.00","endToEndId":"E1"}`: func(ctx context.Context, c *Controls) error { return c.Return(ctx, 7, "E1", "10.00") },
		`GET /accounts/7/splits?transactionId=a%26b `: func(ctx context.Context, c *Controls) error {
			return c.ShowSplits(ctx, 7, "a&b")
		},
		`POST /accounts/7/meds {"cause":"SOCIAL_ENGINEERING","description":"Opened by a test","endToEnd":"E1","reason":"REFUND_REQUEST"}`: func(ctx context.Context, c *Controls) error {
			_, err := c.OpenMED(ctx, 7, "E1")
			return err
		},
		`PATCH /accounts/7/meds/5 {"status":"ANALYZED","analysisResult":"APPROVED","analysisDetails":"yes"}`: func(ctx context.Context, c *Controls) error {
			return c.MoveMED(ctx, 7, 5, MEDMove{Status: "ANALYZED", AnalysisResult: "APPROVED", AnalysisDetails: "yes"})
		},
		`PUT /directory/a%2Fb@payee.example {"name":"N","document":"1","ispb":"2","accountStatus":"ACTIVE"}`: func(ctx context.Context, c *Controls) error {
			return c.PutKey(ctx, "a/b@payee.example", DirectoryEntry{Name: "N", Document: "1", ISPB: "2", AccountStatus: "ACTIVE"})
		},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			var came string
			url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				came = fmt.Sprintf("%s %s %s", r.Method, r.RequestURI, body)
				assert.Equal(t, "Bearer t0ken", r.Header.Get("Authorization"))
				assert.Equal(t, len(body) > 0, r.Header.Get("Content-Type") == "application/json")
				w.WriteHeader(http.StatusAccepted)
				_, _ = w.Write([]byte(`{"id":5,"status":"ATIVA","endToEndId":"E1","splits":[]}`))
			}))
			controls, recorded := allControls(t, url)
			require.NoError(t, call(background(), controls))
			assert.Equal(t, want, came)
			require.Len(t, *recorded, 1)
			assert.Equal(t, exchange.Control, (*recorded)[0].Party)
			assert.Equal(t, 202, (*recorded)[0].Status)
		})
	}
}

func TestCreateAccount(t *testing.T) {
	t.Parallel()
	url := serve(t, answers(201, "application/json", `{"accountId":93,"clientId":"`+anID+`","clientSecret":"s","name":"n","document":"d","ispb":"12345678","pixKey":"`+anID+`","more":1}`))
	controls, _ := allControls(t, url)
	account, err := controls.CreateAccount(background(), []byte("PEM"))
	require.NoError(t, err)
	assert.Equal(t, Account{AccountID: 93, ClientID: anID, ClientSecret: "s", Name: "n", Document: "d", ISPB: "12345678", PixKey: anID}, account)

	_, err = controls.CreateAccount(background(), []byte("PEM"))
	require.EqualError(t, err, `the test control "accounts" failed: it returned the account with clientId `+anID+` again instead of a new one`)
	assert.Contains(t, controls.target.Malformed(Accounts), "again")
}

const anID = "0f4bd6f5-58ba-4aa8-9b2b-1b6c1d0a2e3f"

// An account that the gateway cannot know is the control's fault.
func TestUnusableAccounts(t *testing.T) {
	t.Parallel()
	for body, message := range map[string]string{
		`null`: "got 4 bytes without a readable clientSecret",
		`{"accountId":93,"clientId":"c/../c","clientSecret":"s"}`:                          "expected clientId to be a UUID, got c/../c",
		`{"accountId":93,"clientId":"` + anID + `","clientSecret":"s","pixKey":"a@b.com"}`: "expected pixKey to be an EVP (a UUID), got a@b.com",
	} {
		controls, recorded := allControls(t, serve(t, answers(201, "application/json", body)))
		_, err := controls.CreateAccount(background(), nil)
		require.ErrorContains(t, err, message)
		assert.NotEmpty(t, controls.target.Malformed(Accounts))
		require.Len(t, *recorded, 1)
	}
}

// A client secret that no redactor can find is not kept.
func TestUnreadableCredentialsAreNotKept(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		"{\"accountId\":NaN,\"clientSecret\":NaNab-the-rest\"}", "{\"cli\xff\xc3ntS\xff\xc3cr\xff\xc3t\":\"the-rest\"}", `{"accountId":1e1000000,"clientSecret":"the-rest"}`,
		"\xff\xfe{\x00the-rest", `{"secret":"the-rest"}`,
	} {
		controls, recorded := allControls(t, serve(t, answers(201, "application/json", body)))
		_, err := controls.CreateAccount(background(), nil)
		require.ErrorContains(t, err, fmt.Sprintf("got %d bytes without a readable clientSecret", len(body)))
		require.Len(t, *recorded, 1)
		assert.Empty(t, (*recorded)[0].ResponseBody)
		assert.Equal(t, len(body), (*recorded)[0].LeftOut)
	}
}

func TestControlsFail(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		want    error
		message string
	}{
		"not implemented": {answers(501, "", `{"message":"later"}`), &Missing{Accounts}, `the target does not offer the test control "accounts"`},
		"unknown id":      {answers(404, "", `{"message":"no account\u001b 7"}`), &ControlError{Accounts, 404, 0, `no account\x1b 7`, 41}, `the test control "accounts": expected 2xx, got 404: no account\x1b 7`},
		"without reason":  {answers(500, "", "oops"), &ControlError{Accounts, 500, 0, "oops", 41}, ""},
		"no JSON":         {answers(200, "", "oops"), &ControlError{Accounts, 200, 0, "expected the JSON that the protocol defines, got 4 bytes without a readable clientSecret", 41}, ""},
		"breaks off":      {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, &ControlError{Accounts, 0, 0, "the target closed the connection before responding", 41}, `the test control "accounts" failed: the target closed the connection before responding`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			controls, _ := allControls(t, serve(t, c.handler))
			_, err := controls.CreateAccount(background(), nil)
			assert.Equal(t, c.want, err)
			if c.message != "" {
				assert.EqualError(t, err, c.message)
			}
			assert.False(t, IsFinished(err))
		})
	}
}

// A response that is not complete is a failed control, even if its body is ignored or its status is 200.
func TestControlsWithIncompleteResponses(t *testing.T) {
	t.Parallel()
	cutOff := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, `{"status":"ATIVA"`)
	}
	endless := func(w http.ResponseWriter, _ *http.Request) {
		for {
			if _, err := io.WriteString(w, strings.Repeat(" ", 1<<12)); err != nil {
				return
			}
		}
	}
	setFees := func(c *Controls) error { return c.SetFees(background(), 1, Fees{CashOut: "1.00"}) }
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		call    func(*Controls) error
		want    string
	}{
		"cut off":           {cutOff, setFees, `the test control "fees" failed: it returned 200, but the response broke off after 17 bytes of the body`},
		"endless":           {endless, setFees, `the test control "fees" failed: it returned 200 and a body of more than 1048576 bytes`},
		"a case without id": {answers(200, "", "{}"), func(c *Controls) error { _, err := c.OpenMED(background(), 1, "E1"); return err }, "got {}: id is missing"},
		"no endToEndId":     {answers(200, "", "{}"), func(c *Controls) error { _, err := c.Pay(background(), 1, "0002", "", Payer{}); return err }, "got {}: endToEndId is missing"},
		"no status":         {answers(200, "", "{}"), func(c *Controls) error { return c.ShowCharge(background(), 1, "t") }, "got {}: status is missing"},
		"no splits":         {answers(200, "", "{}"), func(c *Controls) error { return c.ShowSplits(background(), 1, "t") }, "got {}: splits is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			controls, _ := allControls(t, serve(t, c.handler))
			assert.ErrorContains(t, c.call(controls), c.want)
		})
	}
}

func TestControlsTellTheFinished(t *testing.T) {
	t.Parallel()
	controls, _ := allControls(t, serve(t, answers(409, "", `{"message":"settled"}`)))
	assert.True(t, IsFinished(controls.Settle(background(), 1, Payment{TransactionID: "x"}, Result{Outcome: "CONFIRMED"})))
	assert.False(t, IsFinished(nil))
}

func TestControlsSendNothingWhereOneIsMissing(t *testing.T) {
	t.Parallel()
	controls := open(t, Profile{BaseURL: "http://127.0.0.1:1"}).Controls("a.b", nil)
	err := controls.SetBalance(background(), 1, "1.00")
	assert.Equal(t, &Missing{Funds}, err)
}

// A kept connection that ends under a call: what does the same once or twice is
// called again, the rest is not.
func TestControlsRepeatOnlyWhatMayBe(t *testing.T) {
	t.Parallel()
	second := func(conn *net.TCPConn, in *bufio.Reader) {
		if _, err := readRequest(in); err == nil {
			said("HTTP/1.1 204 X\r\n\r\n")(conn)
			_, _ = readRequest(in)
		}
	}
	controls, recorded := allControls(t, "http://"+serveRaw(t, second))
	require.NoError(t, controls.SetBalance(background(), 1, "1.00"))
	require.NoError(t, controls.SetBalance(background(), 1, "2.00"))
	assert.Len(t, *recorded, 3, "the undecided one is evidence too")

	controls, recorded = allControls(t, "http://"+serveRaw(t, second))
	require.NoError(t, controls.RegisterCertificate(background(), 1, nil))
	require.ErrorContains(t, controls.RegisterCertificate(background(), 1, nil), "may have been processed")
	assert.Len(t, *recorded, 2)
}
