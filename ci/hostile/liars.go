package hostile

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// liars are gateways whose controls do not do what they say, and gateways that reveal secrets where
// nobody expects them.
func liars() map[string]Gateway {
	return map[string]Gateway{
		"controls that come and go": {Does: "answers every third control with an error after doing it, which contains the credentials of the last account", Controls: Config{After: 10, Spoil: comeAndGo()}},
		"accounts that cannot be deleted": controls("never answers the control that deletes an account", func(a *Answer) {
			if strings.HasPrefix(a.Sent, "DELETE ") {
				a.Hold()
				return
			}
			a.kept(a.Body)
		}),
		"credentials in broken responses": both("breaks responses with credentials off right after them", 20, func(a *Answer) {
			for _, name := range []string{`"clientSecret":`, `"access_token":`} {
				if before, after, found := strings.Cut(string(a.Body), name); found {
					value, _, _ := strings.Cut(strings.TrimSpace(after)[1:], `"`)
					a.kept([]byte(before + name + `"` + value + `",` + value + `,"`))
					return
				}
			}
			a.kept(a.Body)
		}),
		"money that never arrives": {Does: "sets every balance to zero", Controls: Config{Change: func(r *http.Request, sent []byte) []byte {
			if strings.HasSuffix(r.URL.Path, "/balance") {
				return []byte(`{"available":"0.00"}`)
			}
			return sent
		}}},
		"beginnings of secrets":  api("fills error messages with texts that begin like tokens and secrets", beginnings()),
		"encodings of encodings": api("hides the token of each request in encodings of encodings", nested()),
		"strangers with escape sequences": {
			Does: "is reached by webhooks of strangers whose methods, paths, headers and bodies contain escape sequences", Correct: true,
			Stranger: func(_ context.Context, conn net.Conn, path string) {
				body := encoded(map[string]any{"event": dangerous[5], "status": dangerous[0], "type": dangerous[6], "data": map[string]any{dangerous[7]: dangerous[11]}})
				for _, text := range dangerous {
					text = url.PathEscape(text) + strings.Map(printable, text)
					write(conn, fmt.Sprintf("POST %s/%s?%s HTTP/1.1\r\nHost: x\r\nX-%[2]s: 1\r\nUser-Agent: %s\r\nContent-Type: %[4]s\r\nContent-Length: %d\r\n\r\n%s", path,
						url.PathEscape(text), url.QueryEscape(text), strings.ReplaceAll(text, "\x9b", ""), len(body), body))
				}
				write(conn, "TRACE "+path+" HTTP/1.1\r\nHost: \x1b[2J\r\n\r\n")
				_, _ = conn.Read(make([]byte, 1))
			},
		},
		"strangers with many connections": {
			Does: "is reached by strangers that hold open 160 connections and send half a handshake", Correct: true, Stranger: crowd,
		},
	}
}

// crowd opens connections beside one and holds them for a second. All senders together have fewer than a sink must
// accept at once.
func crowd(ctx context.Context, conn net.Conn, _ string) {
	const size = 20
	var dialer net.Dialer
	for i := range size {
		other, err := dialer.DialContext(ctx, "tcp", conn.RemoteAddr().String())
		if err != nil {
			break
		}
		defer other.Close()
		if i%2 == 0 {
			write(other, "\x16\x03\x01\x02\x00\x01\x00")
		}
	}
	if secure, isTLS := conn.(*tls.Conn); isTLS {
		_ = secure.SetReadDeadline(time.Now().Add(time.Second))
	}
	_, _ = io.Copy(io.Discard, conn)
}

func comeAndGo() func(*Answer) {
	var turn atomic.Int64
	var mu sync.Mutex
	credentials := ""
	return func(a *Answer) {
		mu.Lock()
		if strings.Contains(string(a.Body), "clientSecret") {
			credentials = string(a.Body)
		}
		said := credentials
		mu.Unlock()
		if n := turn.Add(1); n%3 == 0 {
			a.Status = []string{"501 Not Implemented", "404 Not Found", "409 Conflict", "500 Oops", "400 Bad Request"}[n/3%5]
			a.Body = encoded(map[string]any{"message": "cannot do this for " + said})
		}
		a.kept(a.Body)
	}
}

// beginnings are texts on which a search for secrets spends its time.
func beginnings() func(*Answer) {
	var turn atomic.Int64
	return func(a *Answer) {
		_, token, found := strings.Cut(secretOf(a.Sent), " ")
		n := turn.Add(1)
		if !found || len(token) < 100 || n%2 == 0 {
			a.kept(a.Body)
			return
		}
		texts := []string{"eyJ", "eyJ.", "eyJhbGciOi.eyJ.", "Bearer ", token[:15], token[1:90] + " ", token[len(token)-15:], "-----BEGIN PRIVATE KEY-----", `"clientSecret":"`,
			"%25", "&#38;#", `\u005c`, `\\`, "4142434445464748494a", "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo", "access_token=", "a.b.c.d.e.f.g.h"}
		text := texts[int(n/2)%len(texts)]
		a.Status = "400 Bad Request"
		a.kept(encoded(map[string]any{"statusCode": 400, "code": "HTTP_ERROR", "message": []string{strings.Repeat(text, 200_000/len(text))}}))
	}
}

// nested hides the token of each request in up to three encodings.
func nested() func(*Answer) {
	forms := []func(string) string{
		func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
		func(s string) string { return hex.EncodeToString([]byte(s)) },
		each("%%%02X"), each(`\u%04x`), each("&#x%x;"), strconv.Quote, url.QueryEscape, html.EscapeString,
	}
	var turn atomic.Int64
	return func(a *Answer) {
		_, token, found := strings.Cut(secretOf(a.Sent), " ")
		n := int(turn.Add(1))
		if !found || n%2 == 0 {
			a.kept(a.Body)
			return
		}
		n /= 2
		text := token
		for _, form := range []int{n, n / len(forms), n / len(forms) / len(forms)}[:1+n%3] {
			text = forms[form%len(forms)](text)
		}
		a.Status = "422 Unprocessable Entity"
		a.kept(encoded(map[string]any{"statusCode": 422, "error": "in " + text, "message": text[:len(text)/2], "details": []string{text, "x" + text}}))
	}
}
