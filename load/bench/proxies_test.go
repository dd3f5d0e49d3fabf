package bench

import (
	"bytes"
	"cmp"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"

	"github.com/pixcert/pixcert/load/internal/result"
	"github.com/pixcert/pixcert/load/internal/test/reftest"
)

// proxy is a reverse proxy around a correct gateway that does one thing wrong. It was written from the README alone, without
// knowledge of how the ledger finds faults.
type proxy struct {
	t        *testing.T
	api      *httptest.Server
	hooks    *httptest.Server
	pass     *httputil.ReverseProxy
	onPay    onPay
	onEvent  onEvent
	mu       sync.Mutex
	payments int
	events   int
	victims  []string // external ids of the payments that it treated wrongly
	notes    map[string]string
}

// onPay does something to a payment, onEvent to a webhook. Without them, they pass it by.
type (
	onPay   func(p *proxy, w http.ResponseWriter, r *http.Request, body []byte)
	onEvent func(p *proxy, to string, r *http.Request, body []byte)
)

func startProxy(t *testing.T, upstream string, pay onPay, event onEvent) *proxy {
	t.Helper()
	target, err := url.Parse(upstream)
	require.NoError(t, err)
	p := &proxy{t: t, onPay: pay, onEvent: event, notes: map[string]string{}}
	p.pass = &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }}
	p.api = httptest.NewServer(http.HandlerFunc(p.request))
	p.hooks = httptest.NewTLSServer(http.HandlerFunc(p.event))
	t.Cleanup(p.api.Close)
	t.Cleanup(p.hooks.Close)
	return p
}

func (p *proxy) request(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	switch {
	case r.Method == http.MethodPost && r.URL.Path == "/api/webhooks" && p.onEvent != nil:
		body = altered(body, strconv.Quote(p.hooks.URL+"/?to="+url.QueryEscape(gjson.GetBytes(body, "url").Str)), "url")
	case r.Method == http.MethodPost && r.URL.Path == "/api/pix/cash-out":
		if p.onPay != nil {
			p.onPay(p, w, r, body)
			return
		}
	}
	p.forward(w, r, body)
}

// forward passes a request on with a body.
func (p *proxy) forward(w http.ResponseWriter, r *http.Request, body []byte) {
	out := r.Clone(r.Context())
	out.Body, out.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	p.pass.ServeHTTP(w, out)
}

func (p *proxy) event(_ http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	p.onEvent(p, r.URL.Query().Get("to"), r, body)
}

func (p *proxy) deliver(to string, r *http.Request, body []byte) {
	out, err := http.NewRequest(http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		p.t.Error(err)
		return
	}
	out.Header = r.Header.Clone()
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true}}
	if response, err := client.Do(out); err == nil {
		response.Body.Close()
	}
}

// fifth says whether this is the fifth of its kind, whose payment is then a victim.
func (p *proxy) fifth(count *int, id string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	*count++
	if *count == 5 {
		p.victims = append(p.victims, id)
	}
	return *count == 5
}

func (p *proxy) note(key, value string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.notes[key] = value
}

func (p *proxy) noted(key string) (value string, known bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	value, known = p.notes[key]
	return value, known
}

func externalID(body []byte) string { return gjson.GetBytes(body, "externalId").Str }

// onFifthEvent does something to one webhook, and passes the others.
func onFifthEvent(do onEvent) onEvent {
	return func(p *proxy, to string, r *http.Request, body []byte) {
		if p.fifth(&p.events, externalID(body)) {
			do(p, to, r, body)
			return
		}
		p.deliver(to, r, body)
	}
}

// altered is a body with another value, as JSON, in some fields.
func altered(body []byte, value string, fields ...string) []byte {
	for _, field := range fields {
		old := gjson.GetBytes(body, field)
		body = slices.Concat(body[:old.Index], []byte(value), body[old.Index+len(old.Raw):])
	}
	return body
}

const (
	foreign     = "somebody-elses-payment"
	transaction = `"11111111-1111-4111-8111-111111111111"`
)

// plusOne is an amount in the body of a payment plus one centavo.
func plusOne(amount gjson.Result) string { return fmt.Sprintf("%.2f", amount.Float()+0.01) }

