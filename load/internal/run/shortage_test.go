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
	"github.com/pixcert/pixcert/load/internal/measure"
	"github.com/pixcert/pixcert/load/internal/result"
)

// refusedBy is the error of a connection that a limit of this machine prevents.
func refusedBy(limit syscall.Errno) error {
	return fmt.Errorf("cannot connect: %w", &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("socket", limit)})
}

// judge is the outcome of a run whose requests mostly failed, which a threshold does not allow.
func judge(r *Run) (result.Validity, result.Outcome) {
	res := &result.Result{Thresholds: []result.Threshold{
		{Metric: "pix_failed", Expression: "rate<0.01", Type: "rate"},
		{Metric: "pix_webhooks_lost", Expression: "count==0", Type: "counter"},
	}}
	res.Measurements = r.recorder.Measurements(time.Now())
	res.Validity = r.Judge(res, true)
	return res.Validity, res.Outcome()
}

// What fails because this machine has no more file descriptors or ports is not the gateway's fault.
func TestARunWithoutResourcesIsInvalid(t *testing.T) {
	t.Parallel()
	for limit, invalid := range map[syscall.Errno]bool{
		syscall.EMFILE: true, syscall.ENFILE: true, syscall.EADDRNOTAVAIL: true, syscall.ENOBUFS: true, syscall.ENOMEM: true,
		syscall.ECONNREFUSED: false, syscall.ECONNRESET: false,
	} {
		begun := time.Now()
		r := &Run{recorder: measure.New(begun, 0)}
		for _, err := range []error{nil, refusedBy(limit), refusedBy(limit)} {
			r.Measure(gateway.CashOut, Call{Intended: begun}, func() *gateway.Exchange {
				return &gateway.Exchange{Err: err, Unsent: err != nil, Timing: gateway.Timing{Start: begun, End: begun.Add(time.Millisecond)}}
			})
		}
		validity, outcome := judge(r)
		require.Equal(t, !invalid, validity.Valid, limit)
		if !invalid {
			require.Equal(t, result.Wrong, outcome, limit)
			continue
		}
		require.Equal(t, result.Invalid, outcome, limit)
		require.Equal(t, "resources", validity.Reasons[0].Figure)
		require.Contains(t, validity.Reasons[0].Detail, "2 times, first: cannot connect: dial tcp: socket: "+limit.Error())
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
		r := &Run{recorder: measure.New(m.begun, 0), monitor: m}
		r.recorder.Origin(0).Operation("cash-out").Record(measure.Latency{}, measure.Latency{}, 201, false, m.begun)
		m.beat(m.at(10))
		m.ahead -= c.jump
		m.beat(m.at(20).Add(c.stall))
		m.beat(m.at(30).Add(c.stall))
		validity, outcome := judge(r)
		require.Equal(t, c.says == "", validity.Valid, name)
		if c.says == "" {
			continue
		}
		require.Equal(t, result.Invalid, outcome, name)
		require.Len(t, validity.Reasons, 1, name)
		require.Contains(t, validity.Reasons[0].Detail, c.says, name)
	}
}
