// Package gateway is the client of a gateway under load: accounts with their tokens, and the
// operations of the API. A [Sender] carries its requests.
package gateway

import (
	"errors"
	"fmt"
	"net/url"
)

// ParseURL parses the base URL of a gateway, or of its test controls. Its errors contain no password.
func ParseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, errors.New("expected a URL such as http://127.0.0.1:8080, got one that cannot be parsed: start it with http:// or https://")
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return nil, fmt.Errorf("expected a URL such as http://127.0.0.1:8080, got %q", u.Redacted())
	case u.RawQuery != "" || u.Fragment != "" || u.User != nil:
		return nil, fmt.Errorf("expected a URL without user, query or fragment, got %q", u.Redacted())
	}
	return u, nil
}
