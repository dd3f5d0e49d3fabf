package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

// pay sends a cash-out of one real to a key and gives its transactionId.
func (c *client) pay(t testing.TB, externalID string, keyType pix.KeyType, key string) string {
	t.Helper()
	a := c.cashOut(t, withBody(fmt.Sprintf(`{"value":1.00,"externalId":%q,"details":{"key":%q,"keyType":%q,"name":"Fulano de Tal","document":"52998224725"}}`,
		externalID, key, keyType)))
	require.Equal(t, http.StatusCreated, a.status, "%s", a.raw)
	return a.fields["transactionId"].(string)
}

func (c *client) settle(t testing.TB, transactionID string, r pix.Result) pix.Payment {
	t.Helper()
	p, err := c.store.Settle(t.Context(), c.account.ID, transactionID, r)
	require.NoError(t, err)
	return p
}

// setClock sets the client's clock and gives it a token that is good by then.
func (c *client) setClock(t testing.TB, now time.Time) {
	t.Helper()
	_, err := c.store.SetClock(t.Context(), c.account.ID, now)
	require.NoError(t, err)
	c.renew(t)
}

// list asks for a list and gives the externalIds of its items with its metadata.
func (c *client) list(t testing.TB, path string) (externalIDs string, metadata map[string]any) {
	t.Helper()
	a := c.as(t, http.MethodGet, path)
	require.Equal(t, http.StatusOK, a.status, "%s: %s", path, a.raw)
	var ids []string
	for _, item := range a.fields["data"].([]any) {
		ids = append(ids, item.(map[string]any)["externalId"].(string))
	}
	return strings.Join(ids, " "), a.fields["metadata"].(map[string]any)
}

const byKey = "/api/pix/transactions/pix-key/"

func TestListedTransaction(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 100_00)
	_, err := c.store.Configure(t.Context(), c.account.ID, func(s *pix.Settings) { s.Fees.CashOut = 50 })
	require.NoError(t, err)
	pending := c.pay(t, "pending", pix.KeyEmail, "fulano@example.com")
	p := c.settle(t, c.pay(t, "settled", pix.KeyEmail, "fulano@example.com"), pix.Result{Status: pix.Confirmed})

	a := c.as(t, http.MethodGet, "/api/transactions")
	require.Equal(t, http.StatusOK, a.status, "%s", a.raw)
	items := a.fields["data"].([]any)
	require.Len(t, items, 2)
	assert.Equal(t, map[string]any{
		"transactionId": p.TransactionID, "externalId": "settled", "status": "Confirmado",
		"operationType": "Pix out", "movementType": "DEBIT",
		"originalAmount": json.Number("1.00"), "feeAmount": json.Number("0.50"), "finalAmount": json.Number("1.50"),
		"endToEndId": p.EndToEndID, "createdAt": pix.Timestamp(p.CreatedAt), "processedAt": pix.Timestamp(p.ProcessedAt),
		"counterpart": map[string]any{
			"name": "Fulano de Tal", "document": "***.982.247-**",
			"bank": map[string]any{
				"bankISPB": p.Counterpart.ISPB, "bankName": pix.InstitutionByISPB(p.Counterpart.ISPB).Name,
				"bankCode": pix.InstitutionByISPB(p.Counterpart.ISPB).COMPE, "accountBranch": nil, "accountNumber": nil,
			},
		},
	}, items[0])
	first := items[1].(map[string]any)
	assert.Equal(t, pending, first["transactionId"])
	assert.Equal(t, "Pendente", first["status"])
	assert.Nil(t, first["endToEndId"])
	assert.Nil(t, first["processedAt"])
	assert.NotContains(t, string(a.raw), "52998224725")
	assert.Equal(t, map[string]any{
		"page": json.Number("1"), "size": json.Number("20"), "total": json.Number("2"), "totalPages": json.Number("1"),
		"hasNext": false, "hasPrevious": false,
	}, a.fields["metadata"])
}

func TestLabelsOfEveryKind(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		kind            pix.Kind
		operation, move string
		final           pix.Centavos
	}{
		{pix.KindCashOut, "Pix out", "DEBIT", 11_00},
		{pix.KindQRCodeCashOut, "Pix out", "DEBIT", 11_00},
		{pix.KindTransfer, "Pix out", "DEBIT", 11_00},
		{pix.KindCashIn, "Pix in", "CREDIT", 9_00},
		{pix.KindCob, "Pix in", "CREDIT", 9_00},
		{pix.KindRefundIn, "Refund in", "DEBIT", 11_00},
		{pix.KindRefundOut, "Refund out", "CREDIT", 9_00},
	} {
		item := listed(pix.Payment{Kind: test.kind, Status: pix.Error, Amount: 10_00, Fee: 1_00})
		assert.Equal(t, "Error", item.Status)
		assert.Equal(t, test.operation, item.OperationType, test.kind)
		assert.Equal(t, test.move, string(item.MovementType), test.kind)
		assert.Equal(t, test.final, item.FinalAmount, test.kind)
	}
	charge := listed(pix.Payment{Kind: pix.KindCashIn, Status: pix.Pending})
	assert.Nil(t, charge.Counterpart, "nobody has paid it")
}

