package sandbox

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
)

// Receiver receives webhooks, forwards them and reports what was answered.
type Receiver struct {
	URL     string // that gateways send to; the event type follows
	forward string // URL, empty for none
	report  func(Received)
	client  *http.Client

	mu    sync.Mutex
	count int
	kept  map[int]Delivery
	first map[string]int // number of the first delivery, by webhook-id
}

// Delivery is a webhook that arrived.
type Delivery struct {
	Number int
	Event  string
	id     string // webhook-id; the same when it is repeated
	Body   []byte
}

// Received is a delivery and the answer to it.
type Received struct {
	Delivery
	Repeats int // number of the first delivery with the same webhook-id; 0 for none
	Arrived time.Time
	Took    time.Duration
	Status  int
	Answer  string // of the application, if it is not 2xx
}

const (
	EventPlaceholder = "{event}"       // in the URL to forward to
	maxDelivery      = 1 << 20         // bytes
	forwardTimeout   = 9 * time.Second // below the ten seconds that gateways wait
	keptDeliveries   = 1000
)

// silent drops what net/http logs about broken connections.
var silent = log.New(io.Discard, "", 0)

// NewReceiver returns a receiver that forwards deliveries to a URL, unless it is empty, and calls report for each, one
// at a time.
func NewReceiver(forward string, report func(Received)) *Receiver {
	return &Receiver{
		forward: forward, report: report, kept: map[int]Delivery{}, first: map[string]int{},
		client: &http.Client{
			Timeout:       forwardTimeout,
			Transport:     &http.Transport{},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// Close ends connections to the application.
func (r *Receiver) Close() { r.client.CloseIdleConnections() }

func (r *Receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
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
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report(Received{d, repeats, arrived, time.Since(arrived), status, answer})
}

// keep numbers a delivery, and returns the number of the first one with the same webhook-id, 0 for
// none.
func (r *Receiver) keep(event, id string, body []byte) (d Delivery, repeats int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count++
	d = Delivery{r.count, event, id, body}
	r.kept[d.Number] = d
	if old, full := r.kept[d.Number-keptDeliveries]; full {
		delete(r.kept, old.Number)
		if r.first[old.id] == old.Number {
			delete(r.first, old.id)
		}
	}
	if repeats = r.first[id]; repeats == 0 && id != "" {
		r.first[id] = d.Number
	}
	return d, repeats
}

// notForwarded are headers of the connection to this receiver.
var notForwarded = []string{"Connection", "Keep-Alive", "Te", "Trailer", "Transfer-Encoding", "Upgrade", "Accept-Encoding"}

// pass forwards a delivery unchanged and returns the status to answer with: 502 without a response.
func (r *Receiver) pass(request *http.Request, d Delivery) (status int, answer string) {
	// The gateway may give up first; the application gets the whole time.
	ctx := context.WithoutCancel(request.Context())
	forwarded, err := http.NewRequestWithContext(ctx, request.Method, strings.ReplaceAll(r.forward, EventPlaceholder, d.Event), bytes.NewReader(d.Body))
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

// Summary describes an event, such as "CashIn CONFIRMED sale-1 R$ 25.00".
func (d Delivery) Summary() string {
	p := readPayload(d.Body)
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
	return strings.Join(words, " ")
}

// transactionOf is an id by which the API knows the transaction of an event; empty if it has none.
func transactionOf(body []byte) string {
	p := readPayload(body)
	if len(p.Data.Refunds) > 0 {
		return p.Data.Refunds[0].EndToEndID
	}
	return cmp.Or(p.Data.ID.String(), p.EndToEndID, p.ExternalID)
}
