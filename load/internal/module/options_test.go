package module

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.k6.io/k6/v2/lib"

	"github.com/pixcert/pixcert/load/internal/ledger"
)

func TestOptionsNameTheFieldThatIsWrong(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		`7`:                                 "expected an object, got the number 7",
		`{"ulr": "x"}`:                      "ulr: unknown option, expected one of accounts, amounts",
		`{"url": 7}`:                        "url: expected a string in quotes, got number",
		`{"url": "gateway"}`:                `url: expected a URL such as http://127.0.0.1:8080, got "gateway"`,
		`{}`:                                `url: expected a URL such as http://127.0.0.1:8080, got ""`,
		`{"balance": 10.5}`:                 `balance: expected an amount as a string, such as "10.00", got 10.5`,
		`{"balance": "1,50"}`:               "balance: expected an amount in BRL",
		`{"drain": "soon"}`:                 `drain: expected a duration such as "10s", got "soon"`,
		`{"drain": -1}`:                     "drain: expected a duration of 0 or more, got -1",
		`{"accounts": 0}`:                   "accounts: expected a number of accounts to create, at least 1",
		`{"accounts": "none.json"}`:         "accounts: ",
		`{"accounts": [{"clientId": "x"}]}`: "accounts: accounts[0].clientId: expected a UUID",
		`{"controls": {"ulr": "x"}}`:        "controls: ulr: unknown option, expected one of token, url",
		`{"url": "http://a", "controls": {"url": "x"}}`:                      "controls.url: expected a URL",
		`{"webhooks": {"lisen": "x"}}`:                                       "webhooks: lisen: unknown option",
		`{"webhooks": {"types": "cash_in"}}`:                                 `webhooks: types: expected a list of strings, such as ["a", "b"], got string`,
		`{"amounts": {"min": "2.00", "max": "1.00"}}`:                        `amounts: expected a min of at least "0.01" and a max of at least min, got "2.00" and "1.00"`,
		`{"headers": {"X-Way": 1}}`:                                          `headers: expected an object of strings, got number`,
		`{"headers": ["x"]}`:                                                 "headers: expected an object of strings, got array",
		`{"url": "127.0.0.1:8080"}`:                                          "url: expected a URL such as http://127.0.0.1:8080, got one that cannot be parsed: start it with http:// or https://",
		`{"accounts": [{"clientId": 7}]}`:                                    "accounts: expected credentials of the form {clientId, clientSecret, certificate}: json: cannot unmarshal number",
		`{"url": "http://a"}`:                                                "expected accounts, got none: set the option accounts to their credentials, or controls to create them with",
		`{"url": "http://a", "controls": {"url": "http://b"}, "repeats": 3}`: "expected a share of repeats from 0 to 1, got 3",
	} {
		t.Run(given, func(t *testing.T) {
			t.Parallel()
			o, err := parseOptions([]byte(given))
			if err == nil {
				_, err = o.config()
			}
			require.ErrorContains(t, err, want)
		})
	}
}

func TestSecretsAreInNoError(t *testing.T) {
	t.Parallel()
	for _, given := range []string{
		`{"accounts": {"clientSecret": "hush"}}`,
		`{"accounts": [{"clientId": "1", "clientSecret": "hush", "certificate": ""}]}`,
		`{"accounts": [{"clientId": 1, "clientSecret": "hush"}]}`,
		`{"accounts": ["hush"]}`,
		`{"controls": "hush"}`,
		`{"controls": {"token": ["hush"]}}`,
		`{"controls": {"url": "http://127.0.0.1:1", "tokn": "hush"}}`,
		`{"url": "http://a", "controls": {"url": "ftp://pix:hush@127.0.0.1", "token": "hush"}}`,
		`{"url": "http://pix:hush@[127.0.0.1"}`,
		`{"headers": ["hush"]}`,
		`{"headers": {"Authorization": ["hush"]}}`,
		`"hush"`,
	} {
		o, err := parseOptions([]byte(given))
		if err == nil {
			_, err = o.config()
		}
		require.Error(t, err, given)
		require.NotContains(t, err.Error(), "hush", given)
	}
	assert.Equal(t, "controls", different([]byte(`{"url": "a", "controls": {"token": "hush"}}`), []byte(`{"url": "a", "controls": {}}`)))
	assert.Equal(t, "seed", different([]byte(`{"url": "a"}`), []byte(`{"url": "a", "seed": 1}`)))
	assert.Equal(t, "order of the options", different([]byte(`{"url": "a", "seed": 1}`), []byte(`{"seed": 1, "url": "a"}`)))
}

