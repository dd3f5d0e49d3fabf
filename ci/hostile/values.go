package hostile

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
)

// values are gateways whose responses are JSON with absurd values.
func values() map[string]Gateway {
	return map[string]Gateway{
		"balances beyond 64 bits": api("returns balances that no integer of 64 bits holds", replacing(map[string][]string{
			"available": {"92233720368547758.08", "-92233720368547758.09", "1e308", "9007199254740993.01", "-0", "1e-400", "0.30000000000000004"},
			"blocked":   {"-1e308", "18446744073709551616", "0.000000000000000000001"},
		})),
		"ten million transactions": api("claims ten million entries on every page, and a next one", replacing(map[string][]string{
			"total": {"10000000"}, "totalPages": {"10000000"}, "hasNext": {"true"},
		})),
		"tokens that cannot be sent": api("returns tokens with line breaks that expire before they are issued", rewritten(members(func(key string, v any) any {
			switch key {
			case "access_token":
				return v.(string) + "\r\nX-Owned: 1\x00\u00e9"
			case "expires_in":
				return json.Number("-9223372036854775809")
			}
			return v
		}))),
	}
}

// replacing replaces the members of these names by one of the JSON values in turn.
func replacing(by map[string][]string) func(*Answer) {
	var turn atomic.Int64
	return rewritten(members(func(key string, v any) any {
		if values := by[key]; values != nil {
			return json.RawMessage(values[int(turn.Add(1))%len(values)])
		}
		return v
	}))
}

// untrustworthy are gateways that mix up accounts, or whose controls do something else than they are
// asked to.
func untrustworthy() map[string]Gateway {
	return map[string]Gateway{
		"accounts of others":      controls("returns the first account again after ten new ones", accountsAgain(10)),
		"clocks that jump":        {Does: "moves an account's clock by centuries after the fifth move", Controls: Config{Change: clocksJump(5)}},
		"webhooks for each other": {Does: "registers each webhook URL for the account that registers next", API: Config{Change: swapURLs()}},
	}
}

func accountsAgain(after int) func(*Answer) {
	var mu sync.Mutex
	var first []byte
	seen := 0
	return func(a *Answer) {
		if strings.HasPrefix(a.Sent, "POST ") && strings.HasSuffix(a.Path, "/accounts") && strings.HasPrefix(a.Status, "2") {
			mu.Lock()
			defer mu.Unlock()
			if seen++; seen == 1 {
				first = a.Body
			}
			if seen > after {
				a.Body = first
			}
		}
		a.kept(a.Body)
	}
}

func clocksJump(after int64) func(*http.Request, []byte) []byte {
	var moves atomic.Int64
	return func(r *http.Request, sent []byte) []byte {
		if strings.HasSuffix(r.URL.Path, "/clock") {
			switch n := moves.Add(1); {
			case n <= after:
			case n%2 == 0:
				return []byte(`{"now":"9998-12-31T23:59:59Z"}`)
			default:
				return []byte(`{"advance":"36500d"}`)
			}
		}
		return sent
	}
}

// swapURLs replaces the URL of each registration by that of the one before.
func swapURLs() func(*http.Request, []byte) []byte {
	var mu sync.Mutex
	var before string
	return func(r *http.Request, sent []byte) []byte {
		url, isLocal := registration(r, sent)
		if !isLocal {
			return sent
		}
		mu.Lock()
		defer mu.Unlock()
		if before != "" {
			sent = bytes.Replace(sent, []byte(url), []byte(before), 1)
		}
		before = url
		return sent
	}
}
