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

// maxBody bounds a request's body in bytes. The largest that the specification can mean
// is a few kilobytes.
const maxBody = 1 << 20

// decodeLimits bound what a body may nest; no request nests deeper than three.
var decodeLimits = contract.Limits{Depth: 16}

// readJSON reads the body of a request: 415 for another content type, 413 for more than
// maxBody bytes, 400 with a list of one message for what is not JSON, repeats a field,
// nests too deep, holds a number beyond reason or the character NUL (which no database
// field takes).
func readJSON(w http.ResponseWriter, r *http.Request) (any, error) {
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
	if path, found := findNUL("", value); found {
		return nil, notJSON(strings.TrimSpace(path + " must not contain the character NUL"))
	}
	return value, nil
}

func notJSON(message string) error { return invalid([]contract.Violation{{Message: message}}) }

// findNUL gives the path of a string or a key that contains the character NUL.
func findNUL(path string, value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return path, strings.ContainsRune(v, 0)
	case []any:
		for i, item := range v {
			if at, found := findNUL(fmt.Sprintf("%s[%d]", path, i), item); found {
				return at, true
			}
		}
	case map[string]any:
		for key, item := range v {
			if strings.ContainsRune(key, 0) {
				return "a field's name", true
			}
			if at, found := findNUL(join(path, key), item); found {
				return at, true
			}
		}
	}
	return "", false
}

func join(path, field string) string {
	if path == "" {
		return field
	}
	return path + "." + field
}
