package controls

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// browsers rejects requests that a browser sends for a page of another site, by Origin and
// Sec-Fetch-Site; other clients send neither.
var browsers = http.NewCrossOriginProtection()

// admit rejects callers that must not use the controls. One of them is a web page that is open in a
// browser on this machine: it can reach a loopback port with a form, which sends its Origin, or under a
// name of its own that resolves to this machine, which is then the Host. Such a page does not know the
// token, so with a token any Host is accepted.
func (c *controls) admit(r *http.Request) error {
	switch {
	case c.Token != "" && !c.hasToken(r):
		return &failure{http.StatusUnauthorized, "expected Authorization: Bearer with the token of the controls"}
	case c.Token == "" && !isLocal(r.Host):
		return &failure{http.StatusForbidden, fmt.Sprintf("expected the host localhost or an address, got %q; controls without a token have no other name", r.Host)}
	}
	if err := browsers.Check(r); err != nil {
		return &failure{http.StatusForbidden, "expected a request of the same origin: " + err.Error()}
	}
	return nil
}

// hasToken compares digests, so that its duration reveals neither the content nor the length of the token.
func (c *controls) hasToken(r *http.Request) bool {
	given, want := sha256.Sum256([]byte(r.Header.Get("Authorization"))), sha256.Sum256([]byte("Bearer "+c.Token))
	return subtle.ConstantTimeCompare(given[:], want[:]) == 1
}

// isLocal reports whether a Host is localhost or an IP address, which no name server can redirect.
func isLocal(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	_, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil || strings.EqualFold(host, "localhost")
}
