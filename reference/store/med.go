package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
)

// OpenMED opens a case against an account and tells of it. The contested PIX is looked
// for among the account's payments, received and sent. A claim that makes no sense is a
// *pix.Refusal.
func (s *Store) OpenMED(ctx context.Context, accountID int64, claim pix.MEDClaim) (pix.MED, error) {
	if err := claim.Check(); err != nil {
		return pix.MED{}, err
	}
	var med pix.MED
	err := s.write(ctx, func(t *tx) error {
		account, err := t.account(accountID)
		if err != nil {
			return err
		}
		original, err := t.contestedPayment(accountID, claim.EndToEndID)
		if err != nil {
			return err
		}
		med = pix.NewMED(accountID, claim, original, account.Now())
		med.ID = t.ids.nextRow()
		if err := t.insertMED(med); err != nil {
			return err
		}
		return t.emitMED(med)
	})
	return med, err
}

// contestedPayment gives nil when no payment of the account has that end-to-end id.
func (t *tx) contestedPayment(accountID int64, endToEndID string) (*pix.Payment, error) {
	p, err := scanPayment(t.row(`SELECT `+paymentColumns+` FROM payments p
		WHERE p.end_to_end_id = $1 AND p.account_id = $2 ORDER BY p.id LIMIT 1`, endToEndID, accountID))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &p, err
}

func (t *tx) insertMED(m pix.MED) error {
	history, err := json.Marshal(m.History)
	if err != nil {
		return fmt.Errorf("write history: %w", err)
	}
	var paymentID int64
	if m.Original != nil {
		paymentID = m.Original.ID
	}
	return t.run(`INSERT INTO meds (id, account_id, end_to_end_id, payment_id, status, reason, cause, description,
			requesting_ispb, history, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, NULLIF($7, ''), NULLIF($8, ''), $9, $10, $11, $12)`,
		m.ID, m.AccountID, m.EndToEndID, paymentID, m.Status, m.Reason, m.Cause, m.Description,
		m.RequestingISPB, string(history), m.CreatedAt.UnixMicro(), m.UpdatedAt.UnixMicro())
}

// MoveMED takes a case to its next state and tells of it where that is told. A move that
// makes no sense is a *pix.Refusal, of the nature pix.Conflict where the case's state does
// not lead there, and changes nothing.
func (s *Store) MoveMED(ctx context.Context, accountID, id int64, move pix.MEDMove) (pix.MED, error) {
	if err := move.Check(); err != nil {
		return pix.MED{}, err
	}
	var med pix.MED
	err := s.write(ctx, func(t *tx) error {
		account, err := t.account(accountID)
		if err != nil {
			return err
		}
		if med, err = t.med(accountID, id); err != nil {
			return err
		}
		if !med.Status.CanBecome(move.Status) {
			return pix.Refuse(pix.CodeValidation, fmt.Sprintf("a case that is %s cannot become %s", med.Status, move.Status)).WithNature(pix.Conflict)
		}
		med = med.Move(move, account.Now())
		if err := t.updateMED(med); err != nil {
			return err
		}
		return t.emitMED(med)
	})
	return med, err
}

func (t *tx) updateMED(m pix.MED) error {
	history, err := json.Marshal(m.History)
	if err != nil {
		return fmt.Errorf("write history: %w", err)
	}
	return t.run(`UPDATE meds SET status = $1, analysis_result = NULLIF($2, ''), analysis_details = NULLIF($3, ''),
		history = $4, updated_at = $5 WHERE id = $6`,
		m.Status, m.Result, m.Details, string(history), m.UpdatedAt.UnixMicro(), m.ID)
}

func (t *tx) emitMED(m pix.MED) error {
	kind, payload, told := m.Event()
	if !told {
		return nil
	}
	return t.emit(event{accountID: m.AccountID, kind: kind, payload: payload, at: m.UpdatedAt})
}

