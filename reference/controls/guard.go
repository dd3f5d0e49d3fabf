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

// browsers judges requests that a browser sends for a page of another site, by Origin and
// Sec-Fetch-Site; whoever is no browser sends neither.
var browsers = http.NewCrossOriginProtection()

// admit keeps strangers out. A web page that somebody at this machine opened is one: it
// can reach a port of the loopback by a form (which tells its Origin), or under a name of
// its own that it lets lead here (which stands in Host). Such a page does not know the
// token, so with a token any name will do.
func (c *controls) admit(r *http.Request) error {
	switch {
	case c.Token != "" && !c.bearsToken(r):
		return &failure{http.StatusUnauthorized, "expected Authorization: Bearer with the token of the controls"}
	case c.Token == "" && !isLocal(r.Host):
		return &failure{http.StatusForbidden, fmt.Sprintf("expected the host localhost or an address, got %q; controls without a token have no other name", r.Host)}
	}
	if err := browsers.Check(r); err != nil {
		return &failure{http.StatusForbidden, "expected a request of the same origin: " + err.Error()}
	}
	return nil
}

// bearsToken compares digests, so that neither content nor length of the token shows in
// the time it takes.
func (c *controls) bearsToken(r *http.Request) bool {
	given, want := sha256.Sum256([]byte(r.Header.Get("Authorization"))), sha256.Sum256([]byte("Bearer "+c.Token))
	return subtle.ConstantTimeCompare(given[:], want[:]) == 1
}

// isLocal says whether a Host is an address, which nobody can let lead elsewhere, or
// localhost.
func isLocal(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	_, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil || strings.EqualFold(host, "localhost")
}
