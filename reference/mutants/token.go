package mutants

import (
	"crypto/x509"
	"strings"
	"time"
)

var tokenMutants = []row{
	{"answers a token request with 200", "token.issued", answering(token, accepted, status(200))},
	{"gives a token that is no JWT", "token.issued", answering(token, accepted, set("access_token", `"0b8c5f2e9a7d4c1f"`))},
	{"calls the token type bearer, in small letters", "token.issued", answering(token, accepted, set("token_type", `"bearer"`))},
	{"says that a token lasts an hour", "token.issued", answering(token, accepted, set("expires_in", `3600`))},
	{"tells the lifetime of a token as text", "token.issued", answering(token, accepted, quoted("expires_in"))},
	{"refuses RSA certificates", "token.issued", refusing(token, presented(withKey(x509.RSA)), 400, "PUB_CERT_MALFORMED_PEM")},
	{"refuses ECDSA certificates", "token.issued", refusing(token, presented(withKey(x509.ECDSA)), 400, "PUB_CERT_MALFORMED_PEM")},

	{"lets a token be used once", "token.opens-endpoints", refusing(balances, after(1, balances, byTheSame, taken), 401, "")},
	{"gives a token that opens nothing", "token.opens-endpoints", answering(token, accepted, replaced("access_token", ".", ".x"))},
	{"opens only the balance with a token", "token.opens-endpoints", refusing(list, always, 401, "HTTP_ERROR")},
	{"opens everything but the balance with a token", "token.opens-endpoints", refusing(balances, always, 401, "")},

	{"never lets a token expire", "token.lifetime", renewing(everything, always)},
	{"never lets a token expire", "token.lifetime", sometimes(EverySecond, renewing(everything, always))},
	{"lets a token live on while it is used", "token.lifetime", renewing(everything, after(1, balances, taken, sameHeader("Authorization")))},
	{"lets a token last a minute longer", "token.lifetime", misreading(clock, sent("advance"), later(-time.Minute))},
	{"lets a token expire a minute early", "token.lifetime", misreading(clock, sent("advance"), later(time.Minute))},
	{"gives the first token again after its expiry", "token.lifetime", repeating(token, byTheSame, taken)},
	{"gives one token to a client and no second", "token.lifetime", refusing(token, after(1, token, byTheSame, taken), 401, "PUB_INVALID_CREDENTIALS")},

	{"takes a clientId that is left out", "token.body", pretending(token, unsent("clientId"))},
	{"takes a clientId that is a number", "token.body", pretending(token, kind("clientId", "number"))},
	{"takes a clientId that is a list", "token.body", pretending(token, kind("clientId", "list"))},
	{"looks for a clientId that is no UUID", "token.body", answering(token, all(kind("clientId", "text"), not(matching("clientId", anyUUID))), status(401), code("PUB_INVALID_CREDENTIALS"))},
	{"looks for a clientId that is a UUID of version 1", "token.body", answering(token, matching("clientId", `^.{14}1`), status(401), code("PUB_INVALID_CREDENTIALS"))},
	{"looks for a clientId that is a UUID of version 5", "token.body", answering(token, matching("clientId", `^.{14}5`), status(401), code("PUB_INVALID_CREDENTIALS"))},
	{"takes a clientSecret that is left out", "token.body", pretending(token, all(sent("clientId"), unsent("clientSecret")))},
	{"breaks down over a clientSecret that is an object", "token.body", answering(token, kind("clientSecret", "object"), status(500), code("HTTP_ERROR"))},
	{"answers an invalid token request with 422", "token.body", answering(token, refusedAs("PUB_REQUEST_BODY_INVALID"), status(422))},
	{"does not say what violates the schema", "token.body", answering(token, refusedAs("PUB_REQUEST_BODY_INVALID"), drop("details"))},
	{"lists no violation of the schema", "token.body", answering(token, refusedAs("PUB_REQUEST_BODY_INVALID"), set("details.violations", `[]`))},

	{"takes any clientSecret", "token.credentials", pretending(token, refusedAs("PUB_INVALID_CREDENTIALS"))},
	{"compares a clientSecret without regard to case", "token.credentials", misreading(token, always, retold("clientSecret", strings.ToUpper))},
	// The reference's secrets have 52 letters, which no fault at the API can know.
	{"compares the first half of a clientSecret", "token.credentials", pretending(token, matching("clientSecret", `^[A-Z2-7]{26}$`))},
	{"compares a clientSecret up to its own length", "token.credentials", accepting(token, refusedAs("PUB_INVALID_CREDENTIALS"), retold("clientSecret", func(s string) string { return s[:max(0, len(s)-1)] }))},
	{"answers wrong credentials with 403", "token.credentials", answering(token, refusedAs("PUB_INVALID_CREDENTIALS"), status(403))},
	{"blames the certificate for wrong credentials", "token.credentials", answering(token, refusedAs("PUB_INVALID_CREDENTIALS"), code("PUB_CERT_NOT_REGISTERED"))},
	{"has a code of its own for an unknown clientId", "token.credentials", answering(token, all(refusedAs("PUB_INVALID_CREDENTIALS"), unknownClient), code("PUB_CLIENT_NOT_FOUND"))},
	{"answers an unknown clientId with 404", "token.credentials", answering(token, all(refusedAs("PUB_INVALID_CREDENTIALS"), unknownClient), status(404))},
	{"hints at which of the credentials is wrong", "token.credentials", answering(token, all(refusedAs("PUB_INVALID_CREDENTIALS"), unknownClient), set("details.hint", `"check the clientId"`))},

	{"answers an upstream's nonsense with 500", "token.upstream-error", answering(token, was(502), status(500), code("HTTP_ERROR"))},
	{"takes an upstream's nonsense for an outage", "token.upstream-error", answering(token, was(502), status(503), code("PUB_AUTH_UPSTREAM_UNAVAILABLE"))},
	{"gives a token although the upstream answers nonsense", "token.upstream-error", pretending(token, was(502))},

	{"answers an outage of the upstream with 502", "token.upstream-unavailable", answering(token, was(503), status(502), code("PUB_AUTH_UPSTREAM_ERROR"))},
	{"gives a token during an outage of the upstream", "token.upstream-unavailable", pretending(token, was(503))},
	{"does not notice that the upstream is back", "token.upstream-unavailable", refusing(token, after(1, token, byTheSame, answered(was(503))), 503, "PUB_AUTH_UPSTREAM_UNAVAILABLE")},

	{"says PUB_INVALID_CERTIFICATE of an expired certificate", "token.codes", answering(token, refusedAs("PUB_CERT_EXPIRED"), code("PUB_INVALID_CERTIFICATE"))},
	{"says PUB_INVALID_CERTIFICATE of a revoked certificate", "token.codes", answering(token, refusedAs("PUB_CERT_NOT_REGISTERED"), code("PUB_INVALID_CERTIFICATE"))},
	{"says PUB_INVALID_CERTIFICATE of what is no PEM", "token.codes", answering(token, refusedAs("PUB_CERT_MALFORMED_PEM"), code("PUB_INVALID_CERTIFICATE"))},
	{"says PUB_CERT_MALFORMED_PEM of an expired certificate", "token.codes", answering(token, refusedAs("PUB_CERT_EXPIRED"), code("PUB_CERT_MALFORMED_PEM"))},
	{"says PUB_INVALID_CREDENTIALS of a revoked certificate", "token.codes", answering(token, refusedAs("PUB_CERT_NOT_REGISTERED"), code("PUB_INVALID_CREDENTIALS"))},
	{"says PUB_TOKEN_GENERATION_FAILED of an upstream's nonsense", "token.codes", answering(token, was(502), code("PUB_TOKEN_GENERATION_FAILED"))},
	{"says PUB_TOKEN_GENERATION_FAILED of an outage", "token.codes", answering(token, was(503), code("PUB_TOKEN_GENERATION_FAILED"))},

	{"refuses a token in the simple envelope", "token.error-envelope", answering(token, refused, drop("code"), drop("userMessage"), drop("errorId"), drop("path"), drop("method"), drop("timestamp"))},
	{"refuses a token without a message for the user", "token.error-envelope", answering(token, refused, drop("userMessage"))},
	{"tells another method than the token request's", "token.error-envelope", answering(token, refused, set("method", `"GET"`))},
	{"refuses a token at a time of São Paulo", "token.error-envelope", answering(token, refused, stamped(time.RFC3339, saoPaulo))},
	{"tells the status of a refused token request as text", "token.error-envelope", answering(token, refused, quoted("statusCode"))},
	{"hints in an object", "token.error-envelope", answering(token, refused, set("details.hint", `{"pt":"verifique o certificado"}`))},

	{"breaks down over a chain of certificates", "token.left-open", refusing(token, under(certificateHeader, `END.*BEGIN`), 500, "HTTP_ERROR")},
	{"takes a plus sign that was left literal for a missing header", "token.left-open", refusing(token, under(certificateHeader, `%0A.*\+`), 400, "PUB_CERT_HEADER_MISSING")},
	{"takes a certificate with CRLF for an unregistered one", "token.left-open", refusing(token, under(certificateHeader, `%0D%0A`), 401, "PUB_CERT_NOT_REGISTERED")},
	{"breaks down over a token request that is not JSON", "token.left-open", answering(token, all(refused, notJSON), status(500))},
	{"answers a token request of another content type with 406", "token.left-open", refusing(token, under("Content-Type", `^text/`), 406, "HTTP_ERROR")},
	{"blames the credentials for an expired certificate that was never registered", "token.left-open", answering(token, refusedAs("PUB_CERT_EXPIRED"), code("PUB_INVALID_CREDENTIALS"))},
	{"gives a token for another account's certificate and a wrong secret", "token.left-open", pretending(token, refusedAs("PUB_INVALID_CREDENTIALS"))},
	{"answers a request without certificate and clientId with 401", "token.left-open", answering(token, all(under(certificateHeader, `^$`), unsent("clientId")), status(401))},

	{"gives a token without a certificate", "token.certificate-required", pretending(token, refusedAs("PUB_CERT_HEADER_MISSING"))},
	{"answers a missing certificate with 401", "token.certificate-required", answering(token, refusedAs("PUB_CERT_HEADER_MISSING"), status(401))},
	{"calls a missing certificate malformed", "token.certificate-required", answering(token, refusedAs("PUB_CERT_HEADER_MISSING"), code("PUB_CERT_MALFORMED_PEM"))},

	{"decodes the certificate's header twice", "token.certificate-encoding", refusing(token, under(certificateHeader, `%2B`), 400, "PUB_CERT_MALFORMED_PEM")},
	{"takes spaces in a certificate for plus signs", "token.certificate-encoding", accepting(token, refusedAs("PUB_CERT_MALFORMED_PEM"), plusRestored)},
	{"calls a certificate with spaces for plus signs unregistered", "token.certificate-encoding", answering(token, refusedAs("PUB_CERT_MALFORMED_PEM"), status(401), code("PUB_CERT_NOT_REGISTERED"))},

	{"takes a truncated certificate", "token.certificate-pem", pretending(token, all(under(certificateHeader, `BEGIN`), not(under(certificateHeader, `END`))))},
	{"takes a certificate that is no PEM", "token.certificate-pem", pretending(token, all(under(certificateHeader, `.`), not(under(certificateHeader, `BEGIN`))))},
	{"takes PEM that holds no certificate", "token.certificate-pem", pretending(token, otherPEM)},
	{"takes a certificate without its armour", "token.certificate-pem", pretending(token, under(certificateHeader, `^MI`))},
	{"calls what it cannot parse unregistered", "token.certificate-pem", answering(token, refusedAs("PUB_CERT_MALFORMED_PEM"), status(401), code("PUB_CERT_NOT_REGISTERED"))},

	{"takes a certificate that is not yet valid", "token.certificate-not-yet-valid", pretending(token, refusedAs("PUB_CERT_NOT_YET_VALID"))},
	{"calls a certificate that is not yet valid expired", "token.certificate-not-yet-valid", answering(token, refusedAs("PUB_CERT_NOT_YET_VALID"), code("PUB_CERT_EXPIRED"))},
	{"answers a certificate that is not yet valid with 400", "token.certificate-not-yet-valid", answering(token, refusedAs("PUB_CERT_NOT_YET_VALID"), status(400))},
	{"waits two days before it takes a certificate", "token.certificate-not-yet-valid", refusing(token, presented(youngerThan(48*time.Hour)), 401, "PUB_CERT_NOT_YET_VALID")},

	{"takes an expired certificate", "token.certificate-expired", pretending(token, refusedAs("PUB_CERT_EXPIRED"))},
	{"calls an expired certificate unregistered", "token.certificate-expired", answering(token, refusedAs("PUB_CERT_EXPIRED"), code("PUB_CERT_NOT_REGISTERED"))},
	{"answers an expired certificate with 403", "token.certificate-expired", answering(token, refusedAs("PUB_CERT_EXPIRED"), status(403))},
	{"calls a certificate expired that lasts another year", "token.certificate-expired", refusing(token, presented(endingWithin(367*24*time.Hour)), 401, "PUB_CERT_EXPIRED")},

	{"takes a certificate that was never registered", "token.certificate-registered", pretending(token, refusedAs("PUB_CERT_NOT_REGISTERED"))},
	{"answers an unregistered certificate with 403", "token.certificate-registered", answering(token, refusedAs("PUB_CERT_NOT_REGISTERED"), status(403), code("PUB_CERT_NOT_AUTHORIZED_FOR_ACCOUNT"))},
	{"knows only the first certificate of an account", "token.certificate-registered", ignoring(certificates, always)},

	{"goes on taking a revoked certificate", "token.certificate-revoked", ignoring(revocation, always)},
	{"says PUB_CERT_REVOKED", "token.certificate-revoked", answering(token, refusedAs("PUB_CERT_NOT_REGISTERED"), code("PUB_CERT_REVOKED"))},
	{"answers a revoked certificate with 403", "token.certificate-revoked", answering(token, refusedAs("PUB_CERT_NOT_REGISTERED"), status(403))},
	{"revokes every certificate of the account", "token.certificate-revoked", changing(revocation, revokingAll)},

	{"takes another account's certificate", "token.certificate-account", pretending(token, refusedAs("PUB_CERT_NOT_AUTHORIZED_FOR_ACCOUNT"))},
	{"answers another account's certificate with 401", "token.certificate-account", answering(token, refusedAs("PUB_CERT_NOT_AUTHORIZED_FOR_ACCOUNT"), status(401))},
	{"calls another account's certificate unregistered", "token.certificate-account", answering(token, refusedAs("PUB_CERT_NOT_AUTHORIZED_FOR_ACCOUNT"), status(401), code("PUB_CERT_NOT_REGISTERED"))},
}

// unknownClient holds where a certificate comes with another clientId than before.
var unknownClient = after(1, token, sameHeader(certificateHeader), other("clientId"))

const certificateHeader = "X-SSL-Client-Cert"

func withKey(algorithm x509.PublicKeyAlgorithm) func(*x509.Certificate) bool {
	return func(c *x509.Certificate) bool { return c.PublicKeyAlgorithm == algorithm }
}
