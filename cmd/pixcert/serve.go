package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime/debug"
	"time"

	"github.com/alecthomas/kong"
	"github.com/lmittmann/tint"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/sandbox"
	"github.com/pixcert/pixcert/reference/seedfile"
	"github.com/pixcert/pixcert/reference/store"
	"github.com/pixcert/pixcert/steps/shell"
)

type serveCmd struct {
	Listen       string     `default:"127.0.0.1:8080" placeholder:"ADDR" help:"Serve the API at this address."`
	Controls     string     `default:"127.0.0.1:8081" placeholder:"ADDR" help:"Serve the test controls at this address, or off."`
	ControlToken string     `name:"control-token" placeholder:"TOKEN" env:"PIXCERT_CONTROL_TOKEN" help:"Require this bearer token for the test controls (required unless on localhost)."`
	Private      *bool      `name:"allow-private-webhooks" negatable:"" help:"Send webhooks to private addresses too (default: only if --listen is on localhost)."`
	Data         *string    `placeholder:"DIR" help:"Persist data in this directory (default: in memory)."`
	SharedFiles  bool       `name:"shared-files" help:"Let other users of this machine read the profile and the accounts' files."`
	Retain       *retention `placeholder:"TIME" help:"Remove finished payments and deliveries that are older, such as 30d (default: keep)."`
	SeedFile     string     `name:"seed-file" type:"existingfile" placeholder:"FILE" help:"Declare accounts and keys of the directory in this YAML file (default: an example account)."`
	Mutant       *string    `placeholder:"NAME" help:"Serve a faulty gateway, to rehearse a failing run (pixcert explain RULE lists mutants)."`
	Fault        string     `placeholder:"NAME" help:"Have a fault that clients meet, listed above, or list."`
	Verbose      bool       `short:"v" help:"Log every request."`

	Edge edgeFlags `embed:""`
}

func (*serveCmd) Help() string {
	return `Prints an example account and the commands for a first payment, a charge, a cob and a transfer. Faults:

` + sandbox.FaultHelp() + `
Examples:
  pixcert serve
  pixcert serve --listen 127.0.0.1:9090 --controls off
  pixcert serve --data ./data --seed-file accounts.yaml
  pixcert serve --data ./data --retain 30d
  pixcert serve --mtls
  pixcert serve --fault webhook-twice
  pixcert serve --mutant "debits a cash-out twice"
  PIXCERT_CONTROL_TOKEN=… pixcert serve --listen 0.0.0.0:8080 --controls 0.0.0.0:8081`
}

func (c *serveCmd) Run(ctx context.Context, to *console) error {
	if c.Fault == "list" {
		fmt.Fprint(to.out, sandbox.FaultHelp())
		return nil
	}
	if relaxGC(); c.Mutant != nil {
		relaxGCUpTo(1 << 30) // its data is in the heap: close to the limit, most of the time would go to collecting it
	}
	level := slog.LevelInfo
	if c.Verbose {
		level = slog.LevelDebug
	}
	cfg, err := c.gateway()
	if err != nil {
		return err
	}
	cfg.Listen, cfg.ControlsListen, cfg.ControlToken = c.Listen, c.Controls, c.ControlToken
	cfg.PrivateWebhooks = c.Private
	cfg.WebhookInsecure = true // a test environment: receivers have self-signed certificates
	cfg.Logger = slog.New(tint.NewTextHandler(to.err, &tint.Options{Level: level, TimeFormat: time.TimeOnly, NoColor: !displayOf(to.err).Colour}))
	if c.Controls == "off" {
		cfg.ControlsListen = ""
	}
	if c.Retain != nil {
		cfg.Retain = time.Duration(*c.Retain)
	}
	directory, cleanUp, err := c.directory()
	if err != nil {
		return err
	}
	defer cleanUp()
	options := sandbox.Options{
		Gateway: cfg, Directory: directory, Persist: c.Data != nil, SharedFiles: c.SharedFiles,
		Declared: seedfile.Example(), Fault: c.Fault,
	}
	if options.Edge, err = c.Edge.edge(); err != nil {
		return err
	}
	if c.SeedFile != "" {
		if options.Declared, err = seedfile.Read(c.SeedFile); err != nil {
			return err
		}
	}
	if c.Mutant != nil {
		options.Mutant = *c.Mutant
	}
	return c.serve(ctx, to, options)
}

// serve serves until ctx ends.
func (c *serveCmd) serve(ctx context.Context, to *console, options sandbox.Options) error {
	served, err := sandbox.Serve(ctx, options)
	switch {
	case errors.Is(err, reference.ErrOpenControls):
		return fmt.Errorf("--controls %s: %w: set PIXCERT_CONTROL_TOKEN, or use 127.0.0.1 or off", c.Controls, reference.ErrOpenControls)
	case errors.Is(err, reference.ErrAddressInUse):
		return fmt.Errorf("%w (--listen, --controls)", err)
	case err != nil:
		return err
	}
	for _, note := range served.Lost(served.Gateway.Accounts()) {
		fmt.Fprintf(to.err, "pixcert: note: %s\n", note)
	}
	served.PrintStart(to.out, sandbox.Printing{Secrets: displayOf(to.out).Terminal, Command: shell.Command})
	<-ctx.Done()
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	return served.Gateway.Close(closing)
}

// gateway is the gateway to serve, without settings: the reference, or a mutant of it.
func (c *serveCmd) gateway() (reference.Config, error) {
	switch {
	case c.Mutant == nil:
		return reference.Config{}, nil
	case *c.Mutant == "":
		return reference.Config{}, empty("--mutant")
	}
	m, err := mutantNamed(*c.Mutant)
	if err != nil {
		return reference.Config{}, fmt.Errorf("--mutant: %w", err)
	}
	c.Mutant = &m.Name
	return referenceWith(m), nil
}

// retention is a duration such as 30d.
type retention time.Duration

func (r *retention) UnmarshalText(text []byte) error {
	parsed, err := pix.ParseDuration(string(text))
	if err != nil || parsed < store.MinRetention {
		return fmt.Errorf("expected a time of at least an hour, such as 30d or 12h, got %s", text)
	}
	*r = retention(parsed)
	return nil
}

// relaxGC lets the heap grow before it is collected. The heap is small, because a gateway's data
// is outside of it; under load this saves a tenth of the CPU time.
func relaxGC() { relaxGCUpTo(256 << 20) }

func relaxGCUpTo(most int64) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(most)
	}
}

// directory returns the directory of the data and the example's files. Without --data it is
// removed on exit.
func (c *serveCmd) directory() (string, func(), error) {
	switch {
	case c.Data == nil:
		dir, err := os.MkdirTemp("", "pixcert-")
		return dir, func() { _ = os.RemoveAll(dir) }, err
	case *c.Data == "":
		return "", nil, empty("--data")
	}
	dir := kong.ExpandPath(*c.Data)
	_, missing := os.Stat(dir)
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		err = writable(dir)
	}
	if err != nil {
		return "", nil, fmt.Errorf("--data %s: expected a directory that can be written; change its permissions, or use another one: %w", *c.Data, err)
	}
	return dir, func() {
		if missing != nil {
			_ = os.Remove(dir) // only if it is still empty: the gateway could not start
		}
	}, nil
}

// writable tries to create a file in a directory.
func writable(directory string) error {
	file, err := os.CreateTemp(directory, ".pixcert-")
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}
