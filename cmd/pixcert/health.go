package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"time"
)

// healthCmd has the flags of serve that decide where the API is: PIXCERT_LISTEN and PIXCERT_MTLS apply to both.
type healthCmd struct {
	Listen string `default:"127.0.0.1:8080" placeholder:"ADDR" help:"Check the gateway that serves the API at this address."`
	MTLS   bool   `name:"mtls" help:"Use TLS, without verifying the certificate."`
}

func (*healthCmd) Help() string {
	return `For the health check of a container: the exit status is 0 if the gateway is ready, 2 otherwise.

Example:
  pixcert health --listen 127.0.0.1:8080`
}

// healthTimeout is less than the interval of the image's health check.
const healthTimeout = 2 * time.Second

func (c *healthCmd) Run(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url(), nil)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	client := http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true}, //nolint:gosec // asks this machine only whether it responds
	}}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: expected status 200, got %d", c.url(), response.StatusCode)
	}
	return nil
}

// url is where a gateway that listens on every address can be reached from this machine.
func (c *healthCmd) url() string {
	scheme, address := "http", c.Listen
	if c.MTLS {
		scheme = "https"
	}
	if host, port, err := net.SplitHostPort(address); err == nil {
		if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
			address = net.JoinHostPort("localhost", port)
		}
	}
	return scheme + "://" + address + "/healthz"
}
