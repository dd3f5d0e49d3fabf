package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/profile"
	"github.com/pixcert/pixcert/steps/progress"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// certifyCmd: pixcert certify.
type certifyCmd struct {
	targetFlags

	Tags        string   `placeholder:"EXPR" help:"Run the scenarios that a tag expression selects: @cash-out and not @cash-out.debit."`
	Rules       []string `name:"rule" placeholder:"NAME" help:"Run one rule, by its name. May be repeated."`
	Seed        int64    `help:"Seed of the order of scenarios; drawn and printed when it is not given."`
	Concurrency int      `default:"16" help:"Scenarios at the same time."`
	Sink        string   `placeholder:"HOST:PORT" help:"Where webhooks are received: an address of this machine that the gateway can reach. A free port of 127.0.0.1 by default."`
	RerunFailed bool     `name:"rerun-failed" help:"Run the scenarios alone that failed in the last report, which the new one takes the place of."`
	Report      string   `default:"report" type:"path" placeholder:"DIR" help:"Directory for verdict.json, junit.xml and index.html."`
}

func (c *certifyCmd) Run(ctx context.Context, to *console, status *int) error {
	if err := c.valid(); err != nil {
		return err
	}
	if err := verdict.Writable(c.Report); err != nil {
		return err
	}
	scenarios, err := c.scenarios()
	if err != nil {
		return err
	}
	secrets := &exchange.Redactor{}
	gateway, stop, err := c.target(ctx, to, secrets)
	if err != nil {
		return err
	}
	defer stop()
	shown := displayOf(to.out)
	if usual, err := filepath.Abs("report"); err != nil || c.Report != usual {
		shown.Report = c.Report
	}
	display := progress.New(to.out, shown)
	result, err := steps.Run(ctx, steps.Options{
		Target: gateway, Tags: c.Tags, Rules: c.Rules, Seed: c.Seed, Concurrency: c.Concurrency,
		Version: version(), Progress: display, Arguments: c.arguments(), Secrets: secrets,
		Scenarios: scenarios, Ready: func() error { return verdict.Clear(c.Report) },
	})
	if err != nil {
		return err
	}
	if gateway.Container != nil {
		stop()
		result.Log = verdict.LogFile
	}
	if err := verdict.Write(c.Report, result); err != nil {
		display.Done(result, "")
		return err
	}
	display.Done(result, c.Report)
	*status = result.Outcome().ExitStatus()
	return nil
}

// scenarios are those that failed last, where they alone are to run; none for all.
func (c *certifyCmd) scenarios() ([]string, error) {
	if !c.RerunFailed {
		return nil, nil
	}
	past, err := verdict.ReadPast(c.Report)
	if err != nil {
		return nil, err
	}
	failed := past.Failed()
	if len(failed) == 0 {
		return nil, fmt.Errorf("nothing failed in the report in %s: run without --rerun-failed", c.Report)
	}
	return past.Again(failed), nil
}

func (c *certifyCmd) valid() error {
	switch {
	case c.Concurrency < 1:
		return fmt.Errorf("--concurrency is %d: give at least 1", c.Concurrency)
	case c.Seed < 0:
		return fmt.Errorf("--seed is %d: give a number above 0, or none to have one drawn", c.Seed)
	}
	return c.targetFlags.valid()
}

// target is the gateway that the flags name, with the sink that they name, or the
// bundled one; what was started for the run is to be stopped.
func (c *certifyCmd) target(ctx context.Context, to *console, secrets *exchange.Redactor) (target.Profile, func(), error) {
	if !c.named() {
		c.noteProfile(to)
		gateway, stop, err := bundled(ctx, reference.Config{})
		gateway.Sink.Listen = c.Sink
		return gateway, stop, err
	}
	p, err := c.profile(to)
	if err != nil {
		return target.Profile{}, nil, err
	}
	if c.Sink != "" {
		p.Sink.Listen, p.Sink.URL = c.Sink, ""
	}
	if p.Container == nil {
		return p, func() {}, nil
	}
	return contained(ctx, to, p, secrets, func(log []byte) error { return verdict.WriteLog(c.Report, log) })
}

