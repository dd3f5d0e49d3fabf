package contract

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

// base is the name under which schemas of the document refer to it.
const base = "contract:///openapi.yaml"

// document is openapi.yaml. The nodes are kept because they know the order of fields,
// which a decoded map does not.
type document struct {
	root     *yaml.Node
	compiler *jsonschema.Compiler
}

// parse reads and compiles an OpenAPI 3.1 document.
func parse(text []byte) (*Contract, error) {
	doc, err := readDocument(text)
	if err != nil {
		return nil, err
	}
	c := &Contract{events: map[string]*content{}}
	for path, item := range entries(doc.at("/paths")) {
		for method := range methods(item) {
			op, err := doc.operation(method, path)
			if err != nil {
				return nil, fmt.Errorf("%s %s: %w", strings.ToUpper(method), path, err)
			}
			c.operations = append(c.operations, op)
		}
	}
	for name, item := range entries(doc.at("/webhooks")) {
		for method, operation := range methods(item) {
			id := child(operation, "operationId")
			event, err := doc.content(pointer("webhooks", name, method, "requestBody"))
			if err == nil && (id == nil || event == nil) {
				err = errors.New("expected an operationId and a JSON requestBody")
			}
			if err != nil {
				return nil, fmt.Errorf("event %s: %w", name, err)
			}
			c.events[id.Value] = event
		}
	}
	return c, nil
}

func readDocument(text []byte) (*document, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		return nil, err
	}
	if len(root.Content) == 0 {
		return nil, errors.New("expected an OpenAPI document, but it is empty")
	}
	doc := &document{root: root.Content[0], compiler: jsonschema.NewCompiler()}
	doc.compiler.AssertFormat()
	doc.compiler.UseRegexpEngine(compilePattern)
	if err := doc.compiler.AddResource(base, plain(doc.root)); err != nil {
		return nil, err
	}
	return doc, nil
}

func (d *document) operation(method, path string) (*Operation, error) {
	at := pointer("paths", path, method)
	id := child(d.at(at), "operationId")
	if id == nil {
		return nil, errors.New("expected an operationId, but there is none")
	}
	op := &Operation{ID: id.Value, Method: strings.ToUpper(method), Path: path, responses: map[string]*response{}}
	var err error
	if op.request, err = d.content(at + "/requestBody"); err != nil {
		return nil, err
	}
	for status := range entries(d.at(at + "/responses")) {
		body, err := d.content(at + "/responses" + pointer(status))
		if err != nil {
			return nil, fmt.Errorf("response %s: %w", status, err)
		}
		op.responses[status] = &response{content: body, envelope: d.envelopeOf(body), alike: d.likenessesOf(body)}
	}
	return op, nil
}

// content compiles the JSON body of the requestBody or response at a pointer; nil
// when it has none.
func (d *document) content(at string) (*content, error) {
	node, at := d.follow(d.at(at), at)
	schemaAt := at + pointer("content", "application/json", "schema")
	if d.at(schemaAt) == nil {
		return nil, nil
	}
	schema, err := d.compile(schemaAt)
	if err != nil {
		return nil, err
	}
	required := child(node, "required")
	return &content{doc: d, pointer: schemaAt, schema: schema, required: required != nil && required.Value == "true"}, nil
}

// compile compiles the schema at a pointer.
func (d *document) compile(at string) (*jsonschema.Schema, error) {
	return d.compiler.Compile(base + "#" + (&url.URL{Path: at}).EscapedPath())
}

// follow goes along $ref and gives the node at its end with its pointer.
func (d *document) follow(n *yaml.Node, at string) (*yaml.Node, string) {
	for ref := child(n, "$ref"); ref != nil; ref = child(n, "$ref") {
		at = strings.TrimPrefix(ref.Value, "#")
		n = d.at(at)
	}
	return n, at
}

// at gives the node at a JSON pointer, nil when there is none.
func (d *document) at(pointer string) *yaml.Node {
	n := d.root
	for _, segment := range strings.Split(pointer, "/")[1:] {
		n = child(n, unescape.Replace(segment))
	}
	return n
}

var (
	escape   = strings.NewReplacer("~", "~0", "/", "~1")
	unescape = strings.NewReplacer("~1", "/", "~0", "~")
)

func pointer(segments ...string) string {
	var b strings.Builder
	for _, s := range segments {
		b.WriteString("/" + escape.Replace(s))
	}
	return b.String()
}

// child gives the value of a key of a mapping, or the item of a sequence; nil when
// there is none.
func child(n *yaml.Node, key string) *yaml.Node {
	for name, value := range entries(n) {
		if name == key {
			return value
		}
	}
	return nil
}

// entries iterates over a mapping, or over a sequence by index, in the order of the
// document. Other nodes, and nil, have no entries.
func entries(n *yaml.Node) iter.Seq2[string, *yaml.Node] {
	return func(yield func(string, *yaml.Node) bool) {
		switch {
		case n == nil:
		case n.Kind == yaml.MappingNode:
			for pair := range slices.Chunk(n.Content, 2) {
				if !yield(pair[0].Value, pair[1]) {
					return
				}
			}
		case n.Kind == yaml.SequenceNode:
			for i, item := range n.Content {
				if !yield(strconv.Itoa(i), item) {
					return
				}
			}
		}
	}
}

var verbs = []string{"get", "put", "post", "delete", "patch"}

// methods iterates over the operations of a path item; its other entries are no
// operations.
func methods(item *yaml.Node) iter.Seq2[string, *yaml.Node] {
	return func(yield func(string, *yaml.Node) bool) {
		for name, operation := range entries(item) {
			if slices.Contains(verbs, name) && !yield(name, operation) {
				return
			}
		}
	}
}

// plain is a node as encoding/json would decode it, numbers by their literals.
func plain(n *yaml.Node) any {
	switch n.Kind {
	case yaml.MappingNode:
		m := map[string]any{}
		for key, value := range entries(n) {
			m[key] = plain(value)
		}
		return m
	case yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, item := range n.Content {
			list[i] = plain(item)
		}
		return list
	}
	switch n.Tag {
	case "!!null":
		return nil
	case "!!bool":
		return n.Value == "true"
	case "!!int", "!!float":
		return json.Number(n.Value)
	default:
		return n.Value
	}
}
