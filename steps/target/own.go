package target

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
)

// The limits of this machine say nothing about the target. Connections stay within the limit of open
// files. A connection that cannot be opened because of a limit has reached nobody, so it is tried again.

const (
	reservedFiles = 64   // for files, the report and everything else that is not a connection
	mostDials     = 4096 // connections, if the limit of open files allows more
	perConnection = 4    // files: the connection, a webhook, and both ends of them with the bundled reference
	perScenario   = 4    // connections
)

// Connections returns how many connections to a target may be open at the same time within the limit
// of open files.
func Connections() int { return connectionsWithin(openFiles()) }

func connectionsWithin(files uint64) int {
	if files >= mostDials*perConnection {
		return mostDials
	}
	return max(perScenario, (int(files)-reservedFiles)/perConnection)
}

// ConcurrencyWithin returns how many scenarios can run at the same time within a number of connections.
func ConcurrencyWithin(connections int) int { return max(1, connections/perScenario) }

// ownLimit begins the text of errors about a limit of this machine.
const ownLimit = "this machine reached a limit: "

// OwnLimit reports whether e failed because of a limit of this machine, so that it says nothing about
// the target.
func OwnLimit(e exchange.Exchange) bool { return strings.HasPrefix(e.Err, ownLimit) }

// ownProblem returns which limit of this machine was reached and what to do; empty if err is about
// something else.
func ownProblem(err error) string {
	for _, limit := range []struct {
		err    syscall.Errno
		advice string
	}{
		{syscall.EMFILE, "raise the limit of open files (ulimit -n 4096), or lower --concurrency"},
		{syscall.ENFILE, "raise the system's limit of open files, or lower --concurrency"},
		{syscall.EADDRNOTAVAIL, "lower --concurrency, or allow more local ports (net.ipv4.ip_local_port_range)"},
		{syscall.ENOBUFS, "lower --concurrency"},
		{syscall.ENOMEM, "lower --concurrency, or add memory"},
	} {
		if errors.Is(err, limit.err) {
			return fmt.Sprintf("%s%v; %s", ownLimit, limit.err, limit.advice)
		}
	}
	return ""
}

// dialer opens a limited number of connections.
type dialer struct {
	slots    chan struct{}
	dial     func(ctx context.Context, network, address string) (net.Conn, error)
	makeRoom func()        // closes idle connections
	patience time.Duration // for a limit of this machine to allow a connection
}

func newDialer(most int, patience time.Duration, makeRoom func()) *dialer {
	return &dialer{slots: make(chan struct{}, most), dial: (&net.Dialer{KeepAlive: -1}).DialContext, makeRoom: makeRoom, patience: patience}
}

// open opens a connection once there is a slot, and tries again for as long as a limit of this machine
// prevents it.
func (d *dialer) open(ctx context.Context, network, address string) (net.Conn, error) {
	select {
	case d.slots <- struct{}{}:
	default:
		d.makeRoom()
		select {
		case d.slots <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	release := sync.OnceFunc(func() { <-d.slots })
	conn, err := d.retry(ctx, network, address)
	if err != nil {
		release()
		return nil, err
	}
	return &slotted{conn, release}, nil
}

func (d *dialer) retry(ctx context.Context, network, address string) (net.Conn, error) {
	const every = 50 * time.Millisecond
	for until := time.Now().Add(d.patience); ; {
		conn, err := d.dial(ctx, network, address)
		if err == nil || ownProblem(err) == "" || time.Now().After(until) {
			return conn, err
		}
		d.makeRoom()
		select {
		case <-time.After(every):
		case <-ctx.Done():
			return nil, err
		}
	}
}

// slotted is a connection that occupies a slot.
type slotted struct {
	net.Conn
	release func()
}

func (c *slotted) Close() error {
	defer c.release()
	return c.Conn.Close()
}
