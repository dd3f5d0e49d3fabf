package certificate

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/untrusted"
)

// checkForm checks that JSON is within limits, is one value, and has no member twice: readers disagree on which counts.
func checkForm(content []byte) error {
	if _, err := io.Copy(io.Discard, untrusted.Check(bytes.NewReader(content), certificateLimits)); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(content))
	d.UseNumber()
	if err := checkValue(d); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("expected one JSON value, got more after it")
	}
	return nil
}

func checkValue(d *json.Decoder) error {
	token, err := d.Token()
	if err != nil {
		return fmt.Errorf("expected JSON: %w", err)
	}
	delim, nested := token.(json.Delim)
	if !nested {
		return nil
	}
	seen := map[string]bool{}
	for d.More() {
		if delim == '{' {
			name, err := d.Token()
			if err != nil {
				return fmt.Errorf("expected JSON: %w", err)
			}
			folded := strings.ToLower(fmt.Sprint(name)) // a decoder takes depth and Depth for the same
			if seen[folded] {
				return fmt.Errorf("the member %q occurs twice", shorten(fmt.Sprint(name)))
			}
			seen[folded] = true
		}
		if err := checkValue(d); err != nil {
			return err
		}
	}
	if _, err = d.Token(); err != nil {
		return fmt.Errorf("expected JSON: %w", err)
	}
	return nil
}

// shorten is a text of somebody else as messages show it.
func shorten(text string) string { return exchange.Excerpt(text, 120) }

func fingerprints(keys []ed25519.PublicKey) string {
	var all []string
	for _, k := range keys {
		all = append(all, Fingerprint(k))
	}
	return strings.Join(all, " or ")
}
