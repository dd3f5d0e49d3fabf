package contract

import (
	"regexp"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// webTokenPattern is that of access_token. A target may send a megabyte with each token, which takes a regular expression
// milliseconds.
const webTokenPattern = `^[\w-]+\.[\w-]+\.[\w-]*$`

type webToken struct{}

func (webToken) String() string { return webTokenPattern }

func (webToken) MatchString(s string) bool {
	dots, last := 0, -1
	for i := range len(s) {
		switch c := s[i]; {
		case c == '.':
			if dots++; dots > 2 || i == last+1 {
				return false
			}
			last = i
		case !isOfToken[c]:
			return false
		}
	}
	return dots == 2
}

var isOfToken = bytesOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")

func compilePattern(pattern string) (jsonschema.Regexp, error) {
	if pattern == webTokenPattern {
		return webToken{}, nil
	}
	return regexp.Compile(pattern)
}
