package run

import (
	"errors"
	"fmt"
	"hash/fnv"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/ledger"
)

// Config of a run. Zero durations and amounts mean none: the caller sets the defaults. Fields with names in JSON are
// options of a script.
type Config struct {
	ID        uint64 // of the run, the same for all instances: [RunID], or [data.NewRun] of a single one
	Name      string // that the user gave the run; empty: none
	Instance  int    // of Instances, from 0
	Instances int
	Segment   string // the execution segment, for the result
	Script    string // for the result
	Profile   string `json:"profile"` // for the result
	Version   string // of k6, for the result

	Metrics Metrics // nil: none

	Say func(what string) // called with what Close does if that takes more than a second; nil: not

	URL       *url.URL
	TokenPath string        `json:"tokenPath"` // empty: that of the specification
	Timeout   time.Duration `json:"timeout"`   // of one request

	Accounts int                   // how many to create with Controls, in all instances
	Fixed    []gateway.Credentials // the accounts to use instead
	Controls *Controls             // nil: none
	Balance  data.Amount           `json:"balance"` // initial, of each account that is created

	Webhooks *Webhooks // nil: no listener

	Seed        uint64  `json:"seed"`
	Least, Most int64   // centavos of a payment: at least 1, and at least Least
	Repeats     float64 `json:"repeats"` // the share of payments whose request is sent twice, 0 to 1

	Fees ledger.ByKind[int64] // centavos, of payments whose webhook contains no fee

	Late   time.Duration `json:"late"`   // a webhook that takes longer from acceptance is late
	Drain  time.Duration `json:"drain"`  // how long to wait for pending webhooks at the end
	Warmup time.Duration `json:"warmup"` // requests scheduled within it are not measured
}

// Controls is the address of the test controls.
type Controls struct {
	URL   *url.URL
	Token string
}

// Webhooks configures the webhook listener.
type Webhooks struct {
	Listen      string   `json:"listen"`      // host:port
	URL         string   `json:"url"`         // as registered with the gateway; empty: that of Listen
	Certificate string   `json:"certificate"` // PEM file; empty: one is generated
	Key         string   `json:"key"`         // PEM file
	Authority   string   `json:"authority"`   // file to write a generated certificate to; empty: none
	Types       []string `json:"types"`
}

// Types are the subscription event types that report outcomes of payments.
var Types = []string{"cash_in", "cash_out", "refund_in", "refund_out"}

// Check validates the configuration, before anything is sent.
func (c Config) Check() error {
	switch {
	case c.URL == nil || c.URL.Host == "":
		return errors.New("expected the gateway's url, such as http://127.0.0.1:8080, got none")
	case c.TokenPath != "" && c.TokenPath[0] != '/':
		return fmt.Errorf("the gateway's token path: expected a path that starts with /, got %q", c.TokenPath)
	case c.Instances > 1<<16:
		return fmt.Errorf("expected at most %d instances, because ids of payments have 16 bits for their number, got %d", 1<<16, c.Instances)
	case c.Instances < 1 || c.Instance < 0 || c.Instance >= c.Instances:
		return fmt.Errorf("expected an instance number from 0 to %d, got %d", c.Instances-1, c.Instance)
	case c.Name == "" && c.Instances > 1:
		return errors.New("expected a run id that all instances share, got none: set PIX_RUN, or the option run, to the same value in each")
	case len(c.Fixed) == 0 && c.Controls == nil:
		return errors.New("expected accounts, got none: set the option accounts to their credentials, or controls to create them with")
	case c.accounts() < 1:
		return fmt.Errorf("expected at least one account, got %d", c.accounts())
	case c.accounts() < c.Instances:
		return fmt.Errorf("expected at least one account for each of %d instances, got %d: add accounts",
			c.Instances, c.accounts())
	case len(c.Fixed) > 0 && c.Webhooks != nil && c.Webhooks.anyPort():
		return fmt.Errorf("expected webhooks.listen or webhooks.url with a port, got %q and %q: existing accounts need the same URLs in every run, because an account takes only three per event type", c.Webhooks.Listen, c.Webhooks.URL)
	case c.Repeats < 0 || c.Repeats > 1:
		return fmt.Errorf("expected a share of repeats from 0 to 1, got %v", c.Repeats)
	}
	return nil
}

// anyPort says whether the webhook URLs change between runs because the port does.
func (w *Webhooks) anyPort() bool {
	if w.URL != "" {
		if u, err := url.Parse(w.URL); err != nil || u.Port() != "0" {
			return false // port 0 means the listener's
		}
	}
	_, port, err := net.SplitHostPort(w.Listen)
	return w.Listen == "" || err == nil && strings.Trim(port, "0") == ""
}

// accounts is the number of accounts of all instances.
func (c Config) accounts() int {
	if len(c.Fixed) > 0 {
		return len(c.Fixed)
	}
	return c.Accounts
}

// share is the accounts of this instance, by their index in the run.
func (c Config) share() []int {
	var mine []int
	for i := range c.accounts() {
		if i%c.Instances == c.Instance {
			mine = append(mine, i)
		}
	}
	return mine
}

// RunID is the id of a run with a name: 48 bits, never 0.
func RunID(name string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // never fails
	return max(h.Sum64()>>16, 1)
}

// FormatRunID formats a run id as 12 hexadecimal digits.
func FormatRunID(id uint64) string { return fmt.Sprintf("%012x", id) }
