package pix

// The codes of refusals. The first seven are the business errors of a cash-out
// ("Cash-out business errors"); two more are those of a QR Code, one that of a cash-in.
// CodeValidation is the code of any request whose fields are wrong in a way that has no
// code of its own ("Envelope A").
const (
	CodeInsufficientBalance = "PIX_INSUFFICIENT_BALANCE"
	CodeTransactionLimit    = "PIX_TRANSACTION_LIMIT_EXCEEDED"
	CodeDailyLimit          = "PIX_DAILY_LIMIT_EXCEEDED"
	CodeNightLimit          = "PIX_NIGHT_LIMIT_EXCEEDED"
	CodeInvalidAmount       = "PIX_INVALID_AMOUNT"
	CodeInvalidKey          = "PIX_INVALID_PIX_KEY"
	CodeDuplicateExternalID = "PIX_DUPLICATE_EXTERNAL_ID"
	CodeInvalidQRCode       = "PIX_INVALID_QR_CODE"
	CodeQRCodeMismatch      = "PIX_QR_CODE_VALUE_MISMATCH"
	CodeProviderExpiration  = "PROVIDER_EXPIRATION_BELOW_MINIMUM" // of a cash-in alone
	CodeValidation          = "HTTP_ERROR"
)

// refusals tells what each code means, to a developer and to an end user.
var refusals = map[string]struct{ meaning, userMessage string }{
	CodeInsufficientBalance: {"the balance is below the amount and the fee", "Saldo insuficiente para realizar o pagamento."},
	CodeTransactionLimit:    {"the amount is above the limit of a payment", "O valor ultrapassa o limite por transação."},
	CodeDailyLimit:          {"the payments of the day are above the daily limit", "O valor ultrapassa o limite diário."},
	CodeNightLimit:          {"the amount is above the limit " + nightHours, "O valor ultrapassa o limite noturno."},
	CodeInvalidAmount:       {"value " + PayableBounds + " and have at most two decimals", "O valor informado é inválido."},
	CodeInvalidKey:          {"details.key does not have the format of its keyType", "A chave PIX informada é inválida."},
	CodeDuplicateExternalID: {"externalId is already used for the account", "Este pagamento já foi solicitado."},
	CodeInvalidQRCode:       {"qrCode is no valid BR Code", "O QR Code informado é inválido."},
	CodeQRCodeMismatch:      {"value is not the amount of the code", "O valor informado difere do valor do QR Code."},
	CodeProviderExpiration:  {"the provider asks for a longer expirationTime", "O prazo de expiração é menor que o mínimo do provedor."},
	CodeValidation:          {"the request is invalid", "Os dados informados são inválidos."},
}

// Refusal is a request that was understood and is not carried out. Message says what
// is wrong in English, for a developer; UserMessage in Portuguese, for an end user.
// Details may be nil.
type Refusal struct {
	Code        string
	Nature      Nature
	Message     string
	UserMessage string
	Details     map[string]any
}

// Refuse makes the refusal of a code. An empty message is replaced by the meaning of
// the code.
func Refuse(code, message string) *Refusal {
	entry := refusals[code]
	if message == "" {
		message = entry.meaning
	}
	return &Refusal{Code: code, Message: message, UserMessage: entry.userMessage}
}

// RefuseUncovered refuses a payment that the balance does not cover. That cannot be
// processed for the Central-Bank family and is an invalid request for the public one
// ("POST /dict/pix", rule 3; "Cash-out business errors").
func RefuseUncovered(p Payment) *Refusal {
	refusal := Refuse(CodeInsufficientBalance, "")
	if p.Kind == KindTransfer || p.Kind == KindRefundIn {
		return refusal.WithNature(Unprocessable)
	}
	return refusal
}

// RefuseDuplicate refuses a payment whose externalId belongs to another one. That is a
// conflict for a cash-out to a QR Code and an invalid request for the other kinds
// ("POST /api/pix/cash-out", rule 2; "POST /api/pix/cash-out-qrcode", errors).
func RefuseDuplicate(p Payment, existingTransactionID string) *Refusal {
	refusal := Refuse(CodeDuplicateExternalID, "").With("externalId", p.ExternalID).With("existingTransactionId", existingTransactionID)
	if p.Kind == KindQRCodeCashOut {
		return refusal.WithNature(Conflict)
	}
	return refusal
}

// Nature says what a refusal is due to, which decides its HTTP status. The zero value
// is Invalid.
type Nature int

// The natures of a refusal.
const (
	Invalid       Nature = iota // the request cannot be right, or not now
	NotFound                    // what it names does not exist
	Conflict                    // what it makes exists already
	Unprocessable               // it is well formed, and a rule of the business forbids it
	Upstream                    // a provider behind the gateway failed
)

// WithNature gives the refusal another nature than Invalid.
func (r *Refusal) WithNature(n Nature) *Refusal {
	r.Nature = n
	return r
}

// With adds one detail and gives the refusal back.
func (r *Refusal) With(name string, value any) *Refusal {
	if r.Details == nil {
		r.Details = make(map[string]any)
	}
	r.Details[name] = value
	return r
}

func (r *Refusal) Error() string { return r.Code + ": " + r.Message }

// Business says whether the refusal has a code of its own, which envelope A repeats
// as errorCode.
func (r *Refusal) Business() bool { return r.Code != CodeValidation }
