// Package edge ensures that X-SSL-Client-Cert, by which the API identifies a client, comes from a TLS
// handshake: that of the gateway's own listener (Terminate) or that of a trusted proxy (Trust). It
// removes the header from all other requests.
package edge

import (
	"crypto/tls"
	"encoding/pem"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/pixcert/pixcert/certs"
)

// Header is the header of a client certificate: its PEM, URL-encoded ("Certificate
// validation", 7: the gateway must forward the client certificate as X-SSL-Client-Cert).
const Header = "X-SSL-Client-Cert"

// Terminate sets the header to the client certificate of the handshake, or removes it if there is none.
func Terminate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header = Without(r.Header)
		if value := HeaderValue(r.TLS); value != "" {
			r.Header.Set(Header, value)
		}
		next.ServeHTTP(w, r)
	})
}

// Trust keeps the header of requests from the peers and removes it from all others. The peer is the
// address of the connection; other headers do not matter.
func Trust(peers []netip.Prefix, log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if trusted := isOf(peers, r.RemoteAddr); !trusted {
			if r.Header.Get(Header) != "" {
				log.WarnContext(r.Context(), "a client certificate was dropped: its sender is not a trusted proxy",
					"header", Header, "peer", r.RemoteAddr, "trusted", peers)
			}
			r.Header = Without(r.Header)
		}
		next.ServeHTTP(w, r)
	})
}

// Loopback lists the addresses of the same machine.
func Loopback() []netip.Prefix {
	return []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
}

func isOf(peers []netip.Prefix, address string) bool {
	peer, err := netip.ParseAddrPort(address)
	if err != nil {
		return false // not a TCP listener
	}
	for _, p := range peers {
		if p.Contains(peer.Addr().Unmap().WithZone("")) {
			return true
		}
	}
	return false
}

// Without is a copy of the header without the client certificate. Names with underscores are removed
// too, because many servers read them as hyphens.
func Without(header http.Header) http.Header {
	kept := header.Clone()
	for name := range kept {
		if strings.EqualFold(strings.ReplaceAll(name, "_", "-"), Header) {
			delete(kept, name)
		}
	}
	return kept
}

// HeaderValue is the value of the header for the client's certificate of a handshake, without its chain;
// empty if there is none.
func HeaderValue(handshake *tls.ConnectionState) string {
	if handshake == nil || len(handshake.PeerCertificates) == 0 {
		return ""
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: handshake.PeerCertificates[0].Raw})
	return strings.ReplaceAll(url.QueryEscape(string(text)), "+", "%20") // a plus sign itself is %2B by now
}

// Config configures TLS for the listener of an edge. It requests a certificate of every client and
// verifies none: the API accepts certificates that are registered, whoever issued them.
func Config(certificate tls.Certificate) *tls.Config {
	return certs.Restricted(&tls.Config{
		Certificates: []tls.Certificate{certificate},
		ClientAuth:   tls.RequestClientCert,
		NextProtos:   []string{"http/1.1"},
	})
}
