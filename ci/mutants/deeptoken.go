package mutants

import (
	"net/http"
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

var deepTokenMutants = []deepRow{
	{"serves a token beyond its end once it has been used", ShortWay, "TOK-024", "bearer.expiry",
		renewing(underTokens, used),
		`token as t; balance; clock +31m; balance =401`},
	{"starts the life of a token again when the balance is read", ShortWay, "TOK-024", "bearer.expiry",
		renewing(underTokens, balanceRead),
		`token as t; clock +16m; balance; clock +15m; balance =401`},
	{"serves an expired token once the client has a newer one", ShortWay, "TOK-024", "bearer.expiry",
		renewing(underTokens, renewed),
		`token as old; clock +31m; token; use $old; balance =401`},
	{"shows a second account's balance to the first once both have asked", OtherPeople, "AUTH-011", "bearer.own-account",
		confusing(balances, all(after(1, balances, byTheSame), after(1, balances, byAnother))),
		`balance; B.fund 500.00; B.balance; balance`},
	{"takes an upper-case clientId of another UUID version for unknown credentials", BenignData, "TOK-013", "token.body",
		answering(token, all(refusedAs(api.TokenBodyInvalid), matching("clientId", `^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$`)), status(401), code(api.InvalidCredentials), drop("details"), set("message", `"clientId or clientSecret is wrong"`)),
		`token client=6BA7B810-9DAD-11D1-80B4-00C04FD430C8 =400`},
	{"issues a token for an expired certificate to a client that logged in before", History, "TOK-043", "token.certificate-expired",
		changing(token, withEarlierCertificate),
		`register expired; token; token cert=expired =401`},
	{"issues a token for a revoked certificate that was used before", History, "TOK-032", "token.certificate-revoked",
		recalling(token, refusedAs(api.CertNotRegistered), byTheSame, taken, sameHeader(certificateHeader)),
		`register 2; token cert=2; revoke 2; token cert=2 =401`},
	{"knows only the first account of a certificate that two accounts registered", OtherPeople, "TOK-031", "token.certificate-account",
		triggering(`BEFORE INSERT ON certificates`, `EXISTS (SELECT 1 FROM certificates c WHERE c.fingerprint = NEW.fingerprint AND c.account_id <> NEW.account_id AND c.revoked = 0)`,
			`SELECT RAISE(IGNORE)`),
		`B.token; register B; token cert=B`},
	{"revokes a shared certificate for all accounts", OtherPeople, "TOK-029", "token.certificate-registered",
		triggering(`AFTER UPDATE OF revoked ON certificates`, `NEW.revoked = 1`, `UPDATE certificates SET revoked = 1 WHERE fingerprint = NEW.fingerprint`),
		`B.token; register B; revoke B; B.token`},
	{"forgets an account's first certificate when it registers another", FirstElement, "TOK-029", "token.certificate-registered",
		triggering(`AFTER INSERT ON certificates`, `1`, `UPDATE certificates SET revoked = 1 WHERE account_id = NEW.account_id AND fingerprint <> NEW.fingerprint`),
		`register 2; token cert=1`},
	{"reports the fourth wrong secret of a known client in another way", History, "TOK-034", "token.credentials",
		answering(token, all(refusedAs(api.InvalidCredentials), after(1, token, byTheSame, taken), after(3, token, byTheSame, answered(refusedAs(api.InvalidCredentials)))), status(403), code(api.CertNotAuthorized)),
		`3x token secret=wrong =401; token secret=wrong =401`},
	{"ends all tokens at midnight", Calendar, "TOK-023", "token.lifetime",
		refusing(underTokens, func(c *call, _ *answer) bool { at := c.now(); return !at.IsZero() && day(at) != day(c.issuedAt()) }, 401, api.HTTPError),
		`clock 2026-03-04T02:50:00Z; token; clock +15m; balance`},
	{"counts a token's life from the start of the minute", Calendar, "TOK-023", "token.lifetime",
		refusing(underTokens, func(c *call, _ *answer) bool {
			return c.now().Sub(c.issuedAt().Truncate(time.Minute)) >= 30*time.Minute
		}, 401, api.HTTPError),
		`clock 2026-03-04T15:00:50Z; token; clock +1770s; balance`},
	{"updates a registered webhook of an account that no longer exists", ShortWay, "WHK-041", "webhook.account-not-found",
		pretending(registration, all(was(404), after(1, registration, byTheSame, taken, same("url"), same("eventType")))),
		`hook cash_out a; remove; hook cash_out a =404`},
	{"lists the webhooks of a removed account that listed them before", History, "WHK-059", "webhook.account-not-found",
		recalling(list, was(404), byTheSame, taken),
		`hooks; remove; hooks =404`},
	{"reports only the first of two invalid fields of a token request", FirstElement, "ERR-009", "envelope-a.validation",
		answering(token, refusedAs(api.TokenBodyInvalid), keeping("message", 1), keeping("details.violations", 1)),
		`token client=7 secret=7 =400`},
	{"repeats a transfer under an expired token", History, "AUTH-017", "bearer.expiry",
		recalling(transfer, was(401), byTheSame, taken, sameHeader(idempotency)),
		`transfer 10.00 key=k; clock +31m; transfer 10.00 key=k =401`},
	{"updates a webhook under an expired token although it answers 401", ShortWay, "AUTH-044", "bearer.expiry",
		changing(registration, updatingUnauthorized),
		`hook cash_out a headers=X-A:1; clock +31m; hook cash_out a headers=X-A:2 =401; token; hooks`},
}

// used holds for a call under a token that has served one before.
func used(c *call, _ *answer) bool {
	return len(c.earlier(taken, sameHeader("Authorization"))) > 0
}

// balanceRead holds for a call under a token that has read the balance before.
func balanceRead(c *call, _ *answer) bool {
	return len(c.before(balances, byTheSame, taken, sameHeader("Authorization"))) > 0
}

// renewed holds for a call under a token whose client has a later one.
func renewed(c *call, _ *answer) bool {
	t, _ := bearerOf(c)
	latest := c.lastBefore(token, byTheSame, taken)
	return latest != nil && tokenOf(latest) != t
}

// withEarlierCertificate issues a token for an expired certificate to a client that got
// one before with another.
func withEarlierCertificate(c *call, pass server) *answer {
	a := pass(c)
	then := c.lastBefore(token, byTheSame, taken, otherHeader(certificateHeader))
	if then == nil || !refusedAs(api.CertExpired)(c, a) {
		return a
	}
	return pass(c.edited(func(m *message) { m.header.Set(certificateHeader, then.call.header.Get(certificateHeader)) }))
}

// updatingUnauthorized updates a registration under an expired token, and refuses to.
func updatingUnauthorized(c *call, pass server) *answer {
	a := pass(c)
	expired, _ := bearerOf(c)
	issue := c.lastBefore(token, taken, gave(expired))
	if a.status == http.StatusUnauthorized && issue != nil && len(c.before(registration, byTheSame, taken, same("url"))) > 0 {
		renewed := pass(c.again(issue.call))
		pass(c.edited(bearer(textAt(renewed.body, "access_token"))))
	}
	return a
}
