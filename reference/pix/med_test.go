package pix_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

func TestMEDStates(t *testing.T) {
	t.Parallel()
	moves := map[string]bool{
		"OPEN RECEIVED": true, "RECEIVED ANALYZED": true,
		"OPEN CANCELLED": true, "RECEIVED CANCELLED": true,
	}
	for _, from := range pix.MEDStatuses() {
		for _, to := range pix.MEDStatuses() {
			assert.Equal(t, moves[fmt.Sprint(from, " ", to)], from.CanBecome(to), "%s to %s", from, to)
		}
	}
}

func TestMEDMovesAndClaims(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		move pix.MEDMove
		ok   bool
	}{
		{pix.MEDMove{Status: pix.MEDReceived}, true},
		{pix.MEDMove{Status: pix.MEDCancelled}, true},
		{pix.MEDMove{Status: pix.MEDAnalyzed, Result: pix.MEDApproved}, true},
		{pix.MEDMove{Status: pix.MEDAnalyzed, Result: pix.MEDRejected, Details: "no fraud"}, true},
		{pix.MEDMove{Status: pix.MEDAnalyzed}, false},
		{pix.MEDMove{Status: pix.MEDAnalyzed, Result: "MAYBE"}, false},
		{pix.MEDMove{Status: pix.MEDReceived, Result: pix.MEDApproved}, false},
		{pix.MEDMove{Status: pix.MEDReceived, Details: "early"}, false},
		{pix.MEDMove{Status: "DONE"}, false},
		{pix.MEDMove{}, false},
	} {
		assert.Equal(t, test.ok, test.move.Check() == nil, "%+v", test.move)
	}
	e2e := receivedPIX().EndToEndID
	for _, test := range []struct {
		claim pix.MEDClaim
		ok    bool
	}{
		{pix.MEDClaim{EndToEndID: e2e}, true},
		{pix.MEDClaim{EndToEndID: e2e, Reason: pix.MEDRefundRequest, Cause: "ANYTHING"}, true},
		{pix.MEDClaim{EndToEndID: e2e, Reason: pix.MEDRefundCancellation}, true},
		{pix.MEDClaim{EndToEndID: e2e, Reason: "ANGER"}, false},
		{pix.MEDClaim{EndToEndID: e2e[1:]}, false},
		{pix.MEDClaim{}, false},
	} {
		assert.Equal(t, test.ok, test.claim.Check() == nil, "%+v", test.claim)
	}
}

func TestMEDIsToldWhenItOpensAndWhenItsAnalysisEnds(t *testing.T) {
	t.Parallel()
	original := receivedPIX()
	med := pix.NewMED(3, pix.MEDClaim{EndToEndID: original.EndToEndID, Cause: "FRAUD"}, &original, receivedAt)
	med.ID = 5
	subscription, event, told := med.Event()
	require.True(t, told)
	assert.Equal(t, pix.MEDCreatedEvent, subscription)
	requireJSON(t, `{"event":"MedCreated","id":5,"endToEnd":"E60701190202603021500ABCDEFGHIJK","status":"OPEN","reason":"REFUND_REQUEST",
		"cause":"FRAUD","description":null,"analysisResult":null,"analysisDetails":null,
		"requestingBank":{"ispb":"60701190","name":"Itaú"},"contestedBank":{"ispb":"12345678","name":"Pixcert"},
		"originalTransaction":{"amount":10.00,"type":"PIX","transactionType":"CASH_IN","name":"Maria","document":"***.982.247-**",
			"dateTime":"2026-03-02T15:00:00.000Z"},
		"isReconciled":true,"originalTransactionId":7,
		"createdAt":"2026-03-02T15:00:00.000Z","updatedAt":"2026-03-02T15:00:00.000Z",
		"statusHistory":[{"status":"OPEN","at":"2026-03-02T15:00:00.000Z"}]}`, event)

	received := med.Move(pix.MEDMove{Status: pix.MEDReceived}, receivedAt.Add(time.Second))
	_, _, told = received.Event()
	assert.False(t, told)
	_, _, told = received.Move(pix.MEDMove{Status: pix.MEDCancelled}, receivedAt).Event()
	assert.False(t, told)
	for result, want := range map[pix.MEDResult]struct {
		subscription pix.EventType
		name         string
	}{
		pix.MEDApproved: {pix.MEDAcceptedEvent, "MedAccepted"},
		pix.MEDRejected: {pix.MEDRejectedEvent, "MedRejected"},
	} {
		ended := received.Move(pix.MEDMove{Status: pix.MEDAnalyzed, Result: result, Details: "why"}, receivedAt.Add(time.Minute))
		subscription, event, told := ended.Event()
		require.True(t, told)
		assert.Equal(t, want.subscription, subscription)
		assert.Equal(t, want.name, event.Event)
		assert.Equal(t, string(result), *event.AnalysisResult)
		assert.Equal(t, "why", *event.AnalysisDetails)
		assert.Equal(t, "2026-03-02T15:01:00.000Z", event.UpdatedAt)
		assert.Equal(t, []pix.MEDStep{
			{pix.MEDOpen, "2026-03-02T15:00:00.000Z"}, {pix.MEDReceived, "2026-03-02T15:00:01.000Z"}, {pix.MEDAnalyzed, "2026-03-02T15:01:00.000Z"},
		}, event.StatusHistory)
	}
	assert.Len(t, received.History, 2, "a step leaves the case before it alone")
}

func TestMEDOfAPIXThatIsNotTheAccounts(t *testing.T) {
	t.Parallel()
	view := pix.NewMED(3, pix.MEDClaim{EndToEndID: receivedPIX().EndToEndID}, nil, receivedAt).View()
	assert.False(t, view.IsReconciled)
	assert.NotEqual(t, view.ContestedBank, view.RequestingBank)
	text, err := json.Marshal(view)
	require.NoError(t, err)
	for _, field := range []string{"originalTransaction", "originalTransactionId", "cause", "description", "analysisResult", "analysisDetails"} {
		assert.Contains(t, string(text), fmt.Sprintf("%q:null", field))
	}
}

func TestContestedPIXThatWasSent(t *testing.T) {
	t.Parallel()
	sent := receivedPIX()
	sent.Kind, sent.ProcessedAt = pix.KindCashOut, time.Time{}
	view := pix.NewMED(3, pix.MEDClaim{EndToEndID: sent.EndToEndID}, &sent, receivedAt).View()
	assert.Equal(t, "CASH_OUT", view.OriginalTransaction.TransactionType)
	assert.Equal(t, "2026-03-02T14:59:00.000Z", view.OriginalTransaction.DateTime, "of its creation while it is pending")
}

func TestMaskedDocument(t *testing.T) {
	t.Parallel()
	for document, masked := range map[string]string{
		"52998224725":    "***.982.247-**",
		"11222333000181": "**.222.333/0001-**",
		"1234567":        "*******",
		"":               "",
	} {
		assert.Equal(t, masked, pix.MaskDocument(document))
	}
}
