package api

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image/png"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

const saleOrder = `{"transaction":{"value":10.00,"description":"sale","externalId":"sale-1"},` +
	`"payer":{"fullName":"Fulano de Tal","document":"52998224725"}}`

const saleSplit = `{"pixKey":"rui@example.com","pixKeyType":"EMAIL","name":"Rui","document":"52998224725","type":"FIXED","value":1.00}`

// sale is a valid cash-in with changes, given as old and new text by turns.
func sale(changes ...string) edit {
	return withBody(strings.NewReplacer(changes...).Replace(saleOrder))
}

// with adds a member to the body of a valid cash-in.
func with(member string) edit { return sale(`{"transaction"`, `{`+member+`,"transaction"`) }

// transactionWith adds a member to the transaction of a valid cash-in.
func transactionWith(member string) edit { return sale(`{"value"`, `{`+member+`,"value"`) }

// splits gives a valid cash-in splits, each the valid one with changes.
func splits(items ...string) edit { return with(`"splits":[` + strings.Join(items, ",") + `]`) }

func split(changes ...string) string { return strings.NewReplacer(changes...).Replace(saleSplit) }

func (c *client) cashIn(t testing.TB, edits ...edit) answer {
	t.Helper()
	return c.as(t, http.MethodPost, "/api/pix/cash-in", append([]edit{withBody(saleOrder)}, edits...)...)
}

func TestCashInIsAccepted(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 1_00)
	a := c.cashIn(t)
	require.Equal(t, http.StatusCreated, a.status, "%s", a.raw)
	assert.Len(t, a.fields, 7)
	assert.Equal(t, "sale-1", a.fields["externalId"])
	assert.Equal(t, "PENDING", a.fields["status"])
	assert.Equal(t, 24*time.Hour, life(t, a))
	code, err := pix.ParseBRCode(a.fields["pixCode"].(string))
	require.NoError(t, err)
	assert.EqualValues(t, 10_00, code.Amount)
	available, blocked := c.balance(t)
	assert.EqualValues(t, 1_00, available)
	assert.Zero(t, blocked)
}

// life is the time from generation to expiry.
func life(t testing.TB, a answer) time.Duration {
	t.Helper()
	var times [2]time.Time
	for i, field := range []string{"generateTime", "expirationDate"} {
		at, err := time.Parse(time.RFC3339, a.fields[field].(string))
		require.NoError(t, err)
		times[i] = at
	}
	return times[1].Sub(times[0])
}

