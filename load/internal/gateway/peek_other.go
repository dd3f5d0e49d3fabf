//go:build !unix

package gateway

import (
	"net"
	"time"
)

// maxIdle is how long an idle connection may be reused. Sockets cannot be checked on this
// system, so the time decides; gateways keep idle connections for longer than this.
const maxIdle = time.Second

type peeker struct{}

func newPeeker(net.Conn) *peeker { return &peeker{} }

func (p *peeker) quiet() bool { return true }
