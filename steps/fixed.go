package steps

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/target"
)

// Where no new accounts can be made the scenarios run on those of the profile, which have
// a history and keep it. One scenario at a time has an account, but for those that change
// nothing: they share the accounts, and are carried out before the others.

// fixedAccount is an account of the profile. Who has leased it may touch its fields.
type fixedAccount struct {
	target.Account
	certificate *certs.Certificate
	index       int // among those of the run

	unsettled []*attempt // payments and refunds whose end was not seen
	blocked   centavos   // what was blocked before they were made
	restless  bool       // some stayed without an end, and may move the balance at any time
	touched   []setting  // that are to be put back
}

// key names the account in paths and files: the same in every run, and no secret.
func (a *fixedAccount) key() string {
	sum := sha256.Sum256([]byte(strings.ToLower(a.ClientID)))
	return hex.EncodeToString(sum[:6])
}

// openFixed reads the accounts of the profile, each once, if the run needs them.
func (r *run) openFixed() error {
	if r.target.Has[target.Accounts] {
		return nil
	}
	for i, account := range r.profile.Accounts {
		certificate, err := certs.Load(account.Certificate, account.Key)
		if err != nil {
			return fmt.Errorf("the certificate of account %d of the profile: %w", i+1, err)
		}
		if slices.ContainsFunc(r.fixed, func(a *fixedAccount) bool { return strings.EqualFold(a.ClientID, account.ClientID) }) {
			return fmt.Errorf("account %d of the profile has the clientId of another: give each account once", i+1)
		}
		r.fixed = append(r.fixed, &fixedAccount{Account: account, certificate: certificate, index: i})
	}
	r.accounts = newLeases(r.fixed)
	return nil
}

// lease takes what the scenario is carried out on before its time begins: the accounts
// that it speaks of, and paths for its webhooks where they are counted.
func (s *scenario) lease(ctx context.Context) (err error) {
	if s.run.isFixed() {
		s.sharing = s.run.sharing
		if s.sharing {
			s.leased = s.run.fixed
			return nil
		}
		s.leased, err = s.run.accounts.take(ctx, s.plan.accounts)
		return err
	}
	if s.run.paths != nil {
		s.paths, err = s.run.paths.take(ctx, s.plan.mailboxes)
		s.leasedPaths = s.paths
	}
	return err
}

// giveBack ends the lease.
func (s *scenario) giveBack() {
	if s.run.isFixed() && !s.sharing {
		s.run.accounts.giveBack(s.leased)
	}
	if s.leasedPaths != nil {
		s.run.paths.giveBack(s.leasedPaths)
	}
}

func (r *run) isFixed() bool { return len(r.fixed) > 0 }

// fixedActor is the leased account as the scenario acts for it. What an earlier scenario
// could not put back is put back now.
func (s *scenario) fixedActor(ctx context.Context, which string) (*actor, error) {
	a := &actor{name: "the account"}
	if strings.HasPrefix(which, "another ") {
		a.name = "the other account"
		a.fixed, s.other = s.leased[1], a
	} else {
		a.fixed, s.account = s.leased[0], a
	}
	a.id, a.clientID, a.clientSecret = a.fixed.AccountID, a.fixed.ClientID, a.fixed.ClientSecret
	a.pixKey, a.certificate = a.fixed.PixKey, a.fixed.certificate
	if s.sharing {
		return a, nil
	}
	if err := s.putBack(ctx, a.fixed); err != nil {
		return a, err
	}
	a.fixed.touched = s.run.touches(s.plan)
	if !s.plan.judgesMoney {
		return a, nil
	}
	if err := s.awaitEnds(ctx, a); err != nil {
		return a, err
	}
	if s.run.lastTry {
		return a, s.awaitCalm(ctx, a)
	}
	return a, nil
}

// fund sees to it that a fixed account has an amount: more is as good, unless it is to be
// exactly that much.
func (s *scenario) fund(ctx context.Context, a *actor, available string, exactly bool) error {
	want, err := parseAmount(available)
	if err != nil {
		return err
	}
	b, err := s.balanceOf(ctx, a)
	if err != nil {
		return err
	}
	if !s.sharing {
		a.fixed.blocked = b.blocked
	}
	switch {
	case b.available == want || b.available > want && !exactly:
		return nil
	case s.sharing:
		return &unable{reason: "the account is in use by others"} // carried out again, alone
	case s.run.target.Has[target.Funds] && a.id != 0:
		return s.setBalance(ctx, a, available)
	}
	return &unable{reason: fmt.Sprintf("the account has %v available, and this needs %v: give it more, or offer the test control funds", b.available, want)}
}