func TestBoundsOfACashIn(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 0)
	info := func(keys int) edit {
		members := make([]string, keys)
		for i := range members {
			members[i] = fmt.Sprintf(`"k%d":"v"`, i)
		}
		return with(`"additionalInfo":{` + strings.Join(members, ",") + `}`)
	}
	many := func(n int) edit {
		items := make([]string, n)
		for i := range items {
			items[i] = split("1.00", "0.01")
		}
		return splits(items...)
	}
	keyed := func(keyType, key string) edit { return splits(split("EMAIL", keyType, "rui@example.com", key)) }
	for name, test := range map[string]struct {
		edit  edit
		fault string // what the only message names; empty: it is accepted
	}{
		"the least":                  {sale("10.00", "0.01"), ""},
		"nothing":                    {sale("10.00", "0"), "transaction.value"},
		"a third decimal":            {sale("10.00", "1.234"), "transaction.value"},
		"an amount in quotes":        {sale("10.00", `"10.00"`), "transaction.value"},
		"more than there is":         {sale("10.00", "1e20"), "transaction.value"},
		"140 characters":             {sale(`"sale"`, `"`+strings.Repeat("é", 140)+`"`), ""},
		"141 characters":             {sale(`"sale"`, `"`+strings.Repeat("é", 141)+`"`), "transaction.description"},
		"no words":                   {sale(`"sale"`, `""`), "transaction.description"},
		"no externalId":              {sale(`"sale-1"`, `""`), "transaction.externalId"},
		"a numeric externalId":       {sale(`"sale-1"`, `1`), "transaction.externalId"},
		"the shortest life":          {transactionWith(`"expirationTime":30`), ""},
		"too short a life":           {transactionWith(`"expirationTime":29`), "transaction.expirationTime"},
		"the longest life":           {transactionWith(`"expirationTime":604800`), ""},
		"too long a life":            {transactionWith(`"expirationTime":604801`), "transaction.expirationTime"},
		"half a second":              {transactionWith(`"expirationTime":30.5`), "transaction.expirationTime"},
		"a life in quotes":           {transactionWith(`"expirationTime":"60"`), "transaction.expirationTime"},
		"generateQrCode in words":    {transactionWith(`"generateQrCode":"yes"`), "transaction.generateQrCode"},
		"a name of 100":              {sale("Fulano de Tal", strings.Repeat("x", 100)), ""},
		"a name of 101":              {sale("Fulano de Tal", strings.Repeat("x", 101)), "payer.fullName"},
		"a payer with a CNPJ":        {sale("52998224725", "11222333000181"), ""},
		"a payer with 12 digits":     {sale("52998224725", "529982247250"), "payer.document"},
		"no payer":                   {withBody(`{"transaction":{"value":1,"description":"d","externalId":"x"}}`), "payer"},
		"ten keys":                   {info(10), ""},
		"eleven keys":                {info(11), "additionalInfo"},
		"a numeric value":            {with(`"additionalInfo":{"a":1}`), "additionalInfo"},
		"no splits":                  {splits(), ""},
		"splits that are an object":  {with(`"splits":{}`), "splits"},
		"ten splits":                 {many(10), ""},
		"eleven splits":              {many(11), "splits"},
		"splits of all":              {splits(split("1.00", "4"), split("1.00", "6")), ""},
		"splits of a centavo more":   {splits(split("1.00", "4"), split("1.00", "6.01")), "splits"},
		"100 %":                      {splits(split("FIXED", "PERCENTAGE", "1.00", "60"), split("FIXED", "PERCENTAGE", "1.00", "40")), ""},
		"100.01 %":                   {splits(split("FIXED", "PERCENTAGE", "1.00", "60"), split("FIXED", "PERCENTAGE", "1.00", "40.01")), "splits"},
		"half and half":              {splits(split("FIXED", "PERCENTAGE", "1.00", "50"), split("1.00", "5.00")), ""},
		"half and a centavo more":    {splits(split("FIXED", "PERCENTAGE", "1.00", "50"), split("1.00", "5.01")), "splits"},
		"a third decimal of percent": {splits(split("FIXED", "PERCENTAGE", "1.00", "1.234")), "splits[0].value"},
		"no share":                   {splits(split("1.00", "0")), "splits[0].value"},
		"another type":               {splits(split("FIXED", "RATIO")), "splits[0].type"},
		"another type of key":        {splits(split("EMAIL", "DOCUMENT")), "splits[0].pixKeyType"},
		"a key of another type":      {splits(saleSplit, split("EMAIL", "CPF")), "splits[1].pixKey"},
		"a phone with +55":           {keyed("PHONE", "+5511987654321"), ""},
		"a phone without":            {keyed("PHONE", "11987654321"), ""},
		"a CPF as a key":             {keyed("CPF", "52998224725"), ""},
		"a CNPJ as a key":            {keyed("CNPJ", "11222333000181"), ""},
		"a random key":               {keyed("RANDOM", "123e4567-e12b-12d1-a456-426655440000"), ""},
		"a document with dots":       {splits(split("52998224725", "529.982.247-25")), "splits[0].document"},
		"immediate in words":         {splits(split(`"Rui"`, `"Rui","immediate":"yes"`)), "splits[0].immediate"},
		"immediate":                  {splits(split(`"Rui"`, `"Rui","immediate":true`)), ""},
		"an unknown scenario":        {withHeader(scenarioHeader, "unknown"), scenarioHeader},
		"a scenario":                 {withHeader(scenarioHeader, "delayed:5s"), ""},
	} {
		fresh := func(c *call) { c.body = strings.Replace(c.body, "sale-1", name, 1) }
		a := c.cashIn(t, test.edit, fresh)
		if test.fault == "" {
			assert.Equal(t, http.StatusCreated, a.status, "%s: %s", name, a.raw)
			continue
		}
		assert.Equal(t, http.StatusBadRequest, a.status, "%s: %s", name, a.raw)
		assert.Equal(t, pix.CodeValidation, a.code(), name)
		assert.IsType(t, []any{}, a.fields["message"], name)
		if assert.Len(t, a.messages(), 1, "%s: %s", name, a.raw) {
			assert.Contains(t, a.messages()[0], test.fault, name)
		}
		checkEnvelope(t, a, http.MethodPost, "/api/pix/cash-in")
	}
}