// arguments name the same target again, without secrets.
func (c *certifyCmd) arguments() []string {
	all := c.targetFlags.arguments()
	if c.Sink != "" {
		all = append(all, "--sink", c.Sink)
	}
	return all
}

// targetFlags name a target: by a profile, by an image, by URLs, or by a profile of which
// those take the place of what it says.
type targetFlags struct {
	Profile      string  `arg:"" optional:"" placeholder:"PROFILE" help:"YAML file that describes the gateway; pixcert init writes one. Flags go before what it says."`
	Image        *string `name:"image" placeholder:"NAME" help:"Container image of the gateway, which is run and removed afterwards; in place of the name in the profile's image, whose other fields stay."`
	URL          *string `name:"url" placeholder:"URL" help:"Base URL of the gateway. Without it, an image and a profile it is the bundled reference. With --image it names the port inside the container; without, the gateway there is meant, and no image of the profile is run."`
	ControlURL   *string `name:"control-url" placeholder:"URL" help:"Base URL of the gateway's test controls; where an image is run, with the port inside the container."`
	ControlToken string  `name:"control-token" placeholder:"TOKEN" env:"PIXCERT_CONTROL_TOKEN" help:"Bearer token of the test controls."`
}

// valid finds what cannot be meant.
func (f *targetFlags) valid() error {
	switch {
	case f.Image != nil && *f.Image == "":
		return errors.New("--image is empty: is the variable set that it was taken from?")
	case f.URL != nil && *f.URL == "":
		return errors.New("--url is empty: is the variable set that it was taken from?")
	case f.ControlURL != nil && *f.ControlURL == "":
		return errors.New("--control-url is empty: is the variable set that it was taken from?")
	case f.ControlURL != nil && !f.named():
		return errors.New("--control-url is given without --url: name the gateway that it controls with --url, with --image or with a profile")
	}
	return nil
}

// noteProfile tells who names no target that there is a profile here, which they may mean.
func (f *targetFlags) noteProfile(to *console) {
	const usual = "pixcert.yaml"
	if _, err := os.Stat(usual); err == nil && !f.named() {
		fmt.Fprintf(to.err, "pixcert: note: this is about the bundled reference gateway; %s is here: name it to mean its gateway\n", usual)
	}
}

// named says whether the flags name a target.
func (f *targetFlags) named() bool { return f.Profile != "" || f.URL != nil || f.Image != nil }

// profile is the target that the flags name. Notes on a profile are written for people.
func (f *targetFlags) profile(to *console) (target.Profile, error) {
	var p target.Profile
	if f.Profile != "" {
		var notes []string
		var err error
		if p, notes, err = profile.Read(f.Profile, os.LookupEnv); err != nil {
			return target.Profile{}, err
		}
		for _, note := range notes {
			fmt.Fprintf(to.err, "pixcert: note: %s\n", note)
		}
	}
	f.override(&p)
	return p, f.inImage(&p)
}

// override puts what the flags say in the place of what a profile says. The profile's
// token is for its own controls: it is not sent to others.
func (f *targetFlags) override(p *target.Profile) {
	if f.URL != nil {
		p.BaseURL = *f.URL
	}
	switch {
	case f.ControlURL != nil:
		access := target.ControlAccess{}
		if p.Control != nil {
			access = *p.Control
		}
		access.URL, access.Token = *f.ControlURL, f.ControlToken
		p.Control = &access
	case p.Control != nil && p.Control.Token == "":
		p.Control.Token = f.ControlToken
	}
}

// arguments name the same target again, without secrets.
func (f *targetFlags) arguments() []string {
	var all []string
	if f.Profile != "" {
		all = append(all, f.Profile)
	}
	if f.URL != nil {
		all = append(all, "--url", *f.URL)
	}
	if f.ControlURL != nil {
		all = append(all, "--control-url", *f.ControlURL)
	}
	if f.Image != nil {
		all = append(all, "--image", *f.Image)
	}
	return all
}
