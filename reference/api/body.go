package api

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/pixcert/pixcert/features/contract"
)

// decodeLimits bound what a body may nest; no request nests deeper than three.
var decodeLimits = contract.Limits{Depth: 16}

// readJSON reads the body of a request: 415 for another content type, 413 for more than
// so many bytes, 400 with a list of one message for what is not JSON, repeats a field,
// nests too deep, holds a number beyond reason or the character NUL (which no database
// field takes).
func readJSON(w http.ResponseWriter, r *http.Request, maxBody int64) (any, error) {
	mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || mediaType != "application/json" {
		return nil, failure(http.StatusUnsupportedMediaType,
			fmt.Sprintf("expected Content-Type application/json, got %q", r.Header.Get("Content-Type")))
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return nil, failure(http.StatusRequestEntityTooLarge, fmt.Sprintf("expected a body of at most %d bytes", maxBody))
	}
	if err != nil {
		return nil, notJSON("the body could not be read to its end")
	}
	value, err := contract.Decode(raw, decodeLimits)
	if err != nil {
		return nil, notJSON("the body is not acceptable JSON: " + err.Error())
	}
	if path, found := findNUL(value); found {
		return nil, notJSON(strings.TrimSpace(path + " must not contain the character NUL"))
	}
	return value, nil
}

func notJSON(message string) error { return invalid([]contract.Violation{{Message: message}}) }

// findNUL gives the path of a string or a key that contains the character NUL. It spells
// no path but that one: each is as long as the names that a caller chose.
func findNUL(value any) (path string, found bool) {
	switch v := value.(type) {
	case string:
		return "", strings.ContainsRune(v, 0)
	case []any:
		for i, item := range v {
			if below, found := findNUL(item); found {
				return join(fmt.Sprintf("[%d]", i), below), true
			}
		}
	case map[string]any:
		for key, item := range v {
			if strings.ContainsRune(key, 0) {
				return "a field's name", true
			}
			if below, found := findNUL(item); found {
				return join(key, below), true
			}
		}
	}
	return "", false
}

// join spells the path of a field, or of an item "[2]", below another.
func join(path, field string) string {
	if path == "" || field == "" || field[0] == '[' {
		return path + field
	}
	return path + "." + field
}
