package controls

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/pixcert/pixcert/features/contract"
	"github.com/pixcert/pixcert/reference/pix"
)

const maxBody = 1 << 20 // bytes

// read decodes a body into a T. Unknown fields are refused: a misspelt control that did
// nothing would make a test lie.
func read[T any](w http.ResponseWriter, r *http.Request) (T, error) {
	var body T
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return body, badRequest("the body could not be read: %w", err)
	}
	if _, err := contract.Decode(raw, contract.Limits{Depth: 16}); err != nil {
		return body, badRequest("the body is not acceptable JSON: %w", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&body); err != nil {
		return body, badRequest("the body is not what the control takes: %w", err)
	}
	return body, nil
}

// badRequest is the error of a request that makes no sense.
func badRequest(format string, args ...any) error {
	return &failure{http.StatusBadRequest, fmt.Errorf(format, args...).Error()}
}

// amount is a decimal string in BRL, "100.00", that is not negative.
type amount pix.Centavos

func (a *amount) UnmarshalJSON(raw []byte) error {
	var literal string
	if err := json.Unmarshal(raw, &literal); err != nil || string(raw) == "null" {
		return fmt.Errorf(`expected an amount as a string such as "100.00", got %s`, raw)
	}
	centavos, err := pix.ParseAmount(literal)
	if err == nil && centavos < 0 {
		err = fmt.Errorf("expected an amount of at least 0.00, got %s", literal)
	}
	*a = amount(centavos)
	return err
}

// centavos is the amount of an optional field.
func (a *amount) centavos() *pix.Centavos { return (*pix.Centavos)(a) }

// change is a field that may be left out (no change), null (nothing) or a value.
type change[T any] struct {
	given bool
	value *T
}

func (c *change[T]) UnmarshalJSON(raw []byte) error {
	c.given = true
	return json.Unmarshal(raw, &c.value)
}

// duration is a length of time, "31m" or "89d"; see pix.ParseDuration.
type duration time.Duration

func (d *duration) UnmarshalJSON(raw []byte) error {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return err
	}
	parsed, err := pix.ParseDuration(text)
	*d = duration(parsed)
	return err
}
