package pix_test

import (
	"encoding/json"
	"errors"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

var noon = time.Date(2026, 3, 1, 15, 0, 0, 0, time.UTC) // 12:00 in São Paulo

func TestStates(t *testing.T) {
	t.Parallel()
	states := []pix.Status{pix.Pending, pix.Confirmed, pix.Error}
	for _, from := range states {
		for _, to := range states {
			assert.Equal(t, from == pix.Pending && to != pix.Pending, from.CanBecome(to), "%s → %s", from, to)
		}
		assert.Equal(t, from != pix.Pending, from.Terminal(), from)
	}
}

func TestErrorCodes(t *testing.T) {
	t.Parallel()
	for code, retryable := range map[pix.ErrorCode]bool{
		pix.TaxIDMismatch: false, pix.InvalidTaxID: false, pix.BlockedAccount: false, pix.AccountClosed: false,
		pix.OrderRejected: false, pix.PaymentExpired: true, pix.SettlementTimeout: true,
	} {
		assert.True(t, code.Valid(), code)
		assert.NotEmpty(t, code.Meaning(), code)
		assert.Equal(t, retryable, code.Retryable(), code)
	}
	assert.False(t, pix.ErrorCode("SOMETHING").Valid())
}

func TestLimits(t *testing.T) {
	t.Parallel()
	night := time.Date(2026, 3, 1, 23, 0, 0, 0, time.UTC) // 20:00 in São Paulo
	limit := func(c pix.Centavos) *pix.Centavos { return &c }
	for name, test := range map[string]struct {
		limits        pix.Limits
		amount, spent pix.Centavos
		at            time.Time
		code          string // empty: within the limits
	}{
		"default payment at its bound":  {pix.DefaultLimits(), 15_000_00, 0, noon, ""},
		"default payment above it":      {pix.DefaultLimits(), 15_000_01, 0, noon, pix.CodeTransactionLimit},
		"default day at its bound":      {pix.DefaultLimits(), 10_000_00, 90_000_00, noon, ""},
		"default day above it":          {pix.DefaultLimits(), 10_000_01, 90_000_00, noon, pix.CodeDailyLimit},
		"default night at its bound":    {pix.DefaultLimits(), 1_000_00, 0, night, ""},
		"default night above it":        {pix.DefaultLimits(), 1_000_01, 0, night, pix.CodeNightLimit},
		"all broken: the payment's":     {pix.Limits{PerTransaction: limit(1), Night: limit(1), Daily: limit(1)}, 2, 0, night, pix.CodeTransactionLimit},
		"night and day: the night's":    {pix.Limits{Night: limit(1), Daily: limit(1)}, 2, 0, night, pix.CodeNightLimit},
		"lifted":                        {pix.Limits{}, pix.MaxAmount, pix.MaxAmount, night, ""},
		"zero allows nothing":           {pix.Limits{PerTransaction: limit(0)}, 1, 0, noon, pix.CodeTransactionLimit},
		"the night's limit spares days": {pix.Limits{Night: limit(1)}, 2, 0, noon, ""},
	} {
		err := test.limits.Check(test.amount, test.spent, test.at)
		assert.Equal(t, test.code, codeOf(err), name)
	}
}

func TestNightAndDayAreThoseOfSaoPaulo(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]struct {
		night bool
		day   string
	}{
		"2026-03-01T22:59:59Z": {false, "2026-03-01"},
		"2026-03-01T23:00:00Z": {true, "2026-03-01"},
		"2026-03-02T02:59:59Z": {true, "2026-03-01"},
		"2026-03-02T03:00:00Z": {true, "2026-03-02"},
		"2026-03-02T08:59:59Z": {true, "2026-03-02"},
		"2026-03-02T09:00:00Z": {false, "2026-03-02"},
	} {
		instant, err := time.Parse(time.RFC3339, at)
		require.NoError(t, err)
		assert.Equal(t, want.night, pix.IsNight(instant), at)
		assert.Equal(t, want.day, pix.Day(instant), at)
	}
}

