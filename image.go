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

// inImage says which image the target runs in, if any, by what the flags and the profile
// say. A URL that is given without an image is that of a gateway which runs already.
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
		p.Container.Port = 0 // the one in the URL goes before the profile's
	}
	if f.ControlURL != nil {
		if p.Container.ControlsPort = portIn(*f.ControlURL); p.Container.ControlsPort == 0 {
			return fmt.Errorf("--control-url is %q; expected with an image one with a port of the container, such as http://127.0.0.1:8081", *f.ControlURL)
		}
	}
	if p.Control == nil {
		p.Control = &target.ControlAccess{Token: f.ControlToken}
	}
	return nil
}

// portIn is the port that stands in a URL, 0 if none does.
func portIn(raw string) int {
	u, err := url.Parse(raw)
	if err != nil {
		return 0
	}
	port, _ := strconv.ParseUint(u.Port(), 10, 16) // 0 for what is none
	return int(port)
}

// contained starts the image of a profile. The function that it returns ends the
// container and gives its log to keep; what goes wrong then is told and changes no
// verdict. What secrets knows by then does not appear in the log.
func contained(ctx context.Context, to *console, profile target.Profile, secrets *exchange.Redactor, keep func(log []byte) error) (target.Profile, func(), error) {
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
