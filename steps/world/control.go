package world

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

func setAvailable(ctx context.Context, w *World, m language.SetAvailable) error {
	return w.the().setBalance(ctx, m.Available)
}

func setFee(ctx context.Context, w *World, m language.SetFee) error {
	fees := target.Fees{CashOut: m.Fee.Decimal()}
	if m.CashIn {
		fees = target.Fees{CashIn: m.Fee.Decimal()}
	}
	return w.controls().SetFees(ctx, w.the().id, fees)
}

func limitRequests(ctx context.Context, w *World, m language.LimitRequests) error {
	limit := &m.PerMinute
	return w.controls().SetLimits(ctx, w.the().id, target.Limits{RequestsPerMinute: &limit})
}

func liftLimits(ctx context.Context, w *World, _ language.LiftLimits) error {
	if !w.Usable[target.LimitsControl] { // the profile says that the account has no limits
		return nil
	}
	return w.controls().SetLimits(ctx, w.the().id, target.NoLimits())
}

func removeAccount(ctx context.Context, w *World, _ language.RemoveAccount) error {
	return w.controls().RemoveAccount(ctx, w.the().id)
}

func fault(ctx context.Context, w *World, m language.Fault) error {
	return w.controls().SetFaults(ctx, w.the().id, target.Faults{Auth: m.Upstream, PixProvider: m.Provider, MinimumExpiration: m.LeastExpiration})
}

func holdRefunds(ctx context.Context, w *World, _ language.HoldRefunds) error {
	return w.controls().SetRefunds(ctx, w.the().id, "manual")
}

func setLimit(ctx context.Context, w *World, m language.SetLimit) error {
	var limits target.Limits
	decimal := m.Amount.Decimal()
	limit := &decimal
	*limits.Named(string(m.Limit)) = &limit
	return w.controls().SetLimits(ctx, w.the().id, limits)
}

// ownLimit is a limit that the account has: the profile's, or one that is set. What exceeds it
// must be there to be spent, or it is refused for that.
func ownLimit(ctx context.Context, w *World, m language.OwnLimit) error {
	limit := money.Centavos(100_00)
	if w.Usable[target.LimitsControl] {
		if err := setLimit(ctx, w, language.SetLimit{Limit: m.Limit, Amount: limit}); err != nil {
			return err
		}
	} else {
		stated := w.Target.Profile.Limits
		var err error
		if limit, err = money.Parse(***stated.Named(string(m.Limit))); err != nil {
			return fmt.Errorf("limits.%s in the profile: %w", m.Limit, err)
		}
	}
	w.ownLimit = limit
	needs := limit + 1 + money.OrZero(w.Terms.Fees.CashOut)
	b, err := w.the().balance(ctx, record.Aside)
	if err == nil && b.Available < needs {
		return record.Cannot(fmt.Sprintf("the account has %v available, but exceeding its %s limit requires %v", b.Available, m.Limit, needs))
	}
	return err
}

// holdToken has an account get a token, which it can later send as its first.
func holdToken(ctx context.Context, w *World, m language.HoldToken) error {
	a, err := w.actor(m.Account)
	if err != nil {
		return err
	}
	a.firstToken, err = a.token(ctx)
	return err
}

// offersStandardBalance: GET /balance is not an operation that a gateway must offer, and one
// that has other paths may answer it with any page.
func offersStandardBalance(ctx context.Context, w *World, _ language.OffersStandardBalance) error {
	t, err := w.the().ask(ctx, "standard balance request", nil, record.Aside)
	if err != nil {
		return err
	}
	has := func(field string) bool { return jsonvalue.Find(t.Answer, field).Present }
	if t.Accepted() && slices.ContainsFunc([]string{"grossBalance", "blockedBalance", "netBalance", "consultedAt"}, has) {
		return nil
	}
	return notOffered("GET /balance returned " + t.Summary())
}

// --- time ---

func setTime(ctx context.Context, w *World, m language.SetTime) error {
	tomorrow := time.Now().In(w.Zone).AddDate(0, 0, 1)
	return w.the().setTime(ctx, time.Date(tomorrow.Year(), tomorrow.Month(), tomorrow.Day(), m.Hour, m.Minute, m.Second, 0, w.Zone))
}

func setDate(ctx context.Context, w *World, m language.SetDate) error {
	return w.the().setTime(ctx, time.Date(leapYearAfter(time.Now().Year()), m.Month, m.Day, 12, 0, 0, 0, w.Zone))
}

