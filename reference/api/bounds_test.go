package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What the specification does not bound is bounded here: 256 characters, however many
// bytes they have, and one more is refused by the name of its field.
func TestTextsAreBounded(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 100_00)
	for _, test := range []struct {
		method, path, body string // with %s where the text goes
		field              string
		most               int
	}{
		{"POST", "/api/pix/cash-out", strings.Replace(order("1.00", "%s"), "lunch", "a", 1), "externalId", maxText},
		{"POST", "/api/pix/cash-in", strings.Replace(saleOrder, "sale-1", "sale-%s", 1), "transaction.externalId", maxText - len("sale-")},
		{"POST", "/api/pix/cash-in", member(saleOrder, `"additionalInfo":{"a":"%s"}`), "additionalInfo.a", maxText},
		{"POST", "/api/pix/cash-in", strings.Replace(member(saleOrder, `"additionalInfo":{"%s":"a"}`), "sale-1", "sale-2", 1), "additionalInfo", maxText},
		{"PUT", "/cob/7978c0c97ea847e78e8849634473c1f1", `{"calendario":{"expiracao":60},"valor":{"original":"1.00"},"infoAdicionais":[{"nome":"a","valor":"%s"}]}`, "infoAdicionais[0].valor", maxText},
		{"POST", "/api/webhooks", strings.Replace(registration, "/pix", "/%s", 1), "url", maxData - len("https://hooks.example/")},
		{"POST", "/api/webhooks", strings.Replace(registration, `"1"`, `"%s"`, 1), "headers[0].value", maxData},
		{"POST", "/api/webhooks", strings.Replace(registration, `X-Secret`, `%s`, 1), "headers[0].key", maxText},
	} {
		letter := "é"
		if test.path == "/api/webhooks" {
			letter = "e" // headers and URLs have no other
		}
		a := c.as(t, test.method, test.path, withBody(fmt.Sprintf(test.body, strings.Repeat(letter, test.most))))
		assert.Less(t, a.status, 300, "%s of %d characters: %s", test.field, test.most, a.raw)
		a = c.as(t, test.method, test.path, withBody(fmt.Sprintf(test.body, strings.Repeat(letter, test.most+1))))
		require.Equal(t, http.StatusBadRequest, a.status, "%s of %d characters: %s", test.field, test.most+1, a.raw)
		assert.Contains(t, a.messages()[0], test.field+" must have")
	}
}

// A long list of faults is cut, and a long array is refused rather than judged in part.
func TestListsAreBounded(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 0)
	a := c.as(t, http.MethodPost, "/api/pix/cash-in", withBody(member(saleOrder, `"splits":[`+strings.Repeat("1,", 999)+`1]`)))
	assert.Equal(t, http.StatusBadRequest, a.status)
	assert.Len(t, a.messages(), maxFaults)

	for _, wide := range []string{`"additionalInfo":{` + strings.TrimSuffix(grown("", 12_000, `"%d":1,`), ",") + `}`, `"unknown":[` + strings.Repeat("1,", maxItems) + `1]`} {
		a := c.as(t, http.MethodPost, "/api/pix/cash-in", withBody(member(saleOrder, wide)))
		assert.Equal(t, http.StatusBadRequest, a.status)
		assert.Len(t, a.messages(), 1)
		assert.Contains(t, a.messages()[0], " must have at most 1000 items")
	}

	const cob = `{"calendario":{"expiracao":60},"valor":{"original":"1.00"},"infoAdicionais":[%s]}`
	item := `{"nome":"a","valor":"b"},`
	for items, status := range map[int]int{maxItems: http.StatusCreated, maxItems + 1: http.StatusBadRequest} {
		list := strings.TrimSuffix(strings.Repeat(item, items), ",")
		a := c.as(t, http.MethodPut, "/cob/7978c0c97ea847e78e8849634473c1f1", withBody(fmt.Sprintf(cob, list)))
		assert.Equal(t, status, a.status, "%d items: %s", items, a.raw)
	}
}
