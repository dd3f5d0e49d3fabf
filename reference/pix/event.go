package pix

// CashOutResult is the payload that tells what became of a cash-out ("Payload:
// cash-out result"). ErrorCode and ErrorMessage are null when it is CONFIRMED.
type CashOutResult struct {
	Event           string           `json:"event"`
	Status          Status           `json:"status"`
	TransactionType string           `json:"transactionType"`
	MovementType    Movement         `json:"movementType"`
	TransactionID   string           `json:"transactionId"`
	ExternalID      string           `json:"externalId"`
	EndToEndID      string           `json:"endToEndId"`
	PixKey          string           `json:"pixKey"`
	FeeAmount       Centavos         `json:"feeAmount"`
	OriginalAmount  Centavos         `json:"originalAmount"`
	FinalAmount     Centavos         `json:"finalAmount"`
	ProcessingDate  string           `json:"processingDate"`
	ErrorCode       *ErrorCode       `json:"errorCode"`
	ErrorMessage    *string          `json:"errorMessage"`
	Counterpart     EventCounterpart `json:"counterpart"`
	Metadata        struct{}         `json:"metadata"`
}

// EventCounterpart is the counterpart as events show it.
type EventCounterpart struct {
	Name     string    `json:"name"`
	Document string    `json:"document"`
	Bank     EventBank `json:"bank"`
}

// EventBank is the counterpart's bank; the gateway knows neither branch nor number.
type EventBank struct {
	ISPB          string  `json:"bankISPB"`
	Name          string  `json:"bankName"`
	Code          string  `json:"bankCode"`
	AccountBranch *string `json:"accountBranch"`
	AccountNumber *string `json:"accountNumber"`
}

// NewEventCounterpart shows a counterpart with its bank, its document masked.
func NewEventCounterpart(c Counterpart) EventCounterpart {
	bank := InstitutionByISPB(c.ISPB)
	return EventCounterpart{
		Name:     c.Name,
		Document: MaskDocument(c.Document),
		Bank:     EventBank{ISPB: bank.ISPB, Name: bank.Name, Code: bank.COMPE},
	}
}

// NewCashOutResult tells of a finished cash-out.
func NewCashOutResult(p Payment) CashOutResult {
	event := CashOutResult{
		Event:           "CashOut",
		Status:          p.Status,
		TransactionType: "PIX",
		MovementType:    p.Kind.Movement(),
		TransactionID:   p.TransactionID,
		ExternalID:      p.ExternalID,
		EndToEndID:      p.EndToEndID,
		PixKey:          p.Key,
		FeeAmount:       p.Fee,
		OriginalAmount:  p.Amount,
		FinalAmount:     p.Final(),
		ProcessingDate:  Timestamp(p.ProcessedAt),
		Counterpart:     NewEventCounterpart(p.Counterpart),
	}
	if p.Status == Error {
		event.ErrorCode, event.ErrorMessage = &p.Error, &p.ErrorMessage
	}
	return event
}
