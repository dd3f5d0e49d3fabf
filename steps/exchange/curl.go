package exchange

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/shell"
)

// Curl returns a shell command (sh with $'...', as in bash, zsh and ksh) over several lines that
// sends the request of e again. Variables replace the secrets: $TOKEN, $CONTROL_TOKEN,
// $CLIENT_SECRET, or the name of the header in capitals. $CLIENT_CERT is the client certificate,
// URL-encoded; if it was presented in the TLS handshake, $CLIENT_CERT_FILE and $CLIENT_KEY_FILE are
// PEM files. Variables of the scenario's other account begin with OTHER_. A body that is too long
// for a command line is read from body.bin. If a program carried out a control, the command runs
// that program. The command is the same for an exchange and for its redacted copy.
//
// Whoever sends the request again has different ids, for which standIns are the variables.
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

// curlBody returns the option with the body, and what precedes the command if the body
// cannot be an argument because it contains a NUL.
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

// run returns the command that runs the program of e again with the same standard input.
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
