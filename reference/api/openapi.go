package api

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
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

// exampleServer is the server that the document names. A client gets the address at which it requests the document.
const exampleServer = "https://gateway.example"

// openAPI is GET /openapi.yaml.
func (a *api) openAPI(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Content-Type", "application/yaml")
	return write(w, r, a.document.yaml, exampleServer)
}

// openAPIAsJSON is GET /openapi.json.
func (a *api) openAPIAsJSON(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	return write(w, r, a.document.json, strconv.Quote(exampleServer))
}

// write writes a document with the server's own address instead of the example, as it is written there.
func write(w http.ResponseWriter, r *http.Request, document []byte, example string) error {
	own, err := json.Marshal(schemeOf(r) + "://" + r.Host) // which is a string of YAML, too
	if err != nil {
		return err
	}
	_, _ = w.Write(bytes.Replace(document, []byte(example), own, 1)) // fails only when the client has gone
	return nil
}

// schemeOf is how a client reached the gateway. Behind a proxy that ends TLS, the proxy says so; whoever else sends the
// header misleads only itself.
func schemeOf(r *http.Request) string {
	if r.TLS != nil || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https") {
		return "https"
	}
	return "http"
}
