package run

import (
	"context"

	"github.com/pixcert/pixcert/steps/plan"
	"github.com/pixcert/pixcert/steps/world"
)

// lease is what a scenario has exclusive use of: accounts of the profile, or paths of the sink if
// their number is limited.
type lease struct {
	accounts []*world.FixedAccount
	paths    []string
}

func (r *run) take(ctx context.Context, p *pass, s *plan.Scenario) (lease, error) {
	switch {
	case len(r.fixed) > 0 && p.sharing:
		return lease{accounts: r.fixed}, nil
	case len(r.fixed) > 0:
		accounts, err := r.accounts.take(ctx, s.Accounts)
		return lease{accounts: accounts}, err
	case r.paths != nil:
		paths, err := r.paths.take(ctx, s.Mailboxes)
		return lease{paths: paths}, err
	}
	return lease{}, nil
}

func (r *run) release(a *attempt) {
	if len(r.fixed) > 0 && !a.pass.sharing {
		r.accounts.release(a.lease.accounts)
	}
	if r.paths != nil {
		r.paths.release(a.lease.paths)
	}
}

// leases hands out things that only one scenario at a time may use. A scenario may take several;
// only one at a time may hold some while it waits for more, which prevents deadlocks.
type leases[T any] struct {
	turn chan struct{}
	free chan T
}

func newLeases[T any](things []T) *leases[T] {
	l := &leases[T]{turn: make(chan struct{}, 1), free: make(chan T, len(things))}
	for _, thing := range things {
		l.free <- thing
	}
	return l
}

// take waits until n things are free or ctx ends. n must not exceed the number of things.
func (l *leases[T]) take(ctx context.Context, n int) ([]T, error) {
	if n == 0 {
		return nil, nil
	}
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	var taken []T
	for range n {
		select {
		case thing := <-l.free:
			taken = append(taken, thing)
		case <-ctx.Done():
			l.release(taken)
			return nil, context.Cause(ctx)
		}
	}
	return taken, nil
}

func (l *leases[T]) release(things []T) {
	for _, thing := range things {
		l.free <- thing
	}
}
