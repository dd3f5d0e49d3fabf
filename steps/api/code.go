package api

import "fmt"

// Code is a machine code of an error; empty for none.
type Code string

// HTTPError is the code of body validation failures, and of 401 and 500 of a cash-in.
const HTTPError Code = "HTTP_ERROR"

// ExpirationBelowMinimum is the errorCode of a cash-in whose PIX provider has a higher minimum.
const ExpirationBelowMinimum Code = "PROVIDER_EXPIRATION_BELOW_MINIMUM"

// Token endpoint codes.
const (
	CertHeaderMissing   Code = "PUB_CERT_HEADER_MISSING"
	CertMalformedPEM    Code = "PUB_CERT_MALFORMED_PEM"
	TokenBodyInvalid    Code = "PUB_REQUEST_BODY_INVALID"
	CertNotYetValid     Code = "PUB_CERT_NOT_YET_VALID"
	CertExpired         Code = "PUB_CERT_EXPIRED"
	CertNotRegistered   Code = "PUB_CERT_NOT_REGISTERED"
	InvalidCredentials  Code = "PUB_INVALID_CREDENTIALS"
	CertNotAuthorized   Code = "PUB_CERT_NOT_AUTHORIZED_FOR_ACCOUNT"
	UpstreamError       Code = "PUB_AUTH_UPSTREAM_ERROR"
	UpstreamUnavailable Code = "PUB_AUTH_UPSTREAM_UNAVAILABLE"
)

// Cash-out business errors.
const (
	InsufficientBalance Code = "PIX_INSUFFICIENT_BALANCE"
	AboveTransaction    Code = "PIX_TRANSACTION_LIMIT_EXCEEDED"
	AboveDaily          Code = "PIX_DAILY_LIMIT_EXCEEDED"
	AboveNight          Code = "PIX_NIGHT_LIMIT_EXCEEDED"
	InvalidAmount       Code = "PIX_INVALID_AMOUNT"
	InvalidPixKey       Code = "PIX_INVALID_PIX_KEY"
	DuplicateExternalID Code = "PIX_DUPLICATE_EXTERNAL_ID"
)

const businessRule = "cash-out.business-codes"

// StatedCode is what the specification states of a code.
type StatedCode struct {
	Operation string // whose errors have it
	Status    int
	Rule      string // that states it
}

// Codes are the codes of which the specification states the status (Token endpoint codes, Cash-out business
// errors).
var Codes = map[Code]StatedCode{
	CertHeaderMissing:   {Token, 400, "token.certificate-required"},
	CertMalformedPEM:    {Token, 400, "token.certificate-pem"},
	TokenBodyInvalid:    {Token, 400, "token.body"},
	CertNotYetValid:     {Token, 401, "token.certificate-not-yet-valid"},
	CertExpired:         {Token, 401, "token.certificate-expired"},
	CertNotRegistered:   {Token, 401, "token.certificate-registered"},
	InvalidCredentials:  {Token, 401, "token.credentials"},
	CertNotAuthorized:   {Token, 403, "token.certificate-account"},
	UpstreamError:       {Token, 502, "token.upstream-error"},
	UpstreamUnavailable: {Token, 503, "token.upstream-unavailable"},

	InsufficientBalance: {"cashOut", 400, businessRule},
	AboveTransaction:    {"cashOut", 400, businessRule},
	AboveDaily:          {"cashOut", 400, businessRule},
	AboveNight:          {"cashOut", 400, businessRule},
	InvalidAmount:       {"cashOut", 400, businessRule},
	InvalidPixKey:       {"cashOut", 400, businessRule},
	DuplicateExternalID: {"cashOut", 400, businessRule},
}

// Retired are codes that no error has any more (Former codes).
var Retired = []Code{"PUB_INVALID_CERTIFICATE", "PUB_TOKEN_GENERATION_FAILED"}

// CertificateCodes say that a certificate is not valid. Which account it belongs to is another matter.
var CertificateCodes = []Code{CertHeaderMissing, CertMalformedPEM, CertNotYetValid, CertExpired, CertNotRegistered}

// Refusal is how sentences spell the status and the code: "401 PUB_CERT_EXPIRED".
func (c Code) Refusal() string { return fmt.Sprintf("%d %s", Codes[c].Status, c) }

// The errorCodes with which the settling bank rejects a cash-out.
const (
	OrderRejected     Code = "ORDER_REJECTED"
	AccountClosed     Code = "ACCOUNT_CLOSED"
	TaxIDMismatch     Code = "TAX_ID_MISMATCH"
	InvalidTaxID      Code = "INVALID_TAX_ID"
	BlockedAccount    Code = "BLOCKED_ACCOUNT"
	PaymentExpired    Code = "PAYMENT_EXPIRED"
	SettlementTimeout Code = "SETTLEMENT_TIMEOUT"
)

// SettlementCodes are those codes, the one of every kind of payment first.
var SettlementCodes = []Code{OrderRejected, AccountClosed, TaxIDMismatch, InvalidTaxID, BlockedAccount, PaymentExpired, SettlementTimeout}
