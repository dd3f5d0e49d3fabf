package reference

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/store"
	"github.com/pixcert/pixcert/reference/work"
)

// Webhooks are guarded unless only this machine reaches the API, or somebody says so.
func TestWebhooksAreGuardedByDefault(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	for _, c := range []struct {
		listen  string
		private *bool
		guarded bool
	}{
		{"", nil, false},
		{"127.0.0.1:8080", nil, false},
		{"localhost:8080", nil, false},
		{"[::1]:8080", nil, false},
		{"0.0.0.0:8080", nil, true},
		{":8080", nil, true},
		{"[::]:8080", nil, true},
		{"192.0.2.7:8080", nil, true},
		{"0.0.0.0:8080", &yes, false},
		{"127.0.0.1:8080", &no, true}, // behind a proxy of this machine
	} {
		cfg := Config{Listen: c.listen, PrivateWebhooks: c.private}
		assert.Equal(t, c.guarded, cfg.work(nil).DialControl != nil, "%+v", c)
		assert.Equal(t, c.guarded, cfg.api(nil, &work.Worker{}).UnansweredAfter > work.DeliveryTimeout, "%+v", c)
	}
}

func TestGuardJudgesAddresses(t *testing.T) {
	t.Parallel()
	guard := Config{Listen: ":8080"}.work(nil).DialControl
	for _, address := range []string{
		"127.0.0.1", "127.255.255.254", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
		"169.254.169.254", "100.64.0.1", "224.0.0.1", "255.255.255.255",
		"::1", "::", "fd00::1", "fe80::1", "fe80::1%lo", "fec0::1", "ff02::1",
		"::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::a00:1", "2002:7f00:1::1", "2001::1",
	} {
		network := "tcp4"
		if strings.Contains(address, ":") {
			network = "tcp6"
		}
		assert.Error(t, guard(network, net.JoinHostPort(address, "443"), nil), address)
	}
	assert.NoError(t, guard("tcp4", "200.160.2.3:8443", nil))
	assert.NoError(t, guard("tcp6", "[2001:12ff:0:2::3]:443", nil))
}

// Whatever way a URL leads inside, nothing arrives there.
func TestGuardedWebhooksReachNothingInside(t *testing.T) {
	t.Parallel()
	inside := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a request came inside") }))
	defer inside.Close()
	_, port, err := net.SplitHostPort(inside.Listener.Addr().String())
	require.NoError(t, err)
	w := guardedWorker(t, nil, func(host string, _ int) []net.IP {
		switch host {
		case "inside.example.":
			return []net.IP{{127, 0, 0, 1}}
		case "inside6.example.":
			return []net.IP{net.IPv6loopback, net.ParseIP("64:ff9b::7f00:1")}
		}
		return nil
	})
	for _, host := range []string{
		"127.0.0.1", "localhost", "inside.example", "inside6.example", "0.0.0.0",
		"[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[0:0:0:0:0:0:0:1]",
		"2130706433", "0x7f000001", "0177.0.0.1", "127.1", "user@127.0.0.1",
	} {
		attempt := w.Send(t.Context(), store.Delivery{URL: "https://" + host + ":" + port, Body: "{}"})
		assert.Zero(t, attempt.Status, host)
		assert.NotContains(t, attempt.Failure, "refused", "%s: it was dialled", host)
	}
	attempt := w.Send(t.Context(), store.Delivery{URL: "https://inside.example:" + port, Body: "{}"})
	assert.Contains(t, attempt.Failure, "prohibited", "it was resolved")
}

// A name that led outside when it was looked up first leads nowhere once it leads inside:
// each dial is judged by itself.
func TestReboundNameIsJudgedAnew(t *testing.T) {
	t.Parallel()
	var approved []string
	w := guardedWorker(t, func(address string) { approved = append(approved, address) }, func(_ string, lookup int) []net.IP {
		if lookup == 1 {
			return []net.IP{{200, 160, 2, 3}}
		}
		return []net.IP{{127, 0, 0, 1}}
	})
	first := w.Send(t.Context(), store.Delivery{URL: "https://rebinding.example", Body: "{}"})
	assert.Contains(t, first.Failure, errNotDialled)
	second := w.Send(t.Context(), store.Delivery{URL: "https://rebinding.example", Body: "{}"})
	assert.Contains(t, second.Failure, "prohibited")
	assert.Equal(t, []string{"200.160.2.3:443"}, approved)
}

// A receiver cannot send the gateway on to somewhere else.
func TestRedirectsLeadNowhere(t *testing.T) {
	t.Parallel()
	inside := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the redirect was followed") }))
	defer inside.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		outside := httptest.NewTLSServer(http.RedirectHandler(inside.URL, status))
		s, err := store.Open(t.Context(), "")
		require.NoError(t, err)
		w := work.Start(Config{WebhookInsecure: true}.work(s))
		assert.Equal(t, status, w.Send(t.Context(), store.Delivery{URL: outside.URL, Body: "{}"}).Status)
		w.Close()
		require.NoError(t, s.Close())
		outside.Close()
	}
}

