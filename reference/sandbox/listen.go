package sandbox

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/pixcert/pixcert/certs"
)

// API calls the API of a gateway for an account.
type API interface {
	Call(ctx context.Context, operation, method, path string, body, answer any) error
}

// Serve receives webhooks at an address until stop is called, with a certificate of its own or, if it is nil, a new one.
func (r *Receiver) Serve(ctx context.Context, address, public string, own *tls.Certificate) (stop func(), err error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("--listen %s: %w; choose a free local address", address, err)
	}
	r.URL = strings.TrimRight(cmp.Or(public, "https://"+reachable(listener.Addr())), "/")
	if own == nil {
		if own, err = certificateFor(r.URL); err != nil {
			return nil, errors.Join(err, listener.Close())
		}
	}
	server := &http.Server{
		Handler:           r,
		TLSConfig:         certs.Restricted(&tls.Config{Certificates: []tls.Certificate{*own}}),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       20 * time.Second,
		WriteTimeout:      20 * time.Second,
		ErrorLog:          silent,
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.ServeTLS(listener, "", "") // always ErrServerClosed, after stop
	}()
	return func() {
		_ = server.Close()
		<-ended
	}, nil
}

// reachable is the address of a listener as this machine reaches it.
func reachable(listening net.Addr) string {
	host, port, _ := net.SplitHostPort(listening.String()) // of a TCP listener: well formed
	if net.ParseIP(host).IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}

// certificateFor is a new certificate for the host of a URL.
func certificateFor(address string) (*tls.Certificate, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	authority, err := certs.NewAuthority()
	if err != nil {
		return nil, err
	}
	own, err := authority.IssueServer(u.Hostname())
	return &own, err
}

// Register registers the receiver's URL for event types. Registering it again changes nothing.
func (r *Receiver) Register(ctx context.Context, api API, events ...string) error {
	for _, event := range events {
		var answer struct{}
		body := map[string]string{"url": r.URL + "/" + event, "eventType": event}
		err := api.Call(ctx, "register for "+event, http.MethodPost, "/api/webhooks", body, &answer)
		if err != nil {
			return fmt.Errorf("%w; if the account has its 3 URLs for %s, listen at an address that is registered already (GET /api/webhooks lists them)", err, event)
		}
	}
	return nil
}

// RegisterLost registers the event types for which the receiver's URL is registered no more, and returns them.
func (r *Receiver) RegisterLost(ctx context.Context, api API, events []string) (lost []string, err error) {
	var list struct {
		Webhooks []struct {
			Type, URL string
			IsActive  bool
		}
	}
	if err := api.Call(ctx, "list of webhooks", http.MethodGet, "/api/webhooks", nil, &list); err != nil {
		return nil, err
	}
	registered := map[string]bool{}
	for _, w := range list.Webhooks {
		registered[w.Type] = registered[w.Type] || w.IsActive && w.URL == r.URL+"/"+w.Type
	}
	for _, event := range events {
		if !registered[event] {
			lost = append(lost, event)
		}
	}
	return lost, r.Register(ctx, api, lost...)
}

// Resend has the gateway send a delivery again: the one with that number, or the last one.
func (r *Receiver) Resend(ctx context.Context, api API, number string) error {
	d, err := r.delivery(number)
	if err != nil {
		return err
	}
	id := transactionOf(d.Body)
	if id == "" {
		return fmt.Errorf("delivery %d cannot be resent: the API resends the events of transactions, and this one is %s", d.Number, d.Event)
	}
	var answer struct{}
	body := map[string]string{"url": r.URL + "/" + d.Event}
	return api.Call(ctx, "resend", http.MethodPost, "/api/resend-webhook/"+url.PathEscape(id), body, &answer)
}

// delivery returns the delivery with a number, or the last one.
func (r *Receiver) delivery(number string) (Delivery, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n, err := strconv.Atoi(cmp.Or(number, strconv.Itoa(r.count)))
	switch {
	case r.count == 0:
		return Delivery{}, errors.New("nothing to resend: no webhook has arrived")
	case err != nil:
		return Delivery{}, fmt.Errorf("expected Enter or the number of a delivery, got %q", number)
	}
	d, kept := r.kept[n]
	if !kept {
		return Delivery{}, fmt.Errorf("expected the number of a delivery from %d to %d, got %d", max(1, r.count-keptDeliveries+1), r.count, n)
	}
	return d, nil
}
