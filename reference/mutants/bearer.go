package mutants

import (
	"strings"
)

var bearerMutants = []Mutant{
	{"shows a balance to anybody", "bearer.required", pretending(balances, anonymous)},
	{"takes a cash-out of anybody", "bearer.required", pretending(cashOut, anonymous)},
	{"registers a webhook of anybody", "bearer.required", pretending(registration, anonymous)},
	{"lists webhooks to anybody", "bearer.required", pretending(list, anonymous)},
	{"answers a call without a token with 403", "bearer.required", answering(underTokens, anonymous, status(403))},
	{"registers for the next who comes what it refused without a token", "bearer.required", changing(list, registeringForAnother)},

	{"takes a token without a scheme", "bearer.scheme", misreading(underTokens, under("Authorization", `^[\w-]+\.`), schemed)},
	{"takes a token in any scheme", "bearer.scheme", misreading(underTokens, under("Authorization", `^Basic `), schemed)},
	{"wants a token without the word Bearer", "bearer.scheme", refusing(underTokens, under("Authorization", `^Bearer `), 401, "HTTP_ERROR")},

	{"takes a garbage token", "bearer.genuine", pretending(underTokens, under("Authorization", `^Bearer .{0,20}$`))},
	{"does not verify the signature of a token", "bearer.genuine", trusting(underTokens, always, 1)},
	{"does not verify the claims of a token", "bearer.genuine", trusting(underTokens, always, 2)},
	{"does not verify the token of a cash-out", "bearer.genuine", trusting(cashOut, always, 1)},
	{"does not verify the token of a webhook list", "bearer.genuine", trusting(list, always, 1)},
	{"takes a token without signature", "bearer.genuine", trusting(underTokens, under("Authorization", `\.$`), 1)},
	{"answers a forged token with 403", "bearer.genuine", answering(underTokens, was(401), status(403))},

	{"shows a balance under an expired token", "bearer.expiry", renewing(balances, always)},
	{"takes a cash-out under an expired token", "bearer.expiry", renewing(cashOut, always)},
	{"registers a webhook under an expired token", "bearer.expiry", renewing(registration, always)},
	{"lists webhooks under an expired token", "bearer.expiry", renewing(list, always)},
	{"answers an expired token with 419", "bearer.expiry", answering(underTokens, was(401), status(419))},

	{"shows another account's balance", "bearer.own-account", confusing(balances)},
	{"takes the money from every account that comes", "bearer.own-account", changing(balances, debitingAnother)},

	{"answers a public 401 in the simple envelope", "bearer.envelope", answering(public, was(401), drop("code"), drop("userMessage"), drop("errorId"), drop("timestamp"), drop("path"), drop("method"))},
	{"answers 401 without a code", "bearer.envelope", answering(public, was(401), drop("code"))},
	{"answers 401 of the balance without its reason phrase", "bearer.envelope", answering(balances, was(401), drop("error"))},
	{"answers 401 of the balance in an envelope of its own", "bearer.envelope", answering(balances, was(401), body(`{"error":{"status":401,"reason":"Unauthorized"}}`))},
	{"answers 401 without a body", "bearer.envelope", answering(underTokens, was(401), body(""))},
}

// anonymous holds for a refused call without Authorization.
func anonymous(c *call, a *answer) bool {
	return was(401)(c, a) && under("Authorization", `^$`)(c, a)
}

// schemed puts Bearer before a token, whatever stood there.
func schemed(m *message) {
	given := m.header.Get("Authorization")
	bearer(given[1+strings.LastIndex(given, " "):])(m)
}

// registeringForAnother carries out the last registration that came without a token,
// under the token of whoever lists webhooks next.
func registeringForAnother(c *call, pass server) *answer {
	if then := c.lastBefore(registration, answered(anonymous)); then != nil {
		pass(c.again(then.call.edited(bearer(tokenUnder(c)))))
	}
	return pass(c)
}

// debitingAnother carries out the last cash-out of another account once more, under the
// token of whoever reads a balance next.
func debitingAnother(c *call, pass server) *answer {
	if then := c.lastBefore(cashOut, byAnother, taken); then != nil {
		pass(c.again(then.call.edited(bearer(tokenUnder(c)), fresh("externalId"))))
	}
	return pass(c)
}

func tokenUnder(c *call) string {
	t, _ := bearerOf(c)
	return t
}
