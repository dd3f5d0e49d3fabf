package hostile

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
)

// confused are gateways that give plausible responses to the wrong requests, or with plausible values
// that are wrong.
func confused() map[string]Gateway {
	return map[string]Gateway{
		"responses of each other": {Does: "answers each request with the response to the one before", API: Config{After: 20, Spoil: oneLate()}},
		"a cache of everything":   api("answers every GET with the first response to it", cached()),
		"lists that never end":    api("fills every page of every list with entries of its own, and claims another page", rewritten(endlessList())),
		"thousands of webhooks": api("lists 3,000 webhooks that nobody registered", rewritten(func(v any) any {
			if object, isObject := v.(map[string]any); isObject && object["webhooks"] != nil {
				all, _ := object["webhooks"].([]any)
				for i := range 3000 {
					all = append(all, map[string]any{"id": 900_000 + i, "type": "cash_in", "url": fmt.Sprintf("https://127.0.0.1:1/%d", i), "headers": map[string]any{},
						"isActive": true, "createdAt": "2026-01-01T00:00:00.000Z"})
				}
				object["webhooks"], object["total"] = all, len(all)
			}
			return v
		})),
		"times that do not exist": api("returns times that do not exist or that few can read", replacing(wrongTimes())),
		"look-alikes": api("writes states and types in letters that look like those of the API, with characters that nobody sees", rewritten(members(func(_ string, v any) any {
			text, isText := v.(string)
			if !isText || text == "" || len(text) > 20 || strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") != "" {
				return v
			}
			return strings.NewReplacer("A", "А", "E", "Е", "O", "О", "P", "Р", "C", "С").Replace(text) + "\u200b\u0301\u0300\u200d"
		}))),
		"webhook URLs with a detour": {Does: "registers each webhook URL with a query and a fragment", API: Config{Change: func(r *http.Request, sent []byte) []byte {
			if url, isLocal := registration(r, sent); isLocal {
				return bytes.Replace(sent, []byte(url), []byte(url+"/%2e%2e/?a=b#c"), 1)
			}
			return sent
		}}},
	}
}

// oneLate answers each request with the response to the one before.
func oneLate() func(*Answer) {
	var mu sync.Mutex
	var before *Answer
	return func(a *Answer) {
		now := &Answer{Status: a.Status, Header: a.Header, Body: a.Body}
		mu.Lock()
		if before != nil {
			a.Status, a.Header, a.Body = before.Status, before.Header, before.Body
		}
		before = now
		mu.Unlock()
		a.kept(a.Body)
	}
}

// cached answers each GET with the first success of the same account.
func cached() func(*Answer) {
	var mu sync.Mutex
	known := map[string]*Answer{}
	return func(a *Answer) {
		line, _, _ := strings.Cut(a.Sent, "\r\n")
		if strings.HasPrefix(line, "GET ") && strings.HasPrefix(a.Status, "2") {
			key := line + secretOf(a.Sent)
			mu.Lock()
			if first := known[key]; first != nil {
				a.Header, a.Body = append(bytes.Clone(first.Header), "Age: 3600\r\nX-Cache: HIT\r\n"...), first.Body
			} else {
				known[key] = &Answer{Header: a.Header, Body: a.Body}
			}
			mu.Unlock()
		}
		a.kept(a.Body)
	}
}

// endlessList makes entries that differ only in their ids.
func endlessList() func(any) any {
	var turn atomic.Int64
	return func(v any) any {
		object, isObject := v.(map[string]any)
		entries, isList := object["data"].([]any)
		metadata, isPaged := object["metadata"].(map[string]any)
		if !isObject || !isList || !isPaged {
			return v
		}
		like := map[string]any{"transactionId": "", "externalId": "", "status": "Confirmado", "operationType": "Pix in", "movementType": "CREDIT", "originalAmount": 1,
			"feeAmount": 0, "finalAmount": 1, "endToEndId": "", "createdAt": "2026-01-01T00:00:00.000Z", "processedAt": "2026-01-01T00:00:00.000Z", "counterpart": map[string]any{}}
		if len(entries) > 0 {
			like, _ = entries[0].(map[string]any)
		}
		for range 100 {
			entry, n := maps.Clone(like), turn.Add(1)
			for _, key := range []string{"transactionId", "externalId", "endToEndId", "id", "endToEnd"} {
				if _, has := entry[key]; has {
					entry[key] = fmt.Sprintf("E%031d", n)
				}
			}
			entries = append(entries, entry)
		}
		object["data"] = entries
		metadata["total"], metadata["totalPages"], metadata["hasNext"] = 1_000_000_000, 10_000_000, true
		return v
	}
}

func wrongTimes() map[string][]string {
	times := []string{`"2026-02-30T00:00:00.000Z"`, `"2026-11-29T23:59:60Z"`, `"2026-11-29T24:00:00Z"`, `"-0001-01-01T00:00:00Z"`, `"+1000000-01-01T00:00:00Z"`,
		`"2026-11-29T12:00:00.` + strings.Repeat("1", 50_000) + `Z"`, `"2026-11-29T12:00:00+99:99"`, `"20261129T120000Z"`, `"2026-W48-7T12:00:00Z"`,
		`"٢٠٢٦-11-29T12:00:00Z"`, `"0000-00-00T00:00:00Z"`, `"2026-11-29t12:00:00z"`, `"2026-11-29T12:00:00,5Z"`, `1e400`}
	all := map[string][]string{}
	for _, key := range []string{"generateTime", "eventDate", "createdAt", "processedAt", "expirationDate", "criacao", "solicitacao", "updatedAt", "timestamp", "sentAt"} {
		all[key] = times
	}
	return all
}
