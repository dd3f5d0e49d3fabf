package har

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
)

var began = time.Date(2026, 3, 1, 14, 30, 0, 0, time.FixedZone("", -3*3600))

// sample is what an archive can hold: an exchange, one without an answer, bytes that are
// no text, a long answer and a webhook.
func sample() Page {
	return Page{Title: "cash-out.covers-fee/One cent short", Started: began, Took: 41 * time.Millisecond, Exchanges: []exchange.Exchange{
		{
			Party: exchange.API, Operation: "cash-out", Method: "POST", URL: "https://gw.example/api/pix/cash-out?a=1&b=%C3%A9&c",
			Header: http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer ***"}}, Body: []byte(`{"value":999.51}`),
			Status: 201, ResponseHeader: http.Header{"Content-Type": {"application/json; charset=utf-8"}}, ResponseBody: []byte(`{"status":"PENDING"}`),
			Sent: began.Add(time.Millisecond), Took: 1500 * time.Microsecond,
		},
		{Party: exchange.API, Operation: "cash-out", Method: "POST", URL: "https://gw.example/x", Body: []byte("\xff\xfe"), Err: "timed out after 10s", Sent: began.Add(5 * time.Millisecond), Took: 10 * time.Second},
		{Party: exchange.Control, Operation: "accounts", Method: "POST", URL: "https://gw.example:9443/accounts", Status: 302,
			ResponseHeader: http.Header{"Location": {"/else\xff"}}, ResponseBody: []byte("\x00\xff"), Sent: began},
		{Party: exchange.API, Operation: "balance request", Method: "GET", URL: "https://gw.example/accounts/balances", Status: 200,
			ResponseBody: []byte("a" + strings.Repeat("é", longestBody)), Cut: exchange.Cut{LeftOut: 7}, Truncated: true, Sent: began.Add(7 * time.Millisecond)},
		{Party: exchange.Webhook, Operation: "CashOut event", Method: "POST", URL: "https://127.0.0.1:41234/hook/17?x=%zz",
			Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(`{"event":"CashOut"}`), Status: 200, Sent: began.Add(9 * time.Millisecond)},
	}}
}

func written(t *testing.T, pages ...Page) map[string]any {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, Write(&out, "1.2.3", pages...))
	require.True(t, utf8.Valid(out.Bytes()))
	var document map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &document))
	return document
}

// schema is what HAR 1.2 asks of each object: its members and their types. A member that
// begins with an underscore may stand anywhere; an optional one has a question mark.
var schema = map[string]map[string]string{
	"log":         {"version": "string", "creator": "creator", "browser?": "creator", "pages?": "[]page", "entries": "[]entry", "comment?": "string"},
	"creator":     {"name": "string", "version": "string", "comment?": "string"},
	"page":        {"startedDateTime": "time", "id": "string", "title": "string", "pageTimings": "pageTimings", "comment?": "string"},
	"pageTimings": {"onContentLoad?": "number", "onLoad?": "number", "comment?": "string"},
	"entry": {"pageref?": "string", "startedDateTime": "time", "time": "number", "request": "request", "response": "response",
		"cache": "cache", "timings": "timings", "serverIPAddress?": "string", "connection?": "string", "comment?": "string"},
	"request": {"method": "string", "url": "string", "httpVersion": "string", "cookies": "[]cookie", "headers": "[]pair", "queryString": "[]pair",
		"postData?": "postData", "headersSize": "number", "bodySize": "number", "comment?": "string"},
	"response": {"status": "number", "statusText": "string", "httpVersion": "string", "cookies": "[]cookie", "headers": "[]pair",
		"content": "content", "redirectURL": "string", "headersSize": "number", "bodySize": "number", "comment?": "string"},
	"cookie":   {"name": "string", "value": "string"},
	"pair":     {"name": "string", "value": "string", "comment?": "string"},
	"postData": {"mimeType": "string", "params": "[]pair", "text": "string", "comment?": "string"},
	"content":  {"size": "number", "compression?": "number", "mimeType": "string", "text?": "string", "encoding?": "string", "comment?": "string"},
	"cache":    {"beforeRequest?": "object", "afterRequest?": "object", "comment?": "string"},
	"timings": {"blocked?": "number", "dns?": "number", "connect?": "number", "send": "number", "wait": "number", "receive": "number",
		"ssl?": "number", "comment?": "string"},
}

