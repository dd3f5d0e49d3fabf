package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/reference/edge"
	"github.com/pixcert/pixcert/reference/sandbox"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// ofTheHeaderAlone are the scenarios on how a certificate is written into the header. Behind an edge
// they do not apply, because the edge writes it.
var ofTheHeaderAlone = []string{
	`token.certificate-encoding/Plus signs as %20`,
	`token.certificate-encoding/Plus signs as %2B`,
	`token.certificate-pem/A certificate in the form "base64 without the armour"`,
	`token.certificate-pem/A certificate in the form "garbage in the armour"`,
	`token.certificate-pem/A certificate in the form "not PEM"`,
	`token.certificate-pem/A certificate in the form "truncated"`,
	`token.codes/A certificate that does not parse`,
	`token.error-envelope/A hint, if there is one, is a string: certificate not PEM`,
	`token.error-envelope/A hint, if there is one, is a string: certificate plus as %20`,
	`token.left-open/A certificate in the form "CRLF"`,
	`token.left-open/A certificate in the form "a chain"`,
	`token.left-open/A certificate in the form "plus left literal"`,
	`token.left-open/A certificate in the form "raw newlines"`,
	`token.left-open/A certificate in the form "small escapes"`,
	`token.left-open/A certificate in the form "space as plus"`,
}

// outsideItsDates are the scenarios with a certificate outside its dates.
var outsideItsDates = []string{
	"token.certificate-expired/Expired yesterday",
	"token.certificate-expired/Expired yesterday, of an account that has used another one",
	"token.certificate-not-yet-valid/Valid from tomorrow",
	"token.certificate-not-yet-valid/Valid from tomorrow, of an account that has used another one",
	"token.codes/an expired certificate",
	"token.codes/a not yet valid certificate",
	"token.left-open/A certificate that is expired and revoked",
	"token.left-open/An expired certificate that was never registered",
}

// withoutCertificate are the scenarios without a certificate.
var withoutCertificate = []string{
	"token.certificate-required/Without a certificate",
	"token.error-envelope/Without a certificate",
	"token.left-open/No certificate and an invalid body",
}

func TestTheReferenceConformsBehindItsOwnEdge(t *testing.T) {
	t.Parallel()
	conforms(t, behindOwnEdge(t, nil), edgeRules+" or @cash-out", ofTheHeaderAlone)
}

func TestTheReferenceConformsBehindNginx(t *testing.T) {
	t.Parallel()
	conforms(t, behindNginx(t), "", ofTheHeaderAlone)
}

// By default, nginx rejects certificates outside their dates with an error page of its own. The
// gateway does not fail for that.
func TestErrorsOfNginxFailNoRule(t *testing.T) {
	t.Parallel()
	profile := behindNginx(t, "error_page 495 = @gateway;", "")
	conforms(t, profile, edgeRules, ofTheHeaderAlone, outsideItsDates)
}

// edgeRules are the rules whose result may depend on an edge.
const edgeRules = "@token or @client-certificate or @contract.token"

// Edges differ, but nothing that an edge may do fails the gateway behind it.
func TestEdgesOfAllKindsFailNoRule(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	refusing := func(status int, body string, when func(*http.Request) bool) func(http.Handler) http.Handler {
		return func(api http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if !when(r) {
					edge.Terminate(api).ServeHTTP(w, r)
					return
				}
				w.WriteHeader(status)
				fmt.Fprint(w, body)
			})
		}
	}
	for name, c := range map[string]struct {
		edge          func(api http.Handler) http.Handler
		notApplicable []string
	}{
		"wants a certificate, and says so in JSON of its own": {
			refusing(401, `{"message":"No required TLS certificate was sent"}`, showsNone), withoutCertificate,
		},
		"wants a certificate, and says so in HTML": {
			refusing(400, `<html>No required SSL certificate was sent</html>`, showsNone), withoutCertificate,
		},
		"breaks off without a certificate": {
			refusing(200, "", func(r *http.Request) bool {
				if showsNone(r) {
					panic(http.ErrAbortHandler)
				}
				return false
			}), withoutCertificate,
		},
		"knows the dates of certificates": {
			refusing(403, `{"message":"Forbidden"}`, func(r *http.Request) bool {
				now := time.Now()
				return !showsNone(r) && (now.After(r.TLS.PeerCertificates[0].NotAfter) || now.Before(r.TLS.PeerCertificates[0].NotBefore))
			}), outsideItsDates,
		},
		"blocks whoever sends the header": {
			refusing(403, `<html>blocked</html>`, func(r *http.Request) bool { return r.Header.Get(edge.Header) != "" }), nil,
		},
		"writes (null) for no certificate": {
			func(api http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					r.Header = edge.Without(r.Header)
					r.Header.Set(edge.Header, cmp.Or(edge.HeaderValue(r.TLS), "(null)"))
					api.ServeHTTP(w, r)
				})
			}, withoutCertificate,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conforms(t, behindOwnEdge(t, c.edge), edgeRules, ofTheHeaderAlone, c.notApplicable)
		})
	}
}

