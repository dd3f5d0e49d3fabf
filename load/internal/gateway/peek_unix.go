//go:build unix

package gateway

import (
	"net"
	"syscall"
	"time"
)

// maxIdle is how long an idle connection may be reused, as with Go's own client: middleboxes
// may drop a connection silently.
const maxIdle = 90 * time.Second

// peeker checks a socket without blocking and without consuming data.
type peeker struct {
	raw  syscall.RawConn // nil: no socket to check
	look func(fd uintptr)
	err  error
	one  [1]byte
}

func newPeeker(conn net.Conn) *peeker {
	p := &peeker{}
	for {
		if socket, ok := conn.(syscall.Conn); ok {
			p.raw, _ = socket.SyscallConn()
			break
		}
		wrapped, ok := conn.(interface{ NetConn() net.Conn })
		if !ok {
			break
		}
		conn = wrapped.NetConn()
	}
	p.look = func(fd uintptr) {
		for {
			_, _, p.err = syscall.Recvfrom(int(fd), p.one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
			if p.err != syscall.EINTR {
				return
			}
		}
	}
	return p
}

// quiet says whether the peer has neither closed the connection nor sent anything. Without
// access to the socket, it returns true: any problem will show when the connection is used.
func (p *peeker) quiet() bool {
	if p.raw == nil {
		return true
	}
	if err := p.raw.Control(p.look); err != nil {
		return false
	}
	return p.err == syscall.EAGAIN || p.err == syscall.EWOULDBLOCK
}
