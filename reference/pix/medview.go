package pix

// MEDView is the resource "MED".
type MEDView struct {
	ID                    int64            `json:"id"`
	EndToEnd              string           `json:"endToEnd"`
	Status                MEDStatus        `json:"status"`
	Reason                MEDReason        `json:"reason"`
	Cause                 *string          `json:"cause"`
	Description           *string          `json:"description"`
	AnalysisResult        *string          `json:"analysisResult"` // null while under analysis
	AnalysisDetails       *string          `json:"analysisDetails"`
	RequestingBank        MEDBank          `json:"requestingBank"`
	ContestedBank         MEDBank          `json:"contestedBank"`
	OriginalTransaction   *ContestedOrigin `json:"originalTransaction"` // null when not reconciled
	IsReconciled          bool             `json:"isReconciled"`
	OriginalTransactionID *int64           `json:"originalTransactionId"`
	CreatedAt             string           `json:"createdAt"`
	UpdatedAt             string           `json:"updatedAt"`
}

// MEDBank is one of the two banks of a case.
type MEDBank struct {
	ISPB string `json:"ispb"`
	Name string `json:"name"`
}

// ContestedOrigin is the contested PIX; name and document are the counterpart's, the
// document masked.
type ContestedOrigin struct {
	Amount          Centavos `json:"amount"`
	Type            string   `json:"type"`
	TransactionType string   `json:"transactionType"`
	Name            string   `json:"name"`
	Document        string   `json:"document"`
	DateTime        string   `json:"dateTime"`
}

// View shows the case as the API does.
func (m MED) View() MEDView {
	v := MEDView{
		ID:              m.ID,
		EndToEnd:        m.EndToEndID,
		Status:          m.Status,
		Reason:          m.Reason,
		Cause:           orNull(m.Cause),
		Description:     orNull(m.Description),
		AnalysisResult:  orNull(string(m.Result)),
		AnalysisDetails: orNull(m.Details),
		RequestingBank:  medBank(InstitutionByISPB(m.RequestingISPB)),
		ContestedBank:   medBank(Home),
		CreatedAt:       Timestamp(m.CreatedAt),
		UpdatedAt:       Timestamp(m.UpdatedAt),
	}
	if m.Original != nil {
		v.IsReconciled = true
		v.OriginalTransactionID = &m.Original.ID
		v.OriginalTransaction = contestedOrigin(*m.Original)
	}
	return v
}

func contestedOrigin(p Payment) *ContestedOrigin {
	o := &ContestedOrigin{
		Amount:          p.Amount,
		Type:            "PIX",
		TransactionType: "CASH_IN",
		Name:            p.Counterpart.Name,
		Document:        MaskDocument(p.Counterpart.Document),
		DateTime:        Timestamp(p.CreatedAt),
	}
	if p.Kind.Movement() == Debit {
		o.TransactionType = "CASH_OUT"
	}
	if !p.ProcessedAt.IsZero() {
		o.DateTime = Timestamp(p.ProcessedAt)
	}
	return o
}

func medBank(i Institution) MEDBank { return MEDBank{i.ISPB, i.Name} }

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// MEDEvent is the payload of the med_* events: the case with its history.
type MEDEvent struct {
	Event string `json:"event"`
	MEDView
	StatusHistory []MEDStep `json:"statusHistory"`
}

// medState is what a case must have come to for somebody to be told.
type medState struct {
	status MEDStatus
	result MEDResult
}

var medEvents = map[medState]struct {
	subscription EventType
	name         string
}{
	{MEDOpen, ""}:              {MEDCreatedEvent, "MedCreated"},
	{MEDAnalyzed, MEDApproved}: {MEDAcceptedEvent, "MedAccepted"},
	{MEDAnalyzed, MEDRejected}: {MEDRejectedEvent, "MedRejected"},
}

// Event tells of the step that the case has just made. It is false when nobody is told
// of it: then there is no subscription to it.
func (m MED) Event() (EventType, MEDEvent, bool) {
	event, ok := medEvents[medState{m.Status, m.Result}]
	return event.subscription, MEDEvent{event.name, m.View(), m.History}, ok
}