// MEDFilter says which cases of an account are meant.
type MEDFilter struct {
	Status     pix.MEDStatus // empty: any
	Reconciled *bool         // nil: both
	Created    pix.Period    // by the account's clock
}

// MEDs lists a page of an account's cases, the newest first, and counts all that the
// filter lets through. Pages count from 1. Both are of one moment.
func (s *Store) MEDs(ctx context.Context, accountID int64, f MEDFilter, page, size int) (meds []pix.MED, total int, err error) {
	err = s.snapshot(ctx, func(c conn) (err error) {
		if total, err = c.total(f.conditions(accountID), 0); err != nil {
			return err
		}
		skip := (page - 1) * size
		limit := min(size, total-skip)
		if limit <= 0 {
			return nil
		}
		where := f.conditions(accountID)
		if after := total - skip - limit; after < skip {
			where.upward, skip = true, after
		}
		meds, err = c.meds(where, limit, skip)
		return err
	})
	return meds, total, err
}

// conditions are those of a filter. Every combination of them has an index, in whose order cases are listed.
func (f MEDFilter) conditions(accountID int64) *conditions {
	index := "meds_of_account"
	switch {
	case f.Status != "" && f.Reconciled != nil:
		index = "meds_of_status_reconciled"
	case f.Status != "":
		index = "meds_of_status"
	case f.Reconciled != nil:
		index = "meds_reconciled"
	}
	w := &conditions{table: "meds", index: " INDEXED BY " + index, columns: medColumns, order: []string{"created_at", "id"}}
	w.and("account_id = %s", accountID)
	w.and("created_at >= %s", f.Created.From.UnixMicro())
	w.and("created_at < %s", f.Created.Before.UnixMicro())
	if f.Status != "" {
		w.and("status = %s", f.Status)
	}
	if f.Reconciled != nil {
		w.and("(payment_id <> 0) = %s", flag(*f.Reconciled))
	}
	return w
}

func (c conn) meds(where *conditions, limit, skip int) (meds []pix.MED, err error) {
	query := where.page(limit, skip)
	err = c.each(func(row scanner) error {
		m, err := scanMED(row)
		meds = append(meds, m)
		return err
	}, query, where.args...)
	if where.upward {
		slices.Reverse(meds)
	}
	for i := range meds {
		if err == nil {
			err = c.reconcile(&meds[i])
		}
	}
	return meds, err
}

const medColumns = `id, account_id, end_to_end_id, payment_id, status, reason, COALESCE(cause, ''), COALESCE(description, ''),
	COALESCE(analysis_result, ''), COALESCE(analysis_details, ''), requesting_ispb, history, created_at, updated_at`

func (c conn) med(accountID, id int64) (pix.MED, error) {
	m, err := scanMED(c.row(`SELECT `+medColumns+` FROM meds WHERE id = $1 AND account_id = $2`, id, accountID))
	if err != nil {
		return m, orNotFound(err)
	}
	return m, c.reconcile(&m)
}

// scanMED reads medColumns. Of the original it reads the id alone: see reconcile.
func scanMED(row scanner) (pix.MED, error) {
	var m pix.MED
	var paymentID, created, updated int64
	var history string
	err := row.Scan(&m.ID, &m.AccountID, &m.EndToEndID, &paymentID, &m.Status, &m.Reason, &m.Cause, &m.Description,
		&m.Result, &m.Details, &m.RequestingISPB, &history, &created, &updated)
	if err != nil {
		return m, err
	}
	m.CreatedAt, m.UpdatedAt = time.UnixMicro(created).UTC(), time.UnixMicro(updated).UTC()
	if paymentID != 0 {
		m.Original = &pix.Payment{ID: paymentID}
	}
	return m, json.Unmarshal([]byte(history), &m.History)
}

// reconcile reads the original of a case that has one.
func (c conn) reconcile(m *pix.MED) error {
	if m.Original == nil {
		return nil
	}
	original, err := c.paymentByID(m.Original.ID)
	m.Original = &original
	return err
}
