// Package store keeps the gateway's state in SQL: accounts, ledger, payments, webhooks
// and the jobs that are left to do. What it answers is durable.
//
// Exported methods open a transaction; lower-case functions work in one that is open.
// A refusal of the domain is a *pix.Refusal and has changed nothing.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/pixcert/pixcert/reference/pix"
)

var (
	// ErrNotFound is the answer for an account, payment or certificate that does not
	// exist, or is another account's; a removed account does not exist.
	ErrNotFound = errors.New("not found")
	// ErrFinished is the answer to what would move a payment, a charge or a refund that
	// has ended.
	ErrFinished = errors.New("already finished")
	// ErrClosed is the answer of a store that was closed.
	ErrClosed = errors.New("the store is closed")
)

// Store is the state of one gateway. It is safe for concurrent use.
//
// Many methods: one for each operation of the API, of the test controls and of the workers. Each is one
// transaction of the writer, or one read.
type Store struct {
	triggers  string // SQL that makes the store wrong on purpose; empty for none
	writer    *writer
	readers   *session   // nil: reads queue with the writes
	snapshots *snapshots // nil with readers
	pools     []*sql.DB
	accounts  committedAccounts
	wake      chan struct{}
	replaced  atomic.Int64 // see Generation
}

// Open opens the database file at path and makes it when it is missing; "" and
// ":memory:" stand for memory, which Close forgets. A file belongs to one Store at a
// time; a lock beside it, which a crash lets go of, keeps a second one out.
//
// Memory has a single connection, since a second one would see a database of its own:
// reads take their turn among the writes. A file has a writer and, beside it, readers
// that see what was last committed.
func Open(ctx context.Context, path string) (*Store, error) {
	return OpenTampered(ctx, path, "")
}

// OpenTampered is Open for a store that is wrong on purpose, where a fault cannot be seen from outside: triggers is SQL
// that runs once the tables exist.
func OpenTampered(ctx context.Context, path, triggers string) (*Store, error) {
	s := &Store{triggers: triggers, accounts: committedAccounts{accounts: make(map[int64]pix.Account)}, wake: make(chan struct{}, 1)}
	if err := s.open(ctx, path); err != nil {
		s.closePools()
		return nil, fmt.Errorf("open database %q: %w", path, explained(err))
	}
	return s, nil
}

func (s *Store) open(ctx context.Context, path string) error {
	if path == "" || path == ":memory:" {
		return s.startWriter(ctx, "file::memory:?_pragma=synchronous(OFF)")
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // by whatever name: its lock is one
	}
	file := "file:" + (&url.URL{Path: path}).EscapedPath()
	if foreign(ctx, path, file) {
		return ErrForeign
	}
	if err := private(path); err != nil {
		return err
	}
	if err := s.lock(ctx, file); err != nil {
		return err
	}
	source := file + "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=wal_autocheckpoint(16000)"
	if err := s.startWriter(ctx, source+"&_pragma=cache_size(-262144)"); err != nil {
		return err
	}
	source += "&_pragma=query_only(1)"
	readers, err := s.pool(source, max(4, runtime.NumCPU()))
	if err == nil {
		err = s.openSnapshots(ctx, source+"&_pragma=cache_size(-65536)")
	}
	if err != nil {
		return errors.Join(err, s.writer.close())
	}
	s.readers = newSession(readers.PrepareContext)
	return nil
}

// foreign reports whether a file is the database of another program. It leaves the file as it is, also while another
// process uses it; what cannot be read is for the writer to report.
func foreign(ctx context.Context, path, file string) bool {
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		return false
	}
	db, err := sql.Open("sqlite", file+"?mode=ro&immutable=1")
	if err != nil {
		return false
	}
	defer db.Close()
	only, err := db.Conn(ctx)
	if err != nil {
		return false
	}
	defer only.Close()
	_, err = checkSchema(ctx, only)
	return errors.Is(err, ErrForeign)
}

// private makes the database's files such that only their owner can read them, since they
// hold keys and the headers of webhooks. SQLite gives what it makes beside a database the
// mode of the database; what an earlier version left there is corrected.
func private(path string) error {
	for _, name := range []string{path, path + "-lock"} {
		file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return err
		}
		if err := file.Close(); err != nil {
			return err
		}
	}
	for _, beside := range []string{"", "-lock", "-wal", "-shm", "-journal"} {
		if err := os.Chmod(path+beside, 0o600); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// lock holds a transaction open on an empty database beside the real one.
func (s *Store) lock(ctx context.Context, file string) error {
	db, err := s.pool(file+"-lock", 1)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, `BEGIN EXCLUSIVE`)
	return err
}

func (s *Store) startWriter(ctx context.Context, source string) error {
	db, err := s.pool(source, 1)
	if err != nil {
		return err
	}
	only, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	last, err := prepareDatabase(ctx, only, s.triggers)
	if err != nil {
		return errors.Join(err, only.Close())
	}
	s.writer = startWriter(only, last, &s.accounts, s.wake, s.triggers != "")
	return nil
}

// pool opens a pool that keeps all of its connections.
func (s *Store) pool(source string, size int) (*sql.DB, error) {
	db, err := sql.Open("sqlite", source)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	s.pools = append(s.pools, db)
	return db, nil
}

// Close carries out what was asked for already, refuses what comes after, and returns
// when nothing of the store is running.
func (s *Store) Close() error {
	err := s.writer.close()
	s.accounts.clear()
	if s.readers != nil {
		err = errors.Join(err, s.readers.close(), s.snapshots.close())
	}
	return errors.Join(err, s.closePools())
}

func (s *Store) closePools() error {
	var err error
	for _, db := range s.pools {
		err = errors.Join(err, db.Close())
	}
	return err
}

// Ready says why the store cannot be read, nil when it can.
func (s *Store) Ready(ctx context.Context) error {
	return s.read(ctx, func(c conn) error {
		var one int
		return c.row(`SELECT 1`).Scan(&one)
	})
}

// Wake has a value after a commit that changed what is left to do.
func (s *Store) Wake() <-chan struct{} { return s.wake }

// write carries do out in a transaction of its own; when it fails nothing of it
// remains. Once it has begun it is carried out even if ctx ends. It may be carried out
// twice, the first time in vain: do leaves nothing behind but what it overwrites.
func (s *Store) write(ctx context.Context, do func(*tx) error) error {
	return s.writer.write(ctx, do)
}

// read lets do see the committed state. It may let it see twice, as write.
func (s *Store) read(ctx context.Context, do func(conn) error) error {
	if s.readers == nil {
		return s.writer.write(ctx, func(t *tx) error {
			if err := t.flush(); err != nil {
				return err
			}
			return do(t.conn)
		})
	}
	return do(conn{ctx, s.readers})
}
