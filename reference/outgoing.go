package reference

import (
	"cmp"
	"crypto/tls"
	"time"

	"code.dny.dev/ssrf"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/reference/api"
	"github.com/pixcert/pixcert/reference/store"
	"github.com/pixcert/pixcert/reference/work"
)

// guardsWebhooks reports whether webhooks go to public addresses only. Otherwise, clients on other
// machines could make the gateway send requests to what only the gateway can reach: its own loopback, its
// network, the metadata service of its cloud.
func (cfg Config) guardsWebhooks() bool {
	if cfg.PrivateWebhooks != nil {
		return !*cfg.PrivateWebhooks
	}
	return !OnLoopback(cmp.Or(cfg.Listen, anyLocalPort))
}

// work is the configuration of the worker. The guard checks each address when it is
// dialed, so it does not matter which name resolved to it, or to what it resolved before. Redirects are
// not followed.
func (cfg Config) work(s *store.Store) work.Config {
	made := work.Config{
		Store:  s,
		Logger: cfg.Logger,
		Retain: cfg.Retain,
		TLS:    certs.Restricted(&tls.Config{RootCAs: cfg.WebhookCA, InsecureSkipVerify: cfg.WebhookInsecure}),
		Wrap:   cfg.WebhookTransport,
	}
	if cfg.guardsWebhooks() {
		made.DialControl = ssrf.New(ssrf.WithAnyPort()).Safe
	}
	return made
}

// api is the configuration of the API. If webhooks are guarded, every resend without a response looks
// like one that timed out.
func (cfg Config) api(s *store.Store, w *work.Worker) api.Config {
	made := api.Config{Store: s, Send: w.Send, Log: cfg.Logger}
	if cfg.guardsWebhooks() {
		made.UnansweredAfter = work.DeliveryTimeout + time.Second
	}
	return made
}
