package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/muesli/cancelreader"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/sandbox"
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
	r := sandbox.NewReceiver(c.ForwardTo, func(d sandbox.Received) { c.print(to.out, d) })
	defer r.Close()
	own, err := sinkCertificate(p.Sink)
	if err != nil {
		return err
	}
	stop, err := r.Serve(ctx, c.Listen, c.PublicURL, own)
	if err != nil {
		return err
	}
	defer stop()
	if err := r.Register(ctx, api, c.Events...); err != nil {
		return err
	}
	fmt.Fprintf(to.out, "Account %d sends %s to %s.\nPress Enter to resend the last delivery, or type its number. Press Ctrl-C to stop.\n",
		account.AccountID, strings.Join(c.Events, ", "), r.URL)
	defer c.watch(ctx, to, api, r)()
	return c.resendOnRequest(ctx, to, api, r)
}

func (c *listenCmd) valid() error {
	if c.ForwardTo != "" {
		if err := checkURL(strings.ReplaceAll(c.ForwardTo, sandbox.EventPlaceholder, "event"), "http", "https"); err != nil {
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
func (c *listenCmd) resendOnRequest(ctx context.Context, to *console, api *apiClient, r *sandbox.Receiver) error {
	lines, err := cancelreader.NewReader(to.in)
	if err != nil { // such as a closed input: nobody can type
		<-ctx.Done()
		return nil
	}
	defer lines.Close()
	defer context.AfterFunc(ctx, func() { lines.Cancel() })()
	for typed := bufio.NewScanner(lines); typed.Scan(); {
		if err := r.Resend(ctx, api, strings.TrimSpace(typed.Text())); err != nil {
			fmt.Fprintf(to.err, "pixcert: %v\n", err)
		}
	}
	<-ctx.Done() // the end of the input is not the end of the command
	return nil
}

// print prints a delivery on a line: time, number, event, what it is about, and the answer.
func (c *listenCmd) print(w io.Writer, d sandbox.Received) {
	fmt.Fprintf(w, "%s  #%-3d %-12s %s -> %d in %d ms", d.Arrived.Format(time.TimeOnly), d.Number, exchange.Line(d.Event),
		exchange.Line(d.Summary()), d.Status, d.Took.Milliseconds())
	if d.Repeats != 0 {
		fmt.Fprintf(w, ", repeats #%d", d.Repeats)
	}
	if d.Answer != "" {
		fmt.Fprintf(w, ": %s", exchange.Excerpt(d.Answer, 200))
	}
	fmt.Fprintln(w)
	if c.Verbose {
		var indented bytes.Buffer
		if json.Indent(&indented, d.Body, "", "  ") != nil {
			indented.Reset()
			indented.Write(d.Body)
		}
		fmt.Fprintln(w, exchange.Visible(indented.String()))
	}
}

// sinkCertificate is the profile's certificate for webhooks; nil if it has none.
func sinkCertificate(sink target.Sink) (*tls.Certificate, error) {
	if sink.Certificate == nil {
		return nil, nil
	}
	pair, err := tls.X509KeyPair(sink.Certificate, sink.Key)
	return &pair, err
}

// checkInterval is short for a person who waits for a webhook, and takes a fifth of 60 requests per minute.
const checkInterval = 5 * time.Second

// watch registers again what the gateway loses in a reset, until ctx or stop ends it, or the gateway has been silent for
// too long.
func (c *listenCmd) watch(ctx context.Context, to *console, api *apiClient, r *sandbox.Receiver) (stop func()) {
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
			lost, err := r.RegisterLost(ctx, api, c.Events)
			if ctx.Err() != nil {
				return
			}
			if api.target.Client.GivenUp(exchange.API) != nil {
				fmt.Fprintln(to.err, "pixcert: the gateway stopped responding, so its registrations are not checked any more; run pixcert listen again if it has lost them")
				return
			}
			if err != nil && !reported {
				fmt.Fprintf(to.err, "pixcert: cannot check the registrations, trying again: %v\n", err)
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
