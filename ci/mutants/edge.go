package mutants

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/pixcert/pixcert/reference/edge"
)

var edgeMutants = []row{
	{"forwards the client's certificate header", "client-certificate.not-smuggled", forwarding(func(sent http.Header, shown string) string {
		return cmp.Or(sent.Get(certificateHeader), shown)
	})},
	{"forwards the client's certificate header if the handshake has no certificate", "client-certificate.not-smuggled", forwarding(func(sent http.Header, shown string) string {
		return cmp.Or(shown, sent.Get(certificateHeader))
	})},
	{"treats underscores in the certificate header's name as hyphens", "client-certificate.not-smuggled", forwarding(func(sent http.Header, shown string) string {
		return cmp.Or(underscored(sent), shown)
	})},
	{"removes only one of several certificate headers", "client-certificate.not-smuggled", forwarding(func(sent http.Header, shown string) string {
		if all := sent.Values(certificateHeader); len(all) > 1 {
			return all[len(all)-1]
		}
		return shown
	})},
	{"trusts the first of several certificate headers", "client-certificate.not-smuggled", forwarding(func(sent http.Header, shown string) string {
		if all := sent.Values(certificateHeader); len(all) > 1 {
			return all[0]
		}
		return shown
	})},
}

// forwarding tells the API of the certificate that is chosen among what a client sent
// and what it showed in the handshake; of none where the choice is empty.
func forwarding(choose func(sent http.Header, shown string) string) fault {
	return changing(arriving, func(c *call, pass server) *answer {
		chosen := choose(c.header, edge.HeaderValue(c.original.TLS))
		return pass(c.edited(func(m *message) {
			m.header = edge.Without(m.header)
			if chosen != "" {
				m.header.Set(certificateHeader, chosen)
			}
		}))
	})
}

func underscored(sent http.Header) string {
	for name, values := range sent {
		if strings.Contains(name, "_") && strings.EqualFold(strings.ReplaceAll(name, "_", "-"), certificateHeader) {
			return values[0]
		}
	}
	return ""
}
