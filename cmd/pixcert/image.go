package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"sync"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/target/container"
)

// inImage sets the container image of the target, if it has one. --url without --image means
// a gateway that is already running.
func (f *targetFlags) inImage(p *target.Profile) error {
	switch {
	case f.Image != nil && p.Container == nil:
		p.Container = &target.Container{Image: *f.Image}
	case f.Image != nil:
		p.Container.Image = *f.Image
	case f.URL != nil:
		p.Container = nil
	}
	if p.Container == nil {
		return nil
	}
	if f.URL != nil && portIn(*f.URL) != 0 {
		p.Container.Port = 0 // the port in --url overrides the profile
	}
	if f.ControlURL != nil {
		if p.Container.ControlsPort = portIn(*f.ControlURL); p.Container.ControlsPort == 0 {
			return fmt.Errorf("--control-url: with an image, expected a URL with a container port such as http://127.0.0.1:8081, got %q", *f.ControlURL)
		}
	}
	if p.Control == nil {
		p.Control = &target.ControlAccess{Token: f.ControlToken}
	}
	return nil
}

// portIn returns the port of a URL, 0 if it has none.
func portIn(raw string) int {
	u, err := url.Parse(raw)
	if err != nil {
		return 0
	}
	port, _ := strconv.ParseUint(u.Port(), 10, 16) // 0 if invalid
	return int(port)
}

// startImage starts the image of a profile. The returned function stops the container and
// passes its log, without secrets, to keep; it prints errors, which change no verdict.
func startImage(ctx context.Context, to *console, profile target.Profile, secrets *exchange.Redactor, keep func(log []byte) error) (target.Profile, func(), error) {
	fmt.Fprintf(to.err, "starting %s\n", exchange.Line(profile.Container.Image))
	started, err := container.Start(ctx, profile, secrets)
	if err != nil {
		return target.Profile{}, nil, err
	}
	return started.Profile, sync.OnceFunc(func() {
		logged, err := started.Stop(ctx)
		if err = errors.Join(err, keep(logged)); err != nil {
			fmt.Fprintf(to.err, "pixcert: %v\n", err)
		}
	}), nil
}
