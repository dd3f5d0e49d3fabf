package judge

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/record"
)

func TestRefusalContradictions(t *testing.T) {
	t.Parallel()
	rich := func(status int, body string) record.Entry { return sent(0, "cash-out", order, status, body) }
	simple := func(status int, body string) record.Entry { return sent(0, "cob", `{}`, status, body) }
	plain := sent(0, "token request", `{}`, 415, `{"code":"PUB_REQUEST_BODY_INVALID"}`)
	retired := sent(0, "token request", `{}`, 415, `{"code":"PUB_INVALID_CERTIFICATE"}`)
	for _, e := range []record.Entry{plain, retired} {
		e.Exchange.Header.Set("Content-Type", "text/plain")
	}
	for name, c := range map[string]struct {
		entry record.Entry
		want  Breach
	}{
		"right":                    {rich(400, `{"statusCode":400,"method":"POST","path":"/gw/api/pix/cash-out","error":"any"}`), Breach{}},
		"another status":           {rich(400, `{"statusCode":500}`), Breach{"envelope-a.fields", "statusCode of a cash-out error to be 400, the HTTP status", "500", "statusCode"}},
		"another method":           {rich(401, `{"method":"GET"}`), Breach{"envelope-a.fields", "method of a cash-out error to be POST", "GET", "method"}},
		"another path":             {rich(401, `{"path":"/api/pix/cash-in"}`), Breach{"envelope-a.fields", "path of a cash-out error to be the path of the request", "another path", "path"}},
		"simple":                   {simple(409, `{"statusCode":409,"error":"Conflict","path":"any"}`), Breach{}},
		"simple, its status":       {simple(409, `{"statusCode":400}`), Breach{"envelope-b.fields", "statusCode of a cob error to be 409, the HTTP status", "400", "statusCode"}},
		"simple, its phrase":       {simple(422, `{"error":"Unprocessable"}`), Breach{"envelope-b.fields", `error of a cob error to be "Unprocessable Entity"`, `"Unprocessable"`, "error"}},
		"simple, of 429":           {simple(429, `{"statusCode":429,"error":"Rate limit exceeded"}`), Breach{}},
		"a code of another status": {rich(401, `{"code":"PIX_INSUFFICIENT_BALANCE"}`), Breach{"cash-out.business-codes", "a cash-out error with code PIX_INSUFFICIENT_BALANCE to have status 400", "401", ""}},
		"a token's code":           {sent(0, "token request", `{}`, 401, `{"code":"PUB_CERT_HEADER_MISSING"}`), Breach{"token.certificate-required", "a token request error with code PUB_CERT_HEADER_MISSING to have status 400", "401", ""}},
		"a retired code":           {sent(0, "token request", `{}`, 400, `{"code":"PUB_INVALID_CERTIFICATE"}`), Breach{"token.codes", "a token request error with a current code", "PUB_INVALID_CERTIFICATE", "code"}},
		"a code of its own":        {rich(429, `{"statusCode":429,"code":"PIX_RATE_LIMIT_EXCEEDED"}`), Breach{}},
		"of other content":         {plain, Breach{}},
		"retired, of it":           {retired, Breach{"token.codes", "a token request error with a current code", "PUB_INVALID_CERTIFICATE", "code"}},
		"a code of no own status":  {rich(401, `{"code":"HTTP_ERROR"}`), Breach{}},
		"of a server before it":    {rich(413, `{"statusCode":1}`), Breach{}},
		"of none":                  {rich(201, `{"statusCode":1}`), Breach{}},
		"not JSON":                 {rich(400, `<html>`), Breach{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j, entries := story{steps: "When the account sends a cash-out", entries: list(nil, c.entry)}.begin(t)
			j.Add(entries[0])
			var got Breach
			for _, met := range j.contradictions() {
				got = met.Breach
			}
			assert.Equal(t, c.want, got)
		})
	}
}
