package exchange

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/shell"
)

// secret is a secret part of a text, with the name of the shell variable that replaces it in a
// command.
type secret struct {
	from, to int
	variable string
}

var (
	// The rest of a member after its name. A value that was cut off has no closing quote, a malformed one no opening quote.
	jsonValue = regexp.MustCompile(`^(?s)"\s*:\s*"((?:[^"\\]|\\.)+)`)
	bareValue = regexp.MustCompile(`^"\s*:\s*([^\s"{}\[\],]+)`)
	// A value in JSON that is itself in a JSON string: it ends at a quote behind as many backslashes as it began with, or later.
	nestedValue = regexp.MustCompile(`^(?s)\\+"\s*:\s*\\+"((?:[^"\\]|\\[^"\\]|\\\\+.)+)`)
	formValue   = regexp.MustCompile(`^=([^&\s"'#]+)`)
	userInfo    = regexp.MustCompile(`[a-z]://()([^/@\s"]+)@`)
	// A token is secret anywhere: a target may return it under a name of its own.
	webToken = regexp.MustCompile(`()\b(eyJ[\w-]{8,}\.[\w-]+\.[\w-]*)`)

	secretHeader = regexp.MustCompile(`(?i)authorization|cookie|secret|token|password|api-?key`)
	// Headers that are about a secret without containing one, and those that features invent.
	harmlessHeader = regexp.MustCompile(`(?i)^(www|proxy)-authenticate$|^access-control-|^x-pixcert-`)
)

// secretsInText finds the secrets of a body, a URL or a message, in order.
func secretsInText(s string) []secret {
	found := secretMembers(s)
	for _, pattern := range patternsFor(s) {
		for _, m := range pattern.FindAllStringSubmatchIndex(s, -1) {
			found = append(found, secret{from: m[4], to: m[5], variable: variableFor(s[m[2]:m[3]])})
		}
	}
	slices.SortFunc(found, func(a, b secret) int { return cmp.Compare(a.from, b.from) })
	return apart(found)
}

// memberNames are the names of secret members, without underscores, by their last word and that by its first letter.
var memberNames = map[byte]struct {
	last  string
	first []string
}{'s': {"secret", []string{"client"}}, 't': {"token", []string{"access", "refresh", "id"}}, 'p': {"password", []string{""}}}

// secretMembers finds the values of members that are named after a secret, in JSON and in forms. It looks for the last
// word of a name first: most texts have none, and matching all of a long one takes long.
func secretMembers(s string) (found []secret) {
	end := 0 // of the last value
	for i := 0; i < len(s); i++ {
		c := s[i] | 0x20
		if c != 's' && c != 't' && c != 'p' {
			continue
		}
		name := memberNames[c]
		if !hasFold(s[i:], name.last) {
			continue
		}
		start, after := startOfName(s[:i], name.first), i+len(name.last)
		if start < end {
			continue
		}
		pattern := formValue
		switch {
		case start > 1 && s[start-1] == '"' && s[start-2] == '\\':
			pattern = nestedValue
		case start > 0 && s[start-1] == '"':
			pattern = jsonValue
		case start > 0 && strings.IndexByte("?& \t\n\f\r", s[start-1]) < 0:
			continue
		}
		m := pattern.FindStringSubmatchIndex(s[after:])
		if m == nil && pattern == jsonValue { // malformed; a number or null is no secret
			if m = bareValue.FindStringSubmatchIndex(s[after:]); m != nil && json.Valid([]byte(s[after+m[2]:after+m[3]])) {
				m = nil
			}
		}
		if m != nil {
			end = after + m[3]
			found = append(found, secret{from: after + m[2], to: end, variable: variableFor(s[start:after])})
		}
	}
	return found
}

// startOfName returns where a name begins whose last word follows s; -1 if none of those words precedes it.
func startOfName(s string, words []string) int {
	for _, word := range words {
		for _, end := range []int{len(s), len(s) - 1} {
			if word != "" && end < len(s) && (end < 0 || s[end] != '_') {
				continue
			}
			if start := end - len(word); start >= 0 && hasFold(s[start:], word) {
				return start
			}
		}
	}
	return -1
}

// hasFold reports whether s begins with a word, in capitals or not.
func hasFold(s, word string) bool {
	return len(s) >= len(word) && strings.EqualFold(s[:len(word)], word)
}

// patternsFor returns the patterns that may match s. Searching for words is much faster than matching, which counts if
// a target answers every request with a megabyte.
func patternsFor(s string) []*regexp.Regexp {
	var patterns []*regexp.Regexp
	if strings.Contains(s, "://") && strings.Contains(s, "@") {
		patterns = append(patterns, userInfo)
	}
	if strings.Contains(s, "eyJ") {
		patterns = append(patterns, webToken)
	}
	return patterns
}

// apart drops secrets that begin inside an earlier one: in a form inside a JSON string, or the
// reverse.
func apart(secrets []secret) []secret {
	end := 0
	return slices.DeleteFunc(secrets, func(s secret) bool {
		inside := s.from < end
		end = max(end, s.to)
		return inside
	})
}

// variableFor names the shell variable for a member of a body.
func variableFor(member string) string {
	switch strings.ReplaceAll(strings.ToLower(member), "_", "") {
	case "clientsecret":
		return "CLIENT_SECRET"
	case "refreshtoken":
		return "REFRESH_TOKEN"
	case "password":
		return "PASSWORD"
	case "":
		return "CREDENTIALS"
	default:
		return "TOKEN"
	}
}

func secretInHeader(party Party, name, value string) []secret {
	isSecret := secretHeader.MatchString(name) && !harmlessHeader.MatchString(name)
	if value == "" || !isSecret && value != Mask {
		return nil
	}
	all := secret{from: 0, to: len(value), variable: shell.VariableName(name)}
	if !strings.EqualFold(name, "Authorization") {
		return []secret{all}
	}
	all.variable = "TOKEN"
	if party == Control {
		all.variable = "CONTROL_TOKEN"
	}
	scheme, credentials, hasScheme := strings.Cut(value, " ")
	switch {
	case hasScheme && strings.TrimSpace(credentials) == "", strings.EqualFold(value, "Bearer"):
		return nil // a scheme without credentials is no secret, and some scenarios are about it
	case hasScheme:
		all.from = len(scheme) + 1
	}
	return []secret{all}
}

// isCertificate recognizes the header in every spelling in which a client may smuggle it in.
func isCertificate(header string) bool {
	return strings.EqualFold(strings.ReplaceAll(header, "_", "-"), "X-SSL-Client-Cert")
}

// A certificate up to this length is shown whole, so that a short malformed one can be read. Of a
// longer one, only the ends are shown.
const (
	certificateShown = 100
	certificateHead  = 40
	certificateTail  = 24
)

func shortened(certificate string) string {
	if isShortened(certificate) || len(certificate) <= certificateShown {
		return certificate
	}
	return fmt.Sprintf("%s… (%d characters) …%s", certificate[:certificateHead], len(certificate),
		certificate[len(certificate)-certificateTail:])
}

func isShortened(certificate string) bool {
	return strings.Contains(certificate, " characters) …")
}
