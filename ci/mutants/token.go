package mutants

import (
	"crypto/x509"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

var tokenMutants = []row{
	{"returns 200 for a token request", "token.issued", answering(token, accepted, status(200))},
	{"returns a token that is not a JWT", "token.issued", answering(token, accepted, set("access_token", `"0b8c5f2e9a7d4c1f"`))},
	{"returns the token type in lower case", "token.issued", answering(token, accepted, set("token_type", `"bearer"`))},
	{"returns expires_in 3600", "token.issued", answering(token, accepted, set("expires_in", `3600`))},
	{"returns expires_in as a string", "token.issued", answering(token, accepted, quoted("expires_in"))},
	{"rejects RSA certificates", "token.issued", refusing(token, presented(withKey(x509.RSA)), 400, api.CertMalformedPEM)},
	{"rejects ECDSA certificates", "token.issued", refusing(token, presented(withKey(x509.ECDSA)), 400, api.CertMalformedPEM)},

	{"accepts a token only once", "token.opens-endpoints", refusing(balances, after(1, balances, byTheSame, taken), 401, "")},
	{"issues a token that no endpoint accepts", "token.opens-endpoints", answering(token, accepted, replaced("access_token", ".", ".x"))},
	{"accepts a token only for the balance", "token.opens-endpoints", refusing(list, always, 401, api.HTTPError)},
	{"accepts a token for everything but the balance", "token.opens-endpoints", refusing(balances, always, 401, "")},

	{"never expires a token", "token.lifetime", renewing(everything, always)},
	{"never expires a token", "token.lifetime", sometimes(EverySecond, renewing(everything, always))},
	{"extends the lifetime of a token on every use", "token.lifetime", renewing(everything, after(1, balances, taken, sameHeader("Authorization")))},
	{"expires a token a minute late", "token.lifetime", misreading(clock, passing(30*time.Minute, 31*time.Minute), later(-time.Minute))},
	{"expires a token a minute early", "token.lifetime", misreading(clock, passing(29*time.Minute, 30*time.Minute), later(time.Minute))},
	{"returns the first token again after its expiry", "token.lifetime", repeating(token, byTheSame, taken)},
	{"issues only one token per client", "token.lifetime", refusing(token, after(1, token, byTheSame, taken), 401, api.InvalidCredentials)},

	{"accepts a token request without a clientId", "token.body", pretending(token, unsent("clientId"))},
	{"accepts a clientId that is a number", "token.body", pretending(token, kind("clientId", "number"))},
	{"accepts a clientId that is a list", "token.body", pretending(token, kind("clientId", "list"))},
	{"looks up a clientId that is not a UUID", "token.body", answering(token, all(kind("clientId", "text"), not(matching("clientId", anyUUID))), status(401), code(api.InvalidCredentials))},
	{"looks up a clientId of UUID version 1", "token.body", answering(token, matching("clientId", `^.{14}1`), status(401), code(api.InvalidCredentials))},
	{"looks up a clientId of UUID version 5", "token.body", answering(token, matching("clientId", `^.{14}5`), status(401), code(api.InvalidCredentials))},
	{"accepts a token request without a clientSecret", "token.body", pretending(token, all(sent("clientId"), unsent("clientSecret")))},
	{"returns 500 for a clientSecret that is an object", "token.body", answering(token, kind("clientSecret", "object"), status(500), code(api.HTTPError))},
	{"returns 422 for an invalid token request", "token.body", answering(token, refusedAs(api.TokenBodyInvalid), status(422))},
	{"returns an empty list of violations", "token.body", answering(token, refusedAs(api.TokenBodyInvalid), set("details.violations", `[]`))},

	{"accepts any clientSecret", "token.credentials", pretending(token, refusedAs(api.InvalidCredentials))},
	{"ignores case in the clientSecret", "token.credentials", misreading(token, always, retold("clientSecret", strings.ToUpper))},
	// The reference's secrets have 52 letters, which no fault at the API can know.
	{"compares only the first half of the clientSecret", "token.credentials", pretending(token, matching("clientSecret", `^[A-Z2-7]{26}$`))},
	{"compares only the length of its own clientSecret", "token.credentials", accepting(token, refusedAs(api.InvalidCredentials), retold("clientSecret", func(s string) string { return s[:max(0, len(s)-1)] }))},
	{"returns 403 for wrong credentials", "token.credentials", answering(token, refusedAs(api.InvalidCredentials), status(403))},
	{"returns a certificate error for wrong credentials", "token.credentials", answering(token, refusedAs(api.InvalidCredentials), code(api.CertNotRegistered))},
	{"uses its own code for an unknown clientId", "token.credentials", answering(token, all(refusedAs(api.InvalidCredentials), unknownClient), code("PUB_CLIENT_NOT_FOUND"))},
	{"returns 404 for an unknown clientId", "token.credentials", answering(token, all(refusedAs(api.InvalidCredentials), unknownClient), status(404))},
	{"hints at which of the credentials is wrong", "token.credentials", answering(token, all(refusedAs(api.InvalidCredentials), unknownClient), set("details.hint", `"check the clientId"`))},

	{"reports an invalid upstream response as an outage", "token.upstream-error", answering(token, was(502), status(503), code(api.UpstreamUnavailable))},
	{"issues a token despite an invalid upstream response", "token.upstream-error", pretending(token, was(502))},

	{"returns 502 for an outage of the upstream", "token.upstream-unavailable", answering(token, was(503), status(502), code(api.UpstreamError))},
	{"issues a token during an outage of the upstream", "token.upstream-unavailable", pretending(token, was(503))},
	{"keeps failing after the upstream has recovered", "token.upstream-unavailable", refusing(token, after(1, token, byTheSame, answered(was(503))), 503, api.UpstreamUnavailable)},

	{"returns PUB_INVALID_CERTIFICATE for an expired certificate", "token.codes", answering(token, refusedAs(api.CertExpired), code("PUB_INVALID_CERTIFICATE"))},
	{"returns PUB_INVALID_CERTIFICATE for a revoked certificate", "token.codes", answering(token, refusedAs(api.CertNotRegistered), code("PUB_INVALID_CERTIFICATE"))},
	{"returns PUB_INVALID_CERTIFICATE for what is not PEM", "token.codes", answering(token, refusedAs(api.CertMalformedPEM), code("PUB_INVALID_CERTIFICATE"))},
	{"returns PUB_CERT_MALFORMED_PEM for an expired certificate", "token.codes", answering(token, refusedAs(api.CertExpired), code(api.CertMalformedPEM))},
	{"returns PUB_INVALID_CREDENTIALS for a revoked certificate", "token.codes", answering(token, refusedAs(api.CertNotRegistered), code(api.InvalidCredentials))},
	{"returns PUB_TOKEN_GENERATION_FAILED for an invalid upstream response", "token.codes", answering(token, was(502), code("PUB_TOKEN_GENERATION_FAILED"))},
	{"returns PUB_TOKEN_GENERATION_FAILED for an outage", "token.codes", answering(token, was(503), code("PUB_TOKEN_GENERATION_FAILED"))},

	{"rejects a token request in the simple envelope", "token.error-envelope", answering(token, refused, drop("code"), drop("userMessage"), drop("errorId"), drop("path"), drop("method"), drop("timestamp"))},
	{"rejects a token request without a userMessage", "token.error-envelope", answering(token, refused, drop("userMessage"))},
	{"returns a method other than the token request's", "token.error-envelope", answering(token, refused, set("method", `"GET"`))},
	{"rejects a token request with a timestamp in São Paulo time", "token.error-envelope", answering(token, refused, stamped(time.RFC3339, saoPaulo))},
	{"returns statusCode as a string for a rejected token request", "token.error-envelope", answering(token, refused, quoted("statusCode"))},
	{"returns the hint as an object", "token.error-envelope", answering(token, refused, set("details.hint", `{"pt":"verifique o certificado"}`))},

	{"returns 500 for a chain of certificates", "token.left-open", refusing(token, under(certificateHeader, `END.*BEGIN`), 500, api.HTTPError)},
	{"reports a literal plus sign as a missing header", "token.left-open", refusing(token, under(certificateHeader, `%0A.*\+`), 400, api.CertHeaderMissing)},
	{"reports a certificate with CRLF as unregistered", "token.left-open", refusing(token, under(certificateHeader, `%0D%0A`), 401, api.CertNotRegistered)},
	{"returns 500 for a token request that is not JSON", "token.left-open", answering(token, all(refused, notJSON), status(500))},
	{"returns 406 for a token request of another content type", "token.left-open", refusing(token, under("Content-Type", `^text/`), 406, api.HTTPError)},
	{"returns a credentials error for an expired, unregistered certificate", "token.left-open", answering(token, refusedAs(api.CertExpired), code(api.InvalidCredentials))},
	{"issues a token for another account's certificate and a wrong secret", "token.left-open", pretending(token, refusedAs(api.InvalidCredentials))},
	{"returns 401 for a request without certificate and clientId", "token.left-open", answering(token, all(under(certificateHeader, `^$`), unsent("clientId")), status(401))},

	{"issues a token without a certificate", "token.certificate-required", pretending(token, refusedAs(api.CertHeaderMissing))},
	{"returns 401 for a missing certificate", "token.certificate-required", answering(token, refusedAs(api.CertHeaderMissing), status(401))},
	{"reports a missing certificate as malformed", "token.certificate-required", answering(token, refusedAs(api.CertHeaderMissing), code(api.CertMalformedPEM))},

	{"decodes the certificate header twice", "token.certificate-encoding", refusing(token, under(certificateHeader, `%2B`), 400, api.CertMalformedPEM)},
	{"reads spaces in a certificate as plus signs", "token.certificate-encoding", accepting(token, all(refusedAs(api.CertMalformedPEM), not(under(certificateHeader, `\+`))), plusRestored)},
	{"reports a certificate with spaces for plus signs as unregistered", "token.certificate-encoding", answering(token, refusedAs(api.CertMalformedPEM), status(401), code(api.CertNotRegistered))},

	{"accepts a truncated certificate", "token.certificate-pem", pretending(token, all(under(certificateHeader, `BEGIN`), not(under(certificateHeader, `END`))))},
	{"accepts a certificate that is not PEM", "token.certificate-pem", pretending(token, all(under(certificateHeader, `.`), not(under(certificateHeader, `BEGIN`))))},
	{"accepts PEM without a certificate", "token.certificate-pem", pretending(token, otherPEM)},
	{"accepts a certificate without its BEGIN and END lines", "token.certificate-pem", pretending(token, under(certificateHeader, `^MI`))},
	{"reports an unparsable certificate as unregistered", "token.certificate-pem", answering(token, refusedAs(api.CertMalformedPEM), status(401), code(api.CertNotRegistered))},

	{"accepts a certificate that is not yet valid", "token.certificate-not-yet-valid", pretending(token, refusedAs(api.CertNotYetValid))},
	{"reports a not yet valid certificate as expired", "token.certificate-not-yet-valid", answering(token, refusedAs(api.CertNotYetValid), code(api.CertExpired))},
	{"returns 400 for a certificate that is not yet valid", "token.certificate-not-yet-valid", answering(token, refusedAs(api.CertNotYetValid), status(400))},
	{"accepts a certificate only after two days", "token.certificate-not-yet-valid", refusing(token, presented(youngerThan(48*time.Hour)), 401, api.CertNotYetValid)},

	{"accepts an expired certificate", "token.certificate-expired", pretending(token, refusedAs(api.CertExpired))},
	{"reports an expired certificate as unregistered", "token.certificate-expired", answering(token, refusedAs(api.CertExpired), code(api.CertNotRegistered))},
	{"returns 403 for an expired certificate", "token.certificate-expired", answering(token, refusedAs(api.CertExpired), status(403))},
	{"reports a valid certificate as expired", "token.certificate-expired", refusing(token, presented(endingWithin(367*24*time.Hour)), 401, api.CertExpired)},

	{"accepts a certificate that was never registered", "token.certificate-registered", pretending(token, refusedAs(api.CertNotRegistered))},
	{"returns 403 for an unregistered certificate", "token.certificate-registered", answering(token, refusedAs(api.CertNotRegistered), status(403), code(api.CertNotAuthorized))},
	{"accepts only the first certificate of an account", "token.certificate-registered", ignoring(certificates, always)},

	{"accepts a revoked certificate", "token.certificate-revoked", ignoring(revocation, always)},
	{"returns PUB_CERT_REVOKED", "token.certificate-revoked", answering(token, refusedAs(api.CertNotRegistered), code("PUB_CERT_REVOKED"))},
	{"returns 403 for a revoked certificate", "token.certificate-revoked", answering(token, refusedAs(api.CertNotRegistered), status(403))},
	{"revokes every certificate of the account", "token.certificate-revoked", changing(revocation, revokingAll)},

	{"accepts another account's certificate", "token.certificate-account", pretending(token, refusedAs(api.CertNotAuthorized))},
	{"returns 401 for another account's certificate", "token.certificate-account", answering(token, refusedAs(api.CertNotAuthorized), status(401))},
	{"reports another account's certificate as unregistered", "token.certificate-account", answering(token, refusedAs(api.CertNotAuthorized), status(401), code(api.CertNotRegistered))},
}

// unknownClient holds where a certificate comes with another clientId than before.
var unknownClient = after(1, token, sameHeader(certificateHeader), other("clientId"))

const certificateHeader = "X-SSL-Client-Cert"

func withKey(algorithm x509.PublicKeyAlgorithm) func(*x509.Certificate) bool {
	return func(c *x509.Certificate) bool { return c.PublicKeyAlgorithm == algorithm }
}
