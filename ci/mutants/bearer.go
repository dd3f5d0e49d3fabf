package mutants

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
)

var bearerMutants = slices.Concat([]row{
	{"returns 403 for a call without a token", "bearer.required", answering(underTokens, anonymous, status(403))},
	{"accepts requests without a token", "bearer.required", sometimes(EverySeventh, pretending(underTokens, anonymous))},
	{"accepts requests without a token", "bearer.required", sometimes(OneInTen, pretending(underTokens, anonymous))},
	{"rejects a registration without a token but keeps it for the next account", "bearer.required", changing(list, doingForAnother(registration))},
	{"rejects a cash-out without a token but debits the next account", "bearer.required", changing(transactions, doingForAnother(cashOut))},
	{"rejects a QR cash-out without a token but debits the next account", "bearer.required", changing(transactions, doingForAnother(qrCashOut))},
	{"rejects a cash-in without a token but creates it for the next account", "bearer.required", changing(transactions, doingForAnother(cashIn))},

	{"lists transactions without a token if endToEndId is in the query", "bearer.every-request", vouching(transactions, asked("endToEndId", `.`))},
	{"lists transactions by key with an expired token if a type is in the query", "bearer.every-request", renewing(ofKey, asked("type", `.`))},

	{"requires the token without the Bearer scheme", "bearer.scheme", refusing(underTokens, under("Authorization", `^Bearer `), 401, api.HTTPError)},

	{"accepts a token without a signature", "bearer.genuine", trusting(underTokens, under("Authorization", `\.$`), 1)},
	{"does not verify the signature of a token", "bearer.genuine", sometimes(EverySeventh, trusting(underTokens, always, 1))},
	{"returns 403 for a forged token", "bearer.genuine", answering(underTokens, was(401), status(403))},
	{"returns 403 for a forged token", "bearer.genuine", sometimes(EverySeventh, answering(underTokens, was(401), status(403)))},
	{"returns 403 for a forged token", "bearer.genuine", sometimes(OneInTen, answering(underTokens, was(401), status(403)))},

	{"accepts an expired token", "bearer.expiry", sometimes(EverySeventh, renewing(underTokens, always))},
	{"returns 419 for an expired token", "bearer.expiry", answering(underTokens, was(401), status(419))},
	{"returns 419 for an expired token", "bearer.expiry", sometimes(EverySeventh, answering(underTokens, was(401), status(419)))},

	{"returns another account's balance", "bearer.own-account", confusing(balances, always)},
	{"returns another account's balance", "bearer.own-account", sometimes(EveryThird, confusing(balances, always))},
	{"debits another account", "bearer.own-account", changing(balances, debitingAnother)},
	{"debits another account", "bearer.own-account", sometimes(EverySecond, changing(balances, debitingAnother))},
	{"lists another account's charges", "bearer.own-account", lending(transactions, told("data", `^\[\]$`))},

	{"returns 401 without a code", "bearer.envelope", answering(public, was(401), drop("code"))},
	{"returns 401 without a code", "bearer.envelope", sometimes(EverySeventh, answering(public, was(401), drop("code")))},
	{"returns 401 for the balance in its own envelope", "bearer.envelope", answering(balances, was(401), body(`{"error":{"status":401,"reason":"Unauthorized"}}`))},
	{"returns 401 without a body", "bearer.envelope", answering(underTokens, was(401), body(""))},
}, unguarded(underTokens))

// unguarded are the faults of endpoints that each look at a token by themselves.
func unguarded(endpoints group) []row {
	var mutants []row
	for _, e := range endpoints {
		name := e.method + " " + e.path
		other := answering(e, was(401), simplified)
		if simple.has(e) {
			other = answering(e, was(401), drop("error"))
		}
		mutants = append(mutants,
			row{fmt.Sprintf("accepts %s without a token", name), "bearer.required", pretending(e, anonymous)},
			row{fmt.Sprintf("accepts a token without a scheme for %s", name), "bearer.scheme", misreading(e, under("Authorization", `^[\w-]+\.`), schemed)},
			row{fmt.Sprintf("accepts a token in any scheme for %s", name), "bearer.scheme", misreading(e, under("Authorization", `^Basic `), schemed)},
			row{fmt.Sprintf("accepts a garbage token for %s", name), "bearer.genuine", pretending(e, all(under("Authorization", `^Bearer .`), not(under("Authorization", `^Bearer eyJ[\w-]*\.eyJ`))))},
			row{fmt.Sprintf("does not verify the signature for %s", name), "bearer.genuine", trusting(e, always, 1)},
			row{fmt.Sprintf("does not verify the claims for %s", name), "bearer.genuine", trusting(e, always, 2)},
			row{fmt.Sprintf("accepts an expired token for %s", name), "bearer.expiry", renewing(e, always)},
			row{fmt.Sprintf("returns 401 in the wrong envelope for %s", name), "bearer.envelope", other},
		)
	}
	return mutants
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

// doingForAnother carries out the last call to an endpoint that came without a token,
// under the token of whoever comes next.
func doingForAnother(e *endpoint) change {
	return func(c *call, pass server) *answer {
		if then := c.lastBefore(e, answered(anonymous)); then != nil {
			pass(c.again(then.call.edited(bearer(tokenUnder(c)))))
		}
		return pass(c)
	}
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
