package mutants

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// What a gateway has on record of the client that calls, read under its own token.

// read is what a list of the API shows.
func (c *call) read(path, query string) *answer {
	return c.server(c.edited(method(http.MethodGet), onto(path), body(""), func(m *message) { m.query = query }))
}

// recorded are the transactions that a query of the account's list finds; its values are
// names and values in turn.
func (c *call) recorded(filter ...string) []map[string]any {
	query := url.Values{"size": {"100"}}
	for i := 0; i+1 < len(filter); i += 2 {
		query.Set(filter[i], filter[i+1])
	}
	var found []map[string]any
	for _, v := range lookups(c.read(transactions.path, query.Encode()).body, "data[]") {
		if item, ok := v.(map[string]any); ok {
			found = append(found, item)
		}
	}
	return found
}

// recordedAs holds for a call that names, in a field, an externalId whose transaction the
// list shows with that label.
func recordedAs(path, label string) condition {
	return func(c *call, _ *answer) bool {
		return first(c.recorded("externalId", textAt(c.body, path)), "status", label)
	}
}

// first reports whether the first of some transactions has a value in a field.
func first(found []map[string]any, field string, value any) bool {
	return len(found) > 0 && found[0][field] == value
}

// operation holds for a call whose path names, in a parameter, the end-to-end id of a
// transaction that the list shows as such: "Pix in".
func operation(parameter, label string) condition {
	return func(c *call, _ *answer) bool {
		return first(c.recorded("endToEndId", c.parameter(parameter)), "operationType", label)
	}
}

// now is the time of the account that calls; zero where that is unknown.
func (c *call) now() time.Time {
	answer := c.read(balances.path, "")
	at, _ := time.Parse(time.RFC3339, textAt(answer.body, "data[0].eventDate"))
	return at
}

// issuedAt is when the token was issued under which a call goes.
func (c *call) issuedAt() time.Time {
	t, _ := bearerOf(c)
	parts := strings.Split(t, ".")
	if len(parts) != 3 {
		return time.Time{}
	}
	var claims struct{ IAT int64 }
	payload, _ := base64.RawURLEncoding.DecodeString(parts[1])
	_ = json.Unmarshal(payload, &claims) // zero where it is no token
	return time.Unix(claims.IAT, 0)
}

func day(t time.Time) string { return t.In(saoPaulo).Format(time.DateOnly) }

// amountAt is the amount at a path, in centavos, rounded down.
func amountAt(m message, path string) int64 {
	v, _ := lookup(m.body, path)
	written, ok := spelt(v)
	if !ok {
		return 0
	}
	r := centavos(written)
	return r.Num().Int64() / r.Denom().Int64()
}

// pendingTransfers are the amounts of the account's pending transfers, in centavos, the
// latest first. Those are listed under their idempotency key.
func (c *call) pendingTransfers() []int64 {
	var amounts []int64
	for _, t := range c.recorded("status", "PENDING", "type", "WITHDRAW") {
		for _, then := range c.before(transfer, byTheSame, taken) {
			if then.call.header.Get(idempotency) == t["externalId"] {
				amounts = append(amounts, amountAt(message{body: encode(t)}, "originalAmount"))
				break
			}
		}
	}
	return amounts
}

// amount writes centavos.
func amount(centavos int64) string { return strconv.FormatFloat(float64(centavos)/100, 'f', 2, 64) }