func isIssuedBy(issuer *certs.Authority, certificate *x509.Certificate) bool {
	_, err := certificate.Verify(x509.VerifyOptions{Roots: issuer.Pool(), KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	return err == nil
}

func showsNone(r *http.Request) bool { return len(r.TLS.PeerCertificates) == 0 }

// If an edge rejects the suite's certificates, nothing can be tested. If it does not forward them to the
// gateway, the API is broken.
func TestAnEdgeThatLetsNothingThroughIsNoFault(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edge    func(api http.Handler) http.Handler
		outcome verdict.Outcome
	}{
		"refuses all": {func(http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(http.StatusBadRequest)
				fmt.Fprint(w, "<html>The SSL certificate error</html>")
			})
		}, verdict.Incomplete},
		"forgets to tell": {func(api http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				r.Header = edge.Without(r.Header)
				api.ServeHTTP(w, r)
			})
		}, verdict.DoesNotConform},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run, err := run.Certify(t.Context(), run.Options{Target: behindOwnEdge(t, c.edge), Tags: edgeRules, Seed: 1})
			require.NoError(t, err)
			require.Equal(t, c.outcome, run.Outcome())
		})
	}
}

// An edge that accepts certificates of only one authority accepts those of the profile's accounts, and
// may reject all others.
func TestFixedAccountsBehindAnEdgeOfOneAuthority(t *testing.T) {
	t.Parallel()
	issuer, err := certs.NewAuthority()
	require.NoError(t, err)
	profile := behindOwnEdge(t, func(api http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if showsNone(r) || !isIssuedBy(issuer, r.TLS.PeerCertificates[0]) {
				w.WriteHeader(http.StatusBadRequest)
				fmt.Fprint(w, "<html>The SSL certificate error</html>")
				return
			}
			edge.Terminate(api).ServeHTTP(w, r)
		})
	})
	profile, err = fixedAccounts(t.Context(), profile, issuer, 2)
	require.NoError(t, err)
	profile.Control = nil
	run, err := run.Certify(t.Context(), run.Options{Target: profile, Tags: edgeRules + " or @balance or @cash-out.value", Seed: 1})
	require.NoError(t, err)
	require.Equal(t, verdict.Incomplete, run.Outcome())
	verdicts := map[verdict.Verdict]int{}
	for _, s := range run.Scenarios {
		verdicts[s.Verdict]++
		if s.Verdict == verdict.Fail || s.Verdict == verdict.SuiteError {
			t.Errorf("%s: %+v", s.ID(), s.Finding)
		}
		if s.Rule == "client-certificate.not-smuggled" {
			require.Equal(t, verdict.Pass, s.Verdict, s.Name)
		}
	}
	require.Greater(t, verdicts[verdict.Pass], 30, "%v", verdicts)
}

// behindOwnEdge starts the reference with another edge in place of its own; nil for its own.
func behindOwnEdge(t *testing.T, edge func(http.Handler) http.Handler) target.Profile {
	t.Helper()
	cfg := reference.Config{ControlsListen: "127.0.0.1:0", WebhookInsecure: true, Edge: edge}
	ca, err := sandbox.EnableTLS(&cfg, "127.0.0.1")
	require.NoError(t, err)
	gateway := started(t, cfg)
	return target.Profile{
		BaseURL: gateway.URL(), TLS: target.TLS{CA: ca, Handshake: true},
		Control: &target.ControlAccess{URL: gateway.ControlsURL()},
	}
}

