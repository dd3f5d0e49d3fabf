package store

import (
	"context"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
)

// CashOut takes an order: the pending payment, its money moved from available to
// blocked, and the job that settles it, in one transaction. An order that breaks a rule
// is a *pix.Refusal and leaves nothing behind; the sequence in which the rules are
// judged is told at pix.CashOutOrder.
func (s *Store) CashOut(ctx context.Context, accountID int64, order pix.CashOutOrder) (pix.Payment, error) {
	if err := order.Check(); err != nil {
		return pix.Payment{}, err
	}
	return s.send(ctx, accountID, destination{key: order.DirectoryKey()}, func(account pix.Account) (pix.Payment, error) {
		return pix.NewCashOut(account.ID, order, account.Fees.CashOut, account.Now()), nil
	})
}

// CashOutToQRCode takes an order as CashOut does; the sequence is told at
// pix.QRCodeOrder. While the account's PIX provider is unavailable it takes none.
func (s *Store) CashOutToQRCode(ctx context.Context, accountID int64, order pix.QRCodeOrder) (pix.Payment, error) {
	code, err := order.Check()
	if err != nil {
		return pix.Payment{}, err
	}
	return s.send(ctx, accountID, destination{code.DirectoryKey(), order.Text}, func(account pix.Account) (pix.Payment, error) {
		return pix.NewQRCodeCashOut(account.ID, order, code, account.Fees.CashOut, account.Now()), account.Faults.CheckPixProvider()
	})
}

// destination is where a payment goes that leaves an account.
type destination struct {
	key  string // that the directory may know
	code string // that may be of a charge of another account; empty without a QR Code
}

// send makes a pending payment that leaves the account.
func (s *Store) send(ctx context.Context, accountID int64, to destination, compose func(pix.Account) (pix.Payment, error)) (pix.Payment, error) {
	var payment pix.Payment
	err := s.write(ctx, func(t *tx) error {
		account, err := t.account(accountID)
		if err != nil {
			return err
		}
		if payment, err = compose(account); err != nil {
			return err
		}
		payment.ID = t.ids.nextRow()
		if err := t.insertPayment(payment, to.key); err != nil {
			return err
		}
		return t.send(account, payment, to.code)
	})
	if err != nil {
		return pix.Payment{}, err
	}
	return payment, nil
}

// send judges a payment that was inserted, of a kind that leaves the account, by the
// limits and the balance, holds its money and queues its settlement, which pays the charge
// of another account that has the code.
func (t *tx) send(account pix.Account, p pix.Payment, code string) error {
	if p.Kind.Limited() {
		spent, err := t.spend(p, p.Amount)
		if err != nil {
			return err
		}
		if err := account.Limits.Check(p.Amount, spent-p.Amount, p.CreatedAt); err != nil {
			return err
		}
	}
	if err := t.hold(p); err != nil {
		return err
	}
	chargeID, err := t.chargeOfAnother(p.AccountID, code)
	if err != nil {
		return err
	}
	return t.queue(job{
		Kind: settleJob, AccountID: p.AccountID, PaymentID: p.ID, ChargeID: chargeID, Parked: account.Settlement == pix.Manual, Due: time.Now(),
	})
}

// hold moves the money of a payment that leaves from available to blocked, or refuses
// when the balance does not cover it.
func (t *tx) hold(p pix.Payment) error {
	covered, err := t.move(p.AccountID, p.ID, held, -p.Final(), p.Final(), p.CreatedAt)
	if err == nil && !covered {
		err = pix.RefuseUncovered(p)
	}
	return err
}

// publicKinds are those whose externalIds are one space, as the index external_id_spaces
// has it.
var publicKinds = `kind IN (` + quoted(pix.PublicKinds()...) + `)`

