package record

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/jsonvalue"
)

// Delivery is a webhook as it arrived.
type Delivery struct {
	*exchange.Exchange
	Index   int    // of the exchange among the scenario's
	At      string // the URL that it was sent to, without its query
	Query   string
	Name    string // its event or, in an envelope, its type
	Payload any    // decoded; a CashOut is taken out of an envelope; nil if it is not JSON
	Wrapped bool   // it was a CashOut in an envelope
}

func newDelivery(e *exchange.Exchange, index int) *Delivery {
	d := &Delivery{Exchange: e, Index: index}
	d.At, d.Query, _ = strings.Cut(e.URL, "?")
	payload := e.Value()
	if payload == nil {
		return d
	}
	d.Payload, d.Wrapped = unwrapped(payload)
	for _, field := range []string{"event", "type"} {
		if name, ok := jsonvalue.Lookup(d.Payload, field); ok {
			d.Name = jsonvalue.Plain(name)
			break
		}
	}
	return d
}

// unwrapped takes a CashOut out of a {type, data} envelope. The specification has that envelope for
// other events, but some gateways send this one in it, too.
func unwrapped(payload any) (any, bool) {
	outer, _ := payload.(map[string]any)
	data, isObject := outer["data"].(map[string]any)
	if _, flat := outer["event"]; flat || !isObject || outer["type"] != api.PayloadCashOut && data["event"] != api.PayloadCashOut {
		return payload, false
	}
	inner := maps.Clone(data)
	if _, named := inner["event"]; !named {
		inner["event"] = outer["type"]
	}
	return inner, true
}

// Status is the status that the event reports; nil if it has none.
func (d *Delivery) Status() any { return d.either("status") }

// State is the status as a state; empty if it is no text.
func (d *Delivery) State() api.State {
	status, _ := d.Status().(string)
	return api.State(status)
}

// Text is a field of the event, or of the data in its envelope, as text; empty if it has none.
func (d *Delivery) Text(field string) string {
	if v := d.either(field); v != nil {
		return jsonvalue.Plain(v)
	}
	return ""
}

func (d *Delivery) either(field string) any {
	for _, path := range []string{field, "data." + field} {
		if v, ok := jsonvalue.Lookup(d.Payload, path); ok && v != nil {
			return v
		}
	}
	return nil
}

// Names reports whether the event contains one of the ids, in any field, but not as the beginning of a longer id.
func (d *Delivery) Names(ids ...string) bool {
	return slices.ContainsFunc(ids, func(id string) bool { return id != "" && containsToTheEnd(d.Body, id) })
}

// containsToTheEnd reports whether a text contains an id that no letter or digit follows.
func containsToTheEnd(text []byte, id string) bool {
	for {
		at := bytes.Index(text, []byte(id))
		if at < 0 {
			return false
		}
		next, _ := utf8.DecodeRune(text[at+len(id):])
		if !unicode.IsLetter(next) && !unicode.IsDigit(next) {
			return true
		}
		text = text[at+1:]
	}
}

// IsCalled reports whether the event is the payload of that name and, if the payload has a final
// status, whether the event reports it. Any event matches the name of a subscription type, which is
// not the name of a payload.
func (d *Delivery) IsCalled(name string) bool {
	payload, named := api.Payloads[name]
	return !named || d.Name == name && (payload.End == "" || d.State() == payload.End)
}
