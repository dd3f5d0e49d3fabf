package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/pixcert/pixcert/reference/pix"
)

// maxBatch bounds how many requests share a commit, and so how long one waits.
const maxBatch = 256

// writer owns the connection that writes. It commits in groups: while one group goes to
// the disk the next gathers, and each takes whatever has come by then. No timer holds a
// lone request back.
type writer struct {
	session   *session
	only      *sql.Conn
	ids       *ids
	cache     *accountCache
	committed *committedAccounts
	wake      chan<- struct{}

	queue    chan *request
	closing  chan struct{}
	finished chan struct{}
}

type request struct {
	ctx  context.Context
	do   func(*tx) error
	err  error
	done chan struct{}
}

// tx is an open transaction of the writer.
//
// Many methods: one for each change that can be part of a transaction. What changes an account, its ledger and
// its events together needs all of them.
type tx struct {
	conn
	ids        *ids
	cache      *accountCache
	wake       bool // what is left to do has changed
	savepoints bool // each request has a savepoint, so that it can be undone alone
	changed    bool // since it was last set to false, something may have been written
}

// exec is conn.exec.
func (t *tx) exec(query string, args ...any) (int64, error) {
	rows, err := t.conn.exec(query, args...)
	t.changed = t.changed || rows > 0 || err != nil
	return rows, err
}

// run is conn.run.
func (t *tx) run(query string, args ...any) error {
	_, err := t.exec(query, args...)
	return err
}

// row is conn.row.
func (t *tx) row(query string, args ...any) scanner {
	t.changed = t.changed || writes(query)
	return t.conn.row(query, args...)
}

// each is conn.each.
func (t *tx) each(scan func(scanner) error, query string, args ...any) error {
	t.changed = t.changed || writes(query)
	return t.conn.each(scan, query, args...)
}

// writes says whether a statement that answers rows does more than look.
func writes(query string) bool {
	return !strings.HasPrefix(query, "SELECT") && !strings.HasPrefix(query, "WITH")
}

func startWriter(only *sql.Conn, ids *ids, accounts *committedAccounts, wake chan<- struct{}, tampered bool) *writer {
	w := &writer{
		session:   newSession(only.PrepareContext),
		only:      only,
		ids:       ids,
		cache:     newAccountCache(tampered),
		committed: accounts,
		wake:      wake,
		queue:     make(chan *request, maxBatch),
		closing:   make(chan struct{}),
		finished:  make(chan struct{}),
	}
	go w.run()
	return w
}

// write queues a request and waits for its commit.
func (w *writer) write(ctx context.Context, do func(*tx) error) error {
	r := &request{ctx: ctx, do: do, done: make(chan struct{})}
	select {
	case <-w.closing:
		return ErrClosed
	default:
	}
	select {
	case w.queue <- r:
	case <-ctx.Done():
		return ctx.Err()
	case <-w.closing:
		return ErrClosed
	}
	select {
	case <-r.done:
		return r.err
	case <-w.finished:
	}
	select {
	case <-r.done: // it was in the last group
		return r.err
	default:
		return ErrClosed
	}
}

// close carries out what is queued and waits. It must be called once.
func (w *writer) close() error {
	close(w.closing)
	<-w.finished
	return errors.Join(w.session.close(), w.only.Close())
}

func (w *writer) run() {
	defer close(w.finished)
	batch := make([]*request, 0, maxBatch)
	for {
		select {
		case r := <-w.queue:
			batch = append(batch[:0], r)
		case <-w.closing:
			if batch = w.gather(batch[:0]); len(batch) == 0 {
				return
			}
		}
		w.commit(w.gather(batch))
	}
}

// gather adds what is queued at this moment.
func (w *writer) gather(batch []*request) []*request {
	for len(batch) < maxBatch {
		select {
		case r := <-w.queue:
			batch = append(batch, r)
		default:
			return batch
		}
	}
	return batch
}

// commit carries a group out in one transaction and answers all of it.
func (w *writer) commit(batch []*request) {
	t := &tx{conn: conn{context.Background(), w.session}, ids: w.ids, cache: w.cache}
	err := w.transaction(t, batch)
	if err == nil {
		w.committed.publish(w.cache)
	}
	for _, r := range batch {
		if err != nil {
			r.err = fmt.Errorf("commit: %w", err)
		}
		close(r.done)
	}
	if err == nil && t.wake {
		select {
		case w.wake <- struct{}{}:
		default: // a signal is waiting already
		}
	}
}

