package pix_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/features/contract"
	"github.com/pixcert/pixcert/reference/pix"
)

func transferOrder() pix.TransferOrder {
	return pix.TransferOrder{
		IdempotencyKey: "6f1d2c3b-4a59-4e68-8f77-1b2c3d4e5f60", Key: "fulano@example.com", Priority: pix.PriorityNormal,
		Currency: pix.Currency, Amount: 10_50, Expiration: pix.DefaultExpiration,
	}
}

func TestTransferOrderCheck(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*pix.TransferOrder)
		good   bool
	}{
		"as it is":               {func(*pix.TransferOrder) {}, true},
		"CPF":                    {func(o *pix.TransferOrder) { o.Key = "52998224725" }, true},
		"CNPJ":                   {func(o *pix.TransferOrder) { o.Key = "11222333000181" }, true},
		"phone":                  {func(o *pix.TransferOrder) { o.Key = "+5511999990000" }, true},
		"EVP":                    {func(o *pix.TransferOrder) { o.Key = "123E4567-e12b-12d1-a456-426655440000" }, true},
		"e-mail in capitals":     {func(o *pix.TransferOrder) { o.Key = "FULANO@example.com" }, true},
		"phone without +55":      {func(o *pix.TransferOrder) { o.Key = "11999990000a" }, false},
		"UUID without hyphens":   {func(o *pix.TransferOrder) { o.Key = "123e4567e12b12d1a456426655440000" }, false},
		"no key":                 {func(o *pix.TransferOrder) { o.Key = "not a key" }, false},
		"empty key":              {func(o *pix.TransferOrder) { o.Key = "" }, false},
		"no idempotency key":     {func(o *pix.TransferOrder) { o.IdempotencyKey = "" }, false},
		"not a UUID":             {func(o *pix.TransferOrder) { o.IdempotencyKey = "abc" }, false},
		"UUID of version 1":      {func(o *pix.TransferOrder) { o.IdempotencyKey = "6f1d2c3b-4a59-1e68-8f77-1b2c3d4e5f60" }, false},
		"UUID of no variant":     {func(o *pix.TransferOrder) { o.IdempotencyKey = "6f1d2c3b-4a59-4e68-7f77-1b2c3d4e5f60" }, false},
		"UUID v4, no hyphens":    {func(o *pix.TransferOrder) { o.IdempotencyKey = "6f1d2c3b4a594e688f771b2c3d4e5f60" }, false},
		"UUID v4 in capitals":    {func(o *pix.TransferOrder) { o.IdempotencyKey = "6F1D2C3B-4A59-4E68-BF77-1B2C3D4E5F60" }, true},
		"HIGH with CPF":          {func(o *pix.TransferOrder) { o.Priority, o.CreditorDocument = pix.PriorityHigh, "52998224725" }, true},
		"HIGH with CNPJ":         {func(o *pix.TransferOrder) { o.Priority, o.CreditorDocument = pix.PriorityHigh, "11222333000181" }, true},
		"HIGH without document":  {func(o *pix.TransferOrder) { o.Priority = pix.PriorityHigh }, false},
		"a short document":       {func(o *pix.TransferOrder) { o.CreditorDocument = "12" }, false},
		"another currency":       {func(o *pix.TransferOrder) { o.Currency = "USD" }, false},
		"one centavo":            {func(o *pix.TransferOrder) { o.Amount = 1 }, true},
		"nothing":                {func(o *pix.TransferOrder) { o.Amount = 0 }, false},
		"negative":               {func(o *pix.TransferOrder) { o.Amount = -1 }, false},
		"more than there can be": {func(o *pix.TransferOrder) { o.Amount = pix.MaxAmount + 1 }, false},
	} {
		o := transferOrder()
		test.change(&o)
		err := o.Check()
		assert.Equal(t, test.good, err == nil, "%s: %v", name, err)
		if !test.good {
			assert.Equal(t, pix.CodeValidation, codeOf(err), name)
		}
	}
}

func TestTransferIsJudgedByTheHolder(t *testing.T) {
	t.Parallel()
	o := transferOrder()
	o.Denied = []string{"00000000", "60701190"}
	assert.NoError(t, o.CheckHolder(&pix.DirectoryEntry{ISPB: "18236120"}))
	for _, holder := range []*pix.DirectoryEntry{nil, {ISPB: "00000000"}, {ISPB: "60701190"}} {
		var refusal *pix.Refusal
		require.True(t, errors.As(o.CheckHolder(holder), &refusal))
		assert.Equal(t, pix.Unprocessable, refusal.Nature)
	}
}

func TestTransferFinishes(t *testing.T) {
	t.Parallel()
	o := transferOrder()
	o.Description = "Invoice 4711"
	pending := pix.NewTransfer(1, o, pix.DirectoryEntry{Name: "Fulano de Tal", Document: "52998224725", ISPB: "60701190"}, noon)
	pending.ID = 42
	assert.EqualValues(t, "PENDING", pending.Type())
	assert.False(t, pending.Expired(noon.Add(10*time.Minute-time.Nanosecond)))
	assert.True(t, pending.Expired(noon.Add(10*time.Minute)))

	done, failed := pending, pending
	done.Payment = pending.Finish(pix.Result{Status: pix.Confirmed}, noon)
	assert.NotEqual(t, pending.EndToEndID, done.EndToEndID, "the first was provisional")
	failed.Payment = pending.Finish(pix.Rejected(pix.PaymentExpired), noon)
	assert.Equal(t, pending.EndToEndID, failed.EndToEndID)
	assert.EqualValues(t, []pix.TransferType{"COMPLETED", "ERROR"}, []pix.TransferType{done.Type(), failed.Type()})

	wire, err := contract.Load()
	require.NoError(t, err)
	for _, test := range []struct {
		transfer pix.Transfer
		tail     string
	}{
		{done, `"status":"LIQUIDATED"`},
		{failed, `"status":"ERROR","errorCode":"PAYMENT_EXPIRED","errorMessage":"` + pix.PaymentExpired.Meaning() + `"`},
	} {
		event, err := json.Marshal(pix.NewTransferEvent(test.transfer))
		require.NoError(t, err)
		assert.Empty(t, wire.CheckWebhook("transferResult", event))
		assert.JSONEq(t, `{"type":"TRANSFER","data":{"id":42,"txId":null,"pixKey":"fulano@example.com",
			"payment":{"amount":"10.50","currency":"BRL"},"endToEndId":"`+test.transfer.EndToEndID+`","creditDebitType":"DEBIT",
			"idempotencyKey":"6f1d2c3b-4a59-4e68-8f77-1b2c3d4e5f60","remittanceInformation":"Invoice 4711",
			"creditorAccount":{"name":"Fulano de Tal","document":"***.982.247-**","ispb":"60701190"},`+test.tail+`}}`, string(event))
	}
}
