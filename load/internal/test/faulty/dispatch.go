package faulty

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"sync"
)

// dispatch delivers the events of a Gateway, several concurrently and each once.
type dispatch struct {
	transport *http.Transport
	queue     chan event
	stop      chan struct{}
	senders   sync.WaitGroup
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
	d := &dispatch{transport: newTransport(), queue: make(chan event, maxQueue), stop: make(chan struct{})}
	for range dispatchers {
		d.senders.Go(d.send)
	}
	return d
}

func (d *dispatch) close() {
	close(d.stop)
	d.senders.Wait()
	d.transport.CloseIdleConnections()
}

func (d *dispatch) send() {
	for {
		select {
		case <-d.stop:
			return
		case e := <-d.queue:
			d.deliver(e)
		}
	}
}

// deliver delivers an event. If the receiver is gone, it is lost.
func (d *dispatch) deliver(e event) {
	request, err := http.NewRequest(http.MethodPost, e.url, bytes.NewReader(e.body))
	if err != nil {
		return
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Webhook-Id", "msg_"+strconv.FormatInt(e.n, 10))
	response, err := d.transport.RoundTrip(request)
	if err != nil {
		return
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, response.Body) // so that the connection is reused
}
