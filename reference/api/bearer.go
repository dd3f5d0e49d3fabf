package api

import (
	"errors"
	"net/http"
	"strings"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
)

// accountHandler answers a request of an account.
type accountHandler func(w http.ResponseWriter, r *http.Request, account pix.Account) error

// account serves whoever bears a token ("Endpoints": every endpoint but the token
// endpoint). A token that is missing, invalid or expired, and one whose account is
// gone, is a 401.
func (a *api) account(h accountHandler) handler {
	return a.bearer(h, unauthorized("the account of the token does not exist any more"))
}

// accountOrNotFound is account where the specification lists a 404 for an account that
// is not found (POST and GET /api/webhooks).
func (a *api) accountOrNotFound(h accountHandler) handler {
	return a.bearer(h, failure(http.StatusNotFound, "account not found"))
}

func (a *api) bearer(h accountHandler, gone *problem) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		token, err := bearerToken(r.Header)
		if err != nil {
			return err
		}
		id, expiry, err := a.tokenKeys.verify(r.Context(), token)
		if err != nil {
			return unauthorized("the access token is invalid")
		}
		account, err := a.store.Account(r.Context(), id)
		if err == nil && !account.Now().Before(expiry) {
			return unauthorized("the access token has expired; request a new one")
		}
		if err == nil {
			err = h(w, r, account)
		}
		if errors.Is(err, store.ErrNotFound) { // perhaps only now, by a request beside this one
			return gone
		}
		return err
	}
}

// bearerToken takes the token out of the one Authorization header. The name of the
// scheme has no case (RFC 9110, section 11.1).
func bearerToken(header http.Header) (string, error) {
	values := header.Values("Authorization")
	if len(values) != 1 {
		return "", unauthorized("expected one header Authorization: Bearer <access token>")
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return "", unauthorized("expected Authorization: Bearer <access token>")
	}
	return token, nil
}

func unauthorized(message string) *problem { return failure(http.StatusUnauthorized, message) }