func TestOptionsDescribeARun(t *testing.T) {
	t.Parallel()
	o, err := parseOptions([]byte(`{
		"url": "https://gateway.example/v1", "accounts": 4, "controls": {"url": "http://127.0.0.1:1", "token": "t"},
		"balance": "12.34", "webhooks": {"listen": "127.0.0.1:9000"}, "seed": 7, "amounts": {"min": "1.00"},
		"repeats": 0.25, "late": "2s", "fees": {"transfer": "0.50", "cashIn": "0.10"}, "drain": 500, "warmup": "1m30s", "headers": {"X-Way": "through"}
	}`))
	require.NoError(t, err)
	o.Run = "friday"
	c, err := o.config()
	require.NoError(t, err)
	assert.NoError(t, err)
	assert.Equal(t, "gateway.example", c.URL.Host)
	assert.Equal(t, 4, c.Accounts)
	assert.Equal(t, "t", c.Controls.Token)
	assert.EqualValues(t, 1234, c.Balance)
	assert.Equal(t, "127.0.0.1:9000", c.Webhooks.Listen)
	assert.Len(t, c.Webhooks.Types, 4, "the default stays")
	assert.EqualValues(t, 7, c.Seed)
	assert.EqualValues(t, 100, c.Least)
	assert.EqualValues(t, 10000, c.Most)
	assert.Equal(t, 2*time.Second, c.Late)
	assert.EqualValues(t, 50, c.Fees[ledger.Transfer])
	assert.EqualValues(t, 10, c.Fees[ledger.CashIn])
	assert.Zero(t, c.Fees[ledger.Cob])
	assert.Equal(t, 500*time.Millisecond, c.Drain)
	assert.Equal(t, 90*time.Second, c.Warmup)
	assert.NotZero(t, c.ID)

	o, err = parseOptions([]byte(`{"url": "http://127.0.0.1:1", "controls": {"url": "http://127.0.0.1:2"}, "webhooks": false}`))
	require.NoError(t, err)
	c, err = o.config()
	require.NoError(t, err)
	assert.Nil(t, c.Webhooks)
	assert.NotZero(t, c.ID, "random")
}

func TestAnInstanceIsThatOfItsSegment(t *testing.T) {
	t.Parallel()
	sequence, err := lib.NewExecutionSegmentSequenceFromString("0,1/4,1/2,3/4,1")
	require.NoError(t, err)
	segment, err := lib.NewExecutionSegmentFromString("1/2:3/4")
	require.NoError(t, err)
	instance, instances, err := position(segment, &sequence)
	require.NoError(t, err)
	assert.Equal(t, 2, instance)
	assert.Equal(t, 4, instances)
	_, _, err = position(segment, nil)
	require.ErrorContains(t, err, "expected --execution-segment-sequence with --execution-segment 1/2:3/4, got none")
	whole, err := lib.NewExecutionSegmentFromString("0:1")
	require.NoError(t, err)
	instance, instances, err = position(whole, nil)
	require.NoError(t, err)
	assert.Equal(t, 0, instance)
	assert.Equal(t, 1, instances)
	instance, instances, err = position(nil, nil)
	require.NoError(t, err)
	assert.Equal(t, 0, instance)
	assert.Equal(t, 1, instances)
}

func TestARunKeepsTheNameThatItWasGiven(t *testing.T) {
	t.Parallel()
	for given, name := range map[string]string{" nightly1 ": "nightly1", " ": "", "": ""} {
		o, err := parseOptions([]byte(`{"url": "http://a", "controls": {"url": "http://b"}}`))
		require.NoError(t, err)
		o.Run = given
		c, err := o.config()
		require.NoError(t, err)
		assert.Equal(t, name, c.Name)
	}
}
