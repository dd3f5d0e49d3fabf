package contract

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// body is a request, an answer of success or an event, with one of its examples.
type body struct {
	*content
	example any
}

// bodiesOf names the bodies of the document: "cashIn" is a request, "cashIn 201" an
// answer, "cashOutResult" an event. The name of an example may follow.
func bodiesOf(t *testing.T, doc *document) map[string]body {
	t.Helper()
	c, err := parse(embedded(t))
	require.NoError(t, err)
	all := map[string]body{}
	add := func(name string, of *content) {
		b := body{content: of}
		media := doc.at(strings.TrimSuffix(of.pointer, "/schema"))
		if one := child(media, "example"); one != nil {
			b.example = plain(one)
			all[name] = b
		}
		for example, n := range entries(child(media, "examples")) {
			b.example = plain(child(n, "value"))
			if _, known := all[name]; !known {
				all[name] = b
			}
			all[name+" "+example] = b
		}
	}
	for _, op := range c.operations {
		if op.request != nil {
			add(op.ID, op.request)
		}
		for status, r := range op.responses {
			if strings.HasPrefix(status, "2") {
				add(op.ID+" "+status, r.content)
			}
		}
	}
	for id, event := range c.events {
		add(id, event)
	}
	return all
}

// TestFields fails for a row whose field is not in the document; this one for a field
// that has no row.
func TestEveryFieldIsInTheTable(t *testing.T) {
	t.Parallel()
	doc, err := readDocument(embedded(t))
	require.NoError(t, err)
	index := regexp.MustCompile(`\[\d+\]`)
	want, got := map[string]map[string]bool{}, map[string]map[string]bool{}
	for name, b := range bodiesOf(t, doc) {
		if want[b.pointer] == nil {
			want[b.pointer], got[b.pointer] = map[string]bool{}, map[string]bool{}
			doc.fieldsOf(doc.at(b.pointer), "", want[b.pointer])
		}
		for _, f := range fields {
			if f.body == name {
				got[b.pointer][index.ReplaceAllString(f.field, "[]")] = true
			}
		}
	}
	for at := range want {
		for field := range want[at] {
			assert.True(t, got[at][field], "no row for %s of %s", field, at)
		}
	}
}

// fieldsOf collects the paths of the fields that a schema names.
func (d *document) fieldsOf(schema *yaml.Node, at string, found map[string]bool) {
	for name, property := range entries(child(schema, "properties")) {
		path := strings.TrimPrefix(at+"."+name, ".")
		found[path] = true
		d.fieldsOf(property, path, found)
	}
	if ref := child(schema, "$ref"); ref != nil {
		d.fieldsOf(d.at(strings.TrimPrefix(ref.Value, "#")), at, found)
	}
	if items := child(schema, "items"); items != nil {
		d.fieldsOf(items, at+"[]", found)
	}
	d.fieldsOfBranches(schema, at, found)
}

func (d *document) fieldsOfBranches(schema *yaml.Node, at string, found map[string]bool) {
	if then := child(schema, "then"); then != nil {
		d.fieldsOf(then, at, found)
	}
	for _, branch := range entries(child(schema, "allOf")) {
		d.fieldsOf(branch, at, found)
	}
}

// replaced gives a copy of an example with another value in one field.
func replaced(t *testing.T, example any, field, value string) any {
	t.Helper()
	text, err := json.Marshal(example)
	require.NoError(t, err)
	whole, err := Decode(text, Limits{})
	require.NoError(t, err)
	at := whole
	names := strings.FieldsFunc(field, func(r rune) bool { return strings.ContainsRune(".[]", r) })
	last := len(names) - 1
	for _, name := range names[:last] {
		switch v := at.(type) {
		case map[string]any:
			require.Contains(t, v, name, field)
			at = v[name]
		case []any:
			i, err := strconv.Atoi(name)
			require.NoError(t, err)
			at = v[i]
		}
	}
	switch v := at.(type) {
	case map[string]any:
		v[names[last]] = expanded(t, value, v[names[last]])
		if value == "-" {
			delete(v, names[last])
		}
	case []any:
		i, err := strconv.Atoi(names[last])
		require.NoError(t, err)
		v[i] = expanded(t, value, v[i])
	default:
		require.Fail(t, "the example has no such field", field)
	}
	return whole
}

