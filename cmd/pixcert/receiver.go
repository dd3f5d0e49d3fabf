package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/steps/exchange"
)

// receiver receives webhooks, forwards them and prints what was answered.
type receiver struct {
	url     string // that gateways send to; the event type follows
	forward string // URL, empty for none
	verbose bool
	out     io.Writer
	client  *http.Client

	mu    sync.Mutex
	count int
	kept  map[int]delivery
	first map[string]int // number of the first delivery, by webhook-id
}

// delivery is a webhook that arrived.
type delivery struct {
	number int
	event  string
	id     string // webhook-id; the same when it is repeated
	body   []byte
}

const (
	eventPlaceholder = "{event}"
	maxDelivery      = 1 << 20         // bytes
	forwardTimeout   = 9 * time.Second // below the ten seconds that gateways wait
	keptDeliveries   = 1000
)

// silent drops what net/http logs about broken connections.
var silent = log.New(io.Discard, "", 0)

func newReceiver(forward string, verbose bool, out io.Writer) *receiver {
	return &receiver{
		forward: forward, verbose: verbose, out: out, kept: map[int]delivery{}, first: map[string]int{},
		client: &http.Client{
			Timeout:       forwardTimeout,
			Transport:     &http.Transport{},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

func (r *receiver) close() { r.client.CloseIdleConnections() }

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	arrived := time.Now()
	body, err := io.ReadAll(http.MaxBytesReader(w, request.Body, maxDelivery))
	if err != nil {
		http.Error(w, "cannot read the body", http.StatusBadRequest)
		return
	}
	d, repeats := r.keep(path.Base(request.URL.Path), request.Header.Get("webhook-id"), body)
	status, answer := http.StatusOK, ""
	if r.forward != "" {
		status, answer = r.pass(request, d)
	}
	w.WriteHeader(status)
	r.print(d, repeats, arrived, status, answer)
}

// keep numbers a delivery, and returns the number of the first one with the same webhook-id, 0 for
// none.
func (r *receiver) keep(event, id string, body []byte) (d delivery, repeats int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count++
	d = delivery{r.count, event, id, body}
	r.kept[d.number] = d
	if old, full := r.kept[d.number-keptDeliveries]; full {
		delete(r.kept, old.number)
		if r.first[old.id] == old.number {
			delete(r.first, old.id)
		}
	}
	if repeats = r.first[id]; repeats == 0 && id != "" {
		r.first[id] = d.number
	}
	return d, repeats
}

// notForwarded are headers of the connection to this receiver.
var notForwarded = []string{"Connection", "Keep-Alive", "Te", "Trailer", "Transfer-Encoding", "Upgrade", "Accept-Encoding"}

// pass forwards a delivery unchanged and returns the status to answer with: 502 without a response.
func (r *receiver) pass(request *http.Request, d delivery) (status int, answer string) {
	// The gateway may give up first; the application gets the whole time.
	ctx := context.WithoutCancel(request.Context())
	forwarded, err := http.NewRequestWithContext(ctx, request.Method, strings.ReplaceAll(r.forward, eventPlaceholder, d.event), bytes.NewReader(d.body))
	if err != nil {
		return http.StatusBadGateway, err.Error()
	}
	forwarded.Header = request.Header.Clone()
	for _, name := range notForwarded {
		forwarded.Header.Del(name)
	}
	response, err := r.client.Do(forwarded)
	if err != nil {
		return http.StatusBadGateway, withoutResponse(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(response.Body, 4<<10))
	if response.StatusCode/100 == 2 {
		return response.StatusCode, ""
	}
	return response.StatusCode, string(text)
}

// withoutResponse says why an application did not respond.
func withoutResponse(err error) string {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		if failed.Timeout() {
			return fmt.Sprintf("no response within %s", forwardTimeout)
		}
		err = failed.Err // without method and URL
	}
	return err.Error()
}

// print prints a delivery on a line: time, number, event, what it is about, and the answer.
func (r *receiver) print(d delivery, repeats int, arrived time.Time, status int, answer string) {
	var line strings.Builder
	fmt.Fprintf(&line, "%s  #%-3d %-12s %s -> %d in %d ms", arrived.Format(time.TimeOnly), d.number, exchange.Line(d.event),
		summary(d.body), status, time.Since(arrived).Milliseconds())
	if repeats != 0 {
		fmt.Fprintf(&line, ", repeats #%d", repeats)
	}
	if answer != "" {
		fmt.Fprintf(&line, ": %s", exchange.Excerpt(answer, 200))
	}
	line.WriteByte('\n')
	if r.verbose {
		var indented bytes.Buffer
		if json.Indent(&indented, d.body, "", "  ") != nil {
			indented.Reset()
			indented.Write(d.body)
		}
		fmt.Fprintln(&line, exchange.Visible(indented.String()))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	_, _ = io.WriteString(r.out, line.String())
}

// payload has the fields of an event that identify what it is about: those of the flat payloads, of
// the V2 envelopes, and of MED cases.
type payload struct {
	Event       string
	Type        string
	Status      string
	ErrorCode   string
	ExternalID  string
	EndToEndID  string
	EndToEnd    string
	FinalAmount json.Number
	Data        struct {
		ID         json.Number
		Status     string
		EndToEndID string
		Payment    struct{ Amount json.Number }
		Refunds    []struct {
			EndToEndID string
			Payment    struct{ Amount json.Number }
		}
	}
}

// readPayload reads what it can: an event of another gateway may differ.
func readPayload(body []byte) payload {
	var p payload
	_ = json.Unmarshal(body, &p)
	return p
}

// summary describes an event, such as "CashIn CONFIRMED sale-1 R$ 25.00".
func summary(body []byte) string {
	p := readPayload(body)
	amount := p.FinalAmount
	if amount == "" {
		amount = p.Data.Payment.Amount
	}
	id := cmp.Or(p.ExternalID, p.EndToEndID, p.Data.EndToEndID, p.EndToEnd)
	if len(p.Data.Refunds) > 0 {
		amount, id = p.Data.Refunds[0].Payment.Amount, p.Data.Refunds[0].EndToEndID
	}
	words := []string{cmp.Or(p.Event, p.Type), cmp.Or(p.Status, p.Data.Status), p.ErrorCode, id}
	if value, err := pix.ParseAmount(amount.String()); err == nil {
		words = append(words, "R$ "+value.String())
	}
	return exchange.Line(strings.Join(words, " "))
}

// transactionOf is an id by which the API knows the transaction of an event; empty if it has none.
func transactionOf(body []byte) string {
	p := readPayload(body)
	if len(p.Data.Refunds) > 0 {
		return p.Data.Refunds[0].EndToEndID
	}
	return cmp.Or(p.Data.ID.String(), p.EndToEndID, p.ExternalID)
}
