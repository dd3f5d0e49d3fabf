package language

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/api"
)

func TestValues(t *testing.T) {
	t.Parallel()
	spoken := map[*form]bool{}
	for spelled, want := range map[string]Value{
		`10.00`:                             literal("10.00"),
		`1e1`:                               literal("1e1"),
		`"x"`:                               literal(`"x"`),
		`{"a": 1}`:                          literal(`{"a": 1}`),
		`null`:                              literal("null"),
		"absent":                            {Kind: Absent},
		"invalid":                           {Kind: Invalid},
		"today's date":                      {Kind: Date},
		"1.00, then 2.00":                   {Kind: Twice, JSON: []byte("[1.00,2.00]")},
		"a list of 2":                       {Kind: Headers, N: 2},
		"50 pairs":                          {Kind: Pairs, N: 50},
		"2 splits of R$ 0.01":               {Kind: SplitsOf, Parts: []Part{{Decimal: "0.01"}, {Decimal: "0.01"}}},
		"1 split of R$ 5.00":                {Kind: SplitsOf, Parts: []Part{{Decimal: "5.00"}}},
		"R$ 4.00 and R$ 6.00":               {Kind: SplitsOf, Parts: []Part{{Decimal: "4.00"}, {Decimal: "6.00"}}},
		"50% and R$ 5.00, immediate":        {Kind: SplitsOf, AtOnce: true, Parts: []Part{{true, "50"}, {Decimal: "5.00"}}},
		"33.33%, 33.33% and 33.34%":         {Kind: SplitsOf, Parts: []Part{{true, "33.33"}, {true, "33.33"}, {true, "33.34"}}},
		"a string of 3 characters":          {Kind: Repeated, N: 3},
		"a string of 2 accented characters": {Kind: Repeated, N: 2, Swap: true},
		"a random string of 26 letters and digits":            {Kind: FreshText, N: 26},
		"a random string of 30 characters with a hyphen":      {Kind: FreshText, N: 30, Text: "-"},
		"a random string of 30 characters with an underscore": {Kind: FreshText, N: 30, Text: "_"},
		"a random string of 30 characters with a plus":        {Kind: FreshText, N: 30, Text: "+"},
		"a random string of 30 characters with a dot":         {Kind: FreshText, N: 30, Text: "."},
		"a random string of 14 digits":                        {Kind: FreshDigits, N: 14},
		"the account's externalId plus one letter":            {Kind: SentField, Text: "externalId", How: "plus one letter"},
		"a random UUID":                                   {Kind: FreshUUID},
		"a random e-mail":                                 {Kind: FreshEmail},
		"a random CNPJ":                                   {Kind: FreshKey, How: "CNPJ"},
		"that key with another digit":                     {Kind: NearKey},
		"a static code without its CRC":                   {Kind: PayeesCode, Code: Code{Oddity: NoCRC}},
		"a key of 77 characters":                          {Kind: EmailKeyOf, N: 77},
		"a random end-to-end id":                          {Kind: FreshEndToEndID},
		"that key":                                        {Kind: ThatKey},
		"that document":                                   {Kind: ThatDocument},
		"the account's key":                               {Kind: OwnKey},
		"the payee's key":                                 {Kind: PayeesKey},
		"the account's clientId":                          {Kind: ClientID},
		"a URL with a query":                              {Kind: URLWithQuery},
		"a URL with a trailing slash":                     {Kind: URLWithQuery, Text: "a trailing slash"},
		"a URL of 300 characters":                         {Kind: URLWithQuery, N: 300},
		"a new URL":                                       {Kind: FreshURL},
		"its clientSecret":                                {Kind: NearSecret, Text: "its clientSecret"},
		"the first half of its clientSecret":              {Kind: NearSecret, Text: "the first half of its clientSecret"},
		"its endToEndId":                                  {Kind: NearEndToEndID},
		"its endToEndId plus one letter":                  {Kind: NearEndToEndID, Text: "plus one letter"},
		"the account's txid":                              {Kind: SentField, Text: "txid"},
		"the other account's txid with the case swapped":  {Kind: SentField, Text: "txid", Of: TheOther, How: "with the case swapped"},
		"a random string of 20 characters with an accent": {Kind: FreshText, N: 20, Text: "é"},
		"a random string of 20 characters with an emoji":  {Kind: FreshText, N: 20, Text: "🍕"},
		"a random string of 30 letters and digits and a line feed": {Kind: FreshLine, N: 30},
		"a random string of 20 letters and digits starting with E": {Kind: FreshText, N: 20, How: "E"},
		"the account's second url":                                 {Kind: SentField, Text: "url", N: 2},
		"the account's first externalId plus one letter":           {Kind: SentField, Text: "externalId", N: 1, How: "plus one letter"},
		"the id of the event":                                      {Kind: EventsField, Text: "id"},
		"the id returned":                                          {Kind: AnsweredField, Text: "id"},
		"now":                                                      {Kind: Time},
		"2 hours ago":                                              {Kind: Time, By: -2 * time.Hour},
		"1 day from now":                                           {Kind: Time, By: 24 * time.Hour},
		"2 hours ago at UTC-03:00":                                 {Kind: Time, By: -2 * time.Hour, Text: "-03:00"},
		"the date 2 days from now":                                 {Kind: Date, By: 48 * time.Hour},
		"the code of its own charge":                               {Kind: OwnCode},
		"000201 followed by 3 letters":                             {Kind: LetterCode, N: 3},
		"a static code":                                            {Kind: PayeesCode},
		"a dynamic code with a wrong CRC":                          {Kind: PayeesCode, Code: Code{Dynamic: true, Oddity: WrongCRC}},
		"a static code of R$ 10.5":                                 {Kind: PayeesCode, Code: Code{Amount: "10.5"}},
		"a static code of 49 characters":                           {Kind: PayeesCode, Code: Code{Length: 49}},
		"a static code that starts with XX0":                       {Kind: PayeesCode, Code: Code{Start: "XX0"}},
		"a random string of 30 characters with a space":            {Kind: FreshText, N: 30, Text: " "},
		"a random string of 30 characters with a percent sign":     {Kind: FreshText, N: 30, Text: "%"},
		"the txid of the first charge":                             {Kind: MadeField, Text: "txid", Makes: api.Charge, N: 1},
		"the id of the refund with a different last character":     {Kind: MadeField, Text: "id", Makes: api.Refund, Swap: true},
	} {
		got, err := valueOf(spelled)
		require.NoError(t, err, spelled)
		assert.Equal(t, want, got, spelled)
		for _, f := range valuePhrases {
			if _, w := f.read(spelled, nil); w != nil {
				spoken[f] = true
			}
		}
	}
	for _, f := range valuePhrases {
		assert.True(t, spoken[f], "add an example of %s", f.template)
	}
	for _, spelled := range []string{"", "something else", "01", `"x`, "a text of many characters", "99999999999999999999 pairs", "9999999999 days ago", "50% and R$ 5", "1, then 02"} {
		_, err := valueOf(spelled)
		require.ErrorContains(t, err, "neither JSON nor a phrase for a value", spelled)
	}
}

