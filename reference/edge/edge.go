// Package edge stands between the wire and the API, and sees to it that
// X-SSL-Client-Cert, by which the API knows a client, comes from a TLS handshake: from
// that of its own listener (Terminate), or from a proxy that ended one (Trust). What
// anybody else writes there never arrives.
package edge

import (
	"crypto/tls"
	"encoding/pem"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// Header is the header of a client certificate: its PEM, URL-encoded ("Certificate
// validation", 7: the gateway must forward the client certificate as X-SSL-Client-Cert).
const Header = "X-SSL-Client-Cert"

// Terminate tells next of the certificate that the client showed in the handshake, and
// of none where it showed none.
func Terminate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header = Without(r.Header)
		if shown := Shown(r.TLS); shown != "" {
			r.Header.Set(Header, shown)
		}
		next.ServeHTTP(w, r)
	})
}

// Trust leaves the header to requests of the peers, and takes it from all others. A
// peer is who connected, whatever other headers say.
func Trust(peers []netip.Prefix, log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if trusted := isOf(peers, r.RemoteAddr); !trusted {
			if r.Header.Get(Header) != "" {
				log.WarnContext(r.Context(), "a client certificate was not believed: who sent it is no trusted proxy",
					"header", Header, "peer", r.RemoteAddr, "trusted", peers)
			}
			r.Header = Without(r.Header)
		}
		next.ServeHTTP(w, r)
	})
}

// Loopback is who shares the machine.
func Loopback() []netip.Prefix {
	return []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
}

func isOf(peers []netip.Prefix, address string) bool {
	peer, err := netip.ParseAddrPort(address)
	if err != nil {
		return false // a listener that is no TCP: nobody is known there
	}
	for _, p := range peers {
		if p.Contains(peer.Addr().Unmap().WithZone("")) {
			return true
		}
	}
	return false
}

// Without is a copy of the header without the client certificate. Names with underscores
// go too, since many a server behind an edge takes them for hyphens.
func Without(header http.Header) http.Header {
	kept := header.Clone()
	for name := range kept {
		if strings.EqualFold(strings.ReplaceAll(name, "_", "-"), Header) {
			delete(kept, name)
		}
	}
	return kept
}

// Shown is the header's value for the certificate of a handshake, of a chain the
// client's own; empty where there is none.
func Shown(handshake *tls.ConnectionState) string {
	if handshake == nil || len(handshake.PeerCertificates) == 0 {
		return ""
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: handshake.PeerCertificates[0].Raw})
	return strings.ReplaceAll(url.QueryEscape(string(text)), "+", "%20") // a plus sign itself is %2B by now
}

// Config is TLS for the listener of an edge. Every client is asked for a certificate;
// which is good, and whether it may be missing, is the API's to judge, which knows
// certificates by their registration and by no authority.
func Config(certificate tls.Certificate) *tls.Config {
	return &tls.Config{
		Certificates: []tls.Certificate{certificate},
		ClientAuth:   tls.RequestClientCert,
		NextProtos:   []string{"http/1.1"},
		MinVersion:   tls.VersionTLS12,
	}
}
