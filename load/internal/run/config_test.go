package run

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/gateway"
)

func TestAConfigSaysWhatIsWrongWithIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(*Config)
		want   string
	}{
		{"sound", func(*Config) {}, ""},
		{"no url", func(c *Config) { c.URL = nil }, "the gateway's url"},
		{"a token path without a slash", func(c *Config) { c.TokenPath = "token" }, "the gateway's token path: expected a path that starts with /"},
		{"no accounts", func(c *Config) { c.Controls = nil }, "expected accounts"},
		{"none to make", func(c *Config) { c.Accounts = 0 }, "at least one account"},
		{"instance", func(c *Config) { c.Instance = 1 }, "an instance number from 0 to 0, got 1"},
		{"no run id", func(c *Config) { c.Instances, c.Name = 2, "" }, "PIX_RUN"},
		{"too few accounts", func(c *Config) { c.Instances = 4 }, "at least one account for each of 4 instances, got 3"},
		{"accounts that stay, at any port", func(c *Config) {
			c.Fixed, c.Webhooks = make([]gateway.Credentials, 1), &Webhooks{Listen: "127.0.0.1:0"}
		}, "expected webhooks.listen or webhooks.url with a port"},
		{"accounts that stay, listened for anywhere", func(c *Config) {
			c.Fixed, c.Webhooks = make([]gateway.Credentials, 1), &Webhooks{}
		}, "expected webhooks.listen or webhooks.url with a port"},
		{"accounts that stay, at the listener's port", func(c *Config) {
			c.Fixed, c.Webhooks = make([]gateway.Credentials, 1), &Webhooks{URL: "https://load:0", Listen: "127.0.0.1:"}
		}, "expected webhooks.listen or webhooks.url with a port"},
		{"accounts that stay, at a listener's that stays", func(c *Config) {
			c.Fixed, c.Webhooks = make([]gateway.Credentials, 1), &Webhooks{URL: "https://load:0", Listen: "127.0.0.1:9000"}
		}, ""},
		{"accounts that stay, at a port", func(c *Config) {
			c.Fixed, c.Webhooks = make([]gateway.Credentials, 1), &Webhooks{URL: "https://load:9000", Listen: "127.0.0.1:0"}
		}, ""},
		{"repeats", func(c *Config) { c.Repeats = 1.5 }, "from 0 to 1, got 1.5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			config := Config{ID: 1, Name: "friday", Instances: 1, URL: &url.URL{Scheme: "http", Host: "localhost"}, Accounts: 3, Controls: &Controls{}}
			c.change(&config)
			err := config.Check()
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestInstancesHaveAccountsOfTheirOwn(t *testing.T) {
	t.Parallel()
	for instances := 1; instances <= 5; instances++ {
		seen := map[int]bool{}
		for i := range instances {
			for _, account := range (Config{Instance: i, Instances: instances, Accounts: 7}).share() {
				require.False(t, seen[account], "account %d twice of %d instances", account, instances)
				seen[account] = true
			}
		}
		require.Len(t, seen, 7)
	}
}

func TestARunIDIsAnyText(t *testing.T) {
	t.Parallel()
	assert.Equal(t, RunID("friday"), RunID("friday"))
	assert.NotEqual(t, RunID("friday"), RunID("saturday"))
	assert.Less(t, RunID("friday"), uint64(1)<<48)
}

func TestTheShareOfRepeatsIsThatOfTheConfig(t *testing.T) {
	t.Parallel()
	const payments = 100_000
	for _, share := range []float64{0, 0.01, 0.5, 1} {
		r := &Run{config: Config{Repeats: share, Seed: 3}}
		repeated := 0
		for i := range uint64(payments) {
			if r.draws(data.ID{Sequence: i}, r.config.Repeats) {
				repeated++
			}
		}
		assert.InDelta(t, share*payments, repeated, payments/200, share)
	}
}
