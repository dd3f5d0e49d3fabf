package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"time"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/reference/sandbox"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/target"
)

// bundled starts the reference gateway in this process, with mutual TLS if the configuration
// has an edge.
func bundled(ctx context.Context, cfg reference.Config) (target.Profile, func(), error) {
	cfg.Listen, cfg.ControlsListen = "127.0.0.1:0", "127.0.0.1:0"
	cfg.WebhookInsecure = true // the run issues the sink's certificate itself
	var reached target.TLS
	if cfg.Edge != nil {
		ca, err := sandbox.EnableTLS(&cfg, "127.0.0.1")
		if err != nil {
			return target.Profile{}, nil, err
		}
		reached = target.TLS{CA: ca, Handshake: true}
	}
	gateway, err := reference.Start(ctx, cfg)
	if err != nil {
		return target.Profile{}, nil, err
	}
	stop := func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		_ = gateway.Close(closing) // the run is over
	}
	return target.Profile{
		Name:    "the bundled reference gateway",
		BaseURL: gateway.URL(),
		TLS:     reached,
		Control: &target.ControlAccess{URL: gateway.ControlsURL()},
		SandboxScenarios: map[string]string{
			"CONFIRMED": "success", "TAX_ID_MISMATCH": "error:document-mismatch",
			"BLOCKED_ACCOUNT": "error:account-blocked", "ORDER_REJECTED": "error:insufficient-funds",
		},
	}, stop, nil
}

// fixedAccounts returns the profile of a bundled gateway with n funded accounts and certificates from
// authority. A run against it cannot create accounts.
func fixedAccounts(ctx context.Context, profile target.Profile, authority *certs.Authority, n int) (target.Profile, error) {
	open, err := target.Open(ctx, profile, target.Identity{Version: version(), RunID: "accounts"})
	if err != nil {
		return profile, err
	}
	defer open.Client.CloseIdleConnections()
	controls := open.Controls("pixcert.accounts", func(exchange.Exchange) int { return 0 })
	for range n {
		certificate, err := authority.Issue(certs.Client{Name: "an account of the profile"})
		if err != nil {
			return profile, err
		}
		account, err := controls.CreateAccount(ctx, certificate.PEM())
		if err != nil {
			return profile, err
		}
		if err := controls.SetBalance(ctx, account.AccountID, "500000.00"); err != nil {
			return profile, err
		}
		account.Certificate, account.Key = certificate.PEM(), certificate.KeyPEM()
		profile.Accounts = append(profile.Accounts, account)
	}
	profile.Control.Without = append(profile.Control.Without, target.Accounts)
	return profile, nil
}

// freeAddress returns a local address that nothing listens on. Its port is below the ephemeral ones and
// unique in this process, so that it is still free when the sink opens.
func freeAddress() (string, error) {
	for range 100 {
		address := fmt.Sprintf("127.0.0.1:%d", 20_000+rand.IntN(12_000))
		if _, given := givenAddresses.LoadOrStore(address, true); given {
			continue
		}
		if listener, err := net.Listen("tcp", address); err == nil {
			return address, listener.Close()
		}
	}
	return "", errors.New("no free port between 20000 and 32000")
}

var givenAddresses sync.Map
