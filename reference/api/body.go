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
// nests too deep, holds a number beyond reason, the character NUL (which no database
// field takes) or more than maxItems in one array or object.
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
	if path, must := unacceptable(value); must != "" {
		return nil, notJSON(strings.TrimSpace(path + " " + must))
	}
	return value, nil
}

func notJSON(message string) error { return invalid([]contract.Violation{{Message: message}}) }

// unacceptable finds what no body may hold, with its path: a text or a name with the
// character NUL, an array or object of more than maxItems. It spells no path but that one:
// each is as long as the names that a caller chose.
func unacceptable(value any) (path, must string) {
	switch v := value.(type) {
	case string:
		if strings.ContainsRune(v, 0) {
			return "", noNUL
		}
	case []any:
		if len(v) > maxItems {
			return "", tooMany
		}
		for i, item := range v {
			if below, must := unacceptable(item); must != "" {
				return join(fmt.Sprintf("[%d]", i), below), must
			}
		}
	case map[string]any:
		if len(v) > maxItems {
			return "", tooMany
		}
		for key, item := range v {
			if strings.ContainsRune(key, 0) {
				return "a field's name", noNUL
			}
			if below, must := unacceptable(item); must != "" {
				return join(key, below), must
			}
		}
	}
	return "", ""
}

const noNUL = "must not contain the character NUL"

var tooMany = fmt.Sprintf("must have at most %d items", maxItems)

// join spells the path of a field, or of an item "[2]", below another.
func join(path, field string) string {
	if path == "" || field == "" || field[0] == '[' {
		return path + field
	}
	return path + "." + field
}
