package hostile

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// oddities are gateways that do nothing wrong, in ways that few do.
func oddities() map[string]Gateway {
	var names strings.Builder
	for i := range 1350 { // 22 KB: pixcert reads 24 KiB
		fmt.Fprintf(&names, "X-%d-%x: a\r\n", i, i*i)
	}
	return map[string]Gateway{
		"names that differ in case": correct(both("adds members whose names differ in case from those of the API, also by letters that Unicode folds", 0, rewritten(inOtherCase))),
		"half a megabyte of spaces": correct(api("puts half a megabyte of spaces and line breaks into each body", func(a *Answer) {
			if len(a.Body) > 0 {
				a.Body = append([]byte(string(a.Body[:1])+spaces), a.Body[1:]...)
			}
			a.kept(a.Body)
		})),
		"tokens of 14 KB":      longTokens(14_000),
		"a secret of a letter": words("e"),
		"headers for browsers": correct(both("sets cookies, offers upgrades and other protocols, and sends the headers that browsers obey", 0, func(a *Answer) {
			a.Header = append(a.Header, strings.Repeat("Set-Cookie: session="+strings.Repeat("c", 1000)+"; Path=/; SameSite=None\r\n", 10)+
				"Alt-Svc: h3=\":1\", h2=\"127.0.0.1:1\"; ma=99999999\r\nStrict-Transport-Security: max-age=63072000; includeSubDomains\r\n"+
				"Upgrade: h2c, websocket, TLS/1.2\r\nClear-Site-Data: \"*\"\r\nNEL: {}\r\nPragma: no-cache\r\nVary: *\r\nWarning: 299 - \"old\"\r\n"+
				"Deprecation: @1\r\nSunset: Thu, 01 Jan 1970 00:00:00 GMT\r\nETag: \"1\"\r\nCache-Control: max-age=31536000, immutable\r\n"...)
			a.kept(a.Body)
		})),
		"fits and starts": correct(both("sends responses in pieces that break characters, and rests between those of every tenth", 0, fitsAndStarts())),
		"headers with names of their own": correct(api("sends 1,350 headers, each with a name of its own", func(a *Answer) {
			a.Header = append(a.Header, names.String()...)
			a.kept(a.Body)
		})),
	}
}

var spaces = strings.Repeat(" \t\r\n", 128<<10)

// inOtherCase adds members with other values and names in other cases to every object, before and after
// the real ones. It leaves objects with names of the client alone.
func inOtherCase(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, member := range v {
			if key == "headers" || key == "details" {
				continue
			}
			v[key] = inOtherCase(member)
			for _, name := range []string{strings.ToUpper(key), strings.ToUpper(key[:1]) + key[1:], strings.NewReplacer("s", "ſ", "k", "\u212a").Replace(key)} {
				if _, exists := v[name]; !exists {
					v[name] = "not this one"
				}
			}
		}
	case []any:
		for i := range v {
			v[i] = inOtherCase(v[i])
		}
	}
	return v
}

// longTokens returns a gateway whose tokens have a claim of that length.
func longTokens(length int) Gateway {
	var short sync.Map // by long token
	return Gateway{
		Does: "issues long tokens", Correct: true,
		API: Config{
			Spoil: rewritten(members(func(key string, v any) any {
				token, _ := v.(string)
				parts := strings.Split(token, ".")
				if key != "access_token" || len(parts) != 3 {
					return v
				}
				var claims map[string]any
				if payload, err := base64.RawURLEncoding.DecodeString(parts[1]); err != nil || json.Unmarshal(payload, &claims) != nil {
					return v
				}
				claims["filler"] = strings.Repeat("filler", length*3/4/6)
				parts[1] = base64.RawURLEncoding.EncodeToString(encoded(claims))
				long := strings.Join(parts, ".")
				short.Store(long, token)
				return long
			})),
			Change: func(r *http.Request, sent []byte) []byte {
				if scheme, long, found := strings.Cut(r.Header.Get("Authorization"), " "); found {
					if token, known := short.Load(long); known {
						r.Header.Set("Authorization", scheme+" "+token.(string))
					}
				}
				return sent
			},
		},
	}
}

func fitsAndStarts() func(*Answer) {
	var turn atomic.Int64
	return func(a *Answer) {
		text := fmt.Sprintf("HTTP/1.1 %s\r\n%sContent-Length: %d\r\n\r\n%s", a.Status, a.Header, len(a.Body), a.Body)
		rests := turn.Add(1)%10 == 0
		const pieces = 7
		for i := range pieces {
			if !a.Write(text[len(text)*i/pieces:len(text)*(i+1)/pieces]) || rests && !a.Pause(20*time.Millisecond) {
				return
			}
		}
		a.Keep = true
	}
}
