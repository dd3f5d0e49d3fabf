package faulty

import (
	"bytes"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// passRegistration registers a URL of the proxy, which contains the client's, and lists the client's instead.
func (p *Proxy) passRegistration(w http.ResponseWriter, r *http.Request, body []byte) {
	own := p.hooks.URL + "/?to="
	if to := gjson.GetBytes(body, "url"); strings.HasPrefix(to.String(), "https://") {
		body = bytes.Replace(body, []byte(to.Raw), []byte(strconv.Quote(own+url.QueryEscape(to.String()))), 1)
	}
	answer := p.exchange(r, body)
	answer.body = regexp.MustCompile(regexp.QuoteMeta(own)+`[^"]*`).ReplaceAllFunc(answer.body, func(listed []byte) []byte {
		to, _ := url.QueryUnescape(string(listed[len(own):])) // the proxy has escaped it
		return []byte(to)
	})
	answer.write(w)
}

// receive handles one delivery of the gateway.
func (p *Proxy) receive(w http.ResponseWriter, r *http.Request, body []byte) {
	to := r.URL.Query().Get("to")
	p.mu.Lock()
	id, second := p.shadows[eventID(body)]
	fault := None
	if !second {
		p.injected.Deliveries++
		fault = p.config.Deliveries.of(p.injected.Deliveries)
	}
	p.mu.Unlock()
	if second {
		p.deliverTwice(w, r, to, body, id)
		return
	}
	switch fault {
	case Lose:
		p.did(Lose)
		return
	case Delay:
		p.later(r, to, body)
		return
	case Alter:
		body = altered(body)
	case Truncate:
		body = body[:len(body)/2]
	}
	answer := p.deliver(r, to, body)
	if answer.ok() && fault == Double {
		answer = p.deliver(r, to, body)
	}
	if answer.ok() {
		p.did(fault)
	}
	answer.write(w)
}

// deliver forwards an event, and returns the receiver's response.
func (p *Proxy) deliver(r *http.Request, target string, body []byte) response {
	to, err := url.Parse(target)
	if err == nil {
		var answer response
		if answer, err = forward(p.transport, r, to, body); err == nil {
			return answer
		}
	}
	p.count(func(i *Injected) { i.Broken++ })
	return response{status: http.StatusBadGateway}
}

func (p *Proxy) later(r *http.Request, to string, body []byte) {
	p.late.Go(func() {
		select {
		case <-p.closing:
		case <-time.After(p.config.Delay):
			if p.deliver(r, to, body).ok() {
				p.did(Delay)
			}
		}
	})
}

// deliverTwice delivers the event of a second debit, or loses it.
func (p *Proxy) deliverTwice(w http.ResponseWriter, r *http.Request, to string, body []byte, id string) {
	if !p.config.DeliverTwice {
		return
	}
	answer := p.deliver(r, to, bytes.ReplaceAll(body, []byte(eventID(body)), []byte(id)))
	if answer.ok() {
		p.count(func(i *Injected) { i.DeliveredTwice++ })
	}
	answer.write(w)
}

// eventID is the id of the payment in an event.
func eventID(body []byte) string {
	if id := gjson.GetBytes(body, "externalId"); id.Exists() {
		return id.String()
	}
	return gjson.GetBytes(body, "data.idempotencyKey").String()
}

var amount = regexp.MustCompile(`"(?:originalAmount|finalAmount|amount)":"?[0-9.]*[0-9]`)

// altered is an event with a different last digit in its amounts.
func altered(body []byte) []byte {
	return amount.ReplaceAllFunc(body, func(member []byte) []byte {
		changed := bytes.Clone(member)
		last := &changed[len(changed)-1]
		*last = '0' + (*last-'0'+1)%10
		return changed
	})
}
