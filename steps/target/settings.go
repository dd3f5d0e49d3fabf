package target

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// SetBalance sets the available balance; the blocked balance does not change.
func (c *Controls) SetBalance(ctx context.Context, id int64, available string) error {
	return c.put(ctx, Funds, id, "/balance", map[string]string{"available": available})
}

// Fees are the fees of later operations; an empty one does not change.
type Fees struct {
	CashOut string `json:"cashOut,omitempty"`
	CashIn  string `json:"cashIn,omitempty"`
}

// SetFees sets the fees of later operations.
func (c *Controls) SetFees(ctx context.Context, id int64, fees Fees) error {
	return c.put(ctx, FeesControl, id, "/fees", fees)
}

// Limit is an amount, or nil to remove a limit.
type Limit = *string

// Limits are the limits of an account; nil does not change one.
type Limits struct {
	PerTransaction    *Limit `json:"perTransaction,omitempty"`
	Daily             *Limit `json:"daily,omitempty"`
	Night             *Limit `json:"night,omitempty"` // for one payment between 20:00 and 06:00
	RequestsPerMinute **int  `json:"requestsPerMinute,omitempty"`
}

// AmountLimits are the names of the limits on amounts.
var AmountLimits = []string{"per-transaction", "daily", "night"}

// Named returns the limit on amounts with this name.
func (l *Limits) Named(name string) **Limit {
	switch name {
	case "per-transaction":
		return &l.PerTransaction
	case "daily":
		return &l.Daily
	default:
		return &l.Night
	}
}

// NoLimits removes every limit on amounts.
func NoLimits() Limits {
	var limits Limits
	for _, name := range AmountLimits {
		var none Limit
		*limits.Named(name) = &none
	}
	return limits
}

// SetLimits sets or removes limits.
func (c *Controls) SetLimits(ctx context.Context, id int64, limits Limits) error {
	return c.put(ctx, LimitsControl, id, "/limits", limits)
}

// SetClock sets the clock of an account, which keeps running. Everything that falls due has
// happened when it returns.
func (c *Controls) SetClock(ctx context.Context, id int64, now time.Time) error {
	return c.put(ctx, Clock, id, "/clock", map[string]string{"now": now.UTC().Format(time.RFC3339Nano)})
}

// AdvanceClock advances the clock of an account, in whole seconds (rounded up).
func (c *Controls) AdvanceClock(ctx context.Context, id int64, by time.Duration) error {
	seconds := (by + time.Second - 1) / time.Second
	return c.put(ctx, Clock, id, "/clock", map[string]string{"advance": fmt.Sprintf("%ds", seconds)})
}

// RegisterCertificate registers another certificate, in PEM, with an account.
func (c *Controls) RegisterCertificate(ctx context.Context, id int64, certificate []byte) error {
	return c.call(ctx, Certificates, http.MethodPost, account(id, "/certificates"), certificateBody(certificate), nil)
}

// RevokeCertificate revokes an account's certificate by its SHA-256 fingerprint
// in lower-case hex.
func (c *Controls) RevokeCertificate(ctx context.Context, id int64, fingerprint string) error {
	return c.call(ctx, Certificates, http.MethodDelete, account(id, "/certificates/"+url.PathEscape(fingerprint)), nil, nil)
}

// DirectoryEntry is the holder of a key in the key directory.
type DirectoryEntry struct {
	Name          string `json:"name"`
	Document      string `json:"document"`
	ISPB          string `json:"ispb"`
	AccountStatus string `json:"accountStatus"` // ACTIVE, BLOCKED, CLOSED
}

// PutKey adds a key, in canonical form, to the key directory. All accounts share it: use new keys.
func (c *Controls) PutKey(ctx context.Context, key string, entry DirectoryEntry) error {
	return c.call(ctx, Directory, http.MethodPut, "/directory/"+url.PathEscape(key), entry, nil)
}

// SetSettlement sets the settlement mode, "manual" or "automatic", which also settles pending
// payments.
func (c *Controls) SetSettlement(ctx context.Context, id int64, mode string) error {
	return c.put(ctx, Settlement, id, "/settlement", map[string]string{"mode": mode})
}

// Confirmed is the outcome of a successful payment; failed ones have an errorCode.
const Confirmed = "CONFIRMED"

// Result is how the bank settles a payment.
type Result struct {
	Outcome      string `json:"outcome"` // CONFIRMED, ERROR
	ErrorCode    string `json:"errorCode,omitempty"`
	ErrorMessage string `json:"errorMessage,omitempty"`
}

// Settle settles a pending payment, identified by its transactionId, or a transfer by its id.
// IsFinished recognizes the error of one that was already settled.
func (c *Controls) Settle(ctx context.Context, id int64, payment Payment, result Result) error {
	body := struct {
		Payment
		Result
	}{payment, result}
	return c.call(ctx, Settlement, http.MethodPost, account(id, "/settlements"), body, nil)
}

// Payment identifies a payment, by one of the two.
type Payment struct {
	TransactionID string      `json:"transactionId,omitempty"`
	ID            json.Number `json:"id,omitempty"` // of a transfer
}

// Faults are faults of upstream systems; zero values do not change.
type Faults struct {
	Auth              string `json:"auth,omitempty"`              // none, error, unavailable
	PixProvider       string `json:"pixProvider,omitempty"`       // none, unavailable
	MinimumExpiration int    `json:"minimumExpiration,omitempty"` // seconds
}

// SetFaults sets or clears faults.
func (c *Controls) SetFaults(ctx context.Context, id int64, faults Faults) error {
	return c.put(ctx, FaultsControl, id, "/faults", faults)
}
