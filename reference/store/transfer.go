package store

import (
	"context"
	"errors"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
)

// Transfer takes an order as CashOut does, or gives the transfer that there is for its
// idempotency key; the sequence is told at pix.TransferOrder.
func (s *Store) Transfer(ctx context.Context, accountID int64, order pix.TransferOrder) (pix.Transfer, error) {
	if err := order.Check(); err != nil {
		return pix.Transfer{}, err
	}
	var transfer pix.Transfer
	err := s.write(ctx, func(t *tx) error {
		account, err := t.account(accountID)
		if err != nil {
			return err
		}
		transfer, err = t.transferByKey(accountID, order.UniqueKey())
		if !errors.Is(err, ErrNotFound) {
			return err
		}
		transfer, err = t.makeTransfer(account, order)
		return err
	})
	if err != nil {
		return pix.Transfer{}, err
	}
	return transfer, nil
}

func (t *tx) makeTransfer(account pix.Account, order pix.TransferOrder) (pix.Transfer, error) {
	key, _ := pix.DirectoryKey(order.Key) // it is one, by Check
	holder, err := t.holder(key)
	if err != nil {
		return pix.Transfer{}, err
	}
	if err := order.CheckHolder(holder); err != nil {
		return pix.Transfer{}, err
	}
	transfer := pix.NewTransfer(account.ID, order, *holder, account.Now())
	transfer.ID = t.ids.nextRow()
	if err := t.insertPayment(transfer.Payment, key); err != nil {
		return pix.Transfer{}, err
	}
	err = t.run(`INSERT INTO transfers (payment_id, account_id, idempotency_key, priority, creditor_document, currency, flow, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		transfer.ID, account.ID, transfer.IdempotencyKey, transfer.Priority, transfer.CreditorDocument,
		transfer.Currency, transfer.Flow, transfer.ExpiresAt.UnixMicro())
	if err != nil {
		return pix.Transfer{}, err
	}
	if err := t.send(account, transfer.Payment, ""); err != nil {
		return pix.Transfer{}, err
	}
	return transfer, t.queue(job{
		Kind: expireJob, AccountID: account.ID, PaymentID: transfer.ID, Due: account.RealTime(transfer.ExpiresAt),
	})
}

// SettleTransfer is Settle for the transfer with that numeric id.
func (s *Store) SettleTransfer(ctx context.Context, accountID, id int64, r pix.Result) (pix.Payment, error) {
	return s.settle(ctx, accountID, r, func(t *tx) (pix.Payment, error) {
		transfer, err := t.transfer(id)
		if err == nil && transfer.AccountID != accountID {
			err = ErrNotFound
		}
		return transfer.Payment, err
	})
}

// expireTransfer is the job of a transfer that was not settled in time.
func (t *tx) expireTransfer(j job) error {
	transfer, err := t.transfer(j.PaymentID)
	if err != nil {
		return err
	}
	_, err = t.finish(transfer.Payment, pix.Rejected(pix.PaymentExpired), transfer.ExpiresAt)
	return err
}

// expired says whether a payment is a transfer that has left the queue and waits for
// nothing but the job that says so.
func (t *tx) expired(p pix.Payment, at time.Time) (bool, error) {
	if p.Kind != pix.KindTransfer || p.Status.Terminal() {
		return false, nil
	}
	transfer, err := t.transfer(p.ID)
	return err == nil && transfer.Expired(at), err
}

func (c conn) transfer(id int64) (pix.Transfer, error) {
	return c.findTransfer(`p.id = $1`, id)
}

func (c conn) transferByKey(accountID int64, idempotencyKey string) (pix.Transfer, error) {
	return c.findTransfer(`f.account_id = $1 AND f.idempotency_key = $2`, accountID, idempotencyKey)
}

func (c conn) findTransfer(where string, args ...any) (pix.Transfer, error) {
	var f pix.Transfer
	var expires int64
	var err error
	f.Payment, err = scanPayment(c.row(`SELECT `+paymentColumns+`, f.idempotency_key, f.priority, f.creditor_document,
		f.currency, f.flow, f.expires_at FROM transfers f JOIN payments p ON p.id = f.payment_id WHERE `+where, args...),
		&f.IdempotencyKey, &f.Priority, &f.CreditorDocument, &f.Currency, &f.Flow, &expires)
	f.ExpiresAt = time.UnixMicro(expires).UTC()
	return f, orNotFound(err)
}

func transferEvent(t *tx, p pix.Payment) (any, error) {
	transfer, err := t.transfer(p.ID)
	transfer.Payment = p
	return pix.NewTransferEvent(transfer), err
}
