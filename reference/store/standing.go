package store

import (
	"sync"

	"github.com/pixcert/pixcert/reference/pix"
)

// standing is how accounts stand in the open transaction, as far as the writer has had
// to do with them. Nobody else writes, so that what it read once it knows; and what many
// requests of a group change of one account it writes once, before the commit.
//
// It belongs to the writer's goroutine. Whatever undoes statements drops it.
type standing struct {
	accounts map[int64]*standingAccount
	spent    map[accountDay]*spending
	written  []*standingAccount // whose row is behind
	paid     []*spending        // likewise
	touched  map[int64]bool     // accounts that were read or changed since the last commit
	tampered bool               // the database knows better: nothing is remembered beyond a commit
}

type standingAccount struct {
	Account
	subscribers map[pix.EventType][]int64 // active webhooks by event, as far as they were asked for
	behind      bool                      // its row has other balances
}

type accountDay struct {
	accountID int64
	day       string
}

type spending struct {
	accountDay
	sum    pix.Centavos
	behind bool
}

// maxStanding bounds what is remembered of accounts and of their days.
const maxStanding = 10_000

func newStanding(tampered bool) *standing {
	s := &standing{touched: make(map[int64]bool), tampered: tampered}
	s.drop()
	return s
}

func (s *standing) drop() {
	s.accounts, s.spent = make(map[int64]*standingAccount), make(map[accountDay]*spending)
	s.written, s.paid = nil, nil
}

// account gives an account as it stands; one that was removed does not exist.
func (t *tx) account(id int64) (Account, error) {
	account, err := t.stand(id)
	if err != nil {
		return Account{}, err
	}
	return account.Account, nil
}

func (t *tx) stand(id int64) (*standingAccount, error) {
	if account, ok := t.standing.accounts[id]; ok {
		return account, nil
	}
	read, err := t.conn.account(id)
	if err != nil {
		return nil, err
	}
	account := &standingAccount{Account: read, subscribers: make(map[pix.EventType][]int64)}
	t.standing.accounts[id] = account
	t.standing.touched[id] = true
	return account, nil
}

// change adds to the balances of an account. It says false, and does nothing, when one
// would become negative.
func (t *tx) change(accountID int64, available, blocked pix.Centavos) (bool, error) {
	account, err := t.stand(accountID)
	if err != nil || account.Available+available < 0 || account.Blocked+blocked < 0 {
		return false, err
	}
	account.Available += available
	account.Blocked += blocked
	if !account.behind {
		account.behind = true
		t.standing.written = append(t.standing.written, account)
	}
	t.standing.touched[accountID], t.changed = true, true
	return true, nil
}

// spend adds to what the account has paid on the day of the payment, or takes away from
// it, and gives the new sum.
func (t *tx) spend(p pix.Payment, amount pix.Centavos) (pix.Centavos, error) {
	on := accountDay{p.AccountID, pix.Day(p.CreatedAt)}
	spent, ok := t.standing.spent[on]
	if !ok {
		spent = &spending{accountDay: on}
		err := t.row(`SELECT COALESCE((SELECT spent FROM daily_totals WHERE account_id = $1 AND day = $2), 0)`,
			on.accountID, on.day).Scan(&spent.sum)
		if err != nil {
			return 0, err
		}
		t.standing.spent[on] = spent
	}
	spent.sum += amount
	if !spent.behind {
		spent.behind = true
		t.standing.paid = append(t.standing.paid, spent)
	}
	t.changed = true
	return spent.sum, nil
}

// subscribers lists the active webhooks of an account for one type of event.
func (t *tx) subscribers(accountID int64, event pix.EventType) ([]int64, error) {
	account, err := t.stand(accountID)
	if err != nil {
		return nil, err
	}
	if ids, ok := account.subscribers[event]; ok {
		return ids, nil
	}
	ids := []int64{}
	err = t.each(func(row scanner) error {
		var id int64
		err := row.Scan(&id)
		ids = append(ids, id)
		return err
	}, `SELECT id FROM webhooks WHERE account_id = $1 AND type = $2 AND active = 1 ORDER BY id`, accountID, event)
	account.subscribers[event] = ids
	return ids, err
}

// forget is for who changes of an account what its row or its webhooks say: it is read
// again when it is next asked for.
func (t *tx) forget(accountID int64) error {
	err := t.catchUp()
	delete(t.standing.accounts, accountID)
	t.standing.touched[accountID] = true
	return err
}

// catchUp writes what is behind.
func (t *tx) catchUp() error {
	s := t.standing
	for _, account := range s.written {
		err := t.conn.run(`UPDATE accounts SET available = $1, blocked = $2 WHERE id = $3`, account.Available, account.Blocked, account.ID)
		if err != nil {
			return err
		}
		account.behind = false
	}
	for _, spent := range s.paid {
		err := t.conn.run(`INSERT INTO daily_totals (account_id, day, spent) VALUES ($1, $2, $3)
			ON CONFLICT (account_id, day) DO UPDATE SET spent = excluded.spent`, spent.accountID, spent.day, spent.sum)
		if err != nil {
			return err
		}
		spent.behind = false
	}
	s.written, s.paid = s.written[:0], s.paid[:0]
	return nil
}

// published is how accounts stood at the last commit, for whoever asks beside the
// writer. What it does not have has to be asked of the writer.
type published struct {
	mu       sync.RWMutex
	accounts map[int64]Account
}

func (p *published) account(id int64) (Account, bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	account, ok := p.accounts[id]
	return account, ok
}

// publish is for after a commit.
func (p *published) publish(s *standing) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.tampered || max(len(s.accounts), len(s.spent), len(p.accounts)) > maxStanding {
		s.drop()
		clear(p.accounts)
	}
	for id := range s.touched {
		if account, ok := s.accounts[id]; ok {
			p.accounts[id] = account.Account
		} else {
			delete(p.accounts, id)
		}
	}
	clear(s.touched)
}

func (p *published) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.accounts)
}
