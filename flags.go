package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/pixcert/pixcert/steps/profile"
	"github.com/pixcert/pixcert/steps/target"
)

// targetFlags select the gateway under test: a profile, an image or a URL. Flags override the
// profile.
type targetFlags struct {
	Profile      string  `arg:"" optional:"" placeholder:"PROFILE" help:"Profile of the gateway, in YAML; flags override it."`
	Image        *string `name:"image" placeholder:"NAME" help:"Start this container image; overrides image.name of the profile."`
	URL          *string `name:"url" placeholder:"URL" help:"Base URL of the gateway (default: from the profile, else the bundled reference)."`
	ControlURL   *string `name:"control-url" placeholder:"URL" help:"Base URL of the gateway's test controls."`
	ControlToken string  `name:"control-token" placeholder:"TOKEN" env:"PIXCERT_CONTROL_TOKEN" help:"Bearer token for the test controls."`
}

// valid reports empty and contradictory flags.
func (f *targetFlags) valid() error {
	switch {
	case f.Image != nil && *f.Image == "":
		return empty("--image")
	case f.URL != nil && *f.URL == "":
		return empty("--url")
	case f.ControlURL != nil && *f.ControlURL == "":
		return empty("--control-url")
	case f.ControlURL != nil && !f.named():
		return errors.New("--control-url needs a gateway: add --url, --image or a profile")
	}
	return nil
}

func empty(flag string) error {
	return fmt.Errorf("%s: expected a value, got an empty string; is the variable set?", flag)
}

// noteProfile mentions pixcert.yaml in the current directory to a user who selected no gateway.
func (f *targetFlags) noteProfile(to *console) {
	const standard = "pixcert.yaml"
	if _, err := os.Stat(standard); err == nil && !f.named() {
		fmt.Fprintf(to.err, "pixcert: note: using the bundled reference gateway; pass %s to use the gateway it describes\n", standard)
	}
}

// named reports whether the flags select a gateway.
func (f *targetFlags) named() bool { return f.Profile != "" || f.URL != nil || f.Image != nil }

// profile returns the selected gateway, and prints the notes on its profile.
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

// override applies the flags to a profile. The profile's token is never sent to the controls
// at another URL.
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

// arguments returns the command-line arguments that select the same gateway, without secrets.
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
