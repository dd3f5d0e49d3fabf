package hostile

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"unicode"
)

// dangerous are texts that a terminal, a browser, a shell, a file system or a CI system may execute.
var dangerous = []string{
	"\n::error file=/etc/passwd,line=1::owned\n::stop-commands::owned\n::add-mask::e\n",
	"##vso[task.setvariable variable=PATH]owned",
	"\n##[error]owned\n",
	"##teamcity[buildStatus status='SUCCESS' text='owned']",
	"\x1b[0Ksection_start:1700000000:owned\r\x1b[0Kowned",
	"\x1b]52;c;b3duZWQ=\x07\x1b[2J\x1b[H",
	"\u009b31m\u0090q\u202eDESREVER\u2066\u200b\x7f\b\b\b\r✓ Conforms",
	"</script></pre><script>alert(1)</script><img src=x onerror=alert(1)>]]><!--",
	`javascript:alert(1)//" onmouseover="alert(1)`,
	"../../../../../../etc/passwd\x00",
	`..\..\CON:a|b*?`,
	"'; touch owned; $(touch owned) `touch owned` \"; touch owned; \nEOF\ntouch owned\n",
	"{{.}} ${jndi:ldap://127.0.0.1/a} %n%s%!s(MISSING)",
}

// texts are gateways that send texts meant for other readers than pixcert.
func texts() map[string]Gateway {
	return map[string]Gateway{
		"commands of CI systems": both("sends logging commands of GitHub, Azure, TeamCity and GitLab in error messages, codes, headers and reason phrases", 20, inTexts(dangerous[:5])),
		"terminal sequences":     both("sends escape sequences and bidirectional controls in the same places", 20, inTexts(dangerous[5:7])),
		"scripts":                both("sends HTML, JavaScript and templates in the same places", 20, inTexts([]string{dangerous[7], dangerous[8], dangerous[12]})),
		"ids that are paths":     api("returns ids that are paths or shell commands, with line breaks", ids(9, 10, 11, 0)),
		"accounts that are paths": controls("returns accounts whose credentials and names are paths, headers or shell commands", rewritten(members(func(key string, v any) any {
			switch key {
			case "clientId", "clientSecret", "pixKey", "name", "ispb":
				return fmt.Sprint(v) + "/../" + fmt.Sprint(v) + "\r\nX-Owned: 1" + dangerous[11]
			}
			return v
		}))),
		"lone surrogates": api("ends every text with half a character", func(a *Answer) {
			rewrittenTo := strings.NewReplacer(`<half>`, `\ud83d\u0000\ufffe\udc00`)
			if v, isJSON := decoded(a.Body); isJSON {
				a.Body = encoded(members(func(_ string, v any) any {
					if s, isText := v.(string); isText {
						return s + "<half>"
					}
					return v
				})(v))
			}
			a.kept([]byte(rewrittenTo.Replace(string(a.Body))))
		}),
		"a byte order mark":     api("begins each body with a byte order mark", func(a *Answer) { a.kept(append([]byte("\ufeff"), a.Body...)) }),
		"secrets in odd places": api("echoes secrets as names of headers and members, in trailers and hints, wrapped, cut into pieces and in several encodings", oddEchoes()),
	}
}

// inTexts puts texts into the places of an error response that are for people. Successes become errors
// every fourth time.
func inTexts(from []string) func(*Answer) {
	var turn atomic.Int64
	return func(a *Answer) {
		n := int(turn.Add(1))
		text := from[n%len(from)]
		if strings.HasPrefix(a.Status, "2") && n%4 != 0 {
			a.kept(a.Body)
			return
		}
		a.Status = fmt.Sprintf("%d %s", []int{400, 403, 422, 500, 599}[n%5], oneLine(text))
		a.Header = fmt.Appendf(nil, "Content-Type: application/json; charset=%s\r\nServer: %[1]s\r\n", strings.Map(printable, text))
		a.Body = encoded(map[string]any{"statusCode": text, "timestamp": text, "path": text, "method": text, "code": text, "message": []string{text, text + "2"},
			"userMessage": text, "errorId": text, "error": text, "errorCode": text, "details": map[string]any{text: text}})
		a.kept(a.Body)
	}
}