var repeated = regexp.MustCompile(`^(\w*)#(\d+)$`)

// expanded reads a value of the table; was is what it takes the place of.
func expanded(t *testing.T, value string, was any) any {
	t.Helper()
	m := repeated.FindStringSubmatch(value)
	if m == nil {
		if value == "-" {
			return nil
		}
		v, err := Decode([]byte(value), Limits{})
		require.NoError(t, err, value)
		return v
	}
	n, err := strconv.Atoi(m[2])
	require.NoError(t, err)
	switch {
	case m[1] == "keys":
		keys := map[string]any{}
		for i := range n {
			keys[fmt.Sprint("key", i)] = "value"
		}
		return keys
	case m[1] == "items":
		items := make([]any, n)
		for i := range items {
			items[i] = was.([]any)[0]
		}
		return items
	default:
		return m[1] + strings.Repeat("é", n-len(m[1]))
	}
}

// parameters holds what paths, queries and headers may carry, in the spelling of JSON.
var parameters = []struct{ rows, operation, name, good, bad string }{
	{"DICT-002..004", "transfer", "x-idempotency-key", `"6f1d2c3b-4a59-4e68-8f77-1b2c3d4e5f60"`, `"" "abc" "6f1d2c3b-4a59-1e68-8f77-1b2c3d4e5f60"`},
	{"OUT", "cashOut", "X-Sandbox-Scenario", `"any"`, ``},
	{"OQR-044", "cashOutQRCode", "X-Sandbox-Scenario", `"any"`, ``},
	{"IN-065", "cashIn", "X-Sandbox-Scenario", `"any"`, ``},
	{"COB-002..007", "cob", "txid", `"aB345678901234567890123456" "12345678901234567890123456789012345"`,
		`"1234567890123456789012345" "123456789012345678901234567890123456" "1234567890123456789012345-" "1234567890123456789012345_" "1234567890123456789012345."`},
	{"DEV-002..005", "refund", "e2eid", `"E60701190202603011200k3v9x2m7q1z"`,
		`"E60701190202603011200k3v9x2m7q1" "E60701190202603011200k3v9x2m7q1zz" "E60701190202603011200k3v9x2m7q1-"`},
	{"DEV-006..008", "refund", "id", `#1 #35`, `"" #36`},
	{"MED-003..007", "listMeds", "status", `"OPEN" "RECEIVED" "CANCELLED" "ANALYZED"`, `"FOO" "open"`},
	{"MED-008, MED-009", "listMeds", "isReconciled", `true false`, `"maybe" 1`},
	{"MED-010, MED-012", "listMeds", "startDate", `"2026-03-01" "2026-03-01T12:00:00Z" "2026-03-01T12:00:00.000-03:00"`, `"foo" "01/03/2026"`},
	{"MED-011, MED-013", "listMeds", "endDate", `"2026-03-01" "2026-03-01T12:00:00Z"`, `"foo"`},
	{"MED-014..017", "listMeds", "page", `1 2`, `0 -1 1.5 "abc"`},
	{"MED-018..022", "listMeds", "pageSize", `1 100`, `0 101 1.5 "abc"`},
	{"LPK-001..006", "listTransactionsByKey", "pixKey", `"52998224725" "+5511999990000"`, ``},
	{"LPK-008..010", "listTransactionsByKey", "page", `1`, `0 "abc"`},
	{"LPK-011..014", "listTransactionsByKey", "size", `1 1000`, `0 1001 "abc"`},
	{"LPK-015..018", "listTransactionsByKey", "status", `"PENDING" "CONFIRMED" "ERROR"`, `"FOO" "Pendente"`},
	{"LPK-019..023", "listTransactionsByKey", "type", `"PAYMENT" "WITHDRAW" "REFUND_IN" "REFUND_OUT"`, `"FOO" "Pix\u0020in"`},
	{"LPK-026, LPK-028", "listTransactionsByKey", "startDate", `"2026-03-01" "2026-03-01T12:00:00Z"`, `"foo"`},
	{"LPK-027, LPK-028", "listTransactionsByKey", "endDate", `"2026-03-01" "2026-03-01T12:00:00Z"`, `"foo"`},
	{"LTX-005, LTX-006", "listTransactions", "page", `1`, `0 "abc"`},
	{"LTX-002..004", "listTransactions", "size", `1 100`, `0 101 "abc"`},
	{"LTX-014..017", "listTransactions", "status", `"PENDING" "CONFIRMED" "ERROR"`, `"FOO"`},
	{"LTX-018..022", "listTransactions", "type", `"PAYMENT" "WITHDRAW" "REFUND_IN" "REFUND_OUT"`, `"FOO"`},
	{"LTX-012, LTX-013, LTX-023", "listTransactions", "startDate", `"2026-03-01" "2026-03-01T12:00:00Z"`, `"foo"`},
	{"LTX-012, LTX-013, LTX-023", "listTransactions", "endDate", `"2026-03-01" "2026-03-01T12:00:00Z"`, `"foo"`},
	{"LTX-009, LTX-010", "listTransactions", "externalId", `"any"`, ``},
	{"LTX-011", "listTransactions", "endToEndId", `"any"`, ``},
	{"RSD-002..004", "resendWebhook", "transactionIdentifier", `"17" "order-1"`, ``},
	{"TOK", "token", "X-SSL-Client-Cert", `"any"`, ``},
}

