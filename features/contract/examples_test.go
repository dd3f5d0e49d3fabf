package contract

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

func TestExamplesAreValid(t *testing.T) {
	t.Parallel()
	doc, err := readDocument(embedded(t))
	require.NoError(t, err)
	tried := 0
	for at, examples := range examples(doc) {
		ours, err := doc.compile(at + "/schema")
		require.NoError(t, err, at)
		assert.NotEmpty(t, examples, "%s has no example", at)
		for _, example := range examples {
			tried++
			assert.NoError(t, ours.Validate(example), at)
		}
	}
	assert.Equal(t, 38, tried, "one for each body, two where it has two forms")
}

// The example of an error stands for several statuses, and has one of them.
func TestExamplesPassTheContract(t *testing.T) {
	t.Parallel()
	doc, err := readDocument(embedded(t))
	require.NoError(t, err)
	c, err := Load()
	require.NoError(t, err)
	all := examples(doc)
	header := http.Header{"Content-Type": {"application/json"}}
	for _, op := range c.operations {
		if op.request != nil {
			for _, example := range all[strings.TrimSuffix(op.request.pointer, "/schema")] {
				assert.Empty(t, op.CheckRequest(example), op.ID)
			}
		}
		for status, r := range op.responses {
			if r.content == nil {
				continue
			}
			for _, example := range all[strings.TrimSuffix(r.pointer, "/schema")] {
				if r.envelope != nil {
					status = fmt.Sprint(example.(map[string]any)["statusCode"])
				}
				code, err := strconv.Atoi(status)
				require.NoError(t, err, "%s has an example for %s", op.ID, status)
				body, err := json.Marshal(example)
				require.NoError(t, err)
				assert.Empty(t, op.CheckResponse(code, header, body, nil), "%s %s", op.ID, status)
			}
		}
	}
	for id, event := range c.events {
		for _, example := range all[strings.TrimSuffix(event.pointer, "/schema")] {
			body, err := json.Marshal(example)
			require.NoError(t, err)
			assert.Empty(t, c.CheckWebhook(id, body), id)
		}
	}
}

// What an example shows would be taken: its tax ids have right check digits, its
// copy-and-paste codes a right CRC, its end-to-end ids their length.
func TestExamplesAreRealistic(t *testing.T) {
	t.Parallel()
	doc, err := readDocument(embedded(t))
	require.NoError(t, err)
	seen := map[string]int{}
	for _, form := range []struct {
		name  string
		found *regexp.Regexp
		right func(string) bool
	}{
		{"CPF or CNPJ", regexp.MustCompile(`^(\d{11}|\d{14})$`), rightTaxID},
		{"BR Code", regexp.MustCompile(`^000201`), rightCRC},
		{"end-to-end id", regexp.MustCompile(`^[ED]\d{20}`), func(s string) bool { return len(s) == 32 }},
	} {
		walk(doc.root, "", func(at string, n *yaml.Node) {
			if strings.Contains(at, "/example") && n.Kind == yaml.ScalarNode && form.found.MatchString(n.Value) {
				seen[form.name]++
				assert.True(t, form.right(n.Value), "%s: %s is no %s", at, n.Value, form.name)
			}
		})
		assert.Positive(t, seen[form.name], form.name)
	}
}

// No schema stands unused, and none without something to look at.
func TestEverySchemaAndParameterHasAnExample(t *testing.T) {
	t.Parallel()
	doc, err := readDocument(embedded(t))
	require.NoError(t, err)
	used := map[string]bool{}
	walk(doc.root, "", func(at string, n *yaml.Node) {
		switch schema := child(n, "schema"); {
		case schema == nil || strings.Contains(at, "/example"):
		case strings.HasSuffix(at, "/application~1json"):
			reach(doc, schema, used)
		default: // a parameter
			example := child(n, "example")
			if at == pointer("paths", "/api/auth/token", "post", "parameters", "0") {
				return // a certificate says nothing to a reader
			}
			if assert.NotNil(t, example, at) {
				compiled, err := doc.compile(at + "/schema")
				require.NoError(t, err, at)
				assert.NoError(t, compiled.Validate(plain(example)), at)
				reach(doc, schema, used)
			}
		}
	})
	for name := range entries(doc.at("/components/schemas")) {
		assert.True(t, used[name], "%s is used nowhere", name)
	}
}

// reach collects the names of the schemas that a schema refers to, directly or not.
func reach(doc *document, schema *yaml.Node, found map[string]bool) {
	walk(schema, "", func(_ string, n *yaml.Node) {
		ref := child(n, "$ref")
		if ref == nil {
			return
		}
		if name := path.Base(ref.Value); !found[name] {
			found[name] = true
			reach(doc, doc.at("/components/schemas/"+name), found)
		}
	})
}

// examples gives the examples of every JSON body, by the pointer of its media type.
func examples(doc *document) map[string][]any {
	all := map[string][]any{}
	walk(doc.root, "", func(at string, n *yaml.Node) {
		if !strings.HasSuffix(at, "/application~1json") {
			return
		}
		all[at] = nil
		if one := child(n, "example"); one != nil {
			all[at] = append(all[at], plain(one))
		}
		for _, example := range entries(child(n, "examples")) {
			all[at] = append(all[at], plain(child(example, "value")))
		}
	})
	return all
}

// rightTaxID computes the two check digits: weights 2, 3, 4 ... from the right, which
// start over after 9 in a CNPJ.
func rightTaxID(id string) bool {
	for n := len(id) - 2; n < len(id); n++ {
		sum := 0
		for i := range n {
			weight := n - i - 1
			if len(id) == 14 {
				weight %= 8
			}
			sum += int(id[i]-'0') * (weight + 2)
		}
		if int(id[n]-'0') != (11-sum%11)%11%10 {
			return false
		}
	}
	return true
}

// rightCRC computes CRC16/CCITT-FALSE over all but the last four characters.
func rightCRC(code string) bool {
	crc := uint16(0xFFFF)
	for _, b := range []byte(code[:len(code)-4]) {
		crc ^= uint16(b) << 8
		for range 8 {
			carry := crc & 0x8000
			crc <<= 1
			if carry != 0 {
				crc ^= 0x1021
			}
		}
	}
	return fmt.Sprintf("%04X", crc) == code[len(code)-4:]
}
