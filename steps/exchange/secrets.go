package exchange

import (
	"cmp"
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

const secretMembers = `client_?secret|access_?token|refresh_?token|id_?token|password`

var (
	// A value that was cut off has no closing quote.
	jsonMember = regexp.MustCompile(`(?is)"(` + secretMembers + `)"\s*:\s*"((?:[^"\\]|\\.)+)`)
	formMember = regexp.MustCompile(`(?i)(?:^|[?&\s])(` + secretMembers + `)=([^&\s"'#]+)`)
	userInfo   = regexp.MustCompile(`[a-z]://()([^/@\s"]+)@`)
	// A token is secret anywhere: a target may return it under a name of its own.
	webToken = regexp.MustCompile(`()\b(eyJ[\w-]{8,}\.[\w-]+\.[\w-]*)`)

	secretHeader = regexp.MustCompile(`(?i)authorization|cookie|secret|token|password|api-?key`)
	// Headers that are about a secret without containing one, and those that features invent.
	harmlessHeader = regexp.MustCompile(`(?i)^(www|proxy)-authenticate$|^access-control-|^x-pixcert-`)
)

// secretsInText finds the secrets of a body, a URL or a message, in order.
func secretsInText(s string) []secret {
	var found []secret
	for _, pattern := range patternsFor(s) {
		for _, m := range pattern.FindAllStringSubmatchIndex(s, -1) {
			found = append(found, secret{from: m[4], to: m[5], variable: variableFor(s[m[2]:m[3]])})
		}
	}
	slices.SortFunc(found, func(a, b secret) int { return cmp.Compare(a.from, b.from) })
	return apart(found)
}

// patternsFor returns the patterns that may match s. Most bodies contain none of the words that name
// a secret, and searching for words is much faster than matching, which counts if a target answers
// every request with a megabyte.
func patternsFor(s string) []*regexp.Regexp {
	var patterns []*regexp.Regexp
	lower := strings.ToLower(s)
	if strings.Contains(lower, "secret") || strings.Contains(lower, "token") || strings.Contains(lower, "password") {
		patterns = append(patterns, jsonMember, formMember)
	}
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
