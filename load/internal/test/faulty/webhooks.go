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

// passRegistration registers the proxy's URL instead of the client's, and lists the client's
// URL instead of the proxy's.
func (p *Proxy) passRegistration(w http.ResponseWriter, r *http.Request, body []byte) {
	if url := gjson.GetBytes(body, "url"); strings.HasPrefix(url.String(), "https://") {
		own := strconv.Quote(p.ownURL(p.tally.target(url.String())))
		body = bytes.Replace(body, []byte(url.Raw), []byte(own), 1)
	}
	answer := p.exchange(r, body)
	for n, url := range p.tally.targets() {
		answer.body = bytes.ReplaceAll(answer.body, []byte(strconv.Quote(p.ownURL(n))), []byte(strconv.Quote(url)))
	}
	answer.write(w)
}

func (p *Proxy) ownURL(n int) string { return p.hooks.URL + "/" + strconv.Itoa(n) }

// receive handles one delivery of the gateway.
func (p *Proxy) receive(w http.ResponseWriter, r *http.Request, body []byte) {
	n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
	targets := p.tally.targets()
	if err != nil || n < 0 || n >= len(targets) {
		http.NotFound(w, r)
		return
	}
	to := targets[n]
	if id, second := p.tally.shadowed(eventID(body)); second {
		p.deliverTwice(w, r, to, body, id)
		return
	}
	fault := p.tally.delivery(p.config.Deliveries)
	switch fault {
	case Lose:
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
		p.tally.did(fault)
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
	p.tally.add(func(i *Injected) { i.Broken++ })
	return response{status: http.StatusBadGateway}
}

func (p *Proxy) later(r *http.Request, to string, body []byte) {
	p.late.Go(func() {
		select {
		case <-p.closing:
		case <-time.After(p.config.Delay):
			if p.deliver(r, to, body).ok() {
				p.tally.did(Delay)
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
		p.tally.add(func(i *Injected) { i.DeliveredTwice++ })
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
