package mutants

import (
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

var partialAccessMutants = []partialRow{
	{"lists transactions without a token if externalId is in the query", Access, "AUTH-039",
		vouching(transactions, asked("externalId", `.`)),
		`list under=- externalId=abc-1 =401`},
	{"serves page 2 and later of the list by key with an expired token", Access, "AUTH-038",
		renewing(ofKey, laterPage),
		`3x out 1.00 details.keyType=PHONE details.key="11999998888"; clock +31m; bykey 11999998888 size=1 page=2 =401`},
	{"answers 401 to a cash-out with an expired token but books the payment all the same", Access, "AUTH-010",
		renewingSecretly(cashOut, expired),
		`clock +31m; out 10.00 externalId=x =401; token; list externalId=x`},
	{"replays a stored transfer without looking at the token when the x-idempotency-key is already known", Access, "AUTH-015",
		recalling(transfer, anonymous, taken, sameHeader(idempotency)),
		`transfer 10.00 key=k; transfer 10.00 key=k under=- =401`},
	{"stores the charge before it checks the token, so that the txid is taken after a 401", Access, "AUTH-010",
		refusingAnswered(cob, all(accepted, after(1, cob, samePath, answered(anonymous))), 409, ""),
		`cob 10.00 txid=t1 under=- =401; cob 10.00 txid=t1`},
	{"grants five minutes of leeway on token expiry on the refund route only", Access, "AUTH-032",
		renewingAt(devolution, always, func(now, expiry time.Time) bool { return now.Sub(expiry) < 5*time.Minute }),
		`cob 10.00 as c; pay $c.code as p; clock +1850s; refund $p.e2e 1.00 =401`},
	{"checks the expiry but not the signature of the token on the MED list", Access, "AUTH-034",
		trusting(meds, always, 1),
		`token as t; meds under='Bearer $t.access_token' spoil=signature =401`},
	{"takes the token from the query parameter access_token when the header is absent", Access, "AUTH-045",
		misreadingBy(list, tokenOfTheQuery),
		`token as t; hooks under=- access_token=$t.access_token =401`},
	{"accepts an expired token when the URL is already registered for the event", Access, "AUTH-044",
		renewing(registration, registered),
		`hook cash_out a; clock +31m; hook cash_out a headers=X-A:2 =401`},
	{"skips the token check when the body of a resend names a url", Access, "AUTH-048",
		vouching(resend, sent("url")),
		`out 10.00 externalId=x; resend x to=t under=- =401`},
	{"takes the raw token without the Bearer scheme on the balance", Access, "AUTH-003",
		misreading(balances, under("Authorization", `^[\w-]+\.`), schemed),
		`token as t; balance under=$t.access_token =401`},
	{"takes any scheme word before a live token on the QR Code cash-out", Access, "AUTH-003",
		misreading(qrCashOut, all(under("Authorization", `^\S+ \S+$`), not(under("Authorization", `^Bearer `))), schemed),
		`token as t; qr 1.00 under='Basic $t.access_token' =401`},
	{"accepts an unsigned token if the algorithm is written NONE in capitals", Access, "AUTH-006",
		trusting(cashIn, algorithm("NONE"), 1),
		`token as t; in 1.00 under='Bearer $t.access_token' spoil=NONE =401`},
	{"accepts a changed payload after the true token was checked, because checked signatures are remembered by signature alone", Access, "AUTH-005",
		trusting(transactions, signatureChecked, 2),
		`token as t; list; list under='Bearer $t.access_token' spoil=payload =401`},
	{"lets an expired token send a transfer with priority HIGH", Access, "AUTH-017",
		renewing(transfer, urgent),
		`clock +31m; transfer 10.00 priority=HIGH creditorDocument="52998224725" =401`},
	{"accepts a live token with a fourth part hung on behind a dot", Access, "AUTH-019",
		misreading(cashOut, under("Authorization", `^Bearer [\w-]+\.[\w-]+\.[\w-]+\.[\w-]*$`), withoutFourthPart),
		`token as t; out 1.00 under='Bearer $t.access_token' spoil=fourth =401`},
	{"answers code TOKEN_EXPIRED instead of HTTP_ERROR when the token is expired rather than absent", Access, "IN-061",
		answering(cashIn, expired, code("TOKEN_EXPIRED")),
		`clock +31m; in 1.00 =401`},
	{"uses the rich envelope on the MED list when the token is expired", Access, "AUTH-009",
		answering(meds, expired, drop("error"), set("code", quote(api.HTTPError)), set("message", `["token expired"]`), set("userMessage", `"Sessão expirada."`)),
		`clock +31m; meds =401`},
	{"writes Token Expired instead of Unauthorized in error when the token of a refund request is expired", Access, "ERR-025",
		answering(devolution, expired, set("error", `"Token Expired"`)),
		`cob 10.00 as c; pay $c.code as p; clock +31m; refund $p.e2e 1.00 =401`},
	{"answers an empty Bearer value with a bare text page", Access, "GEN-004",
		answering(ofKey, all(was(401), under("Authorization", `^Bearer\s*$`)), body("Unauthorized"), header("Content-Type", "text/plain")),
		`bykey 52998224725 under='Bearer ' =401`},
	{"answers 403 instead of 401 when the token expired more than a day ago", Access, "AUTH-014",
		expiredAt(balances, func(now, expiry time.Time) bool { return now.Sub(expiry) > 24*time.Hour }, func(_ *call, a *answer, _ server) *answer { return a.edited(status(403)) }),
		`clock +48h; balance =401`},
	{"judges token expiry once per connection, so that a kept-alive connection goes on after expiry", Access, "AUTH-029",
		renewing(cob, after(1, cob, taken, sameHeader("Authorization"), sameConnection)), ""},
	{"stores the registration of a request without token and answers 401", Access, "AUTH-010",
		changing(list, doingForAnother(registration)),
		`hook cash_in x under=- =401; hooks`},
	{"compares certificate and clientId only for the first certificate of an account", Access, "TOK-051",
		judgingFirstCertificates(),
		`B.token; register A2; B.token cert=A2 =403`},
	{"honors a revoked certificate for the rest of the hour if a token was issued with it before", Access, "TOK-032",
		recalling(token, refusedAs(api.CertNotRegistered), byTheSame, taken, sameHeader(certificateHeader)),
		`register 2; token cert=2; revoke 2; token cert=2 =401`},
	{"goes on accepting a certificate that ran out after its first use", Access, "TOK-043",
		recalling(token, refusedAs(api.CertExpired), byTheSame, taken, sameHeader(certificateHeader)), ""},
	{"answers 401 to a resend with an expired token but sends the notification", Access, "AUTH-050",
		renewingSecretly(resend, expired),
		`hook cash_out a; out 10.00 externalId=x; clock +31m; resend x =401`},
	{"counts the value of a refund that was turned away with 401 against the rest", Access, "AUTH-010",
		refusing(devolution, beyondWithUnauthorized, 400, ""),
		`cob 10.00 as c; pay $c.code as p; refund $p.e2e 10.00 id=r1 under=- =401; refund $p.e2e 10.00 id=r2`},
	{"refuses a token request that still carries the expired token in an Authorization header", Access, "TOK-025",
		refusing(token, carryingExpired, 401, api.InvalidCredentials),
		`token as t; clock +31m; token under='Bearer $t.access_token'`},
	{"lets a query parameter accountId replace the account of the token", Access, "AUTH-011",
		changing(transactions, asTheAccountAsked),
		`out 1.00; hooks as h; B.list accountId=$h.accountId`},
	{"does not ask for a token when the X-Sandbox-Scenario header is present", Access, "AUTH-024",
		vouching(cashIn, under(scenarioHeader, `.`)),
		`in 10.00 under=- scenario=success =401`},
	{"serves the registrations from a cache for a token that has expired since the last call", Access, "AUTH-047",
		recalling(list, expired, taken, sameHeader("Authorization")),
		`hooks; clock +31m; hooks =401`},
	{"accepts a token whose payload was swapped with that of another account as long as the signature belongs to either", Access, "AUTH-022",
		trusting(qrCashOut, signatureIssued, 1),
		`token as t; B.token as u; qr 1.00 under='Bearer $t.access_token' swap=$u.access_token =401`},
	{"answers the balance with 401 in the rich envelope when the header holds two tokens", Access, "AUTH-007",
		answering(balances, all(was(401), under("Authorization", `^Bearer \S+,\s*Bearer `)), drop("error"), listed("message")),
		`token as t; balance under='Bearer $t.access_token, Bearer $t.access_token' =401`},
}

// expired holds for a call that was refused under a token that was issued once.
func expired(c *call, a *answer) bool { return was(http.StatusUnauthorized)(c, a) && issueOf(c) != nil }

// vouching serves calls without a token under one of the client that has last asked for one.
func vouching(p place, when condition) fault {
	return afterAnswer(p, all(anonymous, when), func(c *call, a *answer, pass server) *answer {
		if issue := c.lastBefore(token, taken); issue != nil {
			if t := tokenAgain(c, issue, pass); t != "" {
				return pass(c.edited(bearer(t)))
			}
		}
		return a
	})
}

// tokenAgain makes an earlier token request once more.
func tokenAgain(c *call, issue *entry, pass server) string {
	return textAt(pass(c.again(issue.call)).body, "access_token")
}

// renewingSecretly does under a new token what it refuses under an expired one.
func renewingSecretly(p place, when condition) fault {
	return afterAnswer(p, when, func(c *call, a *answer, pass server) *answer {
		if t := tokenAgain(c, issueOf(c), pass); t != "" {
			pass(c.edited(bearer(t)))
		}
		return a
	})
}

// expiredAt has other answers to calls under a token that has expired, by the account's time and that of the expiry.
func expiredAt(p place, when func(now, expiry time.Time) bool, otherwise func(c *call, a *answer, pass server) *answer) fault {
	return afterAnswer(p, expired, func(c *call, a *answer, pass server) *answer {
		t := tokenAgain(c, issueOf(c), pass)
		if t == "" {
			return a
		}
		renewed := c.edited(bearer(t))
		if !when(renewed.now(), c.issuedAt().Add(api.TokenLifetime)) {
			return a
		}
		return otherwise(renewed, a, pass)
	})
}

// renewingAt serves calls under a token that has expired, by the account's time and that of the expiry.
func renewingAt(p place, when condition, at func(now, expiry time.Time) bool) fault {
	return expiredAt(p, at, func(c *call, a *answer, pass server) *answer {
		if !when(c, a) {
			return a
		}
		return pass(c)
	})
}

// tokenOfTheQuery puts the token of the query into the header where that has none.
func tokenOfTheQuery(c *call) []edit {
	if c.header.Get("Authorization") != "" || c.asked("access_token") == "" {
		return nil
	}
	return []edit{bearer(c.asked("access_token")), unasked("access_token")}
}

// algorithm holds for a token that says it is signed so.
func algorithm(name string) condition {
	return func(c *call, _ *answer) bool {
		first, _, _ := strings.Cut(tokenUnder(c), ".")
		raw, _ := base64.RawURLEncoding.DecodeString(first)
		var header struct{ Alg string }
		return json.Unmarshal(raw, &header) == nil && header.Alg == name
	}
}

// signature is that of a token.
func signature(t string) string { return t[strings.LastIndex(t, ".")+1:] }

// signatureChecked holds for a token whose signature another one had that was accepted before.
func signatureChecked(c *call, _ *answer) bool {
	return len(c.earlier(taken, func(now *call, then *entry) bool {
		t, ok := bearerOf(then.call)
		return ok && signature(t) == signature(tokenUnder(now))
	})) > 0
}

// signatureIssued holds for a token whose signature is that of one that was issued.
func signatureIssued(c *call, _ *answer) bool {
	return len(c.before(token, taken, func(now *call, then *entry) bool { return signature(tokenOf(then)) == signature(tokenUnder(now)) })) > 0
}

func withoutFourthPart(m *message) {
	given := m.header.Get("Authorization")
	m.header.Set("Authorization", given[:strings.LastIndex(given, ".")])
}

// sameConnection: the call came on the same connection.
func sameConnection(now *call, then *entry) bool {
	return now.original.RemoteAddr == then.call.original.RemoteAddr
}

// judgingFirstCertificates takes a certificate that was added to any account for one of the client's.
func judgingFirstCertificates() fault {
	var added sync.Map // certificates, by their PEM
	return both(
		noting(certificates, accepted, func(c *call, _ *answer) { added.Store(strings.TrimSpace(textAt(c.body, "certificate")), true) }),
		afterAnswer(token, refusedAs(api.CertNotAuthorized), func(c *call, a *answer, pass server) *answer {
			then := c.lastBefore(token, byTheSame, taken)
			if _, known := added.Load(pemOf(c)); !known || then == nil {
				return a
			}
			return pass(c.edited(func(m *message) { m.header.Set(certificateHeader, then.call.header.Get(certificateHeader)) }))
		}))
}

// beyondWithUnauthorized holds for a refund that is too much with those that were refused for want of a token.
func beyondWithUnauthorized(c *call, _ *answer) bool {
	item, ok := c.received()
	turnedAway := c.before(devolution, sameParameter("e2eid"), otherParameter("id"), answered(was(http.StatusUnauthorized)))
	return ok && len(turnedAway) > 0 && sentAmount(c, "valor")+refundedBy(turnedAway)+refundedBy(refundsOf(c)) > in(item, "originalAmount")
}

// carryingExpired holds for a token request under a token that has expired.
func carryingExpired(c *call, _ *answer) bool {
	return issueOf(c) != nil && c.look(balances.path).status == http.StatusUnauthorized
}

// asTheAccountAsked lists what the account has that the query names.
func asTheAccountAsked(c *call, pass server) *answer {
	if number := c.asked("accountId"); number != "" {
		for _, other := range c.others(token) {
			if theirs := c.edited(other); theirs.account() == number {
				return pass(theirs)
			}
		}
	}
	return pass(c)
}

// pemOf is the certificate of a token request as its account was given it.
func pemOf(c *call) string {
	block := presentedPEM(c)
	if block == nil {
		return ""
	}
	return strings.TrimSpace(string(pem.EncodeToMemory(block)))
}
