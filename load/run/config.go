package run

import (
	"errors"
	"fmt"
	"hash/fnv"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/load/data"
	"github.com/pixcert/pixcert/load/gateway"
	"github.com/pixcert/pixcert/load/ledger"
)

// Config is what a run is told. The zero values of its durations and amounts mean none:
// the defaults are the caller's.
type Config struct {
	ID        uint64 // of the run, the same for all instances: [data.NewRun]
	Name      string // what a person calls the run, for the result: the text that ID stands for; empty: nothing else
	Instance  int    // of Instances, from 0
	Instances int
	Segment   string // the execution segment, for the result
	Script    string // for the result
	Profile   string // for the result
	Version   string // of k6, for the result

	URL       *url.URL
	TokenPath string // empty: that of the specification
	Headers   map[string]string
	Timeout   time.Duration // of one exchange

	Accounts int                   // how many to make through Controls, over all instances
	Fixed    []gateway.Credentials // the accounts to use in their stead
	Shared   bool                  // all instances use all of Fixed: only their merged books can be balanced
	Controls *Controls             // nil: none
	Balance  int64                 // centavos to put into each account that is made

	Webhooks *Webhooks // nil: none are listened for

	Seed        uint64
	Least, Most int64   // centavos of a payment
	Repeats     float64 // the share of payments whose request is sent twice, 0 to 1

	Fees map[ledger.Kind]int64 // centavos, of the payments whose webhook names no fee

	Late   time.Duration // a webhook that takes longer from acceptance is late
	Drain  time.Duration // how long the end waits for webhooks that are under way
	Warmup time.Duration // what is intended within it is not measured
}

// Controls is where the test controls are.
type Controls struct {
	URL   *url.URL
	Token string
}

// Webhooks is where they are received.
type Webhooks struct {
	Listen      string // host:port
	URL         string // what the gateway is told; empty: that of Listen
	Certificate string // PEM file; empty: one is made
	Key         string // PEM file
	Authority   string // file to write the authority of a certificate that is made to; empty: none
	Types       []string
}

// Types are the subscription event types that end payments.
var Types = []string{"cash_in", "cash_out", "refund_in", "refund_out"}

// Check says what is wrong with the configuration, before anything is sent. Without a
// position among instances it is held to be the only one.
func (c Config) Check() error {
	switch {
	case c.URL == nil || c.URL.Host == "":
		return errors.New("expected the gateway's url, such as http://127.0.0.1:8080, got none")
	case c.Instances < 1 || c.Instance < 0 || c.Instance >= c.Instances:
		return fmt.Errorf("expected an instance of 0 to %d, got %d", c.Instances-1, c.Instance)
	case c.ID == 0 && c.Instances > 1:
		return errors.New("expected a run id that all instances share, got none: set the option run, or PIX_RUN, to the same value for each")
	case len(c.Fixed) == 0 && c.Controls == nil:
		return errors.New("expected accounts: give their credentials, or controls to make them with")
	case c.accounts() < 1:
		return fmt.Errorf("expected at least one account, got %d", c.accounts())
	case c.accounts() < c.Instances && !c.Shared:
		return fmt.Errorf("expected an account for each of %d instances, got %d: add accounts, or set sharedAccounts and let the merged books be balanced",
			c.Instances, c.accounts())
	case c.Shared && len(c.Fixed) == 0:
		return errors.New("expected the credentials of the shared accounts, got a number of accounts to make: instances cannot share accounts that each of them makes")
	case len(c.Fixed) > 0 && c.Webhooks != nil && c.Webhooks.anyPort():
		return fmt.Errorf("expected webhooks.listen or webhooks.url with a port, got %q and %q: the URLs of accounts that stay have to be the same in every run, since three of a type are all that an account may have", c.Webhooks.Listen, c.Webhooks.URL)
	case c.Shared && c.Instances > 1 && c.Webhooks != nil && c.Webhooks.URL == "":
		return errors.New("expected one address at which webhooks of the shared accounts reach any instance, got none: each event would come to all of them, as duplicates; set the webhooks' url")
	case c.Webhooks != nil && c.Webhooks.twice() != "":
		return fmt.Errorf("expected each of webhooks.types once, got %q twice", c.Webhooks.twice())
	case c.Repeats < 0 || c.Repeats > 1:
		return fmt.Errorf("expected a share of repeats from 0 to 1, got %v", c.Repeats)
	}
	return nil
}

// anyPort says whether the URLs of webhooks change from run to run, with the port that is
// free.
func (w *Webhooks) anyPort() bool {
	if w.URL != "" {
		if u, err := url.Parse(w.URL); err != nil || u.Port() != "0" {
			return false // port 0 stands for the listener's
		}
	}
	_, port, err := net.SplitHostPort(w.Listen)
	return w.Listen == "" || err == nil && strings.Trim(port, "0") == ""
}

// twice is a type that is listed more than once.
func (w *Webhooks) twice() string {
	for i, t := range w.Types {
		if slices.Contains(w.Types[:i], t) {
			return t
		}
	}
	return ""
}

// accounts is how many the run has over all instances.
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
		if c.Shared || i%c.Instances == c.Instance {
			mine = append(mine, i)
		}
	}
	return mine
}

// RunID reads the run id that a person chose: the 12 hexadecimal digits that [FormatRunID]
// writes, or any other text, which stands for a number of its own.
func RunID(text string) (uint64, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, errors.New("expected a run id, got none: give any text that the instances share")
	}
	var id uint64
	if _, err := fmt.Sscanf(text, "%x", &id); err == nil && FormatRunID(id) == strings.ToLower(text) && id != 0 {
		return id, nil
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(text)) // never fails
	return max(h.Sum64()>>16, 1), nil
}

// FormatRunID spells a run id: 12 hexadecimal digits.
func FormatRunID(id uint64) string { return fmt.Sprintf("%012x", id) }

func (c Config) source() (*data.Source, error) {
	s := data.NewSource(c.ID, uint16(c.Instance), c.Seed)
	if err := s.Amounts(c.Least, c.Most); err != nil {
		return nil, fmt.Errorf("amounts: %w", err)
	}
	return s, nil
}
