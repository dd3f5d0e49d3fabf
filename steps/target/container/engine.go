package container

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/api/pkg/authconfig"
	"github.com/moby/moby/client"
	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/log"

	"github.com/pixcert/pixcert/steps/target"
)

// engine is what runs containers, on this machine or on another.
type engine struct {
	*testcontainers.DockerProvider
	bridge    netip.Addr // by which its containers reach this machine; not valid if unknown
	host      string     // at which its published ports are reached
	publishOn netip.Addr // the address that they are published on; all if not valid
}

// answerTime is how long an engine may take to say that it is there.
const answerTime = 10 * time.Second

// settings are the library's, which has one set for a process. Its reaper, which would
// remove what a killed process left behind, is an image of its own that had to be pulled
// first: who wants it says TESTCONTAINERS_RYUK_DISABLED=false. Its messages, the logs of
// containers among them, are not for the terminal.
var settings = sync.OnceFunc(func() {
	if _, said := os.LookupEnv("TESTCONTAINERS_RYUK_DISABLED"); !said {
		_ = os.Setenv("TESTCONTAINERS_RYUK_DISABLED", "true") // fails for a malformed name alone
	}
	log.SetDefault(log.NewNoopLogger())
})

// connect finds the engine that DOCKER_HOST names, or that of this machine.
func connect(ctx context.Context) (*engine, error) {
	settings()
	missing := func(err error) error {
		return fmt.Errorf("certifying an image requires a container engine, and none responds: %w; "+
			"start Docker or Podman, or set DOCKER_HOST to the engine's socket", err)
	}
	if err := answers(ctx); err != nil {
		return nil, missing(err)
	}
	provider, err := testcontainers.ProviderDefault.GetProvider()
	if err != nil {
		return nil, missing(err)
	}
	e := &engine{DockerProvider: provider.(*testcontainers.DockerProvider)}
	if err := e.Health(ctx); err != nil {
		return nil, missing(err)
	}
	// The library takes a machine with a certain file for a container, and looks for the
	// engine's ports elsewhere: what is on this machine's own network is on this machine.
	var own bool
	if e.bridge, own = bridgeAddress(ctx, e.DockerProvider); own {
		e.host = "localhost"
	} else if e.host, err = e.DaemonHost(ctx); err != nil {
		return nil, fmt.Errorf("finding the host on which the container engine publishes ports: %w", err)
	}
	if e.host == "localhost" {
		e.host, e.publishOn = "127.0.0.1", netip.MustParseAddr("127.0.0.1")
	}
	return e, nil
}

// answers asks the engine that DOCKER_HOST names whether it is there: the library itself
// would wait for it without regard to ctx.
func answers(ctx context.Context) error {
	if os.Getenv("DOCKER_HOST") == "" {
		return nil
	}
	c, err := client.New(client.FromEnv)
	if err != nil {
		return err
	}
	defer c.Close()
	timed, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	_, err = c.Ping(timed, client.PingOptions{})
	return err
}

// image is what the engine says of an image, which it pulls when it does not have it:
// once, since the library would try again for a quarter of an hour.
func (e *engine) image(ctx context.Context, name string) (client.ImageInspectResult, error) {
	defer e.Close()
	image, err := e.Client().ImageInspect(ctx, name)
	if !errdefs.IsNotFound(err) {
		return image, err
	}
	if err := e.pull(ctx, name); err != nil {
		return image, fmt.Errorf("cannot pull the image %s: %w; build it, or correct its name", name, err)
	}
	return e.Client().ImageInspect(ctx, name)
}

func (e *engine) pull(ctx context.Context, name string) error {
	var options client.ImagePullOptions
	if _, credentials, err := testcontainers.DockerImageAuth(ctx, name); err == nil { // else it is public
		if options.RegistryAuth, err = authconfig.Encode(credentials); err != nil {
			return err
		}
	}
	pulling, err := e.Client().ImagePull(ctx, name, options)
	if err != nil {
		return err
	}
	defer pulling.Close()
	return pulling.Wait(ctx)
}

// hostName is what a container calls the machine that the sink listens on.
const hostName = "host.docker.internal"

// hostAddress is what hostName stands for in a container of an engine; one whose network
// this machine has no part in knows best.
func (e *engine) hostAddress() string {
	if e.bridge.IsValid() {
		return e.bridge.String()
	}
	return "host-gateway"
}

// bridgeAddress is this machine's address on the network of the engine's containers, by
// which they reach it and nobody else does, and whether the network is this machine's own.
// The address is not valid where this machine has no part in that network: the engine runs
// in a virtual machine, or far away.
func bridgeAddress(ctx context.Context, provider *testcontainers.DockerProvider) (address netip.Addr, own bool) {
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return netip.Addr{}, false
	}
	for _, name := range []string{testcontainers.Bridge, testcontainers.Podman} {
		bridge, err := provider.Client().NetworkInspect(ctx, name, client.NetworkInspectOptions{})
		if err != nil {
			continue
		}
		for _, config := range bridge.Network.IPAM.Config {
			gateway := config.Gateway
			if !gateway.IsValid() { // where it is not configured it is the first
				gateway = config.Subnet.Masked().Addr().Next()
			}
			for _, of := range addresses {
				if mine, err := netip.ParsePrefix(of.String()); err == nil && config.Subnet.Contains(mine.Addr()) {
					return mine.Addr(), mine.Addr() == gateway
				}
			}
		}
	}
	return netip.Addr{}, false
}

// reachable is a sink that a container reaches, unless the profile says how it does: by
// hostName, on the bridge. Engines in a virtual machine hand on what is sent to hostName
// to this machine's loopback.
func reachable(s target.Sink, bridge netip.Addr) target.Sink {
	host, _, err := net.SplitHostPort(s.Listen)
	if s.URL != "" || s.Listen != "" && err != nil {
		return s
	}
	if address, err := netip.ParseAddr(host); host != "" && (err != nil || !address.IsUnspecified()) {
		return s
	}
	if s.Listen == "" && bridge.IsValid() {
		s.Listen = net.JoinHostPort(bridge.String(), "0")
	}
	s.URL = "https://" + hostName + ":0"
	return s
}