// Every day of the clocks starts where the last one ends, also where daylight saving time starts at midnight.
func TestDaysOfSaoPauloFollowEachOther(t *testing.T) {
	t.Parallel()
	bound := func(day string) pix.Bound {
		b, err := pix.ParseBound(day)
		require.NoError(t, err)
		return b
	}
	saoPaulo, err := time.LoadLocation("America/Sao_Paulo")
	require.NoError(t, err)
	hours := map[time.Duration]int{}
	for date := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC); date.Year() < 2030; date = date.AddDate(0, 0, 1) {
		day, before := date.Format(time.DateOnly), date.AddDate(0, 0, -1).Format(time.DateOnly)
		period, err := pix.OpenPeriod(bound(day), bound(day))
		require.NoError(t, err)
		assert.Equal(t, day, pix.Day(period.From))
		assert.Equal(t, before, pix.Day(period.From.Add(-time.Microsecond)))
		assert.Equal(t, day, pix.Day(period.Before.Add(-time.Microsecond)))
		assert.Equal(t, date.AddDate(0, 0, 1).Format(time.DateOnly), pix.Day(period.Before))
		hours[period.Before.Sub(period.From)]++

		for at := period.From; at.Before(period.Before); at = at.Add(time.Hour) {
			assert.True(t, period.Before.Equal(pix.NextSplitRun(at)), "%s: %s", at, pix.NextSplitRun(at))
			local := at.In(saoPaulo).Hour()
			assert.Equal(t, local < 6 || local >= 20, pix.IsNight(at))
		}
		span, err := pix.NewPeriod(bound(date.AddDate(0, 0, -31).Format(time.DateOnly)), bound(day), pix.MaxSpan, period.From)
		require.NoError(t, err, day)
		assert.True(t, span.Before.Equal(period.Before))
		_, err = pix.NewPeriod(bound(date.AddDate(0, 0, -32).Format(time.DateOnly)), bound(day), pix.MaxSpan, period.From)
		assert.Error(t, err, day)
	}
	// It started 19 times, from 2000 to 2018, and ended 20 times, from 2000 to 2019.
	assert.Equal(t, map[time.Duration]int{23 * time.Hour: 19, 24 * time.Hour: 10958 - 39, 25 * time.Hour: 20}, hours)
}

func order() pix.CashOutOrder {
	return pix.CashOutOrder{
		Amount: 10_00, ExternalID: "order-1", Key: "11987654321", KeyType: pix.KeyPhone,
		Name: "Fulano de Tal", Document: "52998224725",
	}
}

func TestOrderIsCheckedAmountFirst(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*pix.CashOutOrder)
		code   string
	}{
		"as it is":      {func(*pix.CashOutOrder) {}, ""},
		"one centavo":   {func(o *pix.CashOutOrder) { o.Amount = 1 }, ""},
		"nothing":       {func(o *pix.CashOutOrder) { o.Amount = 0 }, pix.CodeInvalidAmount},
		"negative":      {func(o *pix.CashOutOrder) { o.Amount = -1 }, pix.CodeInvalidAmount},
		"beyond all":    {func(o *pix.CashOutOrder) { o.Amount = pix.MaxAmount + 1 }, pix.CodeInvalidAmount},
		"another type":  {func(o *pix.CashOutOrder) { o.KeyType = pix.KeyEmail }, pix.CodeInvalidKey},
		"both":          {func(o *pix.CashOutOrder) { o.Amount, o.KeyType = 0, pix.KeyEmail }, pix.CodeInvalidAmount},
		"unknown types": {func(o *pix.CashOutOrder) { o.KeyType = "CPF" }, pix.CodeInvalidKey},
	} {
		o := order()
		test.change(&o)
		assert.Equal(t, test.code, codeOf(o.Check()), name)
	}
}

func TestSettlement(t *testing.T) {
	t.Parallel()
	holder := func(document string, status pix.AccountStatus) *pix.DirectoryEntry {
		return &pix.DirectoryEntry{Document: document, Status: status}
	}
	const fulano, other, invalid = "52998224725", "11144477735", "52998224726"
	for name, test := range map[string]struct {
		document string
		scenario pix.Scenario
		holder   *pix.DirectoryEntry
		code     pix.ErrorCode // empty: confirmed
	}{
		"unknown key":             {fulano, "", nil, ""},
		"its holder":              {fulano, "", holder(fulano, pix.AccountActive), ""},
		"another holder":          {fulano, "", holder(other, pix.AccountActive), pix.TaxIDMismatch},
		"another, blocked holder": {fulano, "", holder(other, pix.AccountBlocked), pix.TaxIDMismatch},
		"blocked":                 {fulano, "", holder(fulano, pix.AccountBlocked), pix.BlockedAccount},
		"closed":                  {fulano, "", holder(fulano, pix.AccountShut), pix.AccountClosed},
		"wrong check digits":      {invalid, "", nil, pix.InvalidTaxID},
		"scenario first":          {invalid, "success", holder(other, pix.AccountShut), ""},
		"scenario fails":          {fulano, "error:account-blocked", nil, pix.BlockedAccount},
		"a delay decides nothing": {fulano, "delayed:5s", holder(other, pix.AccountActive), pix.TaxIDMismatch},
	} {
		o := order()
		o.Document, o.Scenario = test.document, test.scenario
		result := pix.Settle(pix.NewCashOut(1, o, 0, noon), test.holder)
		require.NoError(t, result.Check(), name)
		assert.Equal(t, test.code, result.Code, name)
		assert.Equal(t, test.code != "", result.Status == pix.Error, name)
	}
}

