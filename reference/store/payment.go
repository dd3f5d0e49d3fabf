package store

import (
	"context"
	"database/sql"
	"errors"
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
	var payment pix.Payment
	err := s.write(ctx, func(t *tx) error {
		account, err := t.account(accountID)
		if err != nil {
			return err
		}
		payment, err = t.cashOut(account, order)
		return err
	})
	return payment, err
}

func (t *tx) cashOut(account Account, order pix.CashOutOrder) (pix.Payment, error) {
	p := pix.NewCashOut(account.ID, order, account.Fees.CashOut, account.Now())
	p.ID = t.ids.nextRow()
	if err := t.insertPayment(p, order.DirectoryKey()); err != nil {
		return pix.Payment{}, err
	}
	spent, err := t.spend(p, p.Amount)
	if err != nil {
		return pix.Payment{}, err
	}
	if err := account.Limits.Check(p.Amount, spent-p.Amount, p.CreatedAt); err != nil {
		return pix.Payment{}, err
	}
	covered, err := t.move(account.ID, p.ID, held, -p.Total(), p.Total(), p.CreatedAt)
	if err != nil {
		return pix.Payment{}, err
	}
	if !covered {
		return pix.Payment{}, pix.Refuse(pix.CodeInsufficientBalance, "")
	}
	return p, t.queueSettlement(p, account.Settlement)
}

// insertPayment leaves it to the index on the externalId to find a repeat, so that of
// many requests at once one alone gets in.
func (t *tx) insertPayment(p pix.Payment, directoryKey string) error {
	inserted, err := t.exec(`INSERT INTO payments (id, transaction_id, account_id, external_id, end_to_end_id, status,
			amount, fee, description, key_type, pix_key, directory_key,
			counterpart_name, counterpart_document, counterpart_ispb, scenario, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
		ON CONFLICT (account_id, external_id) DO NOTHING`,
		p.ID, p.TransactionID, p.AccountID, p.ExternalID, p.EndToEndID, p.Status,
		p.Amount, p.Fee, p.Description, p.KeyType, p.Key, directoryKey,
		p.Counterpart.Name, p.Counterpart.Document, p.Counterpart.ISPB, p.Scenario, p.CreatedAt.UnixMicro())
	if err != nil || inserted == 1 {
		return err
	}
	var existing string
	err = t.row(`SELECT transaction_id FROM payments WHERE account_id = $1 AND external_id = $2`, p.AccountID, p.ExternalID).Scan(&existing)
	if err != nil {
		return err
	}
	return pix.Refuse(pix.CodeDuplicateExternalID, "").With("externalId", p.ExternalID).With("existingTransactionId", existing)
}

// spend adds to what the account has paid on the day of the payment, or takes away from
// it, and gives the new sum.
func (t *tx) spend(p pix.Payment, amount pix.Centavos) (pix.Centavos, error) {
	var spent pix.Centavos
	err := t.row(`INSERT INTO daily_totals (account_id, day, spent) VALUES ($1, $2, $3)
		ON CONFLICT (account_id, day) DO UPDATE SET spent = daily_totals.spent + excluded.spent
		RETURNING spent`, p.AccountID, pix.Day(p.CreatedAt), amount).Scan(&spent)
	return spent, err
}

// queueSettlement adds the job that settles a payment, under the payment's own id.
func (t *tx) queueSettlement(p pix.Payment, mode SettlementMode) error {
	t.wake = true
	return t.run(`INSERT INTO jobs (id, kind, account_id, payment_id, parked, due_at) VALUES ($1, 'settle', $2, $1, $3, $4)`,
		p.ID, p.AccountID, flag(mode == Manual), time.Now().UnixMicro())
}