// printable drops control characters, which make a header invalid.
func printable(r rune) rune {
	if unicode.IsControl(r) {
		return -1
	}
	return r
}

// ids appends dangerous texts to every id.
func ids(which ...int) func(*Answer) {
	var turn atomic.Int64
	return rewritten(members(func(key string, v any) any {
		switch key {
		case "transactionId", "endToEndId", "id", "rtrId", "txid", "correlationId", "pixCode":
			return fmt.Sprint(v) + dangerous[which[int(turn.Add(1))%len(which)]]
		}
		return v
	}))
}

// oddEchoes echoes the credentials of each request that has a token.
func oddEchoes() func(*Answer) {
	var turn atomic.Int64
	return func(a *Answer) {
		_, token, found := strings.Cut(secretOf(a.Sent), " ")
		if !found {
			a.kept(a.Body)
			return
		}
		inBody := func(body any) { a.Status = "400 Bad Request"; a.kept(encoded(body)) }
		signature := token[strings.LastIndex(token, ".")+1:]
		encoding := base64.StdEncoding.EncodeToString([]byte("user:" + token))
		switch turn.Add(1) % 12 {
		case 0:
			a.Header = append(a.Header, "X-"+token+": 1\r\n"...)
			a.kept(a.Body)
		case 1:
			inBody(map[string]any{token: 1, "data": map[string]any{signature: []any{}}})
		case 2:
			a.Write("HTTP/1.1 103 Hints\r\nLink: <" + token + ">\r\n\r\nHTTP/1.1 400 X\r\nTransfer-Encoding: chunked\r\nTrailer: X-Token\r\n\r\n2;" + signature + "\r\n{}\r\n0\r\nX-Token: " + token + "\r\n\r\n")
			a.Keep = true
		case 3:
			a.Header = []byte("Content-Type: application/json; token=" + signature + "\r\nSet-Cookie: session=" + token + "\r\nLink: <" + encoding + ">\r\n")
			a.kept([]byte("{}"))
		case 4: // pieces of 16 characters or more
			inBody(map[string]any{"code": signature[:20], "message": []string{signature[20:]}, "error": "x" + signature[5:25] + "x"})
		case 5:
			inBody(map[string]any{"message": wrapped(encoding, 76), "code": strings.ToUpper(hex.EncodeToString([]byte(token)))})
		case 6:
			inBody(map[string]any{"message": base64.RawURLEncoding.EncodeToString([]byte("user:" + token)), "code": strconv.Quote(strconv.Quote(token))})
		case 7:
			inBody(map[string]any{"message": "data:;base64," + base64.StdEncoding.EncodeToString(encoded(map[string]any{"a": each("%%%02x")(signature)}))})
		case 8:
			inBody([]any{[]any{[]any{token}}, nil, true, signature})
		case 9:
			a.Header = []byte("Content-Type: application/xml\r\n")
			a.kept([]byte("<token secret='" + each("&#%d;")(signature) + "'>" + token + "</token>"))
		case 10:
			inBody(map[string]any{"code": "PIX_" + signature, "errorCode": "PIX_" + signature, "message": "/" + signature + "/../" + signature})
		default:
			a.Status = "401 Unauthorized"
			a.Header = append(a.Header, "WWW-Authenticate: Bearer realm=\""+signature+"\", error=\""+hex.EncodeToString([]byte(signature))+"\"\r\n"...)
			a.kept(nil)
		}
	}
}

// wrapped breaks a text into lines, as MIME does.
func wrapped(text string, length int) string {
	var lines []string
	for ; len(text) > length; text = text[length:] {
		lines = append(lines, text[:length])
	}
	return strings.Join(append(lines, text), "\r\n")
}
