package faulty

import (
	"crypto/tls"
	"strconv"
	"sync"
	"time"

	"github.com/valyala/fasthttp"
)

// receiverClient delivers webhooks without verifying the receivers' certificates.
func receiverClient() *fasthttp.Client {
	return &fasthttp.Client{
		TLSConfig:                     &tls.Config{InsecureSkipVerify: true, ClientSessionCache: tls.NewLRUClientSessionCache(64)},
		MaxConnsPerHost:               4096,
		ReadTimeout:                   exchangeTimeout,
		WriteTimeout:                  exchangeTimeout,
		NoDefaultUserAgentHeader:      true,
		DisablePathNormalizing:        true,
		DisableHeaderNamesNormalizing: true,
		RetryIfErr:                    neverAgain,
	}
}

// couriers forward deliveries, immediately or later.
type couriers struct {
	tally  *tally
	delay  time.Duration
	client *fasthttp.Client
	stop   chan struct{}
	late   sync.WaitGroup
}

func (c *couriers) start(delay time.Duration, tally *tally) {
	c.tally, c.delay = tally, delay
	c.client, c.stop = receiverClient(), make(chan struct{})
}

// close must be called after the last call of later.
func (c *couriers) close() {
	close(c.stop)
	c.late.Wait()
	c.client.CloseIdleConnections()
}

// deliver forwards a request, and returns the receiver's response.
func (c *couriers) deliver(request *fasthttp.Request, response *fasthttp.Response) (delivered bool) {
	if err := c.client.Do(request, response); err != nil {
		c.tally.add(func(i *Injected) { i.Broken++ })
		response.Reset()
		response.SetStatusCode(fasthttp.StatusBadGateway)
		return false
	}
	return response.StatusCode() >= 200 && response.StatusCode() <= 299
}

func (c *couriers) later(request *fasthttp.Request) {
	held := &fasthttp.Request{}
	request.CopyTo(held)
	c.late.Go(func() {
		select {
		case <-c.stop:
		case <-time.After(c.delay):
			if c.deliver(held, new(fasthttp.Response)) {
				c.tally.did(Delay)
			}
		}
	})
}

// dispatch delivers the events of a Gateway, several concurrently and each once.
type dispatch struct {
	client  *fasthttp.Client
	queue   chan event
	stop    chan struct{}
	senders sync.WaitGroup
}

// event is the event of the n-th payment, and its URL.
type event struct {
	n    int64
	url  string
	body []byte
}

const (
	dispatchers = 32
	maxQueue    = 1 << 16
)

func startDispatch() *dispatch {
	d := &dispatch{client: receiverClient(), queue: make(chan event, maxQueue), stop: make(chan struct{})}
	for range dispatchers {
		d.senders.Go(d.send)
	}
	return d
}

func (d *dispatch) close() {
	close(d.stop)
	d.senders.Wait()
	d.client.CloseIdleConnections()
}

func (d *dispatch) send() {
	var request fasthttp.Request
	var response fasthttp.Response
	for {
		select {
		case <-d.stop:
			return
		case e := <-d.queue:
			request.Reset()
			request.Header.SetMethod(fasthttp.MethodPost)
			request.SetRequestURI(e.url)
			request.Header.SetContentType("application/json")
			request.Header.Set("webhook-id", "msg_"+strconv.FormatInt(e.n, 10))
			request.SetBodyRaw(e.body)
			_ = d.client.Do(&request, &response) // if the receiver is gone, the event is lost
		}
	}
}
