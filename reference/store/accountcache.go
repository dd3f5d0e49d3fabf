package store

import (
	"errors"
	"sync"

	"github.com/pixcert/pixcert/reference/pix"
)

// accountCache is a write-back cache of the accounts that the writer works on. Nobody else writes
// them, so what was read once stays valid; and an account that many requests of a group change is
// written once, before the commit.
//
// It belongs to the writer's goroutine. Whatever undoes statements resets it.
type accountCache struct {
	accounts      map[int64]*cachedAccount
	spent         map[accountDay]*dailyTotal
	counts        map[interval]*counts  // what is to be added to payment_counts
	unqueued      []any                 // ids of payments whose jobs are to be removed
	appended      map[appendTable][]any // values of rows that are to be inserted
	dirtyAccounts []*cachedAccount
	dirtyTotals   []*dailyTotal
	touched       map[int64]bool // accounts that were read or changed since the last commit
	tampered      bool           // triggers may change rows: nothing is kept after a commit
	all           bool           // every account was replaced since the last commit
}

type cachedAccount struct {
	pix.Account
	subscribers map[pix.EventType][]int64 // active webhooks by event; those that were asked for
	dirty       bool                      // balances differ from the row
}

type accountDay struct {
	accountID int64
	day       string
}

// dailyTotal is what an account has spent on a day.
type dailyTotal struct {
	accountDay
	sum   pix.Centavos
	dirty bool // differs from the row
}

// maxDailyTotal is where a daily total stops, far above every limit: with the limits lifted and
// the balance filled up again and again, it could grow until it wraps.
const maxDailyTotal pix.Centavos = 1 << 62

// maxCached bounds the accounts and the daily totals that are kept.
const maxCached = 10_000

func newAccountCache(tampered bool) *accountCache {
	c := &accountCache{touched: make(map[int64]bool), tampered: tampered}
	c.reset()
	return c
}

func (c *accountCache) reset() {
	c.accounts, c.spent = make(map[int64]*cachedAccount), make(map[accountDay]*dailyTotal)
	c.counts = make(map[interval]*counts)
	c.appended, c.unqueued = make(map[appendTable][]any), nil
	c.dirtyAccounts, c.dirtyTotals = nil, nil
}

// replaced forgets everything, also what has been committed, since all rows are being replaced.
func (c *accountCache) replaced() {
	c.reset()
	c.all = true
}

// account returns an account with the changes of the open transaction. A removed account does not
// exist.
func (t *tx) account(id int64) (pix.Account, error) {
	account, err := t.cachedAccount(id)
	if err != nil {
		return pix.Account{}, err
	}
	return account.Account, nil
}

func (t *tx) cachedAccount(id int64) (*cachedAccount, error) {
	if account, ok := t.cache.accounts[id]; ok {
		return account, nil
	}
	read, err := t.conn.account(id)
	if err != nil {
		return nil, err
	}
	account := &cachedAccount{Account: read, subscribers: make(map[pix.EventType][]int64)}
	t.cache.accounts[id] = account
	t.cache.touched[id] = true
	return account, nil
}

// change adds to the balances of an account. It returns false and changes nothing if one would
// become negative.
func (t *tx) change(accountID int64, available, blocked pix.Centavos) (bool, error) {
	account, err := t.cachedAccount(accountID)
	if err != nil || account.Available+available < 0 || account.Blocked+blocked < 0 {
		return false, err
	}
	account.Available += available
	account.Blocked += blocked
	if !account.dirty {
		account.dirty = true
		t.cache.dirtyAccounts = append(t.cache.dirtyAccounts, account)
	}
	t.cache.touched[accountID], t.changed = true, true
	return true, nil
}

// spend adds an amount, which may be negative, to what the account has spent on the day of the
// payment, and returns the new total.
func (t *tx) spend(p pix.Payment, amount pix.Centavos) (pix.Centavos, error) {
	on := accountDay{p.AccountID, pix.Day(p.CreatedAt)}
	total, ok := t.cache.spent[on]
	if !ok {
		total = &dailyTotal{accountDay: on}
		err := t.row(`SELECT COALESCE((SELECT spent FROM daily_totals WHERE account_id = $1 AND day = $2), 0)`,
			on.accountID, on.day).Scan(&total.sum)
		if err != nil {
			return 0, err
		}
		t.cache.spent[on] = total
	}
	total.sum = max(0, min(total.sum+amount, maxDailyTotal))
	if !total.dirty {
		total.dirty = true
		t.cache.dirtyTotals = append(t.cache.dirtyTotals, total)
	}
	t.changed = true
	return total.sum, nil
}

// subscribers lists the active webhooks of an account for one type of event.
func (t *tx) subscribers(accountID int64, event pix.EventType) ([]int64, error) {
	account, err := t.cachedAccount(accountID)
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

// invalidate must be called before the row or the webhooks of an account are changed by other
// means: the account is read again when it is next needed.
func (t *tx) invalidate(accountID int64) error {
	err := t.flush()
	delete(t.cache.accounts, accountID)
	t.cache.touched[accountID] = true
	return err
}

// flush writes everything that is dirty.
func (t *tx) flush() error {
	if err := errors.Join(t.flushAppended(), t.flushUnqueued()); err != nil {
		return err
	}
	c := t.cache
	for _, account := range c.dirtyAccounts {
		err := t.conn.run(`UPDATE accounts SET available = $1, blocked = $2 WHERE id = $3`, account.Available, account.Blocked, account.ID)
		if err != nil {
			return err
		}
		account.dirty = false
	}
	for _, total := range c.dirtyTotals {
		err := t.conn.run(`INSERT INTO daily_totals (account_id, day, spent) VALUES ($1, $2, $3)
			ON CONFLICT (account_id, day) DO UPDATE SET spent = excluded.spent`, total.accountID, total.day, total.sum)
		if err != nil {
			return err
		}
		total.dirty = false
	}
	c.dirtyAccounts, c.dirtyTotals = c.dirtyAccounts[:0], c.dirtyTotals[:0]
	return t.flushCounts()
}

// committedAccounts are accounts as of the last commit, for readers in other goroutines. An account
// that is missing here must be read through the writer.
type committedAccounts struct {
	mu       sync.RWMutex
	accounts map[int64]pix.Account
}

func (p *committedAccounts) account(id int64) (pix.Account, bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	account, ok := p.accounts[id]
	return account, ok
}

// publish takes over what the cache holds after a commit.
func (p *committedAccounts) publish(c *accountCache) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c.tampered || c.all || max(len(c.accounts), len(c.spent), len(p.accounts)) > maxCached {
		c.reset()
		clear(p.accounts)
	}
	for id := range c.touched {
		if account, ok := c.accounts[id]; ok {
			p.accounts[id] = account.Account
		} else {
			delete(p.accounts, id)
		}
	}
	clear(c.touched)
	c.all = false
}

func (p *committedAccounts) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.accounts)
}
