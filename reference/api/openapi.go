package api

import (
	"encoding/json"
	"net/http"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/pixcert/pixcert/features"
)

// document is the wire contract that requests are checked against, in its two forms.
type document struct{ yaml, json []byte }

var loadDocument = sync.OnceValues(func() (document, error) {
	text, err := features.FS.ReadFile("openapi.yaml")
	if err != nil {
		return document{}, err
	}
	var content any
	if err := yaml.Unmarshal(text, &content); err != nil {
		return document{}, err
	}
	asJSON, err := json.Marshal(content)
	return document{text, asJSON}, err
})

// openAPI is GET /openapi.yaml.
func (a *api) openAPI(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/yaml")
	_, _ = w.Write(a.document.yaml) // fails only when the client has gone
	return nil
}

// openAPIAsJSON is GET /openapi.json.
func (a *api) openAPIAsJSON(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(a.document.json)
	return nil
}
