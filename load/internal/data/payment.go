package data

import (
	"encoding/json"
	"strconv"
)

// The bodies of the API's payments and charges. AppendJSON appends a body in the API's format,
// without empty optional fields.

// CashOut is the body of POST /api/pix/cash-out: a payment to a key.
type CashOut struct {
	Value       int64 // centavos
	ExternalID  string
	Description string // optional
	Key         string // in the format of KeyType
	KeyType     string // DOCUMENT, EMAIL, PHONE or RANDOM
	Name        string
	Document    string // CPF or CNPJ of the key's holder
}

// AppendJSON appends the body.
func (c *CashOut) AppendJSON(b []byte) []byte {
	b = AppendAmount(append(b, `{"value":`...), c.Value)
	b = appendText(append(b, `,"externalId":`...), c.ExternalID)
	b = appendOptional(b, `,"description":`, c.Description)
	b = appendText(append(b, `,"details":{"key":`...), c.Key)
	b = appendText(append(b, `,"keyType":`...), c.KeyType)
	b = appendText(append(b, `,"name":`...), c.Name)
	b = appendText(append(b, `,"document":`...), c.Document)
	return append(b, `}}`...)
}

// QRCashOut is the body of POST /api/pix/cash-out-qrcode: a payment to a BR Code.
type QRCashOut struct {
	Value       int64  // centavos; that of the code if it contains one
	QRCode      string // EMV payload, 50 to 500 characters
	ExternalID  string
	Description string // optional
	Name        string // optional
	Document    string // optional
}

// AppendJSON appends the body.
func (c *QRCashOut) AppendJSON(b []byte) []byte {
	b = AppendAmount(append(b, `{"value":`...), c.Value)
	b = appendText(append(b, `,"qrCode":`...), c.QRCode)
	b = appendText(append(b, `,"externalId":`...), c.ExternalID)
	b = appendOptional(b, `,"description":`, c.Description)
	b = appendOptional(b, `,"name":`, c.Name)
	b = appendOptional(b, `,"document":`, c.Document)
	return append(b, '}')
}

// Transfer is the body of POST /dict/pix, a payment to a key in the directory, with its header
// x-idempotency-key.
type Transfer struct {
	IdempotencyKey string // UUID v4
	Value          int64  // centavos
	Key            string // in the directory's format
	Document       string // of the creditor; required if Priority is HIGH
	Priority       string // HIGH, NORM; empty: the gateway's default
	Description    string // optional
	Expiration     int    // maximum seconds in the queue, 1 to 10800; 0: the gateway's default
}

// AppendJSON appends the body.
func (t *Transfer) AppendJSON(b []byte) []byte {
	b = appendText(append(b, `{"pixKey":`...), t.Key)
	b = appendOptional(b, `,"creditorDocument":`, t.Document)
	b = appendOptional(b, `,"priority":`, t.Priority)
	b = appendOptional(b, `,"description":`, t.Description)
	if t.Expiration != 0 {
		b = strconv.AppendInt(append(b, `,"expiration":`...), int64(t.Expiration), 10)
	}
	b = AppendAmount(append(b, `,"payment":{"currency":"BRL","amount":`...), t.Value)
	return append(b, `}}`...)
}

// CashIn is the body of POST /api/pix/cash-in: a dynamic charge.
type CashIn struct {
	Value       int64 // centavos
	ExternalID  string
	Description string
	Expiration  int // seconds, 30 to 604800; 0: the gateway's default
	Name        string
	Document    string // of the payer
}

// AppendJSON appends the body.
func (c *CashIn) AppendJSON(b []byte) []byte {
	b = AppendAmount(append(b, `{"transaction":{"value":`...), c.Value)
	b = appendText(append(b, `,"description":`...), c.Description)
	b = appendText(append(b, `,"externalId":`...), c.ExternalID)
	if c.Expiration != 0 {
		b = strconv.AppendInt(append(b, `,"expirationTime":`...), int64(c.Expiration), 10)
	}
	b = appendText(append(b, `},"payer":{"fullName":`...), c.Name)
	b = appendText(append(b, `,"document":`...), c.Document)
	return append(b, `}}`...)
}

// Cob is the body of PUT /cob/{txid}, an immediate charge, with its txid.
type Cob struct {
	TxID       string
	Value      int64  // centavos
	Expiration int    // seconds
	Name       string // of the debtor
	Document   string // of the debtor
	Key        string // of the receiver; optional
	Note       string // to the payer; optional
}

// AppendJSON appends the body.
func (c *Cob) AppendJSON(b []byte) []byte {
	b = strconv.AppendInt(append(b, `{"calendario":{"expiracao":`...), int64(c.Expiration), 10)
	field := `},"devedor":{"cpf":`
	if len(c.Document) == lengthCNPJ {
		field = `},"devedor":{"cnpj":`
	}
	b = appendText(append(b, field...), c.Document)
	b = appendText(append(b, `,"nome":`...), c.Name)
	b = AppendAmount(append(b, `},"valor":{"original":"`...), c.Value)
	b = append(b, `","modalidadeAlteracao":0}`...)
	b = appendOptional(b, `,"chave":`, c.Key)
	b = appendOptional(b, `,"solicitacaoPagador":`, c.Note)
	return append(b, '}')
}

// Refund is the body of PUT /pix/{e2eid}/devolucao/{id}, with both path parameters.
type Refund struct {
	EndToEndID  string // of the received PIX
	ID          string // 1 to 35 characters
	Value       int64  // centavos
	Nature      string // ORIGINAL, RETIRADA; optional
	Description string // optional
}

// AppendJSON appends the body.
func (r *Refund) AppendJSON(b []byte) []byte {
	b = AppendAmount(append(b, `{"valor":"`...), r.Value)
	b = append(b, '"')
	b = appendOptional(b, `,"natureza":`, r.Nature)
	b = appendOptional(b, `,"descricao":`, r.Description)
	return append(b, '}')
}

func appendOptional(b []byte, name, text string) []byte {
	if text == "" {
		return b
	}
	return appendText(append(b, name...), text)
}

// appendText appends a JSON string. Generated strings need no escapes; those of scripts may.
func appendText(b []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7f {
			quoted, _ := json.Marshal(text) // a string never fails
			return append(b, quoted...)
		}
	}
	return append(append(append(b, '"'), text...), '"')
}
