package main

import (
	"bufio"
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
	"sync"
	"time"

	"github.com/muesli/cancelreader"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/target"
)

type listenCmd struct {
	ForwardTo string   `name:"forward-to" placeholder:"URL" help:"Forward each delivery to this URL, and answer with its status; {event} stands for the event type."`
	Listen    string   `default:"127.0.0.1:9444" placeholder:"ADDR" help:"Receive webhooks at this address."`
	PublicURL string   `name:"public-url" placeholder:"URL" help:"Register this https URL, which leads to --listen (default: https:// and the address)."`
	Events    []string `name:"event" placeholder:"TYPE" help:"Register for these event types only (default: all)."`
	Verbose   bool     `short:"v" help:"Print the payload of each delivery."`

	Sandbox sandboxFlags `embed:""`

	interval time.Duration // of checks of the registration; 0 for the default
}

func (*listenCmd) Help() string {
	return `Registers an https address for the events of an account, prints each delivery with the answer to it, and forwards it. Press Enter to have the gateway resend the last one, or type its number and press Enter.

The API has no way to end a registration: it stays when the command ends, and the next one on the same address takes over.

Examples:
  pixcert listen --profile data/pixcert.yaml --forward-to http://localhost:3000/webhooks
  pixcert listen --profile pixcert.yaml --forward-to 'http://localhost:3000/pix/{event}' --event cash_in --event cash_out
  pixcert listen --profile pixcert.yaml --public-url https://tunnel.example`
}

func (c *listenCmd) Run(ctx context.Context, to *console) error {
	if err := c.valid(); err != nil {
		return err
	}
	p, account, err := c.Sandbox.profileAccount(to)
	if err != nil {
		return err
	}
	api, err := openAPI(ctx, p, account)
	if err != nil {
		return err
	}
	defer api.close()
	r := newReceiver(c.ForwardTo, c.Verbose, to.out)
	defer r.close()
	stop, err := r.serve(ctx, c.Listen, c.PublicURL, p.Sink)
	if err != nil {
		return err
	}
	defer stop()
	if err := r.register(ctx, api, c.Events...); err != nil {
		return err
	}
	fmt.Fprintf(to.out, "Account %d sends %s to %s.\nPress Enter to resend the last delivery, or type its number. Press Ctrl-C to stop.\n",
		account.AccountID, strings.Join(c.Events, ", "), r.url)
	defer c.watch(ctx, to, api, r)()
	return c.resendOnRequest(ctx, to, api, r)
}

func (c *listenCmd) valid() error {
	if c.ForwardTo != "" {
		if err := checkURL(strings.ReplaceAll(c.ForwardTo, eventPlaceholder, "event"), "http", "https"); err != nil {
			return fmt.Errorf("--forward-to: %w", err)
		}
	}
	if c.PublicURL != "" {
		if err := checkURL(c.PublicURL, "https"); err != nil {
			return fmt.Errorf("--public-url: %w", err)
		}
	}
	known := map[string]bool{}
	var all []string
	for _, event := range pix.EventTypes() {
		known[string(event)] = true
		all = append(all, string(event))
	}
	if len(c.Events) == 0 {
		c.Events = all
	}
	for _, event := range c.Events {
		if !known[event] {
			return fmt.Errorf("--event: expected one of %s, got %q", strings.Join(all, ", "), event)
		}
	}
	return nil
}

// resendOnRequest reads the numbers of deliveries from the terminal until ctx ends.
func (c *listenCmd) resendOnRequest(ctx context.Context, to *console, api *apiClient, r *receiver) error {
	lines, err := cancelreader.NewReader(to.in)
	if err != nil { // such as a closed input: nobody can type
		<-ctx.Done()
		return nil
	}
	defer lines.Close()
	defer context.AfterFunc(ctx, func() { lines.Cancel() })()
	for typed := bufio.NewScanner(lines); typed.Scan(); {
		if err := r.resend(ctx, api, strings.TrimSpace(typed.Text())); err != nil {
			fmt.Fprintf(to.err, "pixcert: %v\n", err)
		}
	}
	<-ctx.Done() // the end of the input is not the end of the command
	return nil
}

