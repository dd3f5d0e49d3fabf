package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"path"
	"strconv"
)

// response is an answer that the document describes; without content, nothing is
// known of its body.
type response struct {
	*content
	envelope envelope             // nil when it is no error envelope
	alike    map[string]*likeness // of the items of its lists, by name
}

// CheckResponse holds an answer against the contract: its status, its Content-Type
// and its body. A status of 4xx or 5xx that the specification does not list must carry
// the error envelope of its family; any other that it does not list is a violation.
//
// The value is what Decode made of the body; nil if nobody has decoded it yet.
func (op *Operation) CheckResponse(status int, header http.Header, body []byte, value any) []Violation {
	r := op.response(status)
	switch {
	case r == nil:
		return []Violation{{Rule: "status", Message: fmt.Sprintf("status %d is not documented for %s %s", status, op.Method, op.Path)}}
	case r.content == nil:
		return nil
	case len(bytes.TrimSpace(body)) == 0:
		return []Violation{{Rule: "required", Message: fmt.Sprintf("the body must be JSON, but the answer with status %d has none", status)}}
	}
	var violations []Violation
	if v, ok := checkContentType(header); !ok {
		violations = append(violations, v)
	}
	if value == nil {
		var err error
		if value, err = Decode(body, Limits{}); err != nil {
			return append(violations, notJSON(err))
		}
	}
	return append(violations, r.doc.report(r.content, r.distinctBreaches(status, shortened(value)))...)
}

// mostItems of a list are checked: twice those of the largest page.
const mostItems = 200

// shortened is a body without the further items of its lists. A list that ignores the size of a page may have thousands,
// which breaks other rules.
func shortened(body any) any {
	fields, _ := body.(map[string]any)
	for name, value := range fields {
		if list, isList := value.([]any); isList && len(list) > mostItems {
			fields = maps.Clone(fields)
			fields[name] = list[:mostItems]
		}
	}
	if fields == nil {
		return body
	}
	return fields
}

// response finds what the document says of a status: by itself, by its class, by
// default.
func (op *Operation) response(status int) *response {
	for _, key := range []string{strconv.Itoa(status), fmt.Sprintf("%dXX", status/100), "default"} {
		if r, ok := op.responses[key]; ok {
			return r
		}
	}
	return nil
}

// checkContentType: answers are JSON (Conventions). Parameters do no harm.
func checkContentType(header http.Header) (Violation, bool) {
	value := header.Get("Content-Type")
	mediaType, _, err := mime.ParseMediaType(value)
	if (err == nil || errors.Is(err, mime.ErrInvalidMediaParameter)) &&
		mediaType == "application/json" {
		return Violation{}, true
	}
	came := "is absent"
	if value != "" {
		came = fmt.Sprintf("is %q", value)
	}
	return Violation{Field: "Content-Type", Rule: "contentType", Message: "Content-Type must be application/json, but " + came}, false
}

// envelope judges what an error envelope must repeat.
type envelope func(status int, body map[string]any) []breach

// envelopes holds the rules of the two families by the name of the schema.
var envelopes = map[string]envelope{
	"EnvelopeA": func(status int, body map[string]any) []breach {
		found := append(statusRepeated(status, body), reasonGiven(status, body, reasons)...)
		errorCode, ok := body["errorCode"].(string)
		if ok && errorCode != body["code"] && !(errorCode == belowMinimum && body["code"] == "HTTP_ERROR") {
			found = append(found, breach{path: field("errorCode"), rule: "const", want: fmt.Sprintf("must repeat the code, %v", body["code"])})
		}
		return found
	},
	"EnvelopeB": func(status int, body map[string]any) []breach {
		return append(statusRepeated(status, body), reasonGiven(status, body, reasonsOfB)...)
	},
}

// belowMinimum is the errorCode that may differ from its code: it stands in a table of
// its own, and cash-in validation has the code HTTP_ERROR.
const belowMinimum = "PROVIDER_EXPIRATION_BELOW_MINIMUM"

// reasons are the reason phrases of envelope A, for statuses whose phrase is the same
// in every edition of HTTP.
var reasons = reasonsOf(400, 401, 403, 404, 405, 406, 408, 409, 410, 415, 422, 429, 500, 501, 502, 503, 504)

// reasonsOfB are the phrases that the specification lists (Errors, Envelope B).
var reasonsOfB = reasonsOf(400, 401, 404, 409, 422)

func reasonsOf(statuses ...int) map[int]string {
	m := map[int]string{}
	for _, s := range statuses {
		m[s] = http.StatusText(s)
	}
	return m
}

func statusRepeated(status int, body map[string]any) []breach {
	n, ok := body["statusCode"].(json.Number)
	if !ok {
		return nil // the schema has said so
	}
	if SameNumber(n, json.Number(strconv.Itoa(status))) {
		return nil
	}
	return []breach{{path: field("statusCode"), rule: "const", want: fmt.Sprintf("must be the status of the answer, %d", status)}}
}

func reasonGiven(status int, body map[string]any, reasons map[int]string) []breach {
	phrase, ok := body["error"].(string)
	want, known := reasons[status]
	if !ok || !known || phrase == want {
		return nil
	}
	return []breach{{path: field("error"), rule: "const", want: fmt.Sprintf("must be the reason phrase %q", want)}}
}

// envelopeOf finds the rules of a body whose schema is an error envelope.
func (d *document) envelopeOf(c *content) envelope {
	if c == nil {
		return nil
	}
	_, at := d.follow(d.at(c.pointer), c.pointer)
	return envelopes[path.Base(at)]
}
