package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/profile"
	"github.com/pixcert/pixcert/steps/profile/setup"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
)

// targetFlags select the gateway under test: a profile, an image or a URL. Flags override the
// profile.
type targetFlags struct {
	Profile      string  `arg:"" optional:"" placeholder:"PROFILE" help:"Read the gateway's profile from this file; flags override it."`
	Image        *string `name:"image" placeholder:"NAME" help:"Start this container image; overrides image.name of the profile."`
	URL          *string `name:"url" placeholder:"URL" help:"Certify the gateway at this base URL (default: bundled reference)."`
	ControlURL   *string `name:"control-url" placeholder:"URL" help:"Call the gateway's test controls at this base URL."`
	Reference    bool    `help:"Use the bundled reference gateway, even if pixcert.yaml exists."`
	ControlToken string  `name:"control-token" placeholder:"TOKEN" env:"PIXCERT_CONTROL_TOKEN" help:"Send this bearer token to the test controls."`

	outline bool // read the profile without its credentials
}

// featuresFlag adds the user's own features to pixcert's.
type featuresFlag struct {
	Features *string `name:"features" placeholder:"DIR" help:"Add your own rules: the feature files in this directory."`
}

// own reads the user's own features; none without the flag. It fails if they have mistakes.
func (f featuresFlag) own() (catalogue.Own, error) {
	switch {
	case f.Features == nil:
		return catalogue.Own{}, nil
	case *f.Features == "":
		return catalogue.Own{}, empty("--features")
	}
	own, err := catalogue.ReadOwn(*f.Features)
	if err == nil {
		_, err = run.Suite(own)
	}
	if err != nil {
		err = fmt.Errorf("--features %s: %w", *f.Features, listed(err))
	}
	return own, err
}

// listed puts several errors on lines of their own.
func listed(err error) error {
	if n := strings.Count(err.Error(), "\n") + 1; n > 1 {
		return fmt.Errorf("%d errors:\n%w", n, err)
	}
	return err
}

func (f *targetFlags) valid() error {
	switch {
	case f.Image != nil && *f.Image == "":
		return empty("--image")
	case f.URL != nil && *f.URL == "":
		return empty("--url")
	case f.ControlURL != nil && *f.ControlURL == "":
		return empty("--control-url")
	case f.Reference && (f.named() || f.ControlURL != nil):
		return errors.New("--reference selects the bundled gateway; remove the profile, --url, --image and --control-url")
	case f.ControlURL != nil && !f.named():
		return errors.New("--control-url requires a gateway; add --url, --image or a profile")
	}
	return nil
}

func empty(flag string) error {
	return fmt.Errorf("%s: expected a value, got an empty string; check that the variable is set", flag)
}

// profileVariable names the profile for commands that are given no gateway.
const profileVariable = "PIXCERT_PROFILE"

// standardProfile is the profile for commands whose flags select no gateway: that of PIXCERT_PROFILE, otherwise
// pixcert.yaml in the current directory. Empty if there is none.
func standardProfile() string {
	if named := os.Getenv(profileVariable); named != "" {
		return named
	}
	if _, err := os.Stat(setup.ProfileFile); err != nil {
		return ""
	}
	return setup.ProfileFile
}

// useStandardProfile selects the standard profile, if there is one and the flags select no gateway.
func (f *targetFlags) useStandardProfile(to *console) {
	if f.selected() {
		return
	}
	if f.Profile = standardProfile(); f.Profile != "" {
		fmt.Fprintln(to.err, "pixcert: "+to.language.Sayf("using %s; for the bundled reference gateway, pass --reference", f.Profile))
	}
}

func (f *targetFlags) selected() bool { return f.named() || f.Reference }

// named reports whether the flags select a gateway that is not the bundled one.
func (f *targetFlags) named() bool { return f.Profile != "" || f.URL != nil || f.Image != nil }

// profile returns the selected gateway, and prints the notes on its profile. sink is the address of
// --sink; empty without it.
func (f *targetFlags) profile(to *console, sink string) (target.Profile, error) {
	var p target.Profile
	if f.Profile != "" {
		var notes []string
		var err error
		read := profile.Read
		if f.outline {
			read = profile.Outline
		}
		if p, notes, err = read(f.Profile, os.LookupEnv, f.replaced(sink)...); err != nil {
			return target.Profile{}, err
		}
		for _, note := range notes {
			to.note(note)
		}
	}
	f.override(&p)
	if sink != "" {
		p.Sink.Listen, p.Sink.URL = sink, ""
	}
	return p, f.inImage(&p)
}

// replaced names the fields of the profile that the flags override: the token only if the profile's is not
// available, since PIXCERT_CONTROL_TOKEN may be that of another gateway.
func (f *targetFlags) replaced(sink string) (fields []string) {
	if f.URL != nil {
		fields = append(fields, "url")
	}
	if f.ControlURL != nil {
		fields = append(fields, "controls.url")
	}
	if f.ControlURL != nil || f.ControlToken != "" {
		fields = append(fields, "controls.token")
	}
	switch {
	case f.Image != nil:
		fields = append(fields, "image.name")
	case f.URL != nil:
		fields = append(fields, "image")
	}
	if sink != "" {
		fields = append(fields, "sink.listen", "sink.url")
	}
	return fields
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
	if !f.named() {
		return []string{"--reference"}
	}
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