func TestListOfTheAccountIsFiltered(t *testing.T) {
	t.Parallel()
	g := newGateway(t)
	c, other := g.newClient(t, 100_00), g.newClient(t, 100_00)
	c.setClock(t, time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC))
	c.pay(t, "a", pix.KeyEmail, "fulano@example.com")
	c.setClock(t, time.Date(2026, 3, 2, 15, 1, 0, 0, time.UTC))
	b := c.settle(t, c.pay(t, "b", pix.KeyEmail, "fulano@example.com"), pix.Result{Status: pix.Confirmed})
	c.setClock(t, time.Date(2026, 3, 2, 15, 2, 0, 0, time.UTC))
	c.settle(t, c.pay(t, "c", pix.KeyEmail, "fulano@example.com"), pix.Rejected(pix.OrderRejected))
	other.pay(t, "z", pix.KeyEmail, "fulano@example.com")
	now := b.CreatedAt
	for query, want := range map[string]string{
		"":                              "c b a",
		"status=PENDING":                "a",
		"status=CONFIRMED":              "b",
		"status=ERROR":                  "c",
		"type=WITHDRAW":                 "c b a",
		"type=PAYMENT":                  "",
		"type=REFUND_IN":                "",
		"type=REFUND_OUT":               "",
		"externalId=b":                  "b",
		"externalId=z":                  "",
		"endToEndId=" + b.EndToEndID:    "b",
		"endToEndId=" + b.TransactionID: "",
		"status=PENDING&externalId=b":   "",
		"startDate=" + url.QueryEscape(now.Add(time.Hour).Format(time.RFC3339)):  "",
		"endDate=" + url.QueryEscape(now.Add(-time.Hour).Format(time.RFC3339)):   "",
		"startDate=" + url.QueryEscape(now.Add(-time.Hour).Format(time.RFC3339)): "c b a",
		"startDate=" + pix.Day(now):                       "c b a",
		"endDate=" + pix.Day(now):                         "c b a",
		"endDate=" + pix.Day(now.Add(-24*time.Hour)):      "",
		"startDate=" + pix.Timestamp(b.CreatedAt):         "c b",
		"endDate=" + pix.Timestamp(b.CreatedAt):           "b a",
		"startDate=" + pix.Day(now.Add(-31*24*time.Hour)): "c b a",
		"size=2":          "c b",
		"size=2&page=2":   "a",
		"size=2&page=3":   "",
		"size=100":        "c b a",
		"page=2147483647": "",
	} {
		got, _ := c.list(t, "/api/transactions?"+query)
		assert.Equal(t, want, got, "%s", query)
	}
}

func TestMetadataOfPages(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 100_00)
	for i := range 3 {
		c.pay(t, fmt.Sprint(i), pix.KeyEmail, "fulano@example.com")
	}
	type n = json.Number
	for query, want := range map[string][]any{ // page, size, total, totalPages, hasNext, hasPrevious
		"":                 {n("1"), n("20"), n("3"), n("1"), false, false},
		"size=1":           {n("1"), n("1"), n("3"), n("3"), true, false},
		"size=1&page=2":    {n("2"), n("1"), n("3"), n("3"), true, true},
		"size=1&page=3":    {n("3"), n("1"), n("3"), n("3"), false, true},
		"size=2":           {n("1"), n("2"), n("3"), n("2"), true, false},
		"size=2&page=9":    {n("9"), n("2"), n("3"), n("2"), false, true},
		"externalId=other": {n("1"), n("20"), n("0"), n("0"), false, false},
	} {
		_, m := c.list(t, "/api/transactions?"+query)
		assert.Equal(t, want, []any{m["page"], m["size"], m["total"], m["totalPages"], m["hasNext"], m["hasPrevious"]}, "%s", query)
	}
}

