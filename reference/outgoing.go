package reference

import (
	"cmp"
	"crypto/tls"
	"time"

	"code.dny.dev/ssrf"

	"github.com/pixcert/pixcert/reference/api"
	"github.com/pixcert/pixcert/reference/store"
	"github.com/pixcert/pixcert/reference/work"
)

// guardsWebhooks says whether webhooks go to public addresses alone. Who reaches the API
// from another machine could otherwise let the gateway knock at what only the gateway
// reaches: its own loopback, its network, the metadata of its cloud.
func (cfg Config) guardsWebhooks() bool {
	if cfg.PrivateWebhooks != nil {
		return !*cfg.PrivateWebhooks
	}
	return !OnLoopback(cmp.Or(cfg.Listen, anyLocalPort))
}

// work is the configuration of the worker. The guard judges each address when it is
// dialled: whatever name led there, and whatever it led to a moment ago. Redirects are
// not followed.
func (cfg Config) work(s *store.Store) work.Config {
	made := work.Config{
		Store:  s,
		Logger: cfg.Logger,
		TLS:    &tls.Config{RootCAs: cfg.WebhookCA, InsecureSkipVerify: cfg.WebhookInsecure},
		Wrap:   cfg.WebhookTransport,
	}
	if cfg.guardsWebhooks() {
		made.DialControl = ssrf.New(ssrf.WithAnyPort()).Safe
	}
	return made
}

// api is the configuration of the API. Where webhooks are guarded, a resend that no
// receiver answered looks like any other such: as one that ran into the time limit.
func (cfg Config) api(s *store.Store, w *work.Worker) api.Config {
	made := api.Config{Store: s, Send: w.Send, Log: cfg.Logger}
	if cfg.guardsWebhooks() {
		made.UnansweredAfter = work.DeliveryTimeout + time.Second
	}
	return made
}
