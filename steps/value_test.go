package steps

import (
	"context"
	"encoding/json"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// newScenario is one that has an account and has sent nothing.
func newScenario() *scenario {
	return &scenario{run: &run{id: "test", zone: time.FixedZone("BRT", -3*3600)}, account: &actor{name: "the account", pixKey: "k"}}
}

func TestValues(t *testing.T) {
	t.Parallel()
	s := newScenario()
	s.holder = holder{"a@b.example", "1"}
	for spelled, want := range map[string]string{
		`10.00`:                                 `^10\.00$`,
		`"x"`:                                   `^"x"$`,
		`{"a": 1}`:                              `^\{"a": 1\}$`,
		`a text of 3 characters`:                `^"xxx"$`,
		`a text of 2 accented characters`:       `^"ãã"$`,
		`a fresh text of 26 letters and digits`: `^"[a-zA-Z0-9]{26}"$`,
		`a fresh text of 30 characters with a hyphen`: `^"[a-zA-Z0-9]{19}-[a-zA-Z0-9]{10}"$`,
		`a key of 77 characters`:                      `^"[a-zA-Z0-9]{63}@payee\.example"$`,
		`a fresh end-to-end id`:                       `^"E\d{20}[a-zA-Z0-9]{11}"$`,
		`that key`:                                    `^"a@b\.example"$`,
		`the account's`:                               `^"k"$`,
		`2 hours ago`:                                 `^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"$`,
		`the date 2 days ahead`:                       `^"\d{4}-\d\d-\d\d"$`,
		`2 pairs`:                                     `^\{"key01":"1","key02":"2"\}$`,
		`2 headers`:                                   `^\[\{"key":"X-Pixcert-1","value":"1"\},\{"key":"X-Pixcert-2","value":"2"\}\]$`,
		`000201 and 3 letters`:                        `^"000201xxx"$`,
	} {
		got, err := s.value(context.Background(), spelled)
		require.NoError(t, err, spelled)
		assert.Regexp(t, regexp.MustCompile(want), string(got), spelled)
	}
	absent, err := s.value(context.Background(), "absent")
	require.NoError(t, err)
	assert.Nil(t, absent)
	_, err = s.value(context.Background(), "something else")
	assert.ErrorContains(t, err, "neither JSON nor a phrase")
}

func TestSplitsAsFeaturesSpellThem(t *testing.T) {
	t.Parallel()
	s := newScenario()
	for spelled, want := range map[string]string{
		"R$ 4.00 and R$ 6.00":       `FIXED 4.00 false, FIXED 6.00 false`,
		"50% and R$ 5.00, at once":  `PERCENTAGE 50 true, FIXED 5.00 true`,
		"33.33%, 33.33% and 33.34%": `PERCENTAGE 33.33 false, PERCENTAGE 33.33 false, PERCENTAGE 33.34 false`,
		"2 splits of R$ 0.01":       `FIXED 0.01 false, FIXED 0.01 false`,
		"100%":                      `PERCENTAGE 100 false`,
	} {
		raw, err := s.value(context.Background(), spelled)
		require.NoError(t, err, spelled)
		var splits []struct {
			Type      string
			Value     json.Number
			Immediate bool
		}
		require.NoError(t, json.Unmarshal(raw, &splits))
		got := ""
		for i, split := range splits {
			if i > 0 {
				got += ", "
			}
			got += split.Type + " " + split.Value.String() + map[bool]string{true: " true", false: " false"}[split.Immediate]
		}
		assert.Equal(t, want, got)
	}
}

func TestChangesLeaveTheRequestBeforeAlone(t *testing.T) {
	t.Parallel()
	s := newScenario()
	r, err := s.valid("the account", "split cash-in")
	require.NoError(t, err)
	before := string(r.body.bytes())
	changed, err := s.changed(context.Background(), r, [][2]string{
		{"splits[0].name", `"Y"`}, {"transaction.value", "2.00"}, {"header X-Test", "y"}, {"query page", "2"}, {"path txid", "t"},
	})
	require.NoError(t, err)
	assert.Equal(t, before, string(r.body.bytes()))
	assert.Empty(t, r.header.Get("X-Test"))
	assert.Empty(t, r.query)
	assert.Empty(t, r.parameters)
	for field, want := range map[string]string{"transaction.value": "2.00", "header X-Test": `"y"`, "path txid": `"t"`, "txid": `"t"`} {
		got, ok := changed.sent(field)
		assert.True(t, ok, field)
		assert.Equal(t, want, string(got), field)
	}
	_, err = s.changed(context.Background(), r, [][2]string{{"nowhere.name", `"Y"`}})
	assert.Error(t, err)
}
