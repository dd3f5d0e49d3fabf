package sandbox

import (
	"fmt"
	"io"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/reference/pix"
)

// Printing is how PrintStart prints.
type Printing struct {
	Secrets bool                         // show client secrets, not only their files: output that is kept has none, such as the logs of a container
	Command func(words ...string) string // quotes the words of a command for a shell
}

// PrintStart prints what a user needs to send a first request.
func (s *Served) PrintStart(w io.Writer, p Printing) {
	start{s, p}.print(w)
}

// start prints the first commands.
type start struct {
	*Served
	Printing
}

func (c start) print(w io.Writer) {
	gateway := c.Gateway
	fmt.Fprintf(w, "API            %s\n", gateway.URL())
	if gateway.ControlsURL() != "" {
		fmt.Fprintf(w, "test controls  %[1]s\nweb page       %[1]s%[2]s\n", gateway.ControlsURL(), pagePath)
	}
	fmt.Fprintf(w, "profile        %s\n", c.Profile)
	if c.options.Mutant != "" {
		fmt.Fprintf(w, "mutant         %s\n", c.options.Mutant)
	}
	if c.options.Fault != "" {
		fmt.Fprintf(w, "fault          %s\n", c.options.Fault)
	}
	if c.access.CA != "" {
		fmt.Fprintf(w, "authority      %s\n", c.access.CA)
	}
	for i, account := range gateway.Accounts() {
		c.printAccount(w, account, c.Accounts[i])
	}
	if c.access.MTLS {
		fmt.Fprintln(w, "\nClients authenticate with their certificate in the TLS handshake; X-SSL-Client-Cert is ignored.")
	}
	c.printFirstSteps(w)
	fmt.Fprintf(w, "To receive webhooks, run in another terminal:\n\n%s\n\n",
		c.Command("pixcert", "listen", "--profile", c.Profile, "--forward-to", "http://localhost:3000"))
	if c.options.Gateway.PrivateWebhooks == nil && !reference.OnLoopback(c.options.Gateway.Listen) {
		fmt.Fprint(w, "Other machines can reach the API, so webhooks go to public addresses only, and not to that command. To allow private ones, start serve with --allow-private-webhooks.\n\n")
	}
	if gateway.ControlsURL() != "" {
		fmt.Fprintf(w, "To certify this gateway, run in another terminal:\n\n%s\n\n", c.certifyCommand())
	}
	fmt.Fprintln(w, "Press Ctrl-C to stop.")
}

func (c start) printAccount(w io.Writer, account pix.Account, files Account) {
	fmt.Fprintf(w, `
Account %d, %s, with R$ %s:

PIX key        %s
document       %s
clientId       %s
clientSecret   %s
certificate    %s
`, account.ID, account.Name, account.Available, account.PixKey, account.Document, account.ClientID, files.shownSecret(c.Secrets), files.File(CertificateFile))
	if files.keyFile != "" {
		fmt.Fprintf(w, "private key    %s\n", files.keyFile)
	}
}

// shownSecret is the account's client secret, or its file.
func (a Account) shownSecret(secrets bool) string {
	if secrets {
		return a.Secret
	}
	return "in " + a.File(secretFile)
}

// printFirstSteps prints commands that can be pasted into a shell any number of times; a repeated
// transfer returns the first one.
func (c start) printFirstSteps(w io.Writer) {
	charge := c.request("/api/pix/cash-in", "", `{"transaction":{"value":25.00,"description":"Coffee","externalId":"sale-'$(date +%s)-$$'"},`+
		`"payer":{"fullName":"João de Souza","document":"11144477735"}}`)
	cob := c.put("/cob/cob0000000000000", `{"calendario":{"expiracao":3600},"valor":{"original":"30.00"},"solicitacaoPagador":"Lunch"}`)
	paying, paid := "", ""
	if c.Gateway.ControlsURL() != "" {
		paying, paid = ", and let a customer pay", "\n"+c.accountCommand("trigger", "paid")
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

`, c.tokenRequest(c.Accounts[0]),
		c.request("/api/pix/cash-out", "", `{"value":10.00,"externalId":"payment-'$(date +%s)-$$'",`+
			`"details":{"key":"maria@pixcert.example","keyType":"EMAIL","name":"Maria da Silva","document":"52998224725"}}`),
		paying, charge+paid, paying, cob+paid,
		c.request("/dict/pix", "x-idempotency-key: "+pix.NewUUID(), `{"pixKey":"maria@pixcert.example","payment":{"currency":"BRL","amount":5.00}}`),
		c.request("/api/transactions", "", ""))
}

// curl is the beginning of a request to the gateway.
func (c start) curl() []string {
	words := []string{"curl", "-sS"}
	if c.access.CA != "" {
		words = append(words, "--cacert", c.access.CA)
	}
	return words
}

// tokenRequest returns the curl command that requests a token for an account.
func (c start) tokenRequest(account Account) string {
	words := append(c.curl(), c.Gateway.URL()+"/api/auth/token")
	if c.access.MTLS {
		words = append(words, "--cert", account.File(CertificateFile), "--key", account.keyFile)
	} else {
		words = append(words, "-H", "@"+account.File(HeaderFile))
	}
	return c.Command(append(words, "-H", "Content-Type: application/json", "-d", "@"+account.File(CredentialsFile))...)
}

// request returns a curl command with the variable TOKEN: a POST if there is a body, whose single
// quotes end and begin shell words.
func (c start) request(path, header, body string) string {
	command := c.Command(append(c.curl(), c.Gateway.URL()+path)...)
	if header != "" {
		command += fmt.Sprintf(` -H "%s"`, header)
	}
	return command + withToken(body)
}

// put returns a curl command like request, with a PUT to a path to which the shell adds the time and its process id.
func (c start) put(path, body string) string {
	return c.Command(append(c.curl(), "-X", "PUT", c.Gateway.URL()+path)...) + "$(date +%s)$$" + withToken(body)
}

// withToken is the end of a curl command: the token and the body, if there is one.
func withToken(body string) string {
	options := ` -H "Authorization: Bearer $TOKEN"`
	if body != "" {
		options += fmt.Sprintf(" -H 'Content-Type: application/json' -d '%s'", body)
	}
	return options
}

// accountCommand returns a pixcert command for this gateway's first account, whatever profile the shell's directory has.
func (c start) accountCommand(words ...string) string {
	return c.Command(append(append([]string{"pixcert"}, words...), "--profile", c.Profile)...)
}

func (c start) certifyCommand() string {
	if c.access.MTLS {
		return c.Command("pixcert", "certify", c.Profile)
	}
	command := c.Command("pixcert", "certify", "--url", c.Gateway.URL(), "--control-url", c.Gateway.ControlsURL())
	if c.access.ControlToken {
		command += ` --control-token "$PIXCERT_CONTROL_TOKEN"`
	}
	return command
}
