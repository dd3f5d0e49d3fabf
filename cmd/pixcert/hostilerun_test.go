package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/ci/hostile"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/verdict"
)

// If the target dies during a run of everything, the run ends after a few deadlines instead of timing
// out on thousands of requests, and says what was not tested.
func TestATargetThatDiesEndsTheRun(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	for name, spoil := range map[string]func(*hostile.Answer){
		"it takes requests and is silent": hostile.Spoils["silence"],
		"it closes every connection":      hostile.Spoils["closes"],
		"it sends a byte a second":        hostile.Spoils["a byte a second"],
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			profile := bundledFor(t)
			profile.BaseURL = misbehaving(t, hostile.Config{Upstream: profile.BaseURL, After: 200, Spoil: spoil})
			came := judged(t, run.Options{Target: profile})
			require.Equal(t, exitNotRun, came.status, came.said)
			require.NotNil(t, came.result, came.said)
			require.Contains(t, came.result.Ended.Reason, "the target stopped responding at ")
		})
	}
	t.Run("a body that never ends", func(t *testing.T) { // an invalid response, up to the length that pixcert reads
		t.Parallel()
		profile := bundledFor(t)
		profile.BaseURL = misbehaving(t, hostile.Config{Upstream: profile.BaseURL, After: 200, Spoil: hostile.Spoils["an endless body"]})
		requireStatus(t, notConforming, judged(t, run.Options{Target: profile, Tags: "@cash-out or @token or @lists"}))
	})
	t.Run("it is gone", func(t *testing.T) {
		t.Parallel()
		profile := bundledFor(t)
		var proxy *hostile.Proxy
		die := sync.OnceFunc(func() { proxy.Refuse() })
		proxy, err := hostile.Listen(hostile.Config{Upstream: profile.BaseURL, Witness: func(*http.Request, []byte, *http.Response, []byte) {
			if proxy.Requests() > 200 {
				die()
			}
		}})
		require.NoError(t, err)
		defer proxy.Close()
		profile.BaseURL = proxy.URL
		came := judged(t, run.Options{Target: profile})
		require.Equal(t, exitNotRun, came.status, came.said)
		require.Contains(t, came.result.Ended.Reason, "the target stopped responding at ")
		require.Zero(t, came.result.Summary().Scenarios[verdict.Fail], "silence fails no rule")
	})
}

// Unsolicited webhooks change no verdict: floods of them, bodies that are huge or never end, and
// senders that stall.
func TestFloodsChangeNoVerdict(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	senders := map[string]func(context.Context, func() []string) (answered int64){"a flood": hostile.Flood}
	for name, kind := range hostile.Deliveries {
		senders[name] = func(ctx context.Context, urls func() []string) int64 { return hostile.Deliver(ctx, kind, urls) }
	}
	for _, name := range sorted(senders) {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			var urls []string // the last that were registered
			watched := func(_ *http.Request, sent []byte, _ *http.Response, _ []byte) {
				var registration struct{ URL string }
				if json.Unmarshal(sent, &registration) == nil && len(registration.URL) > len("https://127.0.0.1") {
					mu.Lock()
					defer mu.Unlock()
					urls = append(urls[max(0, len(urls)-5):], registration.URL)
				}
			}
			profile := bundledFor(t)
			profile.BaseURL = misbehaving(t, hostile.Config{Upstream: profile.BaseURL, Witness: watched})
			flood, end := context.WithCancel(t.Context())
			var flooding sync.WaitGroup
			var sent int64
			flooding.Go(func() {
				sent = senders[name](flood, func() []string {
					mu.Lock()
					defer mu.Unlock()
					return slices.Clone(urls)
				})
			})
			status, stdout, stderr := invoke(t, "certify", "--url", profile.BaseURL, "--control-url", profile.Control.URL, "--report", t.TempDir(),
				"--tags", "@cash-out or @resend.unknown")
			end()
			flooding.Wait()
			require.Equal(t, 0, status, "%s\n%s", stdout, stderr)
			require.Positive(t, sent)
		})
	}
}

