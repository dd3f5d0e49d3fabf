// Package gateway is the client of a gateway under load: connections, accounts with their
// tokens, and the operations of the API.
package gateway

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
)

// Gateway is the gateway under test. A process has one, shared by all virtual users.
type Gateway struct {
	base      *url.URL
	tokenPath string
}

const defaultTokenPath = "/api/auth/token"

// New is the gateway at a base URL, such as http://127.0.0.1:8080 or https://host/prefix. An
// empty tokenPath means /api/auth/token.
func New(base, tokenPath string) (*Gateway, error) {
	parsed, err := parseBase(base)
	if err != nil {
		return nil, fmt.Errorf("the gateway's url: %w", err)
	}
	tokenPath = cmp.Or(tokenPath, defaultTokenPath)
	if !strings.HasPrefix(tokenPath, "/") {
		return nil, fmt.Errorf("the gateway's token path: expected a path that starts with /, got %q", tokenPath)
	}
	return &Gateway{base: parsed, tokenPath: tokenPath}, nil
}

// Base is the gateway's base URL, for the Sender.
func (g *Gateway) Base() *url.URL {
	base := *g.base
	return &base
}

func parseBase(base string) (*url.URL, error) {
	parsed, err := url.Parse(base)
	switch {
	case err != nil:
		return nil, fmt.Errorf("expected a URL such as https://host:port, got %q: %w", base, err)
	case parsed.Scheme != "http" && parsed.Scheme != "https", parsed.Host == "":
		return nil, fmt.Errorf("expected a URL such as https://host:port, got %q", base)
	case parsed.RawQuery != "" || parsed.Fragment != "" || parsed.User != nil:
		return nil, fmt.Errorf("expected a URL without user, query or fragment, got %q", parsed.Redacted())
	}
	parsed.Path = strings.TrimRight(parsed.Path, "/")
	parsed.RawPath = ""
	return parsed, nil
}