func started(t *testing.T, cfg reference.Config) *reference.Gateway {
	t.Helper()
	gateway, err := reference.Start(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		require.NoError(t, gateway.Close(ctx))
	})
	return gateway
}

// behindNginx starts the reference behind nginx with the configuration in ci/nginx. changes are pairs
// of texts to replace in it.
func behindNginx(t *testing.T, changes ...string) target.Profile {
	t.Helper()
	program, err := exec.LookPath("nginx")
	if err != nil {
		require.Empty(t, os.Getenv("PIXCERT_REQUIRE_ALL"), "nginx is not installed")
		t.Skip("nginx is not installed")
	}
	gateway := started(t, reference.Config{ControlsListen: "127.0.0.1:0", WebhookInsecure: true})
	directory := t.TempDir()
	address, err := freeAddress()
	require.NoError(t, err)
	authority, err := certs.NewAuthority()
	require.NoError(t, err)
	own, err := authority.IssueServer("127.0.0.1")
	require.NoError(t, err)
	key, err := x509.MarshalPKCS8PrivateKey(own.PrivateKey)
	require.NoError(t, err)
	write := func(name string, content []byte) {
		require.NoError(t, os.WriteFile(filepath.Join(directory, name), content, 0o600))
	}
	write("edge.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: own.Certificate[0]}))
	write("edge.key", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}))
	configuration, err := os.ReadFile("../../ci/nginx/nginx.conf")
	require.NoError(t, err)
	text := string(configuration)
	for change := range slices.Chunk(append(changes,
		"server 127.0.0.1:8080;", "server "+strings.TrimPrefix(gateway.URL(), "http://")+";",
		"listen 127.0.0.1:8443 ", "listen "+address+" ",
	), 2) {
		require.Equal(t, 1, strings.Count(text, change[0]), change[0])
		text = strings.Replace(text, change[0], change[1], 1)
	}
	write("nginx.conf", []byte(text))
	require.NoError(t, os.Mkdir(filepath.Join(directory, "temp"), 0o700))

	var said bytes.Buffer
	nginx := exec.Command(program, "-p", directory, "-c", "nginx.conf")
	nginx.Stderr = &said
	require.NoError(t, nginx.Start())
	t.Cleanup(func() {
		require.NoError(t, nginx.Process.Signal(os.Interrupt))
		require.NoError(t, nginx.Wait(), "%s", &said)
		if t.Failed() {
			t.Logf("nginx said: %.2000s", &said)
		}
	})
	untilListening(t, address)
	return target.Profile{
		BaseURL: "https://" + address, TLS: target.TLS{CA: authority.PEM(), Handshake: true},
		Control: &target.ControlAccess{URL: gateway.ControlsURL()},
	}
}

func untilListening(t *testing.T, address string) {
	t.Helper()
	require.Eventually(t, func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
		}
		return err == nil
	}, patience, 10*time.Millisecond, "nothing listens at %s", address)
}

// conforms runs the scenarios that a tag expression selects, all if it is empty. Only the listed ones
// must not apply.
func conforms(t *testing.T, profile target.Profile, tags string, notApplicable ...[]string) {
	t.Helper()
	run, err := run.Certify(t.Context(), run.Options{Target: profile, Tags: tags, Seed: 1})
	require.NoError(t, err)
	var skipped []string
	for _, s := range run.Scenarios {
		switch s.Verdict {
		case verdict.Pass:
		case verdict.NotApplicable:
			if !strings.HasSuffix(s.Rule, ".sandbox-scenario") { // the profile has no table of them
				skipped = append(skipped, s.ID())
			}
		default:
			t.Logf("%s: %s: %+v %+v", s.Verdict, s.ID(), s.Finding, s.Warnings)
		}
	}
	require.Equal(t, verdict.Conforms, run.Outcome())
	require.ElementsMatch(t, slices.Concat(notApplicable...), skipped)
}