// An untrusted certificate ends a run before the first scenario.
func TestBadCertificatesEndTheRun(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for name, c := range map[string]struct {
		template x509.Certificate
		unknown  bool // its issuer
		newest   uint16
		says     string
	}{
		"of another host":         {template: x509.Certificate{DNSNames: []string{"gateway.example"}}, says: "use a host name that the certificate contains"},
		"out of date":             {template: x509.Certificate{NotBefore: now.Add(-2 * time.Hour), NotAfter: now.Add(-time.Hour)}, says: "renew it"},
		"not yet valid":           {template: x509.Certificate{NotBefore: now.Add(time.Hour), NotAfter: now.Add(2 * time.Hour)}, says: "renew it"},
		"of an unknown authority": {unknown: true, says: "set tls.ca in the profile to the authority that issued it"},
		"of TLS 1.0":              {newest: tls.VersionTLS10, says: "TLS failed"},
	} {
		t.Run(name, func(t *testing.T) {
			certificate := selfSigned(t, c.template)
			profile := bundledFor(t)
			if !c.unknown {
				profile.TLS.CA = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Certificate[0]})
			}
			config := &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS10, MaxVersion: c.newest}
			profile.BaseURL = misbehaving(t, hostile.Config{Upstream: profile.BaseURL, TLS: config})
			profile.Deadlines.Answer = hostileBound // a slow machine must not time out instead
			came := judged(t, run.Options{Target: profile, Tags: "@money"})
			require.Equal(t, exitNotRun, came.status)
			require.Contains(t, came.said, c.says)
		})
	}
}

// selfSigned returns a server certificate. By default, it is for 127.0.0.1 and currently valid.
func selfSigned(t *testing.T, template x509.Certificate) tls.Certificate {
	t.Helper()
	template.SerialNumber = big.NewInt(1)
	template.IsCA, template.BasicConstraintsValid = true, true
	if template.DNSNames == nil {
		template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	}
	if template.NotAfter.IsZero() {
		template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	}
	public, private, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, public, private)
	require.NoError(t, err)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: private}
}

// The memory of a run is bounded, even against a target that sends as much as it can. The test measures
// the peak of the process.
func TestMemoryIsBounded(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	const most, mostReport = 400 << 20, 20 << 20
	const few, many = "@cash-out or @token.issued or @lists.type or @webhook.url", "@token or @cash-out or @webhook or @lists"
	for name, tags := range map[string]string{
		"a large header": few, "a million digits": few, "a million values": few, "a token of a megabyte": few, "a token of 20 MB": few,
		"a million levels": many, "control characters without end": many, // these fill the archive of evidence
	} {
		t.Run(name, func(t *testing.T) { // each in a process of its own
			t.Parallel()
			profile := bundledFor(t)
			api := misbehaving(t, hostile.Config{Upstream: profile.BaseURL, After: 300, Spoil: hostile.Spoils[name]})
			controls := misbehaving(t, hostile.Config{Upstream: profile.Control.URL, After: 300, Spoil: hostile.Spoils[name]})
			dir := t.TempDir()
			command := exec.CommandContext(t.Context(), os.Args[0], "certify", "--url", api, "--control-url", controls, "--report", dir, "--keep-all",
				"--tags", tags)
			command.Env = append(os.Environ(), asCommand+"=1", "GOGC=", "GOMEMLIMIT=") // the defaults, as users have them
			var out bytes.Buffer
			command.Stdout, command.Stderr = &out, &out
			started := time.Now()
			require.NoError(t, command.Start())
			used := peak(t, command)
			require.Contains(t, []int{0, 1, 3}, command.ProcessState.ExitCode(), out.String())
			size := sizeOf(t, dir)
			t.Logf("%d MiB at most, in %v, with a report of %d MiB", used>>20, time.Since(started), size>>20)
			require.Less(t, used, int64(most))
			require.Less(t, size, int64(mostReport))
		})
	}
}

// sizeOf returns the size of all files of a report.
func sizeOf(t *testing.T, dir string) (size int64) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(_ string, file fs.DirEntry, err error) error {
		if err != nil || file.IsDir() {
			return err
		}
		info, err := file.Info()
		size += info.Size()
		return err
	}))
	return size
}

// peak waits for a command and returns its peak memory in bytes. It reads the figure while the command
// runs, because the one that the system reports afterwards includes the memory of the parent process.
func peak(t *testing.T, command *exec.Cmd) (most int64) {
	t.Helper()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = command.Wait() // the status does not matter here
	}()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-ended:
			if most == 0 {
				t.Skip("this system does not tell how much memory a process has")
			}
			return most
		case <-look.C:
			status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", command.Process.Pid))
			for line := range strings.Lines(string(status)) {
				var kib int64
				if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kib); n == 1 {
					most = max(most, kib<<10)
				}
			}
		}
	}
}
