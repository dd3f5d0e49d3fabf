package certs

import (
	"bytes"
	_ "embed" // for the issuer of a chain
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// Form is a way to encode a certificate in the header X-SSL-Client-Cert.
type Form struct {
	Name   string // as in the features
	Sender string // known senders of this form
	Encode func(pem []byte) string
}

// Forms lists the correct form first, then wrong ones that occur in practice. Every result is
// a valid HTTP header value.
var Forms = []Form{
	{"as the specification asks", "encodeURIComponent; nginx's $ssl_client_escaped_cert", Header},
	{"plus as %20", "a sender that reads plus signs as spaces", plusAsSpace},
	{"plus left literal", "AWS Application Load Balancer", plusLiteral},
	{"small escapes", "a sender that writes lower-case hex digits", smallEscapes},
	{"space as plus", "PHP's urlencode, Java's URLEncoder, Go's url.QueryEscape", spaceAsPlus},
	{"raw newlines", "nginx's $ssl_client_cert, after the next hop joins the folded lines", rawNewlines},
	{"truncated", "a hop that truncates long headers", truncated},
	{"not PEM", "a proxy that forwards a placeholder", notPEM},
	{"garbage in the armour", "a proxy that forwards a damaged PEM", garbage},
	{"a chain", "a proxy that forwards the whole chain that the client presented", chain},
	{"CRLF", "a certificate saved on Windows", crlf},
	{"percent-encoding doubled", "a proxy that encodes twice", doubled},
	{"base64 without the armour", "Traefik's passTLSClientCert", withoutArmour},
}

// FormNamed finds a form by its name; the error lists all names.
func FormNamed(name string) (Form, error) {
	names := make([]string, len(Forms))
	for i, f := range Forms {
		if f.Name == name {
			return f, nil
		}
		names[i] = fmt.Sprintf("%q", f.Name)
	}
	return Form{}, fmt.Errorf("expected a certificate form, one of %s, got %q", strings.Join(names, ", "), name)
}

// Header is the correct form of a certificate for X-SSL-Client-Cert: percent-encoded
// like JavaScript's encodeURIComponent, a plus sign as %2B and a space as %20
// (POST /api/auth/token, headers).
func Header(pem []byte) string { return componentOf.Replace(url.QueryEscape(string(pem))) }

// componentOf converts the output of url.QueryEscape to that of encodeURIComponent.
var componentOf = strings.NewReplacer(
	"+", "%20", "%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*",
)

func plusAsSpace(pem []byte) string { return Header(bytes.ReplaceAll(pem, []byte("+"), []byte(" "))) }

func plusLiteral(pem []byte) string { return strings.ReplaceAll(Header(pem), "%2B", "+") }

func smallEscapes(pem []byte) string {
	return escape.ReplaceAllStringFunc(Header(pem), strings.ToLower)
}

var escape = regexp.MustCompile(`%..`)

func spaceAsPlus(pem []byte) string { return url.QueryEscape(string(pem)) }

// rawNewlines: a header cannot contain a newline. nginx folds the lines instead, and unfolding
// replaces each fold by a space.
func rawNewlines(pem []byte) string {
	return strings.ReplaceAll(strings.TrimSpace(string(pem)), "\n", " ")
}

func truncated(pem []byte) string { return Header(pem[:len(pem)/2]) }

func notPEM([]byte) string { return Header([]byte("no client certificate")) }

// garbage is PEM that does not contain a certificate.
func garbage([]byte) string {
	return Header(encodePEM("CERTIFICATE", []byte("this was a certificate before it was damaged")))
}

// issuer has the name of every Authority. A form sees only the certificate and not its issuer,
// so this one represents the issuer; its key was discarded. Registries identify a certificate by
// its fingerprint, so nobody verifies the chain.
//
//go:embed issuer.pem
var issuer []byte

func chain(pem []byte) string { return Header(append(bytes.Clone(pem), issuer...)) }

func crlf(pem []byte) string { return Header(bytes.ReplaceAll(pem, []byte("\n"), []byte("\r\n"))) }

func doubled(pem []byte) string { return Header([]byte(Header(pem))) }

func withoutArmour(text []byte) string {
	var lines []string
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "-----") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return Header([]byte(strings.Join(lines, "")))
}
