package gateway

import (
	"net/url"
	"strings"
)

// hidden replaces a secret that a gateway sent back.
const hidden = "[hidden]"

// hide removes the secrets of the request's account from a text of the gateway, also in their
// JSON and URL encodings, because failures are logged.
func (r *Request) hide(text string) string {
	for _, secret := range r.secrets() {
		for _, spelt := range []string{secret, strings.ReplaceAll(secret, "/", `\/`), url.QueryEscape(secret)} {
			if spelt != "" {
				text = strings.ReplaceAll(text, spelt, hidden)
			}
		}
	}
	return text
}

func (r *Request) secrets() []string {
	secrets := []string{r.Bearer}
	if r.account != nil {
		secrets = append(secrets, r.account.ClientSecret)
		if t := r.account.token.Load(); t != nil {
			secrets = append(secrets, t.value)
		}
	}
	return secrets
}

// Shown is the response body without the secrets of its account.
func (x *Exchange) Shown() string { return x.Request.hide(string(x.Body)) }