func TestListByKeyTakesAKeyAsItIsWrittenAnywhere(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 100_00)
	const evp = "7d9f0335-8dcc-4054-9bf9-0dbd61d36906"
	c.pay(t, "email", pix.KeyEmail, "Fulano+PIX/2@example.com")
	c.pay(t, "phone", pix.KeyPhone, "11987654321")
	c.pay(t, "cpf", pix.KeyDocument, "52998224725")
	c.pay(t, "cnpj", pix.KeyDocument, "11222333000181")
	c.pay(t, "evp", pix.KeyRandom, strings.ReplaceAll(evp, "-", ""))
	c.pay(t, "digits", pix.KeyDocument, "11987654321")
	for key, want := range map[string]string{
		"Fulano+PIX%2F2@example.com":       "email",
		"fulano%2Bpix%2F2%40example.com":   "email",
		"11987654321":                      "digits phone",
		"%2B5511987654321":                 "phone",
		"+5511987654321":                   "phone",
		"52998224725":                      "cpf",
		"11222333000181":                   "cnpj",
		evp:                                "evp",
		strings.ToUpper(evp):               "evp",
		strings.ReplaceAll(evp, "-", ""):   "evp",
		"nobody@example.com":               "",
		c.account.PixKey:                   "",
		"52998224725?type=PAYMENT":         "",
		"52998224725?status=PENDING":       "cpf",
		"52998224725?size=1000":            "cpf",
		"52998224725?startDate=2999-01-01": "",
		"52998224725?externalId=other":     "cpf", // not a filter of this list
	} {
		got, _ := c.list(t, byKey+key)
		assert.Equal(t, want, got, "%s", key)
	}
}

func TestListsCoverTheirDaysByDefault(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 100_00)
	created := time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC)
	c.setClock(t, created)
	c.pay(t, "old", pix.KeyEmail, "fulano@example.com")
	const key = byKey + "fulano@example.com"
	for _, step := range []struct {
		days           float64
		byKey, account string
	}{
		{29, "old", "old"},
		{30.5, "", "old"},
		{31.5, "", ""},
	} {
		c.setClock(t, created.Add(time.Duration(step.days*24)*time.Hour))
		got, _ := c.list(t, key)
		assert.Equal(t, step.byKey, got, "by key after %v days", step.days)
		got, _ = c.list(t, "/api/transactions")
		assert.Equal(t, step.account, got, "of the account after %v days", step.days)
	}
}

func TestAtMostAThousandAreReachedByKey(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 2_000_00)
	_, err := c.store.Configure(t.Context(), c.account.ID, func(s *pix.Settings) { s.Limits = pix.Limits{} })
	require.NoError(t, err)
	for i := range maxTotalByKey + 1 {
		_, err := c.store.CashOut(t.Context(), c.account.ID, pix.CashOutOrder{
			Amount: 1, ExternalID: fmt.Sprint(i), Key: "fulano@example.com", KeyType: pix.KeyEmail, Name: "Fulano", Document: "52998224725",
		})
		require.NoError(t, err)
	}
	ids, m := c.list(t, byKey+"fulano@example.com?size=1000")
	assert.Len(t, strings.Fields(ids), 1000)
	assert.Equal(t, json.Number("1000"), m["total"])
	assert.Equal(t, false, m["hasNext"])
	ids, m = c.list(t, byKey+"fulano@example.com?size=300&page=4")
	assert.Len(t, strings.Fields(ids), 100)
	assert.Equal(t, json.Number("4"), m["totalPages"])
	ids, _ = c.list(t, byKey+"fulano@example.com?size=1000&page=2")
	assert.Empty(t, ids)
	_, m = c.list(t, "/api/transactions")
	assert.Equal(t, json.Number("1001"), m["total"], "the bound is that of the list by key")
}

func TestListsRefuse(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 0)
	day := func(days int) string { return pix.Day(time.Now().AddDate(0, 0, days)) }
	const key = byKey + "fulano@example.com"
	for _, path := range []string{
		"/api/transactions?size=101", key + "?size=1001",
		byKey + "foo", byKey + "123", byKey + "%00", byKey + "fulano@localhost",
	} {
		a := c.as(t, http.MethodGet, path)
		assert.Equal(t, http.StatusBadRequest, a.status, "%s: %s", path, a.raw)
		assert.Equal(t, pix.CodeValidation, a.code())
	}
	for query, faults := range map[string]int{
		"page=0": 1, "page=abc": 1, "page=1.5": 1, "size=0": 1, "size=abc": 1, "size=-1": 1,
		"status=FOO": 1, "status=Pendente": 1, "type=FOO": 1, "type=Pix%20in": 1,
		"startDate=foo": 1, "endDate=foo": 1, "page=1&page=2": 1,
		"page=0&size=0&status=x&type=x&startDate=x&endDate=x":             6,
		"startDate=" + day(-40):                                           1,
		"startDate=" + day(-33) + "&endDate=" + day(0):                    1,
		"startDate=" + day(0) + "&endDate=" + day(-1):                     1,
		"startDate=2026-01-01T00:00:00Z&endDate=2026-02-01T00:00:00.001Z": 1,
	} {
		for _, path := range []string{"/api/transactions", key} {
			a := c.as(t, http.MethodGet, path+"?"+query)
			assert.Equal(t, http.StatusBadRequest, a.status, "%s: %s", query, a.raw)
			assert.Len(t, a.messages(), faults, "%s: %s", query, a.raw)
			checkEnvelope(t, a, http.MethodGet, path)
		}
	}
	a := c.as(t, http.MethodGet, "/api/transactions", withHeader("Authorization"))
	assert.Equal(t, http.StatusUnauthorized, a.status)
}
