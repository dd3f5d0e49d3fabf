//go:build unix

package gateway

import (
	"net"
	"syscall"
	"time"
)

// maxIdle is how long a connection may be idle and be used again, as with Go's own client:
// what stands between may forget one without a word.
const maxIdle = 90 * time.Second

// peeker looks at a socket without waiting and without taking anything from it.
type peeker struct {
	raw  syscall.RawConn // nil: there is no socket to look at
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

// quiet is whether the peer has neither closed the connection nor sent anything. A
// connection that hides its socket is taken to be: what it says is told by its use.
func (p *peeker) quiet() bool {
	if p.raw == nil {
		return true
	}
	if err := p.raw.Control(p.look); err != nil {
		return false
	}
	return p.err == syscall.EAGAIN || p.err == syscall.EWOULDBLOCK
}
