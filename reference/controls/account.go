package controls

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
)

// certificateBody carries a certificate as PEM.
type certificateBody struct {
	Certificate string `json:"certificate"`
}

func (b certificateBody) fingerprint() (string, error) {
	block, _ := pem.Decode([]byte(b.Certificate))
	if block == nil || block.Type != "CERTIFICATE" {
		return "", badRequest("certificate must be a PEM block CERTIFICATE")
	}
	if _, err := x509.ParseCertificate(block.Bytes); err != nil {
		return "", badRequest("certificate must hold an X.509 certificate: %w", err)
	}
	sum := sha256.Sum256(block.Bytes)
	return hex.EncodeToString(sum[:]), nil
}

func (c *controls) createAccount(w http.ResponseWriter, r *http.Request) error {
	body, err := read[certificateBody](w, r)
	if err != nil {
		return err
	}
	fingerprint, err := body.fingerprint()
	if err != nil {
		return err
	}
	account, secret, err := c.Store.CreateAccount(r.Context(), store.NewAccount{Fingerprint: fingerprint})
	if err != nil {
		return err
	}
	return answer(w, http.StatusCreated, struct {
		AccountID    int64  `json:"accountId"`
		ClientID     string `json:"clientId"`
		ClientSecret string `json:"clientSecret"`
		Name         string `json:"name"`
		Document     string `json:"document"`
		ISPB         string `json:"ispb"`
		PixKey       string `json:"pixKey"`
	}{account.ID, account.ClientID, secret, account.Name, account.Document, account.ISPB, account.PixKey})
}

func (c *controls) removeAccount(w http.ResponseWriter, r *http.Request) error {
	id, err := accountID(r)
	if err != nil {
		return err
	}
	if err := c.Store.RemoveAccount(r.Context(), id); err != nil {
		return err
	}
	return done(w)
}

func (c *controls) registerCertificate(w http.ResponseWriter, r *http.Request) error {
	id, err := accountID(r)
	if err != nil {
		return err
	}
	body, err := read[certificateBody](w, r)
	if err != nil {
		return err
	}
	fingerprint, err := body.fingerprint()
	if err != nil {
		return err
	}
	if err := c.Store.RegisterCertificate(r.Context(), id, fingerprint); err != nil {
		return err
	}
	return answer(w, http.StatusCreated, struct {
		SHA256 string `json:"sha256"`
	}{fingerprint})
}

func (c *controls) revokeCertificate(w http.ResponseWriter, r *http.Request) error {
	id, err := accountID(r)
	if err != nil {
		return err
	}
	if err := c.Store.RevokeCertificate(r.Context(), id, strings.ToLower(chi.URLParam(r, "sha256"))); err != nil {
		return err
	}
	return done(w)
}

// putDirectoryKey puts a key into the directory, which all accounts share.
func (c *controls) putDirectoryKey(w http.ResponseWriter, r *http.Request) error {
	key, err := directoryKey(r)
	if err != nil {
		return err
	}
	type entry struct {
		Name          string            `json:"name"`
		Document      string            `json:"document"`
		ISPB          string            `json:"ispb"`
		AccountStatus pix.AccountStatus `json:"accountStatus"`
	}
	body, err := read[entry](w, r)
	switch {
	case err != nil:
		return err
	case !pix.IsDocument(body.Document):
		return badRequest("document must be %s, got %q", pix.DocumentForm, body.Document)
	case !body.AccountStatus.Valid():
		return badRequest("accountStatus must be ACTIVE, BLOCKED or CLOSED, got %q", body.AccountStatus)
	}
	err = c.Store.PutDirectoryKey(r.Context(), pix.DirectoryEntry{
		Key: key, Name: body.Name, Document: body.Document, ISPB: body.ISPB, Status: body.AccountStatus,
	})
	if err != nil {
		return err
	}
	return done(w)
}

// directoryKey is the key that a path names. The router has matched the path as it was
// sent, where that differs from the decoded one.
func directoryKey(r *http.Request) (string, error) {
	key := chi.URLParam(r, "key")
	if r.URL.RawPath == "" {
		return key, nil
	}
	key, err := url.PathUnescape(key)
	if err != nil {
		return "", badRequest("the key in the path must be URL-encoded: %w", err)
	}
	return key, nil
}