func TestScenarios(t *testing.T) {
	t.Parallel()
	for value, delay := range map[string]time.Duration{
		"": 0, "success": 0, "error:insufficient-funds": 0, "error:invalid-pix-key": 0, "error:document-mismatch": 0,
		"error:account-blocked": 0, "error:duplicate-id": 0,
		"delayed:1s": time.Second, "delayed:5s": 5 * time.Second, "delayed:30s": 30 * time.Second, "delayed:60s": time.Minute, "delayed:120s": 2 * time.Minute,
	} {
		scenario, err := pix.ParseScenario(value)
		require.NoError(t, err, value)
		assert.Equal(t, delay, scenario.Delay(), value)
	}
	for value, cause := range map[string]string{
		"error:insufficient-funds": pix.CodeInsufficientBalance, "error:invalid-pix-key": pix.CodeInvalidKey, "error:duplicate-id": pix.CodeDuplicateExternalID,
	} {
		result, ok := pix.Scenario(value).Result()
		require.True(t, ok)
		assert.Equal(t, pix.OrderRejected, result.Code, "errorCode has no value for it")
		assert.Contains(t, result.Message, cause)
	}
	for _, value := range []string{"Success", "error", "error:", "error:else", "delayed:0s", "delayed:121s", "delayed:1m", "delayed:-5s", "delayed:s", "delayed:99999999999999999999s", " success"} {
		_, err := pix.ParseScenario(value)
		assert.Equal(t, pix.CodeValidation, codeOf(err), value)
	}
}

func TestResultCheck(t *testing.T) {
	t.Parallel()
	for _, good := range []pix.Result{{Status: pix.Confirmed}, pix.Rejected(pix.OrderRejected), {pix.Error, pix.AccountClosed, "gone"}} {
		assert.NoError(t, good.Check())
	}
	for _, bad := range []pix.Result{{}, {Status: pix.Pending}, {Status: "DONE"}, {Status: pix.Error}, {Status: pix.Error, Code: "NO"}, {pix.Confirmed, pix.OrderRejected, ""}} {
		assert.Equal(t, pix.CodeValidation, codeOf(bad.Check()), bad)
	}
}

func TestEndToEndID(t *testing.T) {
	t.Parallel()
	local := time.Date(2026, 2, 28, 22, 30, 0, 0, time.FixedZone("", -3*60*60))
	assert.Regexp(t, `^E12345678202603010130[0-9A-Za-z]{11}$`, pix.EndToEndID(pix.Home.ISPB, local))
}

func TestCashOutEvent(t *testing.T) {
	t.Parallel()
	pending := pix.NewCashOut(1, order(), 50, noon)
	confirmed, err := json.Marshal(pix.NewCashOutResult(pending.Finish(pix.Result{Status: pix.Confirmed}, noon.Add(time.Second))))
	require.NoError(t, err)
	bank := pix.InstitutionByISPB(pending.Counterpart.ISPB)
	assert.JSONEq(t, `{"event": "CashOut", "status": "CONFIRMED", "transactionType": "PIX", "movementType": "DEBIT",
		"transactionId": "`+pending.TransactionID+`", "externalId": "order-1", "endToEndId": "`+pending.EndToEndID+`",
		"pixKey": "11987654321", "feeAmount": 0.50, "originalAmount": 10.00, "finalAmount": 10.50,
		"processingDate": "2026-03-01T15:00:01.000Z", "errorCode": null, "errorMessage": null,
		"counterpart": {"name": "Fulano de Tal", "document": "***.982.247-**", "bank": {"bankISPB": "`+bank.ISPB+`",
			"bankName": "`+bank.Name+`", "bankCode": "`+bank.COMPE+`", "accountBranch": null, "accountNumber": null}},
		"metadata": {}}`, string(confirmed))
	assert.Contains(t, string(confirmed), `"originalAmount":10.00`)

	rejected := pix.NewCashOutResult(pending.Finish(pix.Rejected(pix.AccountClosed), noon))
	assert.Equal(t, pix.AccountClosed, *rejected.ErrorCode)
	assert.Equal(t, pix.AccountClosed.Meaning(), *rejected.ErrorMessage)
}

