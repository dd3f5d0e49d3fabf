package result

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
)

// Encode returns a result as the text of its file. It sets the schema.
func Encode(r Result) ([]byte, error) {
	r.Schema = Schema
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	err := encoder.Encode(r)
	return text.Bytes(), err
}

// Read reads a result file. It ignores unknown fields and rejects a file with a newer
// schema.
func Read(path string) (Result, error) {
	text, err := os.ReadFile(path) // #nosec G304 -- a file that the user names
	if err != nil {
		return Result{}, fmt.Errorf("read result: %w", err)
	}
	var head struct {
		Schema int `json:"schema"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return Result{}, fmt.Errorf("read result %s: expected JSON: %w", path, err)
	}
	switch {
	case head.Schema < 1:
		return Result{}, fmt.Errorf("read result %s: expected the result of a load run, got JSON without the field schema", path)
	case head.Schema > Schema:
		return Result{}, fmt.Errorf("read result %s: expected schema %d or older, got %d: use the version of pixcert that wrote it, or a newer one", path, Schema, head.Schema)
	}
	var r Result
	if err := json.Unmarshal(text, &r); err != nil {
		return Result{}, fmt.Errorf("read result %s: %w", path, err)
	}
	return r, nil
}
