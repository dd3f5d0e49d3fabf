package target

import (
	"bufio"
	"context"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestConnectionsStayWithinTheLimitOfOpenFiles(t *testing.T) {
	t.Parallel()
	for files, want := range map[uint64][2]int{
		16:         {4, 1},
		256:        {48, 12},
		1024:       {240, 60},
		1 << 20:    {4096, 1024},
		^uint64(0): {4096, 1024},
	} {
		connections := connectionsWithin(files)
		assert.Equal(t, want, [2]int{connections, ConcurrencyWithin(connections)}, "%d files", files)
	}
}

// dialError is what net.Dial returns if the system refuses a socket.
func dialError(errno syscall.Errno) error {
	return &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("socket", errno)}
}

// A connection for which the machine lacks a file or a port is tried again: nobody has got anything.
func TestAConnectionThatTheMachineRefusesIsTriedAgain(t *testing.T) {
	t.Parallel()
	for _, errno := range []syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.EADDRNOTAVAIL, syscall.ENOBUFS, syscall.ENOMEM} {
		t.Run(errno.Error(), func(t *testing.T) {
			t.Parallel()
			address := serveRaw(t, func(conn *net.TCPConn, in *bufio.Reader) {
				_, _ = readRequest(in)
				said("HTTP/1.1 204 No Content\r\n\r\n")(conn)
			})
			client := open(t, Profile{BaseURL: "http://" + address}).Client
			real, refusals := client.connections.dialer.dial, atomic.Int64{}
			client.connections.dialer.dial = func(ctx context.Context, network, to string) (net.Conn, error) {
				if refusals.Add(1) <= 2 {
					return nil, dialError(errno)
				}
				return real(ctx, network, to)
			}
			e := client.Send(background(), post("/", "{}"))
			assert.Equal(t, 204, e.Status, e.Err)

			client.CloseIdleConnections()
			client.connections.dialer.patience = 0
			refusals.Store(-1 << 40)
			e = client.Send(background(), post("/", "{}"))
			assert.True(t, OwnLimit(e), e.Err)
			assert.True(t, strings.HasPrefix(e.Err, "this machine reached a limit: "+errno.Error()+"; "), e.Err)
		})
	}
}

// Connections beyond the limit wait for one of the others to end, and idle ones make room.
func TestConnectionsWaitForASlot(t *testing.T) {
	t.Parallel()
	address := serveRaw(t, func(conn *net.TCPConn, in *bufio.Reader) { _, _ = in.ReadByte() })
	made := 0
	var idle net.Conn
	d := newDialer(1, time.Minute, func() { made++; _ = idle.Close() })
	var err error
	idle, err = d.open(background(), "tcp", address)
	require.NoError(t, err)
	busy, err := d.open(background(), "tcp", address)
	require.NoError(t, err)
	assert.Equal(t, 1, made)

	idle = busy
	ended, cancel := context.WithCancel(background())
	cancel()
	d.makeRoom = func() {}
	_, err = d.open(ended, "tcp", address)
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, busy.Close())
	assert.Error(t, busy.Close(), "its slot is released once")
	_, err = d.open(background(), "tcp", address)
	require.NoError(t, err)
	assert.Len(t, d.slots, 1)
}
