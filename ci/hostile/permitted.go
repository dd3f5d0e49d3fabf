package hostile

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// permitted are gateways that do nothing wrong.
func permitted() map[string]Gateway {
	return map[string]Gateway{
		"a date in 1970": correct(both("sends the headers Date, Expires, Last-Modified and Age of another time", 0, func(a *Answer) {
			a.Header = append(a.Header, "Date: Thu, 01 Jan 1970 00:00:00 GMT\r\nExpires: -1\r\nLast-Modified: Fri, 31 Dec 9999 23:59:59 GMT\r\nAge: 99999999999999999999\r\n"...)
			a.kept(a.Body)
		})),
		"chunks with extensions": correct(both("sends each byte in a chunk with an extension, hints before, and trailers after", 0, func(a *Answer) {
			if len(a.Body) == 0 {
				a.kept(nil)
				return
			}
			a.Write("HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\nHTTP/1.1 " + a.Status + "\r\n" + string(a.Header) + "Trailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n")
			var chunks strings.Builder
			for _, b := range a.Body {
				chunks.WriteString("1;a=\"b\"\r\n" + string([]byte{b}) + "\r\n")
			}
			a.Write(chunks.String() + "0;last\r\nX-Sum: 0\r\n\r\n")
			a.Keep = true
		})),
		"JSON in other spellings": correct(Gateway{
			Does: "escapes every character of JSON, writes amounts with exponents, and reverses the order of members",
			API:  Config{Spoil: spelled(true)}, Controls: Config{Spoil: spelled(false)},
		}),
		"hundreds of unknown fields": UnknownFields(300),
		"any success of a control": correct(controls("answers controls that have no response with 299 and a text that is no JSON", func(a *Answer) {
			method, _, _ := strings.Cut(a.Sent, " ")
			returns := method == http.MethodGet || method == http.MethodPost && (strings.HasSuffix(a.Path, "accounts") || strings.HasSuffix(a.Path, "payments") || strings.HasSuffix(a.Path, "meds"))
			if !returns && strings.HasPrefix(a.Status, "2") {
				a.Status, a.Header, a.Body = "299 Done", []byte("Content-Type: text/html\r\n"), []byte("<h1>ok\x00\xff"+strings.Repeat(" ", 4096))
			}
			a.kept(a.Body)
		})),
		"secrets that are words": words("transactionId"),
		"strangers with 10,000 headers": {
			Does: "is reached by webhooks of strangers with 10,000 headers, ambiguous lengths and HTTP/2", Correct: true,
			Stranger: func(_ context.Context, conn net.Conn, path string) {
				for _, request := range []string{
					"POST " + path + " HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("X-Filler: a\r\n", 10_000) + "Content-Length: 2\r\n\r\n{}",
					"POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
					"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
				} {
					if !write(conn, request) {
						return
					}
				}
				_, _ = conn.Read(make([]byte, 1))
			},
		},
		"forged webhooks at registration": forged(),
	}
}

// UnknownFields returns a gateway that adds so many fields to each response.
func UnknownFields(count int) Gateway {
	return correct(api("adds fields that the specification does not know, with dangerous names", rewritten(func(v any) any {
		if object, isObject := v.(map[string]any); isObject {
			for i := range count {
				object[fmt.Sprintf("%s%d", dangerous[i%len(dangerous)], i)] = dangerous[i%len(dangerous)]
			}
			object["__proto__"], object["constructor"], object[""] = nil, map[string]any{}, []any{}
		}
		return v
	})))
}

// SingleBytes returns a gateway that sends each byte of a body in a packet and a chunk of its own.
func SingleBytes() Gateway {
	return correct(api("sends each byte by itself", func(a *Answer) {
		if len(a.Body) == 0 {
			a.kept(nil)
			return
		}
		a.Write("HTTP/1.1 " + a.Status + "\r\n" + string(a.Header) + "Transfer-Encoding: chunked\r\n\r\n")
		for _, b := range a.Body {
			a.Write("1\r\n" + string([]byte{b}) + "\r\n")
		}
		a.Write("0\r\n\r\n")
		a.Keep = true
	}))
}

// words returns a gateway whose client secrets are a word that occurs in every request.
func words(word string) Gateway {
	var mu sync.Mutex
	secrets := map[string]any{} // by client id
	return Gateway{
		Does: "has client secrets that are a word of the API", Correct: true,
		Controls: Config{Spoil: rewritten(func(v any) any {
			if account, isObject := v.(map[string]any); isObject && account["clientSecret"] != nil {
				mu.Lock()
				defer mu.Unlock()
				secrets[fmt.Sprint(account["clientId"])] = account["clientSecret"]
				account["clientSecret"] = word
			}
			return v
		})},
		API: Config{Change: func(r *http.Request, sent []byte) []byte {
			var credentials map[string]any
			if strings.HasSuffix(r.URL.Path, "/auth/token") && json.Unmarshal(sent, &credentials) == nil && credentials["clientSecret"] == word {
				mu.Lock()
				defer mu.Unlock()
				if real, known := secrets[fmt.Sprint(credentials["clientId"])]; known {
					credentials["clientSecret"] = real
					sent, _ = json.Marshal(credentials)
				}
			}
			return sent
		}},
	}
}

// forged returns a gateway whose webhook URLs receive forged events before their registration is
// answered.
func forged() Gateway {
	return Gateway{
		Does: "is correct, but strangers send forged events to each URL while it is being registered", Correct: true,
		API: Config{Change: func(r *http.Request, sent []byte) []byte {
			to, isLocal := registration(r, sent)
			if !isLocal {
				return sent
			}
			ctx, cancel := context.WithCancel(r.Context())
			defer cancel()
			deliver(ctx, func(_ context.Context, conn net.Conn, path string) {
				for _, body := range slices.Repeat(slices.Sorted(maps.Keys(forgeries)), 20) {
					begin(conn, path, fmt.Sprintf("Content-Length: %d", len(body)))
					write(conn, body)
				}
				_, _ = conn.Read(make([]byte, 1))
			}, to)
			return sent
		}},
	}
}

var forgeries = map[string]bool{
	`{"event":"CashOut","status":"ERROR","transactionId":"1","externalId":"1","errorCode":"ORDER_REJECTED","originalAmount":-1}`: true,
	`{"type":"TRANSFER","data":{"id":1,"status":"LIQUIDATED","payment":{"amount":"1.00","currency":"BRL"}}}`:                     true,
	`{"type":"REFUND","data":{"id":1,"status":"REFUNDED","refunds":[]}}`:                                                         true,
}