// insertPayment adds a payment of any kind, pending or finished already. Where the kind
// has an externalId it is left to the index to find a repeat, so that of many requests
// at once one alone gets in. What gives money back is listed under the key of what it
// gives back.
func (t *tx) insertPayment(p pix.Payment, directoryKey string) error {
	processed := int64(0)
	if !p.ProcessedAt.IsZero() {
		processed = p.ProcessedAt.UnixMicro()
	}
	inserted, err := t.exec(`INSERT INTO payments (id, kind, transaction_id, account_id, parent_id, external_id, end_to_end_id, status,
			amount, fee, description, key_type, pix_key, directory_key,
			counterpart_name, counterpart_document, counterpart_ispb, scenario, created_at, processed_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
			COALESCE((SELECT directory_key FROM payments WHERE id = $5), $14), $15, $16, $17, $18, $19, $20)
		ON CONFLICT (account_id, external_id, (CASE WHEN `+publicKinds+` THEN 0 ELSE id END)) DO NOTHING`,
		p.ID, p.Kind, p.TransactionID, p.AccountID, p.ParentID, p.ExternalID, p.EndToEndID, p.Status,
		p.Amount, p.Fee, p.Description, p.KeyType, p.Key, directoryKey,
		p.Counterpart.Name, p.Counterpart.Document, p.Counterpart.ISPB, p.Scenario, p.CreatedAt.UnixMicro(), processed)
	if err != nil {
		return err
	}
	if inserted == 1 {
		t.count(p.AccountID, p.CreatedAt, class{p.Kind.Operation(), p.Status}, 1)
		return nil
	}
	var existing string
	err = t.row(`SELECT transaction_id FROM payments WHERE account_id = $1 AND external_id = $2 AND `+publicKinds,
		p.AccountID, p.ExternalID).Scan(&existing)
	if err != nil {
		return err
	}
	return pix.RefuseDuplicate(p, existing)
}

const paymentColumns = `p.id, p.kind, p.transaction_id, p.account_id, p.parent_id, p.external_id, p.end_to_end_id, p.status,
	p.amount, p.fee, p.description, p.key_type, p.pix_key,
	p.counterpart_name, p.counterpart_document, p.counterpart_ispb, p.scenario,
	p.error_code, p.error_message, p.created_at, p.processed_at`

// Payment looks a payment of an account up by the id that the API shows.
func (s *Store) Payment(ctx context.Context, accountID int64, transactionID string) (pix.Payment, error) {
	var payment pix.Payment
	err := s.read(ctx, func(c conn) (err error) {
		payment, err = c.payment(accountID, transactionID)
		return err
	})
	return payment, err
}

func (c conn) payment(accountID int64, transactionID string) (pix.Payment, error) {
	p, err := scanPayment(c.row(`SELECT `+paymentColumns+` FROM payments p WHERE p.transaction_id = $1 AND p.account_id = $2`,
		transactionID, accountID))
	return p, orNotFound(err)
}

func (c conn) paymentByID(id int64) (pix.Payment, error) {
	p, err := scanPayment(c.row(`SELECT `+paymentColumns+` FROM payments p WHERE p.id = $1`, id))
	return p, orNotFound(err)
}

// scanPayment reads paymentColumns and whatever columns follow them.
func scanPayment(row scanner, more ...any) (pix.Payment, error) {
	var p pix.Payment
	var created, processed int64
	err := row.Scan(append([]any{&p.ID, &p.Kind, &p.TransactionID, &p.AccountID, &p.ParentID, &p.ExternalID, &p.EndToEndID, &p.Status,
		&p.Amount, &p.Fee, &p.Description, &p.KeyType, &p.Key,
		&p.Counterpart.Name, &p.Counterpart.Document, &p.Counterpart.ISPB, &p.Scenario,
		&p.Error, &p.ErrorMessage, &created, &processed}, more...)...)
	p.CreatedAt, p.ProcessedAt = time.UnixMicro(created).UTC(), processedAt(processed)
	return p, err
}

// processedAt is the time that the column holds; 0 is none.
func processedAt(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}
	return time.UnixMicro(micros).UTC()
}
