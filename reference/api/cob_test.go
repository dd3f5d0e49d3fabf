package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

const (
	cobTxID  = "7978c0c97ea847e78e8849634473c1f1"
	cobOrder = `{"calendario":{"expiracao":3600},"devedor":{"cpf":"52998224725","nome":"Fulano de Tal"},` +
		`"valor":{"original":"10.00","modalidadeAlteracao":1},"chave":"loja@example.com",` +
		`"solicitacaoPagador":"Pedido 7","infoAdicionais":[{"nome":"Mesa","valor":"12"}]}`
)

func (c *client) cob(t testing.TB, txid string, edits ...edit) answer {
	t.Helper()
	return c.as(t, http.MethodPut, "/cob/"+txid, append([]edit{withBody(cobOrder)}, edits...)...)
}

// cobWith is a valid order with changes, given as old and new text by turns.
func cobWith(changes ...string) edit {
	return withBody(strings.NewReplacer(changes...).Replace(cobOrder))
}

func TestCobShowsWhatWasOrdered(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 1_00)
	a := c.cob(t, cobTxID)
	require.Equal(t, http.StatusCreated, a.status, "%s", a.raw)
	code := a.fields["location"].(string)
	loc := a.fields["loc"].(map[string]any)
	assert.JSONEq(t, fmt.Sprintf(`{"calendario":{"criacao":%q,"expiracao":3600},"txid":%q,"revisao":0,
		"loc":{"id":%s,"location":%q,"tipoCob":"cob"},"location":%q,"status":"ATIVA",
		"devedor":{"cpf":"52998224725","nome":"Fulano de Tal"},"valor":{"original":"10.00","modalidadeAlteracao":1},
		"chave":"loja@example.com","solicitacaoPagador":"Pedido 7","infoAdicionais":[{"nome":"Mesa","valor":"12"}]}`,
		a.fields["calendario"].(map[string]any)["criacao"], cobTxID, loc["id"], code, code), string(a.raw))
	read, err := pix.ParseBRCode(code)
	require.NoError(t, err)
	assert.True(t, read.Dynamic)
	available, blocked := c.balance(t)
	assert.EqualValues(t, 1_00, available)
	assert.Zero(t, blocked)
}

func TestCobFillsInWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 0)
	a := c.cob(t, cobTxID, withBody(`{"calendario":{},"valor":{"original":"0.01"}}`))
	require.Equal(t, http.StatusCreated, a.status, "%s", a.raw)
	assert.Contains(t, string(a.raw), `"expiracao":86400`)
	assert.Contains(t, string(a.raw), `"modalidadeAlteracao":0`)
	assert.Equal(t, c.account.PixKey, a.fields["chave"])
	for _, field := range []string{"devedor", "solicitacaoPagador", "infoAdicionais"} {
		assert.NotContains(t, a.fields, field)
	}
}