// Outside the body a value is a text: JSON and structures have no meaning there, and only a
// header can be left out.
func TestTextValues(t *testing.T) {
	t.Parallel()
	text := func(s string) Value { return Value{Kind: Text, Text: s} }
	for _, c := range []struct {
		where   Where
		spelled string
		want    Value
	}{
		{Header, "absent", Value{Kind: Absent}},
		{Query, "absent", text("absent")},
		{Path, "absent", text("absent")},
		{Query, "10.00", text("10.00")},
		{Query, `"x"`, text(`"x"`)},
		{Header, "a list of 2", text("a list of 2")},
		{Header, "2 pairs", text("2 pairs")},
		{Query, "R$ 1.00", text("R$ 1.00")},
		{Path, "a random UUID", Value{Kind: FreshUUID}},
		{Query, "now", Value{Kind: Time}},
		{Path, "any other words", text("any other words")},
	} {
		require.Equal(t, c.want, textValueOf(c.where, c.spelled), "%s %s", c.where, c.spelled)
	}
}

func TestTheAmountOfARequest(t *testing.T) {
	t.Parallel()
	c, err := ChangeAmount(cashOut, 5)
	require.NoError(t, err)
	require.Equal(t, Change{Name: "value", Value: literal("0.05")}, c)
	c, err = ChangeAmount(cob, 5)
	require.NoError(t, err)
	require.Equal(t, Change{Name: "valor.original", Value: literal(`"0.05"`)}, c)
}
