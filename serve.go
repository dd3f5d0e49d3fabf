package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/lmittmann/tint"

	"github.com/pixcert/pixcert/reference"
)

type serveCmd struct {
	Listen       string `default:"127.0.0.1:8080" placeholder:"ADDR" help:"Serve the API at this address."`
	Controls     string `default:"127.0.0.1:8081" placeholder:"ADDR" help:"Serve the test controls at this address, or off."`
	ControlToken string `name:"control-token" placeholder:"TOKEN" env:"PIXCERT_CONTROL_TOKEN" help:"Require this bearer token for the test controls (required unless on localhost)."`
	Private      *bool  `name:"allow-private-webhooks" negatable:"" help:"Send webhooks to private addresses too (default: only if --listen is on localhost)."`
	Data         string `type:"path" placeholder:"DIR" help:"Persist data in this directory (default: in memory)."`
	Verbose      bool   `short:"v" help:"Log every request."`

	Edge edgeFlags `embed:""`
}

func (*serveCmd) Help() string {
	return `Prints an example account, its certificate, a curl command that requests a token, and the command that certifies the gateway.

Examples:
  pixcert serve
  pixcert serve --listen 127.0.0.1:9090 --controls off
  pixcert serve --data ./data
  pixcert serve --mtls
  PIXCERT_CONTROL_TOKEN=… pixcert serve --listen 0.0.0.0:8080 --controls 0.0.0.0:8081`
}

func (c *serveCmd) Run(ctx context.Context, to *console) error {
	relaxGC()
	level := slog.LevelInfo
	if c.Verbose {
		level = slog.LevelDebug
	}
	cfg := reference.Config{
		Listen: c.Listen, ControlsListen: c.Controls, ControlToken: c.ControlToken,
		PrivateWebhooks: c.Private,
		WebhookInsecure: true, // a test environment: receivers have self-signed certificates
		Logger:          slog.New(tint.NewTextHandler(to.err, &tint.Options{Level: level, TimeFormat: time.TimeOnly, NoColor: !displayOf(to.err).Colour})),
	}
	if c.Controls == "off" {
		cfg.ControlsListen = ""
	}
	if err := c.Edge.valid(); err != nil {
		return err
	}
	directory, cleanUp, err := c.directory()
	if err != nil {
		return err
	}
	defer cleanUp()
	files := filepath.Join(directory, "example")
	if err := c.Edge.configure(&cfg, files); err != nil {
		return err
	}
	if c.Data != "" {
		cfg.Data = filepath.Join(c.Data, "pixcert.db")
	}
	gateway, err := reference.Start(ctx, cfg)
	if errors.Is(err, reference.ErrOpenControls) {
		return fmt.Errorf("--controls %s: %w: set PIXCERT_CONTROL_TOKEN, or use 127.0.0.1 or off", c.Controls, reference.ErrOpenControls)
	}
	if err != nil {
		return err
	}
	example, err := gateway.Example(ctx, files)
	if err == nil && c.Edge.MTLS {
		err = c.Edge.writeProfile(gateway, c.ControlToken != "", files)
	}
	if err == nil {
		c.printStart(to.out, gateway, example)
		<-ctx.Done()
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	return errors.Join(err, gateway.Close(closing))
}

// relaxGC lets the heap grow before it is collected. The heap is small, because a gateway's data
// is outside of it; under load this saves a tenth of the CPU time.
func relaxGC() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(256 << 20)
	}
}

// printStart prints what a user needs to send a first request.
func (c *serveCmd) printStart(w io.Writer, gateway *reference.Gateway, example reference.Example) {
	fmt.Fprintf(w, "API            %s\n", gateway.URL())
	if gateway.ControlsURL() != "" {
		fmt.Fprintf(w, "test controls  %s\n", gateway.ControlsURL())
	}
	fmt.Fprintf(w, `
Example account with R$ 1000.00:

clientId       %s
clientSecret   %s
certificate    %s
private key    %s
%s
Request a token:

%s

`, example.ClientID, example.ClientSecret, example.CertificateFile, example.KeyFile, c.Edge.startText(), c.Edge.tokenRequest(gateway, example))
	if gateway.ControlsURL() != "" {
		fmt.Fprintf(w, "To certify this gateway, run in another terminal:\n\n%s\n\n", c.certifyCommand(gateway))
	}
	if c.Private == nil && !reference.OnLoopback(c.Listen) {
		fmt.Fprint(w, "Other machines can reach the API, so webhooks go to public addresses only. To allow private ones, pass --allow-private-webhooks.\n\n")
	}
	fmt.Fprintln(w, "Press Ctrl-C to stop.")
}

// directory returns the directory of the data and the example's files. Without --data it is
// removed on exit.
func (c *serveCmd) directory() (string, func(), error) {
	if c.Data != "" {
		return c.Data, func() {}, os.MkdirAll(c.Data, 0o700)
	}
	dir, err := os.MkdirTemp("", "pixcert-")
	return dir, func() { _ = os.RemoveAll(dir) }, err
}
