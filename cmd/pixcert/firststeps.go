package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/steps/shell"
)

// printStart prints what a user needs to send a first request.
func (c *serveCmd) printStart(w io.Writer, gateway *reference.Gateway, box *sandbox) {
	fmt.Fprintf(w, "API            %s\n", gateway.URL())
	if gateway.ControlsURL() != "" {
		fmt.Fprintf(w, "test controls  %s\n", gateway.ControlsURL())
	}
	fmt.Fprintf(w, "profile        %s\n", box.profile)
	if c.Mutant != nil {
		fmt.Fprintf(w, "fault          %s\n", *c.Mutant)
	}
	if c.Edge.ca != "" {
		fmt.Fprintf(w, "authority      %s\n", c.Edge.ca)
	}
	for i, account := range gateway.Accounts() {
		printAccount(w, account, box.accounts[i])
	}
	if c.Edge.MTLS {
		fmt.Fprintln(w, "\nClients authenticate with their certificate in the TLS handshake; X-SSL-Client-Cert is ignored.")
	}
	c.printFirstSteps(w, gateway, box)
	fmt.Fprintf(w, "To receive webhooks, run in another terminal:\n\n%s\n\n",
		shell.Command(ownName(), "listen", "--profile", box.profile, "--forward-to", "http://localhost:3000"))
	if c.Private == nil && !reference.OnLoopback(c.Listen) {
		fmt.Fprint(w, "Other machines can reach the API, so webhooks go to public addresses only, and not to that command. To allow private ones, start serve with --allow-private-webhooks.\n\n")
	}
	if gateway.ControlsURL() != "" {
		fmt.Fprintf(w, "To certify this gateway, run in another terminal:\n\n%s\n\n", c.certifyCommand(gateway, box))
	}
	fmt.Fprintln(w, "Press Ctrl-C to stop.")
}

func printAccount(w io.Writer, account pix.Account, files sandboxAccount) {
	fmt.Fprintf(w, `
Account %d, %s, with R$ %s:

PIX key        %s
document       %s
clientId       %s
clientSecret   %s
certificate    %s
`, account.ID, account.Name, account.Available, account.PixKey, account.Document, account.ClientID, files.shownSecret(displayOf(w).Terminal), files.file(certificateFile))
	if files.keyFile != "" {
		fmt.Fprintf(w, "private key    %s\n", files.keyFile)
	}
}

// shownSecret is the account's client secret, or its file: output that is not read from a terminal is kept, such as
// the logs of a container.
func (a sandboxAccount) shownSecret(terminal bool) string {
	if terminal {
		return a.Secret
	}
	return "in " + a.file(secretFile)
}

// printFirstSteps prints commands that can be pasted into a shell any number of times; a repeated
// transfer returns the first one.
func (c *serveCmd) printFirstSteps(w io.Writer, gateway *reference.Gateway, box *sandbox) {
	charge := c.request(gateway, "/api/pix/cash-in", "", `{"transaction":{"value":25.00,"description":"Coffee","externalId":"sale-'$(date +%s)-$$'"},`+
		`"payer":{"fullName":"João de Souza","document":"11144477735"}}`)
	cob := c.put(gateway, "/cob/cob0000000000000", `{"calendario":{"expiracao":3600},"valor":{"original":"30.00"},"solicitacaoPagador":"Lunch"}`)
	paying, paid := "", ""
	if gateway.ControlsURL() != "" {
		paying, paid = ", and let a customer pay", "\n"+c.sandboxCommand(gateway, box, "trigger", "paid")
	}
	fmt.Fprintf(w, `
To try it, paste this into a shell:

# Request a token.
TOKEN=$(%s |
  sed 's/.*"access_token":"\([^"]*\)".*/\1/')
# Pay R$ 10.00 to a key.
%s
# Charge R$ 25.00%s.
%s
# Charge R$ 30.00 by a cob%s.
%s
# Transfer R$ 5.00.
%s
# List what happened.
%s

`, c.tokenRequest(gateway, box.accounts[0]),
		c.request(gateway, "/api/pix/cash-out", "", `{"value":10.00,"externalId":"payment-'$(date +%s)-$$'",`+
			`"details":{"key":"maria@pixcert.example","keyType":"EMAIL","name":"Maria da Silva","document":"52998224725"}}`),
		paying, charge+paid, paying, cob+paid,
		c.request(gateway, "/dict/pix", "x-idempotency-key: "+pix.NewUUID(), `{"pixKey":"maria@pixcert.example","payment":{"currency":"BRL","amount":5.00}}`),
		c.request(gateway, "/api/transactions", "", ""))
}

// curl is the beginning of a request to the gateway.
func (c *serveCmd) curl() []string {
	words := []string{"curl", "-sS"}
	if c.Edge.ca != "" {
		words = append(words, "--cacert", c.Edge.ca)
	}
	return words
}

// tokenRequest returns the curl command that requests a token for an account.
func (c *serveCmd) tokenRequest(gateway *reference.Gateway, account sandboxAccount) string {
	words := append(c.curl(), gateway.URL()+"/api/auth/token")
	if c.Edge.MTLS {
		words = append(words, "--cert", account.file(certificateFile), "--key", account.keyFile)
	} else {
		words = append(words, "-H", "@"+account.file(headerFile))
	}
	return shell.Command(append(words, "-H", "Content-Type: application/json", "-d", "@"+account.file(credentialsFile))...)
}

// request returns a curl command with the variable TOKEN: a POST if there is a body, whose single
// quotes end and begin shell words.
func (c *serveCmd) request(gateway *reference.Gateway, path, header, body string) string {
	command := shell.Command(append(c.curl(), gateway.URL()+path)...)
	if header != "" {
		command += fmt.Sprintf(` -H "%s"`, header)
	}
	return command + withToken(body)
}

// put returns a curl command like request, with a PUT to a path to which the shell adds the time and its process id.
func (c *serveCmd) put(gateway *reference.Gateway, path, body string) string {
	return shell.Command(append(c.curl(), "-X", "PUT", gateway.URL()+path)...) + "$(date +%s)$$" + withToken(body)
}

// withToken is the end of a curl command: the token and the body, if there is one.
func withToken(body string) string {
	options := ` -H "Authorization: Bearer $TOKEN"`
	if body != "" {
		options += fmt.Sprintf(" -H 'Content-Type: application/json' -d '%s'", body)
	}
	return options
}

// ownName is what a shell runs pixcert by.
func ownName() string {
	if _, err := exec.LookPath("pixcert"); err != nil {
		return os.Args[0]
	}
	return "pixcert"
}

// sandboxCommand returns a pixcert command for this gateway's first account.
func (c *serveCmd) sandboxCommand(gateway *reference.Gateway, box *sandbox, words ...string) string {
	words = append([]string{ownName()}, words...)
	if gateway.ControlsURL() != defaultControls || gateway.Accounts()[0].ID != 1 {
		words = append(words, "--profile", box.profile)
	}
	return shell.Command(words...)
}

func (c *serveCmd) certifyCommand(gateway *reference.Gateway, box *sandbox) string {
	if c.Edge.MTLS {
		return shell.Command(ownName(), "certify", box.profile)
	}
	command := shell.Command(ownName(), "certify", "--url", gateway.URL(), "--control-url", gateway.ControlsURL())
	if c.ControlToken != "" {
		command += " --control-token " + shell.Word(shell.Part{Variable: "PIXCERT_CONTROL_TOKEN"})
	}
	return command
}
