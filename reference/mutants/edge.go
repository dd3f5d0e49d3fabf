package mutants

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/pixcert/pixcert/reference/edge"
)

var edgeMutants = []row{
	{"passes on the certificate header that a client sends", "client-certificate.not-smuggled", forwarding(func(sent http.Header, shown string) string {
		return cmp.Or(sent.Get(certificateHeader), shown)
	})},
	{"passes on the certificate header where the handshake has none", "client-certificate.not-smuggled", forwarding(func(sent http.Header, shown string) string {
		return cmp.Or(shown, sent.Get(certificateHeader))
	})},
	{"takes underscores in the name of the certificate header for hyphens", "client-certificate.not-smuggled", forwarding(func(sent http.Header, shown string) string {
		return cmp.Or(underscored(sent), shown)
	})},
	{"takes one certificate header away and no other", "client-certificate.not-smuggled", forwarding(func(sent http.Header, shown string) string {
		if all := sent.Values(certificateHeader); len(all) > 1 {
			return all[len(all)-1]
		}
		return shown
	})},
	{"believes the first certificate header of several", "client-certificate.not-smuggled", forwarding(func(sent http.Header, shown string) string {
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
		chosen := choose(c.header, edge.Shown(c.original.TLS))
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