func TestParameters(t *testing.T) {
	t.Parallel()
	doc, err := readDocument(embedded(t))
	require.NoError(t, err)
	c, err := Load()
	require.NoError(t, err)
	rows := map[string]bool{}
	for _, p := range parameters {
		rows[p.operation+" "+p.name] = true
	}
	variable := regexp.MustCompile(`\{(\w+)\}`)
	for _, op := range c.operations {
		listed := pointer("paths", op.Path, strings.ToLower(op.Method), "parameters")
		var inPath []string
		for i, n := range entries(doc.at(listed)) {
			n, at := doc.follow(n, listed+pointer(i))
			name := child(n, "name").Value
			if child(n, "in").Value == "path" {
				inPath = append(inPath, "{"+name+"}")
			}
			assert.True(t, rows[op.ID+" "+name], "no row for %s of %s", name, op.ID)
			delete(rows, op.ID+" "+name)
			tryParameter(t, doc, op.ID, name, at+"/schema")
		}
		assert.Equal(t, variable.FindAllString(op.Path, -1), inPath, op.ID)
	}
	assert.Empty(t, rows, "rows of parameters that are not there")
}

func tryParameter(t *testing.T, doc *document, operation, name, at string) {
	t.Helper()
	ours, err := doc.compile(at)
	require.NoError(t, err)
	for _, p := range parameters {
		if p.operation != operation || p.name != name {
			continue
		}
		for _, value := range strings.Fields(p.good) {
			v := expanded(t, value, nil)
			assert.NoError(t, ours.Validate(v), "%s: %s", p.rows, value)
		}
		for _, value := range strings.Fields(p.bad) {
			v := expanded(t, value, nil)
			assert.Error(t, ours.Validate(v), "%s: %s", p.rows, value)
		}
	}
}

// The defaults that the specification states.
func TestDefaults(t *testing.T) {
	t.Parallel()
	doc, err := readDocument(embedded(t))
	require.NoError(t, err)
	for at, want := range map[string]string{
		"/components/schemas/TransferRequest/properties/expiration/default":                                       "600",
		"/components/schemas/CashInRequest/properties/transaction/properties/expirationTime/default":              "86400",
		"/components/schemas/CashInRequest/properties/transaction/properties/generateQrCode/default":              "false",
		"/components/schemas/Split/properties/immediate/default":                                                  "false",
		"/components/parameters/Page/schema/default":                                                              "1",
		pointer("paths", "/api/med", "get", "parameters", "5", "schema", "default"):                               "20",
		pointer("paths", "/api/transactions", "get", "parameters", "1", "schema", "default"):                      "20",
		pointer("paths", "/api/pix/transactions/pix-key/{pixKey}", "get", "parameters", "2", "schema", "default"): "20",
	} {
		if n := doc.at(at); assert.NotNil(t, n, at) {
			assert.Equal(t, want, n.Value, at)
		}
	}
}
