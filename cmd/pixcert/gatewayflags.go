package main

import (
	"context"
	"os"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// gatewayFlags select the gateway that a command sends requests to, and where it receives webhooks.
type gatewayFlags struct {
	targetFlags
	Sink string `placeholder:"HOST:PORT" help:"Receive webhooks at this address (default: 127.0.0.1, free port)."`
}

// open returns the selected gateway, started if it is the bundled one or an image, and a function that stops it and
// passes the log of an image to keep.
func (f *gatewayFlags) open(ctx context.Context, to *console, secrets *exchange.Redactor, keep func(log []byte) error) (target.Profile, func(), error) {
	if !f.named() {
		gateway, stop, err := bundled(ctx, reference.Config{})
		gateway.Sink.Listen = f.Sink
		return gateway, stop, err
	}
	p, err := f.profile(to, f.Sink)
	if err != nil {
		return target.Profile{}, nil, err
	}
	if p.Container == nil {
		return p, func() {}, nil
	}
	return startImage(ctx, to, p, secrets, keep)
}

// arguments returns the command-line arguments that name the same gateway, without secrets.
func (f *gatewayFlags) arguments() []string {
	all := f.targetFlags.arguments()
	if f.Sink != "" {
		all = append(all, "--sink", f.Sink)
	}
	return all
}

// subject is how a report names the same gateway, with further arguments.
func (f *gatewayFlags) subject(more ...string) verdict.Subject {
	directory, _ := os.Getwd() // if it is unknown, paths in the report stay as they are
	return verdict.Subject{Arguments: append(f.arguments(), more...), Directory: directory}
}