// passTime moves the clock. A scenario that was refused requests for their number waits instead when it is repeated: a
// gateway may count them in real time, and every clock runs on.
func passTime(ctx context.Context, w *World, m language.PassTime) error {
	if w.RealTime && m.By < 2*time.Minute {
		w.note(record.Fact{Kind: record.TimePassed, At: time.Now()})
		w.sayWaits(false)
		return sleep(ctx, m.By)
	}
	return w.the().passTime(ctx, m.By)
}

func (a *actor) setTime(ctx context.Context, now time.Time) error {
	a.issued = "" // at another time
	a.ahead = time.Until(now)
	return a.w.controls().SetClock(ctx, a.id, now)
}

// leapYearAfter is the first leap year after a year.
func leapYearAfter(year int) int {
	for {
		year++
		if time.Date(year, time.February, 29, 0, 0, 0, 0, time.UTC).Month() == time.February {
			return year
		}
	}
}

func (a *actor) passTime(ctx context.Context, by time.Duration) error {
	a.issued = "" // may have expired
	a.ahead += by
	a.w.note(record.Fact{Kind: record.TimePassed, At: time.Now()})
	return a.w.controls().AdvanceClock(ctx, a.id, by)
}

// --- the bank and the key directory ---

func holdSettlement(ctx context.Context, w *World, _ language.HoldSettlement) error {
	if w.Staged {
		return nil
	}
	return w.controls().SetSettlement(ctx, w.the().id, "manual")
}

// settle has the bank settle a payment. Who only tries may find it finished.
func settle(ctx context.Context, w *World, m language.Settle) error {
	if m.Each {
		return settleEach(ctx, w, m)
	}
	p, err := w.Judge.Nth(m.Payment, api.Payment)
	if err != nil {
		return err
	}
	if !p.Accepted() {
		return record.Cannot("no payment was accepted: " + p.Summary())
	}
	if w.Staged {
		return nil
	}
	named := target.Payment{TransactionID: jsonvalue.Text(p.Answer, "transactionId")}
	if p.Op.ID == "transfer" {
		id, _ := jsonvalue.Find(p.Answer, "id").Value.(json.Number)
		named = target.Payment{ID: id}
	}
	result := target.Result{Outcome: target.Confirmed}
	if m.ErrorCode != "" {
		result = target.Result{Outcome: string(api.Failed), ErrorCode: string(m.ErrorCode), ErrorMessage: "rejected by the test"}
	}
	return tried(m.Tries, w.controls().Settle(ctx, w.actors[p.Account].id, named, result))
}

// settleEach settles all payments, in the order in which the gateway accepted them.
func settleEach(ctx context.Context, w *World, m language.Settle) error {
	for n := language.Nth(1); ; n++ {
		if _, err := w.Judge.Nth(n, api.Payment); err != nil && n > 1 {
			return nil
		}
		if err := settle(ctx, w, language.Settle{Payment: n, ErrorCode: m.ErrorCode}); err != nil {
			return err
		}
	}
}

// tried is the error of a control, unless somebody only tries: then what is finished may stay
// so.
func tried(tries bool, err error) error {
	if tries && target.IsFinished(err) {
		return nil
	}
	return err
}

// holder is who holds a key of the directory.
type holder struct{ key, document string }

// holders are the entries of the key directory by what is special about them: another document than
// the payee's, a status other than active.
var holders = map[language.Holder]struct{ document, status string }{
	language.OtherDocument:  {another.document, "ACTIVE"},
	language.BlockedAccount: {"", "BLOCKED"},
	language.ClosedAccount:  {"", "CLOSED"},
}

func putKey(ctx context.Context, w *World, m language.PutKey) error {
	entry := holders[m.Holder]
	w.holder = holder{freshEmail(w.Stage), cmp.Or(entry.document, w.data.payee.document)}
	first := w.data.payer.document[:1]
	if m.Zero {
		first = "0"
	}
	switch m.Kind {
	case language.CPFKey:
		key := freshCPF(first)
		w.holder = holder{key, key}
	case language.CNPJKey:
		key := freshCNPJ(first)
		w.holder = holder{key, key}
	case language.PhoneKey:
		w.holder.key = "+55119" + digits(8)
	case language.LandlineKey:
		w.holder.key = "+55113" + digits(7)
	case language.RandomKey:
		w.holder.key = uuid.NewString()
	}
	return w.controls().PutKey(ctx, w.holder.key, target.DirectoryEntry{
		Name: w.data.payee.name, Document: w.holder.document, ISPB: cmp.Or(m.ISPB, "18236120"), AccountStatus: cmp.Or(entry.status, "ACTIVE"),
	})
}
