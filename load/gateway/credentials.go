package gateway

import (
	"bytes"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Credentials of one account.
type Credentials struct {
	ID           int64  `json:"id,omitempty"` // as the test controls know it; 0: not known
	ClientID     string `json:"clientId"`
	ClientSecret string `json:"clientSecret"`
	Certificate  string `json:"certificate"` // PEM
	PixKey       string `json:"pixKey,omitempty"`
}

// LoadCredentials reads a JSON file with an array of Credentials. A certificate is a PEM string
// or the path of a PEM file, relative to the file. The error lists all mistakes by account
// index and field.
func LoadCredentials(path string) ([]Credentials, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the accounts file: %w", err)
	}
	all, err := decodeCredentials(content)
	if err != nil {
		return nil, fmt.Errorf("the accounts file %s%s: expected an array of {clientId, clientSecret, certificate}: %w", path, position(content, err), err)
	}
	if all, err = CheckCredentials(all, filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("the accounts file %s: %w", path, err)
	}
	return all, nil
}

func decodeCredentials(content []byte) (all []Credentials, err error) {
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&all); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("expected nothing after the array")
	}
	return all, nil
}

// position is the line and column of a JSON error, such as ":3:14", if known.
func position(content []byte, err error) string {
	var syntax *json.SyntaxError
	var mistyped *json.UnmarshalTypeError
	var after int64 // bytes read
	switch {
	case errors.As(err, &syntax):
		after = syntax.Offset
	case errors.As(err, &mistyped):
		after = mistyped.Offset
	case errors.Is(err, io.ErrUnexpectedEOF):
		after = int64(len(content))
	default:
		return ""
	}
	before := content[:max(after-1, 0)]
	return fmt.Sprintf(":%d:%d", 1+bytes.Count(before, []byte("\n")), len(before)-bytes.LastIndexByte(before, '\n'))
}

// CheckCredentials returns the accounts with their certificates as PEM strings; paths are read
// relative to dir. The error lists all mistakes.
func CheckCredentials(all []Credentials, dir string) ([]Credentials, error) {
	if len(all) == 0 {
		return nil, errors.New("expected at least one account, got none")
	}
	checked := make([]Credentials, len(all))
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
		var err error
		if c.Certificate, err = readCertificate(c.Certificate, dir); err != nil {
			mistake("certificate", err)
		}
		checked[i] = c
	}
	if len(mistakes) > 0 {
		return nil, errors.Join(mistakes...)
	}
	return checked, nil
}

var uuidV4 = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$`)

// readCertificate returns a certificate as a PEM string; it may be a path.
func readCertificate(given, dir string) (string, error) {
	if given == "" {
		return "", errors.New("expected a PEM string or the path of a PEM file, got none")
	}
	text := given
	if !strings.Contains(given, "-----BEGIN") {
		if !filepath.IsAbs(given) {
			given = filepath.Join(dir, given)
		}
		content, err := os.ReadFile(given)
		if err != nil {
			return "", fmt.Errorf("expected a PEM string or the path of a PEM file: %w", err)
		}
		text = string(content)
	}
	block, _ := pem.Decode([]byte(text))
	if block == nil || block.Type != "CERTIFICATE" {
		return "", errors.New("expected PEM that starts with -----BEGIN CERTIFICATE-----")
	}
	if _, err := x509.ParseCertificate(block.Bytes); err != nil {
		return "", fmt.Errorf("expected an X.509 certificate: %w", err)
	}
	return text, nil
}
