// Package contract holds requests, answers and events against openapi.yaml.
//
// It judges what can be seen in one message. Rules that need several fields or the
// state of a gateway belong to whoever knows them.
package contract

import (
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/pixcert/pixcert/features"
)

// Contract is openapi.yaml, read and compiled. It is safe for concurrent use.
type Contract struct {
	operations []*Operation
	events     map[string]*content // by operationId
}

// Operation is a request that a gateway serves.
type Operation struct {
	ID     string // operationId, "cashOut"
	Method string // "POST"
	Path   string // as the document has it, "/api/pix/cash-out" or "/cob/{txid}"

	request   *content             // nil when the request has no body
	responses map[string]*response // by status as the document spells it: "201", "4XX"
}

// content is a body that the document describes.
type content struct {
	doc      *document
	pointer  string // where its schema stands in doc
	schema   *jsonschema.Schema
	required bool
}

// Load gives the contract that is embedded in this program. It is read once.
func Load() (*Contract, error) { return load() }

var load = sync.OnceValues(func() (*Contract, error) {
	text, err := features.FS.ReadFile("openapi.yaml")
	if err != nil {
		return nil, fmt.Errorf("reading the wire contract: %w", err)
	}
	c, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("reading the wire contract openapi.yaml: %w", err)
	}
	return c, nil
})

// Operations lists the operations in the order of the document.
func (c *Contract) Operations() []*Operation { return c.operations }

// Operation finds an operation by its operationId.
func (c *Contract) Operation(id string) (*Operation, bool) {
	for _, op := range c.operations {
		if op.ID == id {
			return op, true
		}
	}
	return nil, false
}

// Find gives the operation that serves a request. The path is a concrete one, without
// query, below the base URL. A literal path wins over a template that fits too.
func (c *Contract) Find(method, path string) (*Operation, bool) {
	var found *Operation
	for _, op := range c.operations {
		if op.Method != method {
			continue
		}
		if op.Path == path {
			return op, true
		}
		if found == nil && op.matches(path) {
			found = op
		}
	}
	return found, found != nil
}

func (op *Operation) matches(path string) bool {
	want, got := strings.Split(op.Path, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return false
	}
	for i, w := range want {
		variable := strings.HasPrefix(w, "{") && strings.HasSuffix(w, "}")
		if w != got[i] && !(variable && got[i] != "") {
			return false
		}
	}
	return true
}

// CheckRequest holds the body of a request, as Decode gives it, against the contract.
// The body is nil when the request has none.
func (op *Operation) CheckRequest(body any) []Violation {
	switch {
	case op.request == nil:
		return nil
	case body == nil && !op.request.required:
		return nil
	default:
		return op.request.doc.report(op.request, op.request.breaches(body))
	}
}

// CheckWebhook holds the body of an event, known by its operationId, against the
// contract. An id that the contract does not know is a violation of the whole body.
func (c *Contract) CheckWebhook(id string, body []byte) []Violation {
	event, ok := c.events[id]
	if !ok {
		return []Violation{{Rule: "operationId", Message: fmt.Sprintf("the contract has no event %q", id)}}
	}
	value, err := Decode(body, Limits{})
	if err != nil {
		return []Violation{notJSON(err)}
	}
	return event.doc.report(event, distinct(event.breaches(value)))
}
