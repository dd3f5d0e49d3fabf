package judge

import (
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
)

// plusHint explains a plus sign in the query of a request, which frameworks read differently; empty for none.
func plusHint(e *exchange.Exchange) string {
	_, query, _ := strings.Cut(e.URL, "?")
	switch {
	case e.Party != exchange.API:
		return ""
	case strings.Contains(query, "+"):
		return "the query has a raw +, which form decoding reads as a space, and RFC 3986 as a plus sign: check which of the two the gateway reads"
	case strings.Contains(strings.ToUpper(query), "%2B"):
		return "the query has %2B, a plus sign: check that the gateway does not decode the query twice, which makes it a space"
	default:
		return ""
	}
}
