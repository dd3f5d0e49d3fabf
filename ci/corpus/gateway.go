package main

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/ci/mutants"
	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/reference/sandbox"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/target"
)

// gateway is the reference, or a variant of it, in this process.
type gateway struct {
	mutant   mutants.Mutant // its zero value has no fault
	tls      bool           // mutual TLS, also if the mutant needs none
	stale    time.Duration  // how stale a balance or a list may be
	fixed    bool           // it has accounts, and makes no new ones
	fees     target.Fees    // of its accounts, which the profile states
	controls bool           // the run may use its test controls
}

// open starts the gateway.
func (g gateway) open(ctx context.Context) (profile target.Profile, stop func(), err error) {
	cfg := reference.Config{
		Listen: "127.0.0.1:0", ControlsListen: "127.0.0.1:0", WebhookInsecure: true, // the run issues the sink's certificate itself
		WrapControls: g.mutant.Controls, WebhookTransport: g.mutant.Webhooks, Edge: g.mutant.Edge(), Triggers: g.mutant.Triggers(),
	}
	cfg.Wrap = func(next http.Handler) http.Handler { return stale(g.mutant.API(next), g.stale) }
	if g.tls || cfg.Edge != nil {
		ca, err := sandbox.EnableTLS(&cfg, "127.0.0.1")
		if err != nil {
			return profile, nil, err
		}
		profile.TLS = target.TLS{CA: ca, Handshake: true}
	}
	running, err := reference.Start(ctx, cfg)
	if err != nil {
		return profile, nil, err
	}
	stop = func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		_ = running.Close(closing) // the run is over
	}
	profile.Name, profile.BaseURL = "the bundled reference gateway", running.URL()
	profile.Control = &target.ControlAccess{URL: running.ControlsURL()}
	profile.SandboxScenarios = map[string]string{
		"CONFIRMED": "success", "TAX_ID_MISMATCH": "error:document-mismatch",
		"BLOCKED_ACCOUNT": "error:account-blocked", "ORDER_REJECTED": "error:insufficient-funds",
	}
	if g.fixed {
		err = g.addAccounts(ctx, &profile)
	}
	if err != nil {
		stop()
		return profile, nil, err
	}
	if !g.controls {
		profile.Control = nil
	}
	return profile, stop, nil
}

const fixedAccounts = 4

// addAccounts makes accounts with money, which the profile has instead of the control that makes new ones.
func (g gateway) addAccounts(ctx context.Context, profile *target.Profile) error {
	open, err := target.Open(ctx, *profile, target.Identity{RunID: "accounts"})
	if err != nil {
		return err
	}
	defer open.Client.CloseIdleConnections()
	authority, err := certs.NewAuthority()
	if err != nil {
		return err
	}
	controls := open.Controls("corpus.accounts", func(exchange.Exchange) int { return 0 })
	for range fixedAccounts {
		certificate, err := authority.Issue(certs.Client{Name: "an account of the profile"})
		if err != nil {
			return err
		}
		account, err := controls.CreateAccount(ctx, certificate.PEM())
		if err != nil {
			return err
		}
		if err := controls.SetBalance(ctx, account.AccountID, "500000.00"); err != nil {
			return err
		}
		if g.fees != (target.Fees{}) {
			if err := controls.SetFees(ctx, account.AccountID, g.fees); err != nil {
				return err
			}
		}
		account.Certificate, account.Key = certificate.PEM(), certificate.KeyPEM()
		profile.Accounts = append(profile.Accounts, account)
	}
	profile.Fees = g.fees
	profile.Control.Without = append(profile.Control.Without, target.Accounts)
	profile.Sink.Listen, err = freeAddress()
	return err
}

// freeAddress returns a local address that nothing listens on: existing accounts register webhooks only at an address
// that stays.
func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// stale repeats the response to an equal read for so long, as a lagging replica does.
func stale(gateway http.Handler, age time.Duration) http.Handler {
	if age == 0 {
		return gateway
	}
	type read struct {
		at       time.Time
		response *httptest.ResponseRecorder
	}
	var mu sync.Mutex
	known := map[string]read{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || !strings.HasSuffix(r.URL.Path, "/balances") && !strings.Contains(r.URL.Path, "/transactions") {
			gateway.ServeHTTP(w, r)
			return
		}
		fresh := read{time.Now(), httptest.NewRecorder()}
		gateway.ServeHTTP(fresh.response, r)
		key := r.Header.Get("Authorization") + " " + r.URL.String()
		mu.Lock()
		shown, ok := known[key]
		if !ok || fresh.response.Code != http.StatusOK || time.Since(shown.at) >= age {
			shown = fresh
			known[key] = fresh
		}
		mu.Unlock()
		for name, values := range shown.response.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(shown.response.Code)
		_, _ = w.Write(shown.response.Body.Bytes())
	})
}
