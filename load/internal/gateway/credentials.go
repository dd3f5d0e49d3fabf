package gateway

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"regexp"
)

// Credentials of one account.
type Credentials struct {
	ID           int64  `json:"id,omitempty"` // as the test controls know it; 0: not known
	ClientID     string `json:"clientId"`
	ClientSecret string `json:"clientSecret"`
	Certificate  string `json:"certificate"` // PEM
	PixKey       string `json:"pixKey,omitempty"`
}

// CheckCredentials lists all mistakes, by account index and field.
func CheckCredentials(all []Credentials) error {
	if len(all) == 0 {
		return errors.New("expected at least one account, got none")
	}
	var mistakes []error
	seen := map[string]int{}
	for i, c := range all {
		mistake := func(field string, err error) {
			mistakes = append(mistakes, fmt.Errorf("accounts[%d].%s: %w", i, field, err))
		}
		if !uuidV4.MatchString(c.ClientID) {
			mistake("clientId", fmt.Errorf("expected a UUID of version 4, got %q", c.ClientID))
		} else if first, twice := seen[c.ClientID]; twice {
			mistake("clientId", fmt.Errorf("expected each account once, got that of accounts[%d] again", first))
		}
		seen[c.ClientID] = i
		if c.ClientSecret == "" {
			mistake("clientSecret", errors.New("expected a string, got none"))
		}
		if err := checkCertificate(c.Certificate); err != nil {
			mistake("certificate", err)
		}
	}
	return errors.Join(mistakes...)
}

var uuidV4 = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$`)

func checkCertificate(text string) error {
	block, _ := pem.Decode([]byte(text))
	if block == nil || block.Type != "CERTIFICATE" {
		return errors.New("expected PEM that starts with -----BEGIN CERTIFICATE-----; of a file, use open(PATH)")
	}
	if _, err := x509.ParseCertificate(block.Bytes); err != nil {
		return fmt.Errorf("expected an X.509 certificate: %w", err)
	}
	return nil
}