func TestRepeatedCashInIsRefused(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 0)
	first := c.cashIn(t)
	require.Equal(t, http.StatusCreated, first.status)
	a := c.cashIn(t)
	assert.Equal(t, http.StatusBadRequest, a.status)
	assert.Equal(t, pix.CodeDuplicateExternalID, a.code())
	assert.Equal(t, map[string]any{
		"externalId": "sale-1", "existingTransactionId": first.fields["transactionId"],
	}, a.fields["details"])
}

func TestProviderOfCashIns(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 0)
	configure := func(edit func(*pix.Faults)) {
		_, err := c.store.Configure(t.Context(), c.account.ID, func(s *pix.Settings) { edit(&s.Faults) })
		require.NoError(t, err)
	}
	configure(func(f *pix.Faults) { f.MinimumExpiration = 300 })
	a := c.cashIn(t, transactionWith(`"expirationTime":299`))
	assert.Equal(t, http.StatusBadRequest, a.status)
	assert.Equal(t, pix.CodeProviderExpiration, a.code())
	assert.Equal(t, pix.CodeProviderExpiration, a.fields["errorCode"])
	assert.Equal(t, map[string]any{
		"provider": "Pixcert", "minimum": json.Number("300"), "requested": json.Number("299"),
	}, a.fields["details"])

	configure(func(f *pix.Faults) { f.PixProvider = pix.PixProviderUnavailable })
	a = c.cashIn(t)
	assert.Equal(t, http.StatusInternalServerError, a.status)
	assert.Equal(t, pix.CodeValidation, a.code())
	checkEnvelope(t, a, http.MethodPost, "/api/pix/cash-in")

	configure(func(f *pix.Faults) { f.PixProvider = pix.PixProviderWorks })
	a = c.cashIn(t, transactionWith(`"expirationTime":300`))
	assert.Equal(t, http.StatusCreated, a.status, "%s", a.raw)
	assert.Equal(t, 300*time.Second, life(t, a))
}

func TestQRCodeImageShowsThePixCode(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 0)
	a := c.cashIn(t, transactionWith(`"generateQrCode":true`))
	require.Equal(t, http.StatusCreated, a.status, "%s", a.raw)
	raw, err := base64.StdEncoding.DecodeString(a.fields["qrCodeImage"].(string))
	require.NoError(t, err)
	drawn, err := png.Decode(bytes.NewReader(raw))
	require.NoError(t, err)
	bitmap, err := gozxing.NewBinaryBitmapFromImage(drawn)
	require.NoError(t, err)
	// As a clean picture: the reader misses some when it looks for codes in a photograph.
	read, err := qrcode.NewQRCodeReader().Decode(bitmap, map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_PURE_BARCODE: true})
	require.NoError(t, err)
	assert.Equal(t, a.fields["pixCode"], read.GetText())

	a = c.cashIn(t, transactionWith(`"generateQrCode":false`), func(c *call) { c.body = strings.Replace(c.body, "sale-1", "sale-2", 1) })
	require.Equal(t, http.StatusCreated, a.status, "%s", a.raw)
	assert.NotContains(t, a.fields, "qrCodeImage")
}
