package container

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/target"
)

// locate finds out where the ports of the container are reached.
func (c *Container) locate(ctx context.Context, w *wanted) (err error) {
	if c.Profile.BaseURL, err = c.published(ctx, w.base, w.Port); err != nil {
		return err
	}
	var access target.ControlAccess
	if c.Profile.Control != nil {
		access = *c.Profile.Control
	}
	if w.controls != nil {
		if access.URL, err = c.published(ctx, w.controls, w.ControlsPort); err != nil {
			return err
		}
	}
	c.Profile.Control = nil
	if access.URL != "" || len(access.Command) > 0 {
		c.Profile.Control = &access
	}
	return nil
}

// published is u with the host and port at which a port of the container is reached. The
// name localhost stays, since a certificate may be for it.
func (c *Container) published(ctx context.Context, u *url.URL, port int) (string, error) {
	mapped, err := c.started.MappedPort(ctx, strconv.Itoa(port)+"/tcp")
	if err != nil {
		return "", fmt.Errorf("port %d of the container is not published: %w", port, err)
	}
	host := c.engine.host
	if u.Hostname() == "localhost" && net.ParseIP(host).IsLoopback() {
		host = "localhost"
	}
	reached := *u
	reached.Host = net.JoinHostPort(host, mapped.Port())
	return reached.String(), nil
}

// pollTime lies between two looks at a target that is not ready yet.
const pollTime = 50 * time.Millisecond

// await returns when the target is ready, has ended, or has had its time. An engine may
// accept connections for a port on which nothing listens yet, hence only an answer counts.
func (c *Container) await(ctx context.Context, w *wanted) error {
	base, err := url.Parse(c.Profile.BaseURL)
	if err != nil {
		return err
	}
	health := (&url.URL{Scheme: base.Scheme, Host: base.Host, Path: "/" + strings.TrimPrefix(w.Health, "/")}).String()
	timed, cancel := context.WithTimeout(ctx, w.StartUp)
	defer cancel()
	look := time.NewTicker(pollTime)
	defer look.Stop()
	transport := c.prober()
	came := errors.New("no response")
	for {
		answer := probe(timed, transport, health, w.Health != "")
		if answer == nil {
			return nil
		}
		if timed.Err() == nil { // else it was cut off
			came = answer
		}
		if state, err := c.started.State(timed); err == nil && !state.Running {
			return errors.New("the target exited before it was ready")
		}
		select {
		case <-look.C:
		case <-timed.Done():
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return fmt.Errorf("the target is not ready after %v: GET %s: %w; "+
				"correct image.port or image.health, or increase image.startUp", w.StartUp, health, came)
		}
	}
}

// probe asks for health once; what it returns says why the target is not ready.
func probe(ctx context.Context, transport http.RoundTripper, health string, success bool) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, health, nil)
	if err != nil {
		return err
	}
	answer, err := transport.RoundTrip(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if success && (answer.StatusCode < 200 || answer.StatusCode > 299) {
		return fmt.Errorf("expected 2xx, got %d", answer.StatusCode)
	}
	return nil
}

// prober makes connections of their own for requests that ask whether a target is there,
// not whether its certificate is sound.
func (c *Container) prober() *http.Transport {
	config := &tls.Config{InsecureSkipVerify: true}
	if own, err := tls.X509KeyPair(c.Profile.TLS.Certificate, c.Profile.TLS.Key); err == nil {
		config.Certificates = []tls.Certificate{own} // an edge may let nobody in without one
	}
	return &http.Transport{TLSClientConfig: config, DisableKeepAlives: true, ResponseHeaderTimeout: answerTime}
}