// setBalance sets what is available, and remembers what a fixed account had.
func (s *scenario) setBalance(ctx context.Context, a *actor, available string) error {
	if a.fixed != nil && !slices.ContainsFunc(a.fixed.touched, func(t setting) bool { return t.control == target.Funds }) {
		b, err := s.balanceOf(ctx, a)
		if err != nil {
			return err
		}
		a.fixed.touched = append(a.fixed.touched, fundsOf(b.available))
	}
	return s.controls().SetBalance(ctx, a.id, available)
}

// judgesMoney says whether the scenario looks at what is available or blocked.
func judgesMoney(scenario *catalogue.Scenario) bool {
	return slices.ContainsFunc(scenario.Steps, func(step catalogue.Step) bool {
		return step.Type == catalogue.Outcome &&
			(strings.Contains(step.Text, "available") || strings.Contains(step.Text, "blocked") || strings.Contains(step.Text, "refused"))
	})
}

// keepUnsettled remembers the payments and refunds whose end may move the balance of the
// account during a later scenario.
func (s *scenario) keepUnsettled() {
	for _, t := range s.attempts {
		if (t.op.makes == payment || t.op.makes == refund) && t.accepted() && t.actor.fixed != nil && !s.sharing {
			t.actor.fixed.unsettled = append(t.actor.fixed.unsettled, t)
		}
	}
}

// awaitEnds waits until what earlier scenarios have made has come to its end. What does
// not leaves the account restless: what its balance does is then no fault.
func (s *scenario) awaitEnds(ctx context.Context, a *actor) error {
	if a.fixed.restless {
		return nil
	}
	unseen := false
	ended, err := poll(ctx, s.run.profile.Deadlines.Webhook, func() (bool, error) {
		for len(a.fixed.unsettled) > 0 {
			end, err := s.endOf(ctx, a, a.fixed.unsettled[0])
			if end == pending || err != nil {
				return false, err
			}
			unseen = unseen || end == unlisted
			a.fixed.unsettled = a.fixed.unsettled[1:]
		}
		return true, nil
	})
	a.fixed.unsettled = nil
	a.fixed.restless = a.fixed.restless || !ended
	if ended && unseen && err == nil {
		return s.awaitCalm(ctx, a)
	}
	return err
}

// ending is whether what was made has come to its end, as far as that can be seen.
type ending int

const (
	pending  ending = iota
	reached         // its end
	unlisted        // it is in no list, and nothing else tells
)

// endOf looks for the end of an earlier payment or refund: in the list or, where a
// transfer is not listed, by what is blocked.
func (s *scenario) endOf(ctx context.Context, a *actor, p *attempt) (ending, error) {
	id, ok := p.externalID()
	query := url.Values{"externalId": {id}}
	switch {
	case p.op.makes == refund:
		rtrID, _ := lookup(p.answer, "rtrId")
		query = url.Values{"endToEndId": {fmt.Sprint(rtrID)}, "type": {"REFUND_IN"}}
	case !ok:
		b, err := s.balanceOf(ctx, a)
		if b.blocked <= a.fixed.blocked {
			return reached, err
		}
		return pending, err
	}
	t, err := s.lookAside(ctx, a, "transaction list request", query)
	if err != nil {
		return pending, err
	}
	status, listed := lookup(t.answer, "data[0].status")
	switch {
	case status == "Pendente":
		return pending, nil
	case !listed && p.op.makes == refund:
		return unlisted, nil
	default:
		return reached, nil
	}
}

// calm is for how long a balance must not move before a scenario is carried out for the
// last time.
const calm = time.Second

func (s *scenario) awaitCalm(ctx context.Context, a *actor) error {
	last, err := s.balanceOf(ctx, a)
	since := time.Now()
	if err != nil {
		return err
	}
	_, err = poll(ctx, s.run.profile.Deadlines.Balance, func() (bool, error) {
		now, err := s.balanceOf(ctx, a)
		if now.available != last.available || now.blocked != last.blocked {
			last, since = now, time.Now()
		}
		return time.Since(since) >= calm, err
	})
	return err
}
