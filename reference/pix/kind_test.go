package pix_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/reference/pix"
)

func TestKinds(t *testing.T) {
	t.Parallel()
	all := append(pix.Kinds(pix.Debit), pix.Kinds(pix.Credit)...)
	table := map[pix.Kind]struct {
		label    string
		movement pix.Movement
		event    pix.EventType
		limited  bool
	}{
		pix.KindCashOut:       {"Pix out", pix.Debit, pix.CashOutEvent, true},
		pix.KindQRCodeCashOut: {"Pix out", pix.Debit, pix.CashOutEvent, true},
		pix.KindTransfer:      {"Pix out", pix.Debit, pix.CashOutEvent, false},
		pix.KindCashIn:        {"Pix in", pix.Credit, pix.CashInEvent, false},
		pix.KindCob:           {"Pix in", pix.Credit, pix.CashInEvent, false},
		pix.KindRefundIn:      {"Refund in", pix.Debit, pix.RefundInEvent, false},
		pix.KindRefundOut:     {"Refund out", pix.Credit, pix.RefundOutEvent, false},
	}
	assert.Len(t, all, len(table))
	for _, kind := range all {
		want := table[kind]
		operation := kind.Operation()
		assert.Contains(t, pix.Operations(), operation, kind)
		assert.Equal(t, want.label, operation.Label(), kind)
		assert.Equal(t, want.movement, kind.Movement(), kind)
		assert.Equal(t, want.event, operation.Event(), kind)
		assert.Equal(t, want.limited, kind.Limited(), kind)
		final := pix.Payment{Kind: kind, Amount: 10_00, Fee: 50}.Final()
		assert.Equal(t, want.movement == pix.Debit, final == 10_50, kind)
		assert.Equal(t, want.movement == pix.Credit, final == 9_50, kind)
	}
}
