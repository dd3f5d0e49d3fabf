package store

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"time"
)

// ErrBusy is the answer to a list while as many are being read, and wait, as may be.
var ErrBusy = errors.New("too many lists are being read")

// Lists have connections of their own, fewer than there are processors, so that payments and tokens do not
// wait for them however many are asked for. A list waits for a connection, but not long.
const (
	maxWaiting = 256
	maxWait    = time.Second
)

func snapshotConnections() int { return max(1, runtime.NumCPU()/2) }

// snapshots are connections for reads of several statements that see the same state.
type snapshots struct {
	idle    chan *session
	waiting atomic.Int64
	close   func() error
}

// openSnapshots opens the connections.
func (s *Store) openSnapshots(ctx context.Context, source string) error {
	n := snapshotConnections()
	db, err := s.pool(source, n)
	if err != nil {
		return err
	}
	s.snapshots = &snapshots{idle: make(chan *session, n), close: func() error { return nil }}
	for range n {
		connection, err := db.Conn(ctx)
		if err != nil {
			return err
		}
		own := newSession(connection.PrepareContext)
		before := s.snapshots.close
		s.snapshots.close = func() error { return errors.Join(before(), own.close(), connection.Close()) }
		s.snapshots.idle <- own
	}
	return nil
}

// take waits for a connection.
func (p *snapshots) take(ctx context.Context) (*session, error) {
	select {
	case own := <-p.idle:
		return own, nil
	default:
	}
	defer p.waiting.Add(-1)
	if p.waiting.Add(1) > maxWaiting {
		return nil, ErrBusy
	}
	timeout := time.NewTimer(maxWait)
	defer timeout.Stop()
	select {
	case own := <-p.idle:
		return own, nil
	case <-timeout.C:
		return nil, ErrBusy
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// snapshot is read for several statements, which see one and the same state.
func (s *Store) snapshot(ctx context.Context, do func(conn) error) error {
	if s.snapshots == nil {
		return s.read(ctx, do)
	}
	own, err := s.snapshots.take(ctx)
	if err != nil {
		return err
	}
	defer func() { s.snapshots.idle <- own }()
	always := conn{context.WithoutCancel(ctx), own} // a connection must not be left in a transaction
	if err := always.run(`BEGIN`); err != nil {
		return err
	}
	return errors.Join(do(conn{ctx, own}), always.run(`ROLLBACK`))
}
