// Package container runs a target's image for the time of a run: it starts the image,
// waits until the target is ready, says how it is reached, and takes away what it
// started. It needs a container engine that speaks Docker's protocol.
package container

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/moby/moby/api/types/container"
	"github.com/moby/moby/api/types/mount"
	"github.com/moby/moby/api/types/network"
	"github.com/testcontainers/testcontainers-go"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/target"
)

// Container is a target that runs in a container until Stop.
type Container struct {
	// Profile is the given one with BaseURL, Control and Sink as the container is
	// reached, and reaches, from here.
	Profile target.Profile

	engine  *engine
	started testcontainers.Container
	secrets *exchange.Redactor
}

// Label is on every container that is started here, so that one which was left behind
// by a killed process can be found: docker ps --filter label=pixcert.target
const Label = "pixcert.target"

// What the engine is given for each of its tasks. Pulling an image takes as long as it
// takes.
const (
	createTime  = time.Minute
	graceTime   = 5 * time.Second // for the target to end by itself
	removeTime  = 30 * time.Second
	defaultTime = time.Minute // to become ready
)

// Start runs the image of p.Container and returns when the target is ready. Its errors
// say what is missing: the engine, the image, a port, or what the target logged before
// it ended or the deadline passed. Nothing is left behind beside an error.
//
// What p holds of secrets is made known to secrets, which takes them out of whatever the
// target logs and of errors.
func Start(ctx context.Context, p target.Profile, secrets *exchange.Redactor) (_ *Container, err error) {
	p.Hide(secrets)
	defer func() {
		if err != nil {
			err = secrets.Error(err)
		}
	}()
	engine, err := connect(ctx)
	if err != nil {
		return nil, err
	}
	image, err := engine.image(ctx, p.Container.Image)
	if err != nil {
		return nil, err
	}
	wanted, err := settle(p, image)
	if err != nil {
		return nil, err
	}
	c := &Container{Profile: p, engine: engine, secrets: secrets}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.remove(ctx))
		}
	}()
	// What is asked of the engine here is carried out even if the caller gives up, and
	// must then be known in order to be removed.
	creating, cancel := context.WithTimeout(context.WithoutCancel(ctx), createTime)
	defer cancel()
	if c.started, err = engine.CreateContainer(creating, engine.request(wanted)); err != nil {
		return nil, fmt.Errorf("creating a container of %s: %w", wanted.Image, err)
	}
	if err := c.started.Start(ctx); err != nil {
		return nil, c.failed(ctx, fmt.Errorf("starting a container of %s: %w", wanted.Image, err))
	}
	if err := c.locate(ctx, wanted); err != nil {
		return nil, c.failed(ctx, err)
	}
	c.Profile.Sink = reachable(p.Sink, engine.bridge)
	if err := c.await(ctx, wanted); err != nil {
		return nil, c.failed(ctx, err)
	}
	return c, nil
}

// Stop ends the container, removes it, and returns what it logged at last: as much as
// maxLog bytes, without secrets. It does its work although ctx has ended.
func (c *Container) Stop(ctx context.Context) (log []byte, err error) {
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), removeTime)
	defer cancel()
	grace := graceTime
	stopped := c.started.Stop(stopping, &grace)
	log, err = c.log(stopping)
	if err != nil {
		err = fmt.Errorf("reading the container's log: %w", err)
	}
	if removed := c.remove(ctx); removed != nil {
		err = errors.Join(err, stopped, removed)
	}
	return log, err
}

// remove takes the container and its volumes away, also when ctx has ended.
func (c *Container) remove(ctx context.Context) error {
	if c.started == nil {
		return nil
	}
	removing, cancel := context.WithTimeout(context.WithoutCancel(ctx), removeTime)
	defer cancel()
	if err := testcontainers.TerminateContainer(c.started, testcontainers.StopContext(removing), testcontainers.StopTimeout(0)); err != nil {
		return fmt.Errorf("cannot remove the container %.12s: %w; remove it with docker rm --force", c.started.GetContainerID(), err)
	}
	return nil
}

// request is the container as the engine is asked for it. Its ports are published on the
// loopback of a local engine alone: whoever reaches its controls has its accounts.
func (e *engine) request(w *wanted) testcontainers.ContainerRequest {
	r := testcontainers.ContainerRequest{
		Image: w.Image, Cmd: w.Command, Env: w.Env,
		Labels: map[string]string{Label: w.Image},
		HostConfigModifier: func(host *container.HostConfig) {
			host.ExtraHosts = []string{hostName + ":" + e.hostAddress()}
			host.PortBindings = network.PortMap{}
			for _, port := range w.ports() {
				host.PortBindings[port] = []network.PortBinding{{HostIP: e.publishOn}}
			}
			for _, m := range w.Mounts {
				host.Mounts = append(host.Mounts, mount.Mount{Type: mount.TypeBind, Source: m.Source, Target: m.Target, ReadOnly: m.ReadOnly})
			}
			// Whatever the engine's own choice, the log can be read again, and one
			// without end does not fill the disk.
			host.LogConfig = container.LogConfig{Type: "json-file", Config: map[string]string{
				"max-size": strconv.Itoa(2 * maxLog), "max-file": "2",
			}}
		},
	}
	for _, port := range w.ports() {
		r.ExposedPorts = append(r.ExposedPorts, port.String())
	}
	return r
}
