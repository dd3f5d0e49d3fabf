package certs

import (
	"bytes"
	_ "embed" // for the issuer of a chain
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// Form is a way to write a certificate into the header X-SSL-Client-Cert.
type Form struct {
	Name   string // in plain words, as features name it
	Sender string // who is known to write it so
	Encode func(pem []byte) string
}

// Forms holds the right form, first, and the others that arrive in practice. Every
// result can be sent as the value of an HTTP header.
var Forms = []Form{
	{"as the specification asks", "encodeURIComponent; nginx's $ssl_client_escaped_cert", Header},
	{"plus as %20", "a sender that took the plus signs for spaces", plusAsSpace},
	{"plus left literal", "AWS Application Load Balancer", plusLiteral},
	{"small escapes", "a sender that writes hex digits as small letters", smallEscapes},
	{"space as plus", "PHP's urlencode, Java's URLEncoder, Go's url.QueryEscape", spaceAsPlus},
	{"raw newlines", "nginx's $ssl_client_cert, whose folded lines the next hop joins", rawNewlines},
	{"truncated", "a hop that cuts long headers", truncated},
	{"not PEM", "a proxy that forwards a placeholder", notPEM},
	{"garbage in the armour", "a proxy that forwards a PEM that was damaged", garbage},
	{"a chain", "a proxy that forwards what the client presented, issuer and all", chain},
	{"CRLF", "a certificate saved on Windows", crlf},
	{"percent-encoding doubled", "a proxy that encodes what was encoded", doubled},
	{"base64 without the armour", "Traefik's passTLSClientCert", withoutArmour},
}

// FormNamed finds a form by its name; the error lists the names there are.
func FormNamed(name string) (Form, error) {
	names := make([]string, len(Forms))
	for i, f := range Forms {
		if f.Name == name {
			return f, nil
		}
		names[i] = fmt.Sprintf("%q", f.Name)
	}
	return Form{}, fmt.Errorf("expected the name of a certificate form, one of %s, but got %q", strings.Join(names, ", "), name)
}

// Header is the right form of a certificate for X-SSL-Client-Cert: percent-encoded
// like JavaScript's encodeURIComponent, a plus sign as %2B and a space as %20
// (POST /api/auth/token, headers).
func Header(pem []byte) string { return componentOf.Replace(url.QueryEscape(string(pem))) }

// componentOf turns what url.QueryEscape writes into what encodeURIComponent writes.
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

// rawNewlines: a header cannot hold a newline. nginx folds the lines instead, and who
// unfolds a header puts a space for each fold.
func rawNewlines(pem []byte) string {
	return strings.ReplaceAll(strings.TrimSpace(string(pem)), "\n", " ")
}

func truncated(pem []byte) string { return Header(pem[:len(pem)/2]) }

func notPEM([]byte) string { return Header([]byte("no client certificate")) }

// garbage is PEM, and what it holds is no certificate.
func garbage([]byte) string {
	return Header(encodePEM("CERTIFICATE", []byte("this was a certificate before it was damaged")))
}

// issuer has the name of every Authority. A form sees one certificate and not who
// signed it, so this stands for the issuer; its key was thrown away. Registries know a
// certificate by its fingerprint, so nobody builds a path with it.
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
