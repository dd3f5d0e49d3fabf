package data

import "encoding/json"

// The bodies of the API's payments and charges. Scripts may set the fields that have names in JSON.

// CashOut is the body of POST /api/pix/cash-out: a payment to a key.
type CashOut struct {
	Value       Amount `json:"value"`
	ExternalID  string `json:"-"`
	Description string `json:"description"` // optional
	Key         string `json:"key"`         // in the format of KeyType
	KeyType     string `json:"keyType"`     // DOCUMENT, EMAIL, PHONE or RANDOM
	Name        string `json:"name"`
	Document    string `json:"document"` // CPF or CNPJ of the key's holder
}

// JSON is the body.
func (c *CashOut) JSON() []byte {
	return object{
		"value": number(c.Value), "externalId": c.ExternalID, "description": c.Description,
		"details": object{"key": c.Key, "keyType": c.KeyType, "name": c.Name, "document": c.Document},
	}.encode()
}

// QRCashOut is the body of POST /api/pix/cash-out-qrcode: a payment to a BR Code.
type QRCashOut struct {
	Value       Amount `json:"value"`  // that of the code if it contains one
	QRCode      string `json:"qrCode"` // EMV payload, 50 to 500 characters
	ExternalID  string `json:"-"`
	Description string `json:"description"` // optional
	Name        string `json:"name"`        // optional
	Document    string `json:"document"`    // optional
}

// JSON is the body.
func (c *QRCashOut) JSON() []byte {
	return object{
		"value": number(c.Value), "qrCode": c.QRCode, "externalId": c.ExternalID, "description": c.Description,
		"name": c.Name, "document": c.Document,
	}.encode()
}

// Transfer is the body of POST /dict/pix, a payment to a key in the directory, and its header x-idempotency-key.
type Transfer struct {
	IdempotencyKey string `json:"-"` // UUID v4
	Value          Amount `json:"value"`
	Key            string `json:"key"`         // in the directory's format
	Document       string `json:"document"`    // of the creditor; required if Priority is HIGH
	Priority       string `json:"priority"`    // HIGH, NORM; empty: the gateway's default
	Description    string `json:"description"` // optional
	Expiration     int    `json:"expiration"`  // maximum seconds in the queue, 1 to 10800; 0: the gateway's default
}

// JSON is the body.
func (t *Transfer) JSON() []byte {
	return object{
		"pixKey": t.Key, "creditorDocument": t.Document, "priority": t.Priority, "description": t.Description,
		"expiration": t.Expiration, "payment": object{"currency": "BRL", "amount": number(t.Value)},
	}.encode()
}

// CashIn is the body of POST /api/pix/cash-in: a dynamic charge.
type CashIn struct {
	Value       Amount `json:"value"`
	ExternalID  string `json:"-"`
	Description string `json:"description"`
	Expiration  int    `json:"expiration"` // seconds, 30 to 604800; 0: the gateway's default
	Name        string `json:"-"`
	Document    string `json:"-"` // of the payer
}

// JSON is the body.
func (c *CashIn) JSON() []byte {
	return object{
		"transaction": object{"value": number(c.Value), "description": c.Description, "externalId": c.ExternalID, "expirationTime": c.Expiration},
		"payer":       object{"fullName": c.Name, "document": c.Document},
	}.encode()
}

// Cob is the body of PUT /cob/{txid}, an immediate charge, with its txid.
type Cob struct {
	TxID       string `json:"-"`
	Value      Amount `json:"value"`
	Expiration int    `json:"expiration"` // seconds
	Name       string `json:"-"`          // of the debtor
	Document   string `json:"-"`          // of the debtor
	Key        string `json:"key"`        // of the receiver; optional
	Note       string `json:"note"`       // to the payer; optional
}

// JSON is the body.
func (c *Cob) JSON() []byte {
	document := "cpf"
	if len(c.Document) == lengthCNPJ {
		document = "cnpj"
	}
	return object{
		"calendario": object{"expiracao": c.Expiration}, "devedor": object{document: c.Document, "nome": c.Name},
		"valor": map[string]any{"original": FormatAmount(int64(c.Value)), "modalidadeAlteracao": 0},
		"chave": c.Key, "solicitacaoPagador": c.Note,
	}.encode()
}

// Refund is the body of PUT /pix/{e2eid}/devolucao/{id}, with both path parameters.
type Refund struct {
	EndToEndID  string `json:"endToEndId"` // of the received PIX
	ID          string `json:"-"`          // 1 to 35 characters
	Value       Amount `json:"value"`
	Nature      string `json:"-"` // ORIGINAL, RETIRADA; optional
	Description string `json:"-"` // optional
}

// JSON is the body.
func (r *Refund) JSON() []byte {
	return object{"valor": FormatAmount(int64(r.Value)), "natureza": r.Nature, "descricao": r.Description}.encode()
}

// object is a JSON object, encoded without its empty fields.
type object map[string]any

func (o object) encode() []byte {
	text, _ := json.Marshal(o.filled()) // texts and numbers never fail
	return text
}

func (o object) filled() object {
	for name, value := range o {
		switch inner, nested := value.(object); {
		case nested:
			inner.filled()
		case value == "" || value == 0:
			delete(o, name)
		}
	}
	return o
}

// number is an amount as a JSON number.
func number(of Amount) json.Number { return json.Number(FormatAmount(int64(of))) }