// conforms holds a value against the schema.
func conforms(t *testing.T, path, kind string, v any) {
	t.Helper()
	if item, isList := strings.CutPrefix(kind, "[]"); isList {
		list, ok := v.([]any)
		require.True(t, ok, "%s must be a list", path)
		for _, element := range list {
			conforms(t, path+"[]", item, element)
		}
		return
	}
	switch kind {
	case "string":
		assert.IsType(t, "", v, path)
		return
	case "number":
		assert.IsType(t, 0.0, v, path)
		return
	case "time":
		_, err := time.Parse(time.RFC3339Nano, v.(string))
		assert.NoError(t, err, path)
		return
	}
	object, ok := v.(map[string]any)
	require.True(t, ok, "%s must be an object", path)
	members := schema[kind]
	for name, of := range members {
		plain, optional := strings.CutSuffix(name, "?")
		if value, present := object[plain]; present {
			conforms(t, path+"."+plain, of, value)
		} else {
			assert.True(t, optional, "%s must have %s", path, plain)
		}
	}
	for name := range object {
		known := members[name] + members[name+"?"]
		assert.True(t, known != "" || strings.HasPrefix(name, "_"), "%s has %s, which the format does not know", path, name)
	}
}

func TestAnArchiveConformsToTheFormat(t *testing.T) {
	t.Parallel()
	for name, pages := range map[string][]Page{"nothing": nil, "a scenario": {sample()}, "two": {sample(), {Title: "empty", Started: began}}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log := written(t, pages...)["log"].(map[string]any)
			conforms(t, "log", "log", log)
			assert.Equal(t, "1.2", log["version"])
			ids, last := map[any]bool{}, time.Time{}
			for _, p := range log["pages"].([]any) {
				ids[p.(map[string]any)["id"]] = true
			}
			for _, v := range log["entries"].([]any) {
				entry := v.(map[string]any)
				assert.True(t, ids[entry["pageref"]], "each entry is of a page")
				at, _ := time.Parse(time.RFC3339Nano, entry["startedDateTime"].(string))
				assert.False(t, at.Before(last), "in the order of time")
				last = at
				sum := 0.0
				for name, took := range entry["timings"].(map[string]any) {
					if name != "ssl" { // is part of connect
						sum += max(took.(float64), 0)
					}
				}
				assert.InDelta(t, entry["time"], sum, 1e-9)
			}
		})
	}
}

type pair struct{ Name, Value string }

// archive is what the next test looks at.
type archive struct {
	Log struct {
		Entries []struct {
			StartedDateTime time.Time
			Time            float64
			Comment         string
			Party           exchange.Party `json:"_party"`
			Request         struct {
				QueryString, Headers []pair
				PostData             struct {
					Text     string
					Encoding string `json:"_encoding"`
				}
			}
			Response struct {
				Status      int
				RedirectURL string
				Error       string `json:"_error"`
				Content     struct {
					Size                              int
					MimeType, Text, Encoding, Comment string
				}
			}
		}
	}
}

func TestAnArchiveHoldsWhatWasExchanged(t *testing.T) {
	t.Parallel()
	var document archive
	var out bytes.Buffer
	require.NoError(t, Write(&out, "1.2.3", sample()))
	require.NoError(t, json.Unmarshal(out.Bytes(), &document))
	entries := document.Log.Entries
	require.Len(t, entries, 5)

	control, cashOut, broken, long, webhook := entries[0], entries[1], entries[2], entries[3], entries[4]
	assert.Equal(t, "control: accounts", control.Comment)
	assert.Equal(t, "base64", control.Response.Content.Encoding)
	assert.Equal(t, base64.StdEncoding.EncodeToString([]byte("\x00\xff")), control.Response.Content.Text)
	assert.Equal(t, "/else\uFFFD", control.Response.RedirectURL)

	assert.Equal(t, "2026-03-01T17:30:00.001Z", cashOut.StartedDateTime.Format(time.RFC3339Nano))
	assert.Equal(t, 1.5, cashOut.Time)
	assert.Equal(t, []pair{{"a", "1"}, {"b", "é"}, {"c", ""}}, cashOut.Request.QueryString)
	assert.Equal(t, []pair{{"Authorization", "Bearer ***"}, {"Content-Type", "application/json"}}, cashOut.Request.Headers)
	assert.Equal(t, `{"value":999.51}`, cashOut.Request.PostData.Text)
	assert.Equal(t, 201, cashOut.Response.Status)
	assert.Equal(t, `{"status":"PENDING"}`, cashOut.Response.Content.Text)
	assert.Equal(t, "application/json; charset=utf-8", cashOut.Response.Content.MimeType)

	assert.Equal(t, 0, broken.Response.Status)
	assert.Equal(t, "timed out after 10s", broken.Response.Error)
	assert.Equal(t, "base64", broken.Request.PostData.Encoding)

	assert.True(t, utf8.ValidString(long.Response.Content.Text))
	assert.Empty(t, long.Response.Content.Encoding, "a long text stays one where it is cut")
	assert.Equal(t, 2*longestBody+8, long.Response.Content.Size)
	assert.Contains(t, long.Response.Content.Comment, "the first 16383 of 32776 bytes")
	assert.Contains(t, long.Response.Content.Comment, "stopped reading")

	assert.Equal(t, exchange.Webhook, webhook.Party)
	assert.Equal(t, `{"event":"CashOut"}`, webhook.Request.PostData.Text)
	assert.Equal(t, []pair{{"x", "%zz"}}, webhook.Request.QueryString)
}
