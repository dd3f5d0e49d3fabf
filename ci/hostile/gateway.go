package hostile

import (
	"context"
	"encoding/json"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Gateway is a gateway that misbehaves in one way: proxies in front of a correct one and of its test
// controls, and strangers who know the URLs of its webhooks.
type Gateway struct {
	Does     string                                                // in one line
	Correct  bool                                                  // the specification permits everything that it does: no rule may fail
	API      Config                                                // without upstream
	Controls Config                                                // without upstream
	Stranger func(ctx context.Context, conn net.Conn, path string) // see [Deliver]
}

// Gateways returns the gateways by name, each in its initial state.
func Gateways() map[string]Gateway {
	all := map[string]Gateway{}
	for _, part := range []map[string]Gateway{permitted(), framed(), texts(), values(), untrustworthy(),
		oddities(), ambiguous(), confused(), liars()} {
		maps.Copy(all, part)
	}
	return all
}

// both spoils the responses of the API, and those of the controls after the first: a run whose controls
// never work does not start.
func both(does string, after int64, spoil func(*Answer)) Gateway {
	return Gateway{Does: does, API: Config{Spoil: spoil}, Controls: Config{After: after, Spoil: spoil}}
}

func api(does string, spoil func(*Answer)) Gateway {
	return Gateway{Does: does, API: Config{Spoil: spoil}}
}

func controls(does string, spoil func(*Answer)) Gateway {
	return Gateway{Does: does, Controls: Config{Spoil: spoil}}
}

func correct(g Gateway) Gateway {
	g.Correct = true
	return g
}

// Running is a gateway that accepts requests until it is stopped.
type Running struct {
	API, Controls string              // base URLs
	Stop          func() (sent int64) // returns how many webhooks strangers sent
}

// Start runs a gateway in front of a correct one and its controls. The witness receives every response
// of these, before it is spoilt.
func (g Gateway) Start(api, controls string, witness func(*http.Request, []byte, *http.Response, []byte)) (*Running, error) {
	var urls registered
	g.API.Upstream, g.Controls.Upstream, g.Controls.Witness = api, controls, witness
	g.API.Witness = func(r *http.Request, sent []byte, response *http.Response, body []byte) {
		urls.add(r, sent)
		witness(r, sent, response, body)
	}
	front, err := Listen(g.API)
	if err != nil {
		return nil, err
	}
	control, err := Listen(g.Controls)
	if err != nil {
		front.Close()
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	delivered := make(chan int64, 1)
	go func() {
		if g.Stranger == nil {
			delivered <- 0
			return
		}
		delivered <- Deliver(ctx, g.Stranger, urls.last)
	}()
	return &Running{API: front.URL, Controls: control.URL, Stop: func() int64 {
		cancel()
		defer front.Close()
		defer control.Close()
		return <-delivered
	}}, nil
}

// registered are the latest webhook URLs of a gateway.
type registered struct {
	mu   sync.Mutex
	urls []string
}

func (k *registered) add(r *http.Request, sent []byte) {
	if to, isLocal := registration(r, sent); isLocal {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.urls = append(k.urls[max(0, len(k.urls)-5):], to)
	}
}

func (k *registered) last() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.urls)
}

// registration returns the URL that a request registers, if it is on this machine.
func registration(r *http.Request, sent []byte) (url string, isLocal bool) {
	var body struct{ URL string }
	registers := r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/webhooks") && json.Unmarshal(sent, &body) == nil
	return body.URL, registers && strings.HasPrefix(body.URL, "https://127.0.0.1:")
}
