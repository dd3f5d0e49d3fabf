package api

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/pixcert/pixcert/features/contract"
	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
)

// tokenAnswer is the resource "Access token".
type tokenAnswer struct {
	AccessToken string `json:"access_token"`
	TokenType   string `json:"token_type"`
	ExpiresIn   int    `json:"expires_in"` // seconds
}

type credentials struct{ clientID, clientSecret string }

// issueToken is POST /api/auth/token. A request is judged in this sequence, and the
// first fault decides:
//
//	what the request shows by itself
//	 1. the certificate's header is there
//	 2. it holds a certificate that parses
//	 3. the body holds credentials
//	what the certificate is
//	 4. it is valid now, by the real time
//	 5. it is registered and not revoked
//	who asks
//	 6. the credentials are an account's
//	 7. the certificate is that account's
//	what answers
//	 8. the upstream works
//
// Nothing is said about an account, not even that it exists, before a registered
// certificate and a secret have been shown.
func (a *api) issueToken(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	certificate, err := clientCertificate(r.Header) // 1, 2
	if err != nil {
		return err
	}
	given, err := a.readCredentials(w, r) // 3
	if err != nil {
		return err
	}
	if err := checkDates(certificate, time.Now()); err != nil { // 4
		return err
	}
	holders, err := a.holders(ctx, fingerprint(certificate)) // 5
	if err != nil {
		return err
	}
	account, err := a.authenticate(ctx, given) // 6
	if err != nil {
		return err
	}
	if !slices.Contains(holders, account.ID) { // 7
		return tokenProblem(codeCertOfOther, hintOther)
	}
	if err := upstream(account.Faults.Auth); err != nil { // 8
		return err
	}
	token, err := a.tokenKeys.sign(ctx, account)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store") // RFC 6749, section 5.1
	writeJSON(w, http.StatusCreated, tokenAnswer{token, "Bearer", int(tokenLifetime.Seconds())})
	return nil
}

// readCredentials reads the body of a token request; what is wrong with it is listed in
// details.violations.
func (a *api) readCredentials(w http.ResponseWriter, r *http.Request) (credentials, error) {
	body, err := a.open(w, r, "token")
	if p, ok := errors.AsType[*problem](err); ok && p.status == http.StatusBadRequest {
		return credentials{}, invalidTokenBody([]contract.Violation{{Message: p.messages[0]}})
	}
	if err != nil {
		return credentials{}, err
	}
	given := credentials{body.text("clientId"), body.text("clientSecret")}
	if found := body.faults.list; len(found) > 0 {
		return credentials{}, invalidTokenBody(found)
	}
	return given, nil
}

// invalidTokenBody is a 400 with one message for each violation.
func invalidTokenBody(violations []contract.Violation) error {
	type violation struct {
		Field   string `json:"field"` // "" for the whole body
		Message string `json:"message"`
	}
	p := tokenProblem(codeTokenBodyInvalid, "")
	p.list, p.messages = true, nil
	listed := make([]violation, len(violations))
	for i, v := range violations {
		listed[i] = violation{v.Field, v.Message}
		p.messages = append(p.messages, v.Message)
	}
	p.details = map[string]any{"violations": listed}
	return p
}

// holders are the accounts that a certificate is registered with. A revoked one has
// none, so it is reported like one that was never registered ("Certificate validation",
// 5).
func (a *api) holders(ctx context.Context, fingerprint string) ([]int64, error) {
	holders, err := a.store.CertificateHolders(ctx, fingerprint)
	if err == nil && len(holders) == 0 {
		return nil, tokenProblem(codeCertNotRegistered, hintUnknown)
	}
	return holders, err
}

// credentialsRefused is how long it takes to refuse credentials: many times what it takes
// to find an account and to compare a secret, whose time would otherwise show in the
// answer.
const credentialsRefused = 20 * time.Millisecond

// authenticate finds the account of the credentials. An unknown clientId and a wrong
// secret take the same steps and the same time to the same answer ("Certificate
// validation", 6).
func (a *api) authenticate(ctx context.Context, given credentials) (pix.Account, error) {
	began := time.Now()
	account, err := a.store.AccountByClientID(ctx, given.clientID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return pix.Account{}, err
	}
	if matches := account.SecretMatches(given.clientSecret); !matches || err != nil {
		if err := until(ctx, began.Add(credentialsRefused)); err != nil {
			return pix.Account{}, err
		}
		return pix.Account{}, tokenProblem(codeInvalidCredentials, "")
	}
	return account, nil
}

// upstream fails as a test control asked for.
func upstream(fault pix.AuthFault) error {
	switch fault {
	case pix.AuthError:
		return tokenProblem(codeUpstreamError, "")
	case pix.AuthUnavailable:
		return tokenProblem(codeUpstreamUnavailable, "")
	}
	return nil
}
