package exchange

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/shell"
)

// Curl is a shell command (sh with $'...', as bash, zsh and ksh have it) that
// sends the request of e again, over several lines. Secrets stand in it as
// variables: $TOKEN, $CONTROL_TOKEN, $CLIENT_SECRET, or the header's own name in
// capitals; the client certificate as $CLIENT_CERT, URL-encoded, or where it was shown
// in the TLS handshake as the PEM files $CLIENT_CERT_FILE and $CLIENT_KEY_FILE. It is the
// same for an exchange and for that exchange redacted. What belongs to the other account
// of a scenario begins with OTHER_. A body that is too long for a command line is
// read from body.bin. For a control that a program carried out it is that program's
// command.
//
// Who sends the request again has other ids than the run had: standIns name theirs.
func (e Exchange) Curl(standIns ...StandIn) string {
	if len(e.Program) > 0 {
		return e.run(standIns)
	}
	command := "curl -i -X " + shell.Quote(cmp.Or(e.Method, http.MethodGet))
	if e.Method == http.MethodHead {
		command = "curl --head" // with -X HEAD curl would wait for a body
	}
	if strings.ContainsAny(e.URL, "[]{}") {
		command += " --globoff"
	}
	if strings.Contains(e.URL, "/.") {
		command += " --path-as-is"
	}
	lines := []string{command + " " + shell.Word(e.parts(e.URL, secretsInText(e.URL), standIns)...)}
	if e.ClientCertificate != "" && e.ClientCertificate != NoCertificate {
		lines = append(lines, `--cert "$CLIENT_CERT_FILE" --key "$CLIENT_KEY_FILE"`)
	}
	lines = append(lines, e.curlHeaders(standIns)...)
	body, before := e.curlBody(standIns)
	if body != "" {
		lines = append(lines, body)
	}
	return before + strings.Join(lines, " \\\n  ")
}

// Headers that curl works out from the rest of the command.
var curlOwn = []string{"Content-Length", "Transfer-Encoding", "Connection", "Accept-Encoding"}

func (e Exchange) curlHeaders(standIns []StandIn) []string {
	var options []string
	typed := false
	for _, name := range slices.Sorted(maps.Keys(e.Header)) {
		typed = typed || strings.EqualFold(name, "Content-Type")
		if slices.ContainsFunc(curlOwn, func(own string) bool { return strings.EqualFold(name, own) }) {
			continue
		}
		for _, value := range e.Header[name] {
			options = append(options, "-H "+shell.Word(e.curlHeader(name, value, standIns)...))
		}
	}
	if !typed && len(e.Body) > 0 {
		options = append(options, "-H 'Content-Type:'") // else curl makes one up
	}
	return options
}

func (e Exchange) curlHeader(name, value string, standIns []StandIn) []shell.Part {
	if value == "" {
		return []shell.Part{{Text: name + ";"}} // curl's spelling of a header without a value
	}
	if isCertificate(name) && (len(value) > certificateShown || isShortened(value)) {
		return []shell.Part{{Text: name + ": "}, {Variable: e.variable("CLIENT_CERT")}}
	}
	word := e.parts(value, secretInHeader(e.Party, name, value), standIns)
	word[0].Text = name + ": " + word[0].Text
	return word
}

// longestArgument bounds a body in a command: Linux takes 128 KiB for one
// argument, and quoting can make four characters of a byte.
const longestArgument = 24 << 10

// curlBody is the option that carries the body, and what goes before the
// command for a body that no argument can hold because of a NUL.
func (e Exchange) curlBody(standIns []StandIn) (option, before string) {
	if len(e.Body) == 0 {
		return "", ""
	}
	if len(e.Body) > longestArgument {
		return "--data-binary @body.bin", ""
	}
	body := string(e.Body)
	found := e.parts(body, secretsInText(body), standIns)
	if strings.ContainsRune(body, 0) {
		return "--data-binary @-", shell.Printf(found...) + " | "
	}
	return "--data-raw " + shell.Word(found...), ""
}

// run is the command that runs the program of e again, with the same standard input.
func (e Exchange) run(standIns []StandIn) string {
	var words []string
	for _, word := range e.Program {
		words = append(words, shell.Word(e.parts(word, secretsInText(word), standIns)...))
	}
	program := strings.Join(words, " ")
	body := string(e.Body)
	switch found := e.parts(body, secretsInText(body), standIns); {
	case body == "":
		return program + " < /dev/null"
	case len(body) > longestArgument:
		return program + " < body.bin"
	case strings.ContainsRune(body, 0):
		return shell.Printf(found...) + " | " + program
	default:
		return "printf %s " + shell.Word(found...) + " | \\\n  " + program
	}
}