// A receiver that offers only CBC gets no webhook.
func TestWebhooksUseNoCBC(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), "")
	require.NoError(t, err)
	w := work.Start(Config{WebhookInsecure: true}.work(s))
	for suite, status := range map[uint16]int{tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: http.StatusNotFound, tls.TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA: 0} {
		receiver := httptest.NewUnstartedServer(http.NotFoundHandler())
		receiver.Config.ErrorLog = log.New(io.Discard, "", 0)
		receiver.TLS = &tls.Config{MaxVersion: tls.VersionTLS12, CipherSuites: []uint16{suite}}
		receiver.StartTLS()
		assert.Equal(t, status, w.Send(t.Context(), store.Delivery{URL: receiver.URL, Body: "{}"}).Status, tls.CipherSuiteName(suite))
		receiver.Close()
	}
	w.Close()
	require.NoError(t, s.Close())
}

const errNotDialled = "approved, and not dialled by this test"

// guardedWorker is a worker of a gateway that others reach, with names that lead where
// answer says. No address that its guard approves is dialled: it is told to approved.
func guardedWorker(t *testing.T, approved func(address string), answer func(host string, lookup int) []net.IP) *work.Worker {
	t.Helper()
	s, err := store.Open(t.Context(), "")
	require.NoError(t, err)
	cfg := Config{Listen: "0.0.0.0:0", WebhookInsecure: true}.work(s)
	guard := cfg.DialControl
	require.NotNil(t, guard)
	cfg.DialControl = func(network, address string, conn syscall.RawConn) error {
		if err := guard(network, address, conn); err != nil {
			return err
		}
		if approved != nil {
			approved(address)
		}
		return errors.New(errNotDialled)
	}
	cfg.Resolver = nameServer(t, answer)
	w := work.Start(cfg)
	t.Cleanup(func() {
		w.Close()
		assert.NoError(t, s.Close())
	})
	return w
}

// nameServer is a resolver whose names lead where answer says; lookups for IPv4 addresses
// count from 1.
func nameServer(t *testing.T, answer func(host string, lookup int) []net.IP) *net.Resolver {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		lookups := 0
		for question := make([]byte, 1<<10); ; {
			n, from, err := server.ReadFrom(question)
			if err != nil {
				return
			}
			if reply := dnsReply(question[:n], &lookups, answer); reply != nil {
				_, _ = server.WriteTo(reply, from)
			}
		}
	}()
	t.Cleanup(func() {
		_ = server.Close()
		<-done
	})
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
}

// dnsReply answers a question for one name (RFC 1035, section 4).
func dnsReply(question []byte, lookups *int, answer func(string, int) []net.IP) []byte {
	const header, typeA, typeAAAA = 12, 1, 28
	var host strings.Builder
	at := header
	for at < len(question) && question[at] != 0 {
		length := int(question[at])
		host.Write(question[at+1 : at+1+length])
		host.WriteByte('.')
		at += 1 + length
	}
	asked := binary.BigEndian.Uint16(question[at+1:])
	if asked == typeA {
		*lookups++
	}
	reply := append([]byte{question[0], question[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, question[header:at+5]...)
	for _, ip := range answer(host.String(), *lookups) {
		data, kind := []byte(ip.To4()), uint16(typeA)
		if data == nil {
			data, kind = ip, typeAAAA
		}
		if kind != asked {
			continue
		}
		reply[7]++ // answers
		reply = append(reply, 0xc0, header)
		reply = binary.BigEndian.AppendUint16(reply, kind)
		reply = append(reply, 0, 1, 0, 0, 0, 0) // IN, to be kept for no time
		reply = binary.BigEndian.AppendUint16(reply, uint16(len(data)))
		reply = append(reply, data...)
	}
	return reply
}

// A gateway that others reach answers a resend into its own network as one to nowhere.
func TestResendIntoTheGatewaysNetwork(t *testing.T) {
	if testing.Short() {
		t.Skip("takes as long as a delivery may")
	}
	t.Parallel()
	inside := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a request came inside") }))
	defer inside.Close()
	g := start(t, Config{Listen: "0.0.0.0:0", WebhookInsecure: true})
	_, accessToken := newAccount(t, g)
	status, payment := send(t, http.MethodPost, g.URL()+"/api/pix/cash-out", bearer(accessToken), order)
	require.Equal(t, http.StatusCreated, status)
	resend := g.URL() + "/api/resend-webhook/" + url.PathEscape(payment["externalId"].(string))
	require.Eventually(t, func() bool { // once it is settled
		_, list := send(t, http.MethodGet, g.URL()+"/api/transactions?status=CONFIRMED", bearer(accessToken), "")
		return len(list["data"].([]any)) == 1
	}, deadline, time.Millisecond)
	began := time.Now()
	status, answer := send(t, http.MethodPost, resend, bearer(accessToken), fmt.Sprintf(`{"url":%q}`, inside.URL))
	assert.Equal(t, http.StatusBadGateway, status)
	assert.Equal(t, "the destination did not answer", answer["message"])
	assert.Greater(t, time.Since(began), work.DeliveryTimeout)
}