func TestUUID(t *testing.T) {
	t.Parallel()
	v4 := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	for range 100 {
		assert.Regexp(t, v4, pix.NewUUID())
	}
}

func TestRegistrationCheck(t *testing.T) {
	t.Parallel()
	headers := func(pairs ...string) (list []pix.Header) {
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, pix.Header{Key: pairs[i], Value: pairs[i+1]})
		}
		return list
	}
	for name, test := range map[string]struct {
		registration pix.Registration
		good         bool
	}{
		"plain":              {pix.Registration{Type: pix.CashOutEvent, URL: "https://hooks.example/pix"}, true},
		"port and query":     {pix.Registration{Type: pix.MEDCreatedEvent, URL: "https://127.0.0.1:8443/pix?x=1"}, true},
		"five headers":       {pix.Registration{Type: pix.CashInEvent, URL: "https://h.example", Headers: headers("A", "1", "B", "", "C", "ç", "D", "\t", "X-E_1", "5")}, true},
		"six headers":        {pix.Registration{Type: pix.CashInEvent, URL: "https://h.example", Headers: headers("A", "", "B", "", "C", "", "D", "", "E", "", "F", "")}, false},
		"http":               {pix.Registration{Type: pix.CashOutEvent, URL: "http://hooks.example/pix"}, false},
		"no host":            {pix.Registration{Type: pix.CashOutEvent, URL: "https:///pix"}, false},
		"no host but a port": {pix.Registration{Type: pix.CashOutEvent, URL: "https://:443/pix"}, false},
		"no URL":             {pix.Registration{Type: pix.CashOutEvent, URL: "foo"}, false},
		"control character":  {pix.Registration{Type: pix.CashOutEvent, URL: "https://h.example/\n"}, false},
		"payload name":       {pix.Registration{Type: "CashOut", URL: "https://h.example"}, false},
		"header injection":   {pix.Registration{Type: pix.CashOutEvent, URL: "https://h.example", Headers: headers("A", "1\r\nB: 2")}, false},
		"no header name":     {pix.Registration{Type: pix.CashOutEvent, URL: "https://h.example", Headers: headers("", "1")}, false},
		"bad header name":    {pix.Registration{Type: pix.CashOutEvent, URL: "https://h.example", Headers: headers("A B", "1")}, false},
	} {
		assert.Equal(t, test.good, test.registration.Check() == nil, "%s: %v", name, test.registration.Check())
	}
	for _, blocked := range []string{"host", "Content-Length", "CONNECTION", "transfer-encoding", "content-type", "User-Agent"} {
		r := pix.Registration{Type: pix.CashOutEvent, URL: "https://h.example", Headers: headers(blocked, "x")}
		assert.Equal(t, pix.CodeValidation, codeOf(r.Check()), blocked)
	}
}

func TestEveryRefusalIsExplained(t *testing.T) {
	t.Parallel()
	for _, code := range []string{
		pix.CodeInsufficientBalance, pix.CodeTransactionLimit, pix.CodeDailyLimit, pix.CodeNightLimit,
		pix.CodeInvalidAmount, pix.CodeInvalidKey, pix.CodeDuplicateExternalID, pix.CodeValidation,
	} {
		refusal := pix.Refuse(code, "")
		assert.NotEmpty(t, refusal.Message, code)
		assert.NotEmpty(t, refusal.UserMessage, code)
		assert.Equal(t, code != pix.CodeValidation, refusal.Business(), code)
	}
}

// codeOf is the code of a refusal; empty for nil.
func codeOf(err error) string {
	var refusal *pix.Refusal
	if errors.As(err, &refusal) {
		return refusal.Code
	}
	if err != nil {
		return err.Error()
	}
	return ""
}
