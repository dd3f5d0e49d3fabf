package pix

import (
	"fmt"
	"slices"
	"time"
)

// MED is a case of the special refund mechanism that another bank opened against the
// account.
type MED struct {
	ID         int64
	AccountID  int64
	EndToEndID string   // of the contested PIX
	Original   *Payment // the contested PIX; nil when it is not one of the account (not reconciled)

	Status      MEDStatus
	Reason      MEDReason
	Cause       string    // an open list; empty: unknown
	Description string    // may be empty
	Result      MEDResult // empty unless Status is MEDAnalyzed
	Details     string    // rationale of the result; may be empty

	RequestingISPB string // of the bank that opened it
	History        []MEDStep
	CreatedAt      time.Time // by the account's clock
	UpdatedAt      time.Time // likewise
}

// MEDStep is a status that a case went through.
type MEDStep struct {
	Status MEDStatus `json:"status"`
	At     string    `json:"at"` // ISO 8601 in UTC
}

// MEDStatus is the state of a case.
type MEDStatus string

// The states of a case.
const (
	MEDOpen      MEDStatus = "OPEN"
	MEDReceived  MEDStatus = "RECEIVED"
	MEDCancelled MEDStatus = "CANCELLED"
	MEDAnalyzed  MEDStatus = "ANALYZED"
)

// medTransitions is our choice: the specification shows none.
var medTransitions = map[MEDStatus][]MEDStatus{
	MEDOpen:      {MEDReceived, MEDCancelled},
	MEDReceived:  {MEDAnalyzed, MEDCancelled},
	MEDCancelled: {},
	MEDAnalyzed:  {},
}

// MEDStatuses lists the states in the order of the specification.
func MEDStatuses() []MEDStatus {
	return []MEDStatus{MEDOpen, MEDReceived, MEDCancelled, MEDAnalyzed}
}

// CanBecome says whether a case may go from s to next.
func (s MEDStatus) CanBecome(next MEDStatus) bool { return slices.Contains(medTransitions[s], next) }

// MEDReason says what the requesting bank wants.
type MEDReason string

// The reasons of a case.
const (
	MEDRefundRequest      MEDReason = "REFUND_REQUEST"
	MEDRefundCancellation MEDReason = "REFUND_CANCELLATION"
)

var medReasons = []MEDReason{MEDRefundRequest, MEDRefundCancellation}

// MEDResult is how the analysis of a case ended.
type MEDResult string

// The results of an analysis.
const (
	MEDApproved MEDResult = "APPROVED"
	MEDRejected MEDResult = "REJECTED"
)

var medResults = []MEDResult{MEDApproved, MEDRejected}

// MEDClaim is what the bank that opens a case says of it. An empty reason stands for
// MEDRefundRequest.
type MEDClaim struct {
	EndToEndID  string
	Reason      MEDReason
	Cause       string
	Description string
}

// Check says what is wrong with a claim: a Refusal with CodeValidation, or nil.
func (c MEDClaim) Check() error {
	switch {
	case !IsEndToEndID(c.EndToEndID):
		return Refuse(CodeValidation, fmt.Sprintf("endToEnd must be exactly 32 letters and digits, got %q", c.EndToEndID))
	case c.Reason != "" && !slices.Contains(medReasons, c.Reason):
		return Refuse(CodeValidation, fmt.Sprintf("reason must be one of %s, got %q", listOf(medReasons), c.Reason))
	}
	return nil
}

// NewMED opens a case for a claim that was checked; original is nil when the contested
// PIX is not one of the account. The caller gives it its id. The bank that opens it is
// the counterpart's, or any other where that is unknown.
func NewMED(accountID int64, c MEDClaim, original *Payment, at time.Time) MED {
	m := MED{
		AccountID:      accountID,
		EndToEndID:     c.EndToEndID,
		Original:       original,
		Status:         MEDOpen,
		Reason:         c.Reason,
		Cause:          c.Cause,
		Description:    c.Description,
		RequestingISPB: institutionOfKey(c.EndToEndID).ISPB,
		History:        []MEDStep{{MEDOpen, Timestamp(at)}},
		CreatedAt:      at,
		UpdatedAt:      at,
	}
	if m.Reason == "" {
		m.Reason = MEDRefundRequest
	}
	if original != nil && IsISPB(original.Counterpart.ISPB) {
		m.RequestingISPB = original.Counterpart.ISPB
	}
	return m
}

// MEDMove is the next step of a case. Result is given with MEDAnalyzed, and only with
// it; so are Details, which may be empty.
type MEDMove struct {
	Status  MEDStatus
	Result  MEDResult
	Details string
}

// Check says what is wrong with a move by itself: a Refusal with CodeValidation, or nil.
func (v MEDMove) Check() error {
	switch analyzed := v.Status == MEDAnalyzed; {
	case !slices.Contains(MEDStatuses(), v.Status):
		return Refuse(CodeValidation, fmt.Sprintf("status must be one of %s, got %q", listOf(MEDStatuses()), v.Status))
	case analyzed && !slices.Contains(medResults, v.Result):
		return Refuse(CodeValidation, fmt.Sprintf("analysisResult must be one of %s with ANALYZED, got %q", listOf(medResults), v.Result))
	case !analyzed && (v.Result != "" || v.Details != ""):
		return Refuse(CodeValidation, fmt.Sprintf("analysisResult and analysisDetails belong to ANALYZED, got %s", v.Status))
	}
	return nil
}

// Move is the case after a step that its status can become.
func (m MED) Move(v MEDMove, at time.Time) MED {
	m.Status, m.Result, m.Details, m.UpdatedAt = v.Status, v.Result, v.Details, at
	m.History = append(slices.Clip(m.History), MEDStep{v.Status, Timestamp(at)})
	return m
}
