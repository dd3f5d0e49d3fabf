//go:build !unix

package gateway

import (
	"net"
	"time"
)

// maxIdle is how long a connection may be idle and be used again: where a socket cannot be
// looked at, time has to judge, and gateways keep an idle connection for longer than this.
const maxIdle = time.Second

type peeker struct{}

func newPeeker(net.Conn) *peeker { return &peeker{} }

func (p *peeker) quiet() bool { return true }