// ten are the faults, and what the README says of each: the outcome of payments or webhooks, and the verdict.
var ten = map[string]struct {
	pay     onPay
	event   onEvent
	repeats string
	lasts   string // the load; empty: 3s
	sort    string // of the examples, with the victims' ids
	fails   string // threshold
	verdict result.Outcome
}{
	"nothing": {verdict: result.Pass},
	"a lost webhook": {
		event: onFifthEvent(func(*proxy, string, *http.Request, []byte) {}),
		sort:  "webhooks_lost", fails: "pix_webhooks{outcome:lost}", verdict: result.Wrong,
	},
	"a duplicate webhook": {
		event: onFifthEvent(func(p *proxy, to string, r *http.Request, body []byte) {
			p.deliver(to, r, body)
			p.deliver(to, r, body)
		}),
		sort: "webhooks_duplicate", fails: "pix_webhooks{outcome:duplicate}", verdict: result.Wrong,
	},
	"a late webhook": {
		event: onFifthEvent(func(p *proxy, to string, r *http.Request, body []byte) {
			go func() {
				time.Sleep(4 * time.Second)
				p.deliver(to, r, body)
			}()
		}),
		sort: "webhooks_late", fails: "pix_webhooks{outcome:late}", verdict: result.Fail,
	},
	"a foreign webhook": {
		event: onFifthEvent(func(p *proxy, to string, r *http.Request, body []byte) {
			p.deliver(to, r, body)
			p.deliver(to, r, altered(bytes.ReplaceAll(body, []byte(externalID(body)), []byte(foreign)), transaction, "transactionId"))
		}),
		sort: "webhooks_orphan", fails: "pix_webhooks{outcome:orphan}", verdict: result.Wrong,
	},
	"a wrong amount": {
		event: onFifthEvent(func(p *proxy, to string, r *http.Request, body []byte) {
			p.deliver(to, r, altered(body, plusOne(gjson.GetBytes(body, "originalAmount")), "originalAmount", "finalAmount"))
		}),
		sort: "webhooks_malformed", fails: "pix_webhooks{outcome:malformed}", verdict: result.Wrong,
	},
	"a wrong id": {
		event: onFifthEvent(func(p *proxy, to string, r *http.Request, body []byte) {
			p.deliver(to, r, altered(body, transaction, "transactionId"))
		}),
		sort: "webhooks_malformed", fails: "pix_webhooks{outcome:malformed}", verdict: result.Wrong,
	},
	"a drift of one centavo": { // it debits a centavo more than it was asked to, and than its webhook says
		pay: func(p *proxy, w http.ResponseWriter, r *http.Request, body []byte) {
			if value := gjson.GetBytes(body, "value"); p.fifth(&p.payments, externalID(body)) {
				p.note(externalID(body), value.Raw)
				body = altered(body, plusOne(value), "value")
			}
			p.forward(w, r, body)
		},
		event: func(p *proxy, to string, r *http.Request, body []byte) {
			if value, known := p.noted(externalID(body)); known {
				body = altered(body, value, "originalAmount", "finalAmount")
			}
			p.deliver(to, r, body)
		},
		sort: "payments_misstated", fails: "pix_money_drift", verdict: result.Wrong,
	},
	"a double debit after a repeat": { // the second request with an id is another payment, of which nobody hears
		repeats: "1",
		pay: func(p *proxy, w http.ResponseWriter, r *http.Request, body []byte) {
			id := externalID(body)
			_, again := p.noted(id)
			p.note(id, id)
			if !again || !p.fifth(&p.payments, id) {
				p.forward(w, r, body)
				return
			}
			p.note("shadow", strings.ToUpper(id))
			answer := httptest.NewRecorder()
			p.forward(answer, r, altered(body, strconv.Quote(strings.ToUpper(id)), "externalId"))
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(answer.Code)
			_, _ = w.Write(altered(answer.Body.Bytes(), strconv.Quote(id), "externalId"))
		},
		event: func(p *proxy, to string, r *http.Request, body []byte) {
			if shadow, _ := p.noted("shadow"); shadow == "" || externalID(body) != shadow {
				p.deliver(to, r, body)
			}
		},
		sort: "double_debits", fails: "pix_payments{outcome:double_debit}", verdict: result.Wrong,
	},
	"an outage": {
		pay: func(p *proxy, w http.ResponseWriter, r *http.Request, body []byte) {
			p.mu.Lock()
			p.payments++
			down := p.payments > 20 && p.payments <= 40
			if down {
				p.victims = append(p.victims, externalID(body))
			}
			p.mu.Unlock()
			if down {
				http.Error(w, `{"message":"down for a second"}`, http.StatusServiceUnavailable)
				return
			}
			p.forward(w, r, body)
		},
		sort: "payments_no_response", fails: "pix_req_failed", verdict: result.Fail,
	},
	"a stall": {
		pay: func(p *proxy, w http.ResponseWriter, r *http.Request, body []byte) {
			p.mu.Lock() // all requests wait for the fifth
			p.payments++
			if p.payments == 5 {
				time.Sleep(2500 * time.Millisecond)
			}
			p.mu.Unlock()
			p.forward(w, r, body)
		},
		lasts: "8s", fails: "pix_req_intended_duration", verdict: result.Fail,
	},
}

// TestEveryFaultOfAProxyIsFound: with the ids of the payments, the threshold that fails and the exit status.
func TestEveryFaultOfAProxyIsFound(t *testing.T) {
	alone(t)
	reference := reftest.Start(t)
	for name, c := range ten {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := startProxy(t, reference.URL, c.pay, c.event)
			file := filepath.Join(t.TempDir(), "result.json")
			k := launchK6(t, "proxy.js", []string{"PIX_URL=" + p.api.URL, "PIX_CONTROLS=" + reference.ControlURL, "RESULT=" + file, "REPEATS=" + cmp.Or(c.repeats, "0"), "LASTS=" + cmp.Or(c.lasts, "3s")})
			status := k.wait(2 * time.Minute)
			r, err := result.Read(file)
			require.NoError(t, err, &k.output)
			require.Equal(t, c.verdict, r.Outcome, &k.output)
			if c.verdict == result.Pass {
				assert.Zero(t, status)
				return
			}
			assert.Equal(t, 99, status)
			failed := map[string]bool{}
			for _, of := range r.Thresholds {
				failed[of.Metric] = failed[of.Metric] || !of.OK
			}
			assert.True(t, failed[c.fails], "%s passed; the run printed:\n%s", c.fails, &k.output)
			var named []string
			for _, e := range r.Ledger.Examples {
				if e.Sort == c.sort {
					named = append(named, e.Payment)
				}
			}
			switch name {
			case "a stall":
				assert.NotEmpty(t, r.Silences)
			case "a foreign webhook":
				require.Len(t, named, 1)
				assert.Contains(t, k.output.String(), foreign)
			default:
				assert.ElementsMatch(t, p.victims, named, "the run printed:\n%s", &k.output)
			}
			if name == "a drift of one centavo" {
				assert.EqualValues(t, 1, r.Ledger.Counts.MoneyDrift)
			}
		})
	}
}