// transaction returns the error that rolled the whole group back; errors of single requests are
// left in the requests.
//
// A savepoint for every request would cost as much as the request, and a request hardly ever fails
// after its first change. So a group runs without savepoints; if a request fails after a change, the
// group is rolled back and runs again with them.
func (w *writer) transaction(t *tx, batch []*request) error {
	err := w.attempt(t, batch)
	if errors.Is(err, errNeedsSavepoints) {
		t.savepoints, t.wake = true, false
		err = w.attempt(t, batch)
	}
	return err
}

// errNeedsSavepoints is the error of a group without savepoints in which a request failed after it
// may have changed something.
var errNeedsSavepoints = errors.New("a request failed after a change")

func (w *writer) attempt(t *tx, batch []*request) error {
	if err := t.conn.run(`BEGIN IMMEDIATE`); err != nil {
		return err
	}
	for _, r := range batch {
		if r.err = r.ctx.Err(); r.err != nil {
			continue
		}
		broken, err := t.isolated(r.do)
		if broken != nil {
			return t.rollback(broken)
		}
		r.err = err
	}
	if err := t.flush(); err != nil {
		return t.rollback(err)
	}
	if err := t.conn.run(`COMMIT`); err != nil {
		return t.rollback(err)
	}
	return nil
}

// rollback undoes the transaction and returns the error that was the reason.
func (t *tx) rollback(err error) error {
	t.cache.reset()
	return errors.Join(err, t.conn.run(`ROLLBACK`))
}

// isolated runs do such that an error undoes only what do did. broken is an error that ends the
// whole transaction.
func (t *tx) isolated(do func(*tx) error) (broken, err error) {
	if t.savepoints {
		return t.savepoint(do)
	}
	before := t.changed
	t.changed = false
	if err = guard(t, do); err != nil && (t.changed || !isRefusal(err)) {
		return errNeedsSavepoints, err
	}
	t.changed = t.changed || before
	return nil, err
}

// isRefusal reports whether an error is a response of the domain. Any other error may have ended the
// transaction, as SQLite does when its disk is full; with savepoints, that shows.
func isRefusal(err error) bool {
	_, refused := errors.AsType[*pix.Refusal](err)
	return refused || errors.Is(err, ErrNotFound) || errors.Is(err, ErrFinished)
}

func (t *tx) savepoint(do func(*tx) error) (broken, err error) {
	if broken = errors.Join(t.flush(), t.conn.run(`SAVEPOINT request`)); broken != nil {
		return broken, nil
	}
	woke := t.wake
	if err = guard(t, do); err != nil {
		t.wake = woke
		t.cache.reset()
		if broken = t.conn.run(`ROLLBACK TO request`); broken != nil {
			return errors.Join(err, broken), nil
		}
	}
	return t.conn.run(`RELEASE request`), err
}

// guard keeps a panic of one request from ending all others.
func guard(t *tx, do func(*tx) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			t.changed = true // whatever it was about to do
			err = fmt.Errorf("panic in a transaction: %v\n%s", p, debug.Stack())
		}
	}()
	return do(t)
}

// ids are the last ids that were given out. They belong to the writer's goroutine. One
// that was given to a request which then failed stays unused.
type ids struct{ account, webhook, row int64 }

// readIDs finds out where a database stands.
func readIDs(ctx context.Context, only *sql.Conn) (*ids, error) {
	const highest = `SELECT (SELECT COALESCE(MAX(id), 0) FROM accounts), (SELECT COALESCE(MAX(id), 0) FROM webhooks),
		(SELECT COALESCE(MAX(id), 0) FROM (SELECT MAX(id) AS id FROM payments UNION ALL SELECT MAX(id) FROM charges
			UNION ALL SELECT MAX(id) FROM meds UNION ALL SELECT MAX(id) FROM entries UNION ALL SELECT MAX(id) FROM events
			UNION ALL SELECT MAX(id) FROM jobs UNION ALL SELECT MAX(id) FROM deliveries) AS rows_of_work)`
	var last ids
	err := only.QueryRowContext(ctx, highest).Scan(&last.account, &last.webhook, &last.row)
	return &last, err
}

func (i *ids) nextAccount() int64 { i.account++; return i.account }
func (i *ids) nextWebhook() int64 { i.webhook++; return i.webhook }

// nextRow numbers all other rows, in one sequence.
func (i *ids) nextRow() int64 { i.row++; return i.row }
