package steps

import "context"

// leases lend things that one scenario at a time may have, several at once to who needs
// several. Nobody holds some while waiting for more but who has the turn, so that no two
// wait for each other.
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

// take waits until n things are free, or for the end of ctx. It asks for no more than
// there are.
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
			l.giveBack(taken)
			return nil, context.Cause(ctx)
		}
	}
	return taken, nil
}

func (l *leases[T]) giveBack(things []T) {
	for _, thing := range things {
		l.free <- thing
	}
}
