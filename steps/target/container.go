package target

import (
	"regexp"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
)

// Container describes how to run the image of a target (package container).
type Container struct {
	Image   string            // name, tag or digest; pulled if the engine does not have it
	Command []string          // overrides the image's own; the image's if empty
	Env     map[string]string // in addition to the image's
	Mounts  []Mount

	// Port is the API's port inside the container: if 0, the port of BaseURL, that of the image's
	// label pixcert.port, or the only one that the image exposes.
	Port int

	// ControlsPort is the test controls' port inside the container: if 0, that of the image's label
	// pixcert.controls-port, unless the profile names other controls.
	ControlsPort int

	// Health is the absolute path on Port that returns 2xx once the target is ready: if empty, that
	// of the image's label pixcert.health, or any response at all.
	Health string

	StartUp time.Duration // for the target to become ready: 60 s if 0
}

// Variables with such names have secret values.
var namedForSecret = regexp.MustCompile(`(?i)secret|token|passw|credential|key|auth`)

// hide marks values as secret that the container gets under a secret name; secrets by origin are in
// Profile.Secrets.
func (c *Container) hide(from *exchange.Redactor) {
	for name, value := range c.Env {
		if namedForSecret.MatchString(name) {
			hideText(from, value)
		}
	}
}

// Mount is a local file or directory to mount into the container.
type Mount struct {
	Source   string // local path
	Target   string // path inside the container
	ReadOnly bool
}
