package faulty

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tidwall/gjson"
	"github.com/valyala/fasthttp"
)

// targets are the registered URLs by number.
type targets struct {
	mu   sync.RWMutex
	urls []string
}

func (t *targets) number(url string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := slices.Index(t.urls, url); n >= 0 {
		return n
	}
	t.urls = append(t.urls, url)
	return len(t.urls) - 1
}

// all is append-only.
func (t *targets) all() []string {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.urls
}

// passRegistration registers the proxy's URL instead of the client's, and lists the client's
// URL instead of the proxy's.
func (p *Proxy) passRegistration(ctx *fasthttp.RequestCtx) {
	if url := gjson.GetBytes(ctx.Request.Body(), "url"); strings.HasPrefix(url.String(), "https://") {
		own := strconv.Quote(p.ownURL(p.targets.number(url.String())))
		ctx.Request.SetBodyRaw(bytes.Replace(ctx.Request.Body(), []byte(url.Raw), []byte(own), 1))
	}
	if !p.exchange(ctx) {
		return
	}
	body := ctx.Response.Body()
	for n, url := range p.targets.all() {
		body = bytes.ReplaceAll(body, []byte(strconv.Quote(p.ownURL(n))), []byte(strconv.Quote(url)))
	}
	ctx.Response.SetBodyRaw(body)
}

func (p *Proxy) ownURL(n int) string { return "https://" + p.hooks.address + "/" + strconv.Itoa(n) }

// receive handles one delivery of the gateway.
func (p *Proxy) receive(ctx *fasthttp.RequestCtx) {
	n, err := strconv.Atoi(strings.TrimPrefix(pathOf(ctx, ""), "/"))
	urls := p.targets.all()
	if err != nil || n < 0 || n >= len(urls) {
		ctx.SetStatusCode(fasthttp.StatusNotFound)
		return
	}
	ctx.Request.SetRequestURI(urls[n])
	ctx.Request.Header.SetHostBytes(ctx.Request.URI().Host())
	body := ctx.Request.Body()
	if id, second := p.tally.shadowed(eventID(body)); second {
		p.deliverTwice(ctx, id)
		return
	}
	fault := p.tally.delivery(p.config.Deliveries)
	switch fault {
	case Lose:
		return
	case Delay:
		p.couriers.later(&ctx.Request)
		return
	case Alter:
		ctx.Request.SetBodyRaw(altered(body))
	case Truncate:
		ctx.Request.SetBodyRaw(body[:len(body)/2])
	}
	delivered := p.couriers.deliver(&ctx.Request, &ctx.Response)
	if delivered && fault == Double {
		delivered = p.couriers.deliver(&ctx.Request, &ctx.Response)
	}
	if delivered {
		p.tally.did(fault)
	}
}

// deliverTwice delivers the event of a second debit, or loses it.
func (p *Proxy) deliverTwice(ctx *fasthttp.RequestCtx, id string) {
	if !p.config.DeliverTwice {
		return
	}
	body := ctx.Request.Body()
	ctx.Request.SetBodyRaw(bytes.ReplaceAll(body, []byte(eventID(body)), []byte(id)))
	if p.couriers.deliver(&ctx.Request, &ctx.Response) {
		p.tally.add(func(i *Injected) { i.DeliveredTwice++ })
	}
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
