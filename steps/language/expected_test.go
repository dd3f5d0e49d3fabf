package language

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/api"
)

func TestExpectedValues(t *testing.T) {
	t.Parallel()
	for spelled, want := range map[string]Phrase{
		`"PENDING"`:                           {Kind: Equals, JSON: "PENDING"},
		`1800.0`:                              {Kind: Equals, JSON: json.Number("1800.0")},
		`true`:                                {Kind: Equals, JSON: true},
		`{"a": 1}`:                            {Kind: Equals, JSON: map[string]any{"a": json.Number("1")}},
		"null":                                {Kind: IsNull},
		"at least 2 items":                    {Kind: HasItems, N: 2, More: true},
		"1 item":                              {Kind: HasItems, N: 1},
		"3 strings":                           {Kind: HasTexts, N: 3},
		"an item whose a.b is R$ 8.41":        {Kind: HasItemOf, Field: "a.b", Amount: 841},
		"at least 3 strings":                  {Kind: HasTexts, N: 3, More: true},
		"32 characters":                       {Kind: HasCharacters, N: 32},
		"a BR Code of R$ 10.00":               {Kind: IsCodeOf, Amount: 1000},
		"R$ 10.00":                            {Kind: IsAmount, Amount: 1000},
		"R$ -0.50":                            {Kind: IsAmount, Amount: -50},
		"different from the first rtrId":      {Kind: IsOtherThanFirst, Field: "rtrId"},
		"the first rtrId":                     {Kind: IsFirst, Field: "rtrId"},
		"the value sent":                      {Kind: IsSent, Field: "value"},
		"the id of the event":                 {Kind: IsOfEvent, Field: "id"},
		"the endToEndId of the second charge": {Kind: IsOfMade, Field: "endToEndId", Makes: api.Charge, N: 2},
		"the id returned":                     {Kind: IsAnswered, Field: "id"},
		"1800 seconds after createdAt":        {Kind: IsAfter, By: 30 * time.Minute, Field: "createdAt"},
		"a QR Code of the pixCode":            {Kind: IsPictureOf, Field: "pixCode"},
		"the pixCode":                         {Kind: IsSameAs, Field: "pixCode"},
	} {
		got, err := expectedOf(spelled)
		require.NoError(t, err, spelled)
		assert.Equal(t, Expected{Words: spelled, Alternatives: []Phrase{want}}, got, spelled)
	}
	for spelled, kind := range shapes {
		got, err := expectedOf(spelled)
		require.NoError(t, err, spelled)
		assert.Equal(t, []Phrase{{Kind: kind}}, got.Alternatives, spelled)
	}
	either, err := expectedOf(`absent or null or R$ 1.00`)
	require.NoError(t, err)
	require.Equal(t, Expected{Words: `absent or null or R$ 1.00`, Alternatives: []Phrase{{Kind: IsAbsent}, {Kind: IsNull}, {Kind: IsAmount, Amount: 100}}}, either)
	for _, spelled := range []string{"", "nonsense", "absent or", "01", "R$ 1", "the", `"x`, "99999999999999999999 items", `{"a": 1, "a": 2}`} {
		_, err := expectedOf(spelled)
		require.ErrorContains(t, err, "neither JSON nor a phrase for an expected value", spelled)
	}
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	for spelled, want := range map[string]struct {
		alternatives                    []Alternative
		naming                          []string
		mayRefuse, mustRefuse, throttle bool
	}{
		"accepted":                                  {alternatives: []Alternative{{Accepted: true}}},
		"accepted with 200 or 201":                  {alternatives: []Alternative{{Accepted: true, Statuses: []int{200, 201}}}},
		"rejected with 400":                         {alternatives: []Alternative{{Statuses: []int{400}}}, mayRefuse: true, mustRefuse: true},
		"rejected with 400 A_CODE or B":             {alternatives: []Alternative{{Statuses: []int{400}, Codes: []api.Code{"A_CODE", "B"}}}, mayRefuse: true, mustRefuse: true},
		"accepted, or rejected with 400 or 415":     {alternatives: []Alternative{{Accepted: true}, {Statuses: []int{400, 415}}}, mayRefuse: true},
		"rejected with 401 A, or rejected with 429": {alternatives: []Alternative{{Statuses: []int{401}, Codes: []api.Code{"A"}}, {Statuses: []int{429}}}, mayRefuse: true, mustRefuse: true, throttle: true},
		"rejected with 400, naming value and key":   {alternatives: []Alternative{{Statuses: []int{400}}}, naming: []string{"value", "key"}, mayRefuse: true, mustRefuse: true},
	} {
		o, err := outcomeOf(spelled)
		require.NoError(t, err, spelled)
		assert.Equal(t, Outcome{Words: spelled, Alternatives: want.alternatives, Naming: want.naming}, o, spelled)
		assert.Equal(t, []bool{want.mayRefuse, want.mustRefuse, want.throttle}, []bool{o.MayRefuse(), o.MustRefuse(), o.Throttles()}, spelled)
	}
	for _, spelled := range []string{
		"", "rejected", "rejected with", "rejected with CODE", "accepted with", "accepted or rejected", "rejected with 400 code",
		"accepted with 201 CODE", "rejected with 400 CODE 401", "rejected with 40", "accepted, or", "accepted ",
	} {
		_, err := outcomeOf(spelled)
		require.Error(t, err, spelled)
	}
}
