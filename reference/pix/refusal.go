package pix

// The codes of refusals. The first seven are the business errors of a cash-out
// ("Cash-out business errors"); CodeValidation is the code of any request whose
// fields are wrong in a way that has no code of its own ("Envelope A").
const (
	CodeInsufficientBalance = "PIX_INSUFFICIENT_BALANCE"
	CodeTransactionLimit    = "PIX_TRANSACTION_LIMIT_EXCEEDED"
	CodeDailyLimit          = "PIX_DAILY_LIMIT_EXCEEDED"
	CodeNightLimit          = "PIX_NIGHT_LIMIT_EXCEEDED"
	CodeInvalidAmount       = "PIX_INVALID_AMOUNT"
	CodeInvalidKey          = "PIX_INVALID_PIX_KEY"
	CodeDuplicateExternalID = "PIX_DUPLICATE_EXTERNAL_ID"
	CodeValidation          = "HTTP_ERROR"
)

// refusals tells what each code means, to a developer and to an end user.
var refusals = map[string]struct{ meaning, userMessage string }{
	CodeInsufficientBalance: {"the balance is below the amount and the fee", "Saldo insuficiente para realizar o pagamento."},
	CodeTransactionLimit:    {"the amount is above the limit of a payment", "O valor ultrapassa o limite por transação."},
	CodeDailyLimit:          {"the payments of the day are above the daily limit", "O valor ultrapassa o limite diário."},
	CodeNightLimit:          {"the amount is above the limit between 20:00 and 06:00", "O valor ultrapassa o limite noturno."},
	CodeInvalidAmount:       {"value must be at least 0.01 and have at most two decimals", "O valor informado é inválido."},
	CodeInvalidKey:          {"details.key does not have the format of its keyType", "A chave PIX informada é inválida."},
	CodeDuplicateExternalID: {"externalId is already used for the account", "Este pagamento já foi solicitado."},
	CodeValidation:          {"the request is invalid", "Os dados informados são inválidos."},
}

// Refusal is a request that was understood and is not carried out. Message says what
// is wrong in English, for a developer; UserMessage in Portuguese, for an end user.
// Details may be nil.
type Refusal struct {
	Code        string
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