const paymentColumns = `p.id, p.transaction_id, p.account_id, p.external_id, p.end_to_end_id, p.status,
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

// scanPayment reads paymentColumns and whatever columns follow them.
func scanPayment(row scanner, more ...any) (pix.Payment, error) {
	var p pix.Payment
	var created, processed int64
	err := row.Scan(append([]any{&p.ID, &p.TransactionID, &p.AccountID, &p.ExternalID, &p.EndToEndID, &p.Status,
		&p.Amount, &p.Fee, &p.Description, &p.KeyType, &p.Key,
		&p.Counterpart.Name, &p.Counterpart.Document, &p.Counterpart.ISPB, &p.Scenario,
		&p.Error, &p.ErrorMessage, &created, &processed}, more...)...)
	p.CreatedAt = time.UnixMicro(created).UTC()
	if processed != 0 {
		p.ProcessedAt = time.UnixMicro(processed).UTC()
	}
	return p, err
}

// Settle gives a pending payment its result, whoever settles the account otherwise:
// its state, its money and the webhooks that tell of it, in one transaction. A result
// that makes no sense is a *pix.Refusal; a payment that has one already gives
// ErrFinished and does not change.
func (s *Store) Settle(ctx context.Context, accountID int64, transactionID string, r pix.Result) (pix.Payment, error) {
	if err := r.Check(); err != nil {
		return pix.Payment{}, err
	}
	var payment pix.Payment
	err := s.write(ctx, func(t *tx) error {
		account, err := t.account(accountID)
		if err != nil {
			return err
		}
		payment, err = t.payment(accountID, transactionID)
		if err != nil {
			return err
		}
		webhooks, err := t.subscribers(accountID, pix.CashOutEvent)
		if err != nil {
			return err
		}
		payment, err = t.finish(payment, r, account.Now(), webhooks)
		return err
	})
	return payment, err
}

// finish moves a payment into its final state.
func (t *tx) finish(p pix.Payment, r pix.Result, at time.Time, webhooks []pix.Registration) (pix.Payment, error) {
	if !p.Status.CanBecome(r.Status) {
		return p, ErrFinished
	}
	t.wake = true
	p = p.Finish(r, at)
	err := t.run(`UPDATE payments SET status = $1, error_code = $2, error_message = $3, counterpart_name = $4,
		counterpart_ispb = $5, processed_at = $6 WHERE id = $7`,
		p.Status, p.Error, p.ErrorMessage, p.Counterpart.Name, p.Counterpart.ISPB, at.UnixMicro(), p.ID)
	if err != nil {
		return p, err
	}
	if err := t.release(p, at); err != nil {
		return p, err
	}
	if err := t.run(`DELETE FROM jobs WHERE id = $1`, p.ID); err != nil {
		return p, err
	}
	return p, t.announce(p, webhooks)
}

// release ends the hold on a finished payment's money: gone when it was confirmed, back
// to available, and to the day's limit, when it was rejected.
func (t *tx) release(p pix.Payment, at time.Time) error {
	kind, back := settled, pix.Centavos(0)
	if p.Status == pix.Error {
		kind, back = returned, p.Total()
		if _, err := t.spend(p, -p.Amount); err != nil {
			return err
		}
	}
	done, err := t.move(p.AccountID, p.ID, kind, back, -p.Total(), at)
	if err == nil && !done {
		err = errors.New("the blocked balance is below what the payment holds")
	}
	return err
}

// settlement is a payment that is due to be settled, with what it takes to decide.
type settlement struct {
	payment pix.Payment
	holder  *pix.DirectoryEntry // nil: the directory does not know the key
	account Account             // its clock alone
}

func (c conn) dueSettlements(now time.Time, limit int) ([]settlement, error) {
	var due []settlement
	err := c.each(func(row scanner) error {
		var one settlement
		var offset int64
		var name, document, ispb, status sql.NullString
		var err error
		one.payment, err = scanPayment(row, &offset, &name, &document, &ispb, &status)
		one.account.ClockOffset = time.Duration(offset) * time.Microsecond
		if name.Valid {
			one.holder = &pix.DirectoryEntry{Name: name.String, Document: document.String, ISPB: ispb.String, Status: pix.AccountStatus(status.String)}
		}
		due = append(due, one)
		return err
	}, `SELECT `+paymentColumns+`, a.clock_offset, d.name, d.document, d.ispb, d.status
		FROM jobs j JOIN payments p ON p.id = j.payment_id JOIN accounts a ON a.id = p.account_id
			LEFT JOIN directory d ON d.pix_key = p.directory_key
		WHERE j.kind = 'settle' AND j.parked = 0 AND j.due_at <= $1 ORDER BY j.due_at LIMIT $2`, now.UnixMicro(), limit)
	return due, err
}

// Settled is what SettleDue did with one payment.
type Settled struct {
	TransactionID string
	Err           error // why it could not be settled; it is tried again later
}

// maxSettlements bounds how many payments one transaction settles.
const maxSettlements = 256

// settlementRetry is how long a payment waits that could not be settled for a fault of
// the gateway itself.
const settlementRetry = 5 * time.Second

// SettleDue settles payments whose account settles automatically, the oldest first and
// at most 256 in one transaction. Fewer in the answer means that none is left.
//
// A settlement has no effect outside the database, so doing it is one transaction and
// takes no lease: a crash leaves it either done or due.
func (s *Store) SettleDue(ctx context.Context) ([]Settled, error) {
	var done []Settled
	err := s.write(ctx, func(t *tx) error {
		due, err := t.dueSettlements(time.Now(), maxSettlements)
		if err != nil {
			return err
		}
		done = make([]Settled, len(due))
		subscribers := make(map[int64][]pix.Registration)
		for i, one := range due {
			done[i] = Settled{TransactionID: one.payment.TransactionID}
			broken, err := t.savepoint(func(t *tx) error { return t.settle(one, subscribers) })
			if err != nil && broken == nil {
				done[i].Err = err
				broken = t.run(`UPDATE jobs SET due_at = $1 WHERE id = $2`, time.Now().Add(settlementRetry).UnixMicro(), one.payment.ID)
			}
			if broken != nil {
				return broken
			}
		}
		return nil
	})
	return done, err
}

// settle lets the bank decide. Webhooks are looked up once for each account.
func (t *tx) settle(one settlement, subscribers map[int64][]pix.Registration) error {
	p := one.payment
	webhooks, known := subscribers[p.AccountID]
	if !known {
		var err error
		if webhooks, err = t.subscribers(p.AccountID, pix.CashOutEvent); err != nil {
			return err
		}
		subscribers[p.AccountID] = webhooks
	}
	result := pix.Settle(p, one.holder)
	if one.holder != nil && result.Status == pix.Confirmed {
		p.Counterpart.Name, p.Counterpart.ISPB = one.holder.Name, one.holder.ISPB
	}
	_, err := t.finish(p, result, one.account.Now(), webhooks)
	return err
}
