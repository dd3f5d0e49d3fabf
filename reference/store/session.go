package store

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// conn runs statements under a context.
//
// Many methods: one for each query, which readers and the transactions of the writer share.
type conn struct {
	ctx context.Context
	*session
}

// exec gives the number of rows that were changed.
func (c conn) exec(query string, args ...any) (int64, error) {
	statement, err := c.statement(c.ctx, query)
	if err != nil {
		return 0, err
	}
	result, err := statement.ExecContext(c.ctx, args...)
	if err != nil {
		return 0, explained(err)
	}
	return result.RowsAffected()
}

// run runs a statement whose number of changed rows is of no interest.
func (c conn) run(query string, args ...any) error {
	_, err := c.exec(query, args...)
	return err
}

// row gives the first row of the answer; its Scan gives sql.ErrNoRows without one.
func (c conn) row(query string, args ...any) scanner {
	statement, err := c.statement(c.ctx, query)
	if err != nil {
		return failed{err}
	}
	return statement.QueryRowContext(c.ctx, args...)
}

// each calls scan for every row of the answer.
func (c conn) each(scan func(scanner) error, query string, args ...any) error {
	statement, err := c.statement(c.ctx, query)
	if err != nil {
		return err
	}
	rows, err := statement.QueryContext(c.ctx, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

type scanner interface{ Scan(dest ...any) error }

type failed struct{ err error }

func (f failed) Scan(...any) error { return f.err }

// orNotFound turns the lack of a row into ErrNotFound.
func orNotFound(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotFound
	}
	return err
}

// prepare prepares a statement.
type prepare = func(ctx context.Context, query string) (*sql.Stmt, error)

// session prepares each statement once and keeps it.
type session struct {
	prepare prepare

	mu       sync.RWMutex
	prepared map[string]*sql.Stmt
}

func newSession(prepare prepare) *session {
	return &session{prepare: prepare, prepared: make(map[string]*sql.Stmt)}
}

func (s *session) statement(ctx context.Context, query string) (*sql.Stmt, error) {
	s.mu.RLock()
	statement, ok := s.prepared[query]
	s.mu.RUnlock()
	if ok {
		return statement, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if statement, ok := s.prepared[query]; ok {
		return statement, nil
	}
	statement, err := s.prepare(ctx, query)
	if err == nil {
		s.prepared[query] = statement
	}
	return statement, err
}

func (s *session) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	for _, statement := range s.prepared {
		err = errors.Join(err, statement.Close())
	}
	clear(s.prepared)
	return err
}