func TestBoundsOfACob(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 0)
	const cpf = `"cpf":"52998224725"`
	n := 0
	for name, test := range map[string]struct {
		edit  edit
		fault string // what the message names; empty: it is accepted
	}{
		"no calendario":          {cobWith(`"calendario"`, `"c"`), "calendario"},
		"one second":             {cobWith("3600", "1"), ""},
		"no second":              {cobWith("3600", "0"), "calendario.expiracao"},
		"half a second":          {cobWith("3600", "1.5"), "calendario.expiracao"},
		"a life in quotes":       {cobWith("3600", `"3600"`), "calendario.expiracao"},
		"longer than 32 bits":    {cobWith("3600", "2147483648"), "calendario.expiracao"},
		"beyond reason":          {cobWith("3600", "1e30"), "calendario.expiracao"},
		"a CPF of 10":            {cobWith("52998224725", "5299822472"), "devedor.cpf"},
		"a CPF of 12":            {cobWith("52998224725", "529982247250"), "devedor.cpf"},
		"a CNPJ":                 {cobWith(cpf, `"cnpj":"11222333000181"`), ""},
		"a short CNPJ":           {cobWith(cpf, `"cnpj":"123"`), "devedor.cnpj"},
		"CPF and CNPJ":           {cobWith(cpf, cpf+`,"cnpj":"11222333000181"`), "devedor"},
		"no valor":               {cobWith(`"valor":{`, `"v":{`), "valor"},
		"no original":            {cobWith(`"original"`, `"o"`), "valor.original"},
		"a numeric original":     {cobWith(`"10.00"`, `10.00`), "valor.original"},
		"no decimals":            {cobWith("10.00", "10"), "valor.original"},
		"one decimal":            {cobWith("10.00", "10.0"), "valor.original"},
		"three decimals":         {cobWith("10.00", "10.000"), "valor.original"},
		"a comma":                {cobWith("10.00", "10,00"), "valor.original"},
		"no number":              {cobWith("10.00", "abc"), "valor.original"},
		"nothing":                {cobWith("10.00", "0.00"), "valor.original"},
		"below nothing":          {cobWith("10.00", "-1.00"), "valor.original"},
		"a zero before":          {cobWith("10.00", "010.00"), "valor.original"},
		"more than there is":     {cobWith("10.00", "100000000000000.00"), "valor.original"},
		"modalidadeAlteracao 0":  {cobWith(`"modalidadeAlteracao":1`, `"modalidadeAlteracao":0`), ""},
		"modalidadeAlteracao 2":  {cobWith(`"modalidadeAlteracao":1`, `"modalidadeAlteracao":2`), "valor.modalidadeAlteracao"},
		"one in quotes":          {cobWith(`"modalidadeAlteracao":1`, `"modalidadeAlteracao":"1"`), "valor.modalidadeAlteracao"},
		"a key of 76":            {cobWith("loja@", strings.Repeat("x", 64)+"@"), ""},
		"a key of 77":            {cobWith("loja@example.com", strings.Repeat("x", 64)+"@examples.com"), ""},
		"a key in capitals":      {cobWith("loja@", "LOJA@"), ""},
		"a key of 78":            {cobWith("loja@example.com", strings.Repeat("x", 64)+"@exampless.com"), "chave"},
		"digits of no key":       {cobWith("loja@example.com", "43214833"), "chave"},
		"a word as a key":        {cobWith("loja@example.com", "loja"), "chave"},
		"a message of 140":       {cobWith("Pedido 7", strings.Repeat("é", 140)), ""},
		"a message of 141":       {cobWith("Pedido 7", strings.Repeat("é", 141)), "solicitacaoPagador"},
		"no lines":               {cobWith(`{"nome":"Mesa","valor":"12"}`, ``), ""},
		"a line that is no text": {cobWith(`"valor":"12"`, `"valor":12`), "infoAdicionais[0].valor"},
	} {
		n++
		a := c.cob(t, fmt.Sprintf("%s%03d", cobTxID, n), test.edit)
		if test.fault == "" {
			assert.Equal(t, http.StatusCreated, a.status, "%s: %s", name, a.raw)
			continue
		}
		assert.Equal(t, http.StatusBadRequest, a.status, "%s: %s", name, a.raw)
		assert.Contains(t, a.fields["message"], test.fault, name)
		checkEnvelope(t, a, http.MethodPut, "/cob/"+cobTxID)
	}
}

func TestTxIDOfACob(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 0)
	letters := strings.Repeat("aB3", 12)
	for txid, status := range map[string]int{
		letters[:25]:            400,
		letters[:26]:            201,
		letters[:35]:            201,
		letters[:36]:            400,
		letters[:26] + "-":      400,
		letters[:26] + "_":      400,
		letters[:26] + ".":      400,
		letters[:26] + "%20":    400,
		letters[:26] + "%C3%A9": 400,
	} {
		a := c.cob(t, txid)
		assert.Equal(t, status, a.status, "%s: %s", txid, a.raw)
		if status == http.StatusCreated {
			assert.Equal(t, txid, a.fields["txid"])
		}
	}
	a := c.cob(t, letters[:26])
	assert.Equal(t, http.StatusConflict, a.status, "a repeat, though the body is the same")
	assert.Equal(t, "Conflict", a.fields["error"])
	checkEnvelope(t, a, http.MethodPut, "/cob/"+cobTxID)
}