// serve receives webhooks at an address until stop is called.
func (r *receiver) serve(ctx context.Context, address, public string, sink target.Sink) (stop func(), err error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("--listen %s: %w; choose a free local address", address, err)
	}
	r.url = strings.TrimRight(cmp.Or(public, "https://"+reachable(listener.Addr())), "/")
	certificate, err := sinkCertificate(r.url, sink)
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	server := &http.Server{
		Handler:           r,
		TLSConfig:         certs.Restricted(&tls.Config{Certificates: []tls.Certificate{certificate}}),
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

// sinkCertificate is the profile's certificate for webhooks, or a new one for the host of a URL.
func sinkCertificate(address string, sink target.Sink) (tls.Certificate, error) {
	if sink.Certificate != nil {
		return tls.X509KeyPair(sink.Certificate, sink.Key)
	}
	authority, err := certs.NewAuthority()
	if err != nil {
		return tls.Certificate{}, err
	}
	u, err := url.Parse(address)
	if err != nil {
		return tls.Certificate{}, err
	}
	return authority.IssueServer(u.Hostname())
}

// register registers the receiver's URL for event types. Registering it again changes nothing.
func (r *receiver) register(ctx context.Context, api *apiClient, events ...string) error {
	for _, event := range events {
		var answer struct{}
		body := map[string]string{"url": r.url + "/" + event, "eventType": event}
		err := api.call(ctx, "register for "+event, http.MethodPost, "/api/webhooks", body, &answer)
		if err != nil {
			return fmt.Errorf("%w; if the account has its 3 URLs for %s, listen at an address that is registered already (GET /api/webhooks lists them)", err, event)
		}
	}
	return nil
}

// checkInterval is short for a person who waits for a webhook, and takes a fifth of 60 requests per minute.
const checkInterval = 5 * time.Second

// watch registers again what the gateway loses in a reset, until ctx or stop ends it, or the gateway has been silent for
// too long.
func (c *listenCmd) watch(ctx context.Context, to *console, api *apiClient, r *receiver) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	api.target.Client.Watch(func(string) {})
	var watching sync.WaitGroup
	watching.Go(func() {
		ticks := time.NewTicker(cmp.Or(c.interval, checkInterval))
		defer ticks.Stop()
		for reported := false; ; {
			select {
			case <-ctx.Done():
				return
			case <-ticks.C:
			}
			lost, err := r.registerLost(ctx, api, c.Events)
			if ctx.Err() != nil {
				return
			}
			if api.target.Client.GivenUp(exchange.API) != nil {
				fmt.Fprintln(to.err, "pixcert: the gateway stopped responding, so its registrations are not checked any more; run pixcert listen again if it has lost them")
				return
			}
			if err != nil {
				api.renew() // the account's clock may have advanced
				if !reported {
					fmt.Fprintf(to.err, "pixcert: cannot check the registrations, trying again: %v\n", err)
				}
			} else if len(lost) > 0 {
				fmt.Fprintf(to.out, "The gateway lost registrations, for instance by a reset. Registered again for %s.\n", strings.Join(lost, ", "))
			}
			reported = err != nil
		}
	})
	return func() {
		cancel()
		watching.Wait()
	}
}

// registerLost registers the event types for which the receiver's URL is registered no more, and returns them.
func (r *receiver) registerLost(ctx context.Context, api *apiClient, events []string) (lost []string, err error) {
	var list struct {
		Webhooks []struct {
			Type, URL string
			IsActive  bool
		}
	}
	if err := api.call(ctx, "list of webhooks", http.MethodGet, "/api/webhooks", nil, &list); err != nil {
		return nil, err
	}
	registered := map[string]bool{}
	for _, w := range list.Webhooks {
		registered[w.Type] = registered[w.Type] || w.IsActive && w.URL == r.url+"/"+w.Type
	}
	for _, event := range events {
		if !registered[event] {
			lost = append(lost, event)
		}
	}
	return lost, r.register(ctx, api, lost...)
}

// resend has the gateway send a delivery again: the one with that number, or the last one.
func (r *receiver) resend(ctx context.Context, api *apiClient, number string) error {
	d, err := r.delivery(number)
	if err != nil {
		return err
	}
	id := transactionOf(d.body)
	if id == "" {
		return fmt.Errorf("delivery %d cannot be resent: the API resends the events of transactions, and this one is %s", d.number, d.event)
	}
	var answer struct{}
	body := map[string]string{"url": r.url + "/" + d.event}
	return api.call(ctx, "resend", http.MethodPost, "/api/resend-webhook/"+url.PathEscape(id), body, &answer)
}

// delivery returns the delivery with a number, or the last one.
func (r *receiver) delivery(number string) (delivery, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n, err := strconv.Atoi(cmp.Or(number, strconv.Itoa(r.count)))
	switch {
	case r.count == 0:
		return delivery{}, errors.New("nothing to resend: no webhook has arrived")
	case err != nil:
		return delivery{}, fmt.Errorf("expected Enter or the number of a delivery, got %q", number)
	}
	d, kept := r.kept[n]
	if !kept {
		return delivery{}, fmt.Errorf("expected the number of a delivery from %d to %d, got %d", max(1, r.count-keptDeliveries+1), r.count, n)
	}
	return d, nil
}
