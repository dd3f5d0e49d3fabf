package run

import (
	"fmt"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/result"
)

// refusedBy is the error of a connection that a limit of this machine prevents.
func refusedBy(limit syscall.Errno) error {
	return fmt.Errorf("cannot connect: %w", &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("socket", limit)})
}

// measuring is a run of which something was measured, without its first payment.
func measuring(m *monitor) *Run {
	r := &Run{generator: newGenerator(), monitor: m, cut: func() bool { return false }}
	r.silences.stalled = m.stalled
	return r
}

// judge is the outcome of a run whose requests mostly failed, which a threshold does not allow.
func judge(r *Run) *result.Result {
	res := &result.Result{Thresholds: []result.Threshold{
		{Metric: "pix_req_failed", Expression: "rate<0.01", Value: 1},
		{Metric: "pix_webhooks{outcome:lost}", Expression: "count==0", Value: 1},
	}}
	res.Generator.Requests.Count = 1
	res.Reasons = r.Invalid(res)
	res.Judge()
	return res
}

// What fails because this machine has no more file descriptors or ports is not the gateway's fault.
func TestARunWithoutResourcesIsInvalid(t *testing.T) {
	t.Parallel()
	for limit, invalid := range map[syscall.Errno]bool{
		syscall.EMFILE: true, syscall.ENFILE: true, syscall.EADDRNOTAVAIL: true, syscall.ENOBUFS: true, syscall.ENOMEM: true,
		syscall.ECONNREFUSED: false, syscall.ECONNRESET: false,
	} {
		begun := time.Now()
		r := measuring(nil)
		for _, err := range []error{nil, refusedBy(limit), refusedBy(limit)} {
			r.Measure(gateway.CashOut, Call{Intended: begun}, func() *gateway.Exchange {
				return &gateway.Exchange{Err: err, Unsent: err != nil, Timing: gateway.Timing{Start: begun, End: begun.Add(time.Millisecond)}}
			})
		}
		res := judge(r)
		if !invalid {
			require.Equal(t, result.Wrong, res.Outcome, limit)
			continue
		}
		require.Equal(t, result.Invalid, res.Outcome, limit)
		require.Equal(t, result.Exhausted, res.Reasons[0].Figure)
		require.Contains(t, res.Reasons[0].Detail, "2 times, first: cannot connect: dial tcp: socket: "+limit.Error())
	}
}

// A generator that was suspended acknowledges webhooks too late, and its requests time out.
func TestARunThatWasSuspendedIsInvalid(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		stall, jump time.Duration
		says        string
	}{
		"neither":             {time.Second, 900 * time.Millisecond, ""},
		"the process stopped": {12 * time.Second, 0, "stood still for 12s"},
		"the machine slept":   {0, 12 * time.Second, "its clock jumped by 12s"},
		"the clock went back": {0, -3 * time.Second, "its clock jumped by 3s"},
	} {
		m := &monitor{begun: time.Now(), due: heartbeat}
		r := measuring(m)
		m.beat(m.at(10))
		m.ahead -= c.jump
		m.beat(m.at(20).Add(c.stall))
		m.beat(m.at(30).Add(c.stall))
		res := judge(r)
		if c.says == "" {
			require.Empty(t, res.Reasons, name)
			continue
		}
		require.Equal(t, result.Invalid, res.Outcome, name)
		require.Len(t, res.Reasons, 1, name)
		require.Contains(t, res.Reasons[0].Detail, c.says, name)
	}
}
