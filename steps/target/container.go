package target

import (
	"regexp"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
)

// Container says how the image of a target that is one is run (package container).
type Container struct {
	Image   string            // name, tag or digest; pulled where the engine does not have it
	Command []string          // in place of the image's own; the image's if empty
	Env     map[string]string // beside the image's own
	Mounts  []Mount

	// Port is where the API is served inside the container: if 0, the port of BaseURL,
	// that of the image's label pixcert.port, or the only one that the image exposes.
	Port int

	// ControlsPort is where the test controls are served inside the container: if 0,
	// that of the image's label pixcert.controls-port, if it has one and the profile
	// names no other controls.
	ControlsPort int

	// Health is the path, from the root of Port, that answers 2xx once the target is
	// ready: if empty, that of the image's label pixcert.health, or any answer at all.
	Health string

	StartUp time.Duration // for the target to become ready: 60 s if 0
}

// A variable that is named so has a value that nobody may see.
var namedForSecret = regexp.MustCompile(`(?i)secret|token|passw|credential|key|auth`)

// hide makes known what the container is given that is secret by its name; what is secret
// by where it was taken from is among Profile.Secrets.
func (c *Container) hide(from *exchange.Redactor) {
	for name, value := range c.Env {
		if namedForSecret.MatchString(name) {
			hideText(from, value)
		}
	}
}

// Mount is a file or directory of this machine that the container sees.
type Mount struct {
	Source   string // path on this machine
	Target   string // path in the container
	ReadOnly bool
}
