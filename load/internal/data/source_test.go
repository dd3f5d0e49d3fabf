package data

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var (
	keyForms = map[string]*regexp.Regexp{
		"DOCUMENT": regexp.MustCompile(`^(\d{11}|\d{14})$`),
		"EMAIL":    regexp.MustCompile(`^[a-z]+\.[a-z0-9]+@example\.com$`),
		"PHONE":    regexp.MustCompile(`^[1-9]\d9\d{8}$`),
		"RANDOM":   uuidV4,
	}
	directoryForm = regexp.MustCompile(`^(\d{11}|\d{14}|\+55\d{11}|[a-z]+\.[a-z0-9]+@example\.com|[0-9a-f-]{36})$`)
)

func anySource() *rapid.Generator[*Source] {
	return rapid.Custom(func(t *rapid.T) *Source {
		return NewSource(rapid.Uint64Max(mask48).Draw(t, "run"), rapid.Uint16().Draw(t, "instance"), rapid.Uint64().Draw(t, "seed"))
	})
}

// isDocument recomputes the check digits by the rule's own words: each position's weight
// falls by one from left to right, and a CNPJ's starts again at 9 after 2.
func isDocument(document string) bool {
	weights := map[int][2][]int{
		11: {{10, 9, 8, 7, 6, 5, 4, 3, 2}, {11, 10, 9, 8, 7, 6, 5, 4, 3, 2}},
		14: {{5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2}, {6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2}},
	}[len(document)]
	if len(document) == 0 || weights[0] == nil || strings.Trim(document, document[:1]) == "" {
		return false
	}
	for i, row := range weights {
		sum := 0
		for j, weight := range row {
			sum += weight * int(document[j]-'0')
		}
		digit := 11 - sum%11
		if digit > 9 {
			digit = 0
		}
		if int(document[len(document)-2+i]-'0') != digit {
			return false
		}
	}
	return true
}

func TestKnownDocuments(t *testing.T) {
	t.Parallel()
	for document, valid := range map[string]bool{
		"52998224725": true, "11144477735": true, "11222333000181": true,
		"52998224726": false, "11111111111": false, "11222333000182": false,
	} {
		assert.Equal(t, valid, isDocument(document), document)
	}
	assert.EqualValues(t, '2', checkDigit([]byte("529982247"), lengthCPF-1))
	assert.EqualValues(t, '8', checkDigit([]byte("112223330001"), 9))
}

func TestPaymentsAreValid(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		source := anySource().Draw(t, "source")
		source.Amounts(5, 99)
		id := source.Next()

		c := source.CashOut(id)
		assert.Regexp(t, keyForms[c.KeyType], c.Key)
		assert.True(t, isDocument(c.Document), c.Document)
		if c.KeyType == "DOCUMENT" {
			assert.Equal(t, c.Document, c.Key)
		}
		assert.Equal(t, id.ExternalID(), c.ExternalID)
		assertAmount(t, c.Value)
		assertTexts(t, c.Name, c.Description)
		assert.Equal(t, c, source.CashOut(id), "the same whenever it is asked for")

		q := source.QRCashOut(id)
		assertCode(t, q.QRCode, int64(q.Value))
		assertAmount(t, q.Value)

		payee := source.Payee(id)
		assert.Regexp(t, directoryForm, payee.Key)
		assert.True(t, isDocument(payee.Document), payee.Document)
		transfer := source.Transfer(id, payee)
		assert.Equal(t, payee.Key, transfer.Key)
		assert.Equal(t, id.UUID(), transfer.IdempotencyKey)
		assertAmount(t, transfer.Value)

		charge := source.CashIn(id)
		assert.True(t, isDocument(charge.Document))
		assertAmount(t, charge.Value)
		cob := source.Cob(id)
		assert.True(t, isDocument(cob.Document))
		assertAmount(t, cob.Value)
	})
}

func assertAmount(t *rapid.T, value Amount) {
	assert.GreaterOrEqual(t, value, Amount(5))
	assert.LessOrEqual(t, value, Amount(99))
}

func assertTexts(t *rapid.T, name, description string) {
	assert.NotEmpty(t, name)
	assert.LessOrEqual(t, len(name), 100)
	assert.LessOrEqual(t, len(description), 140)
}

// assertCode takes a BR Code apart: lengths that add up, its checksum, its amount.
func assertCode(t *rapid.T, code string, value int64) {
	assert.True(t, strings.HasPrefix(code, "000201"), code)
	assert.GreaterOrEqual(t, len(code), 50)
	assert.LessOrEqual(t, len(code), 500)
	fields := map[string]string{}
	for rest := code; rest != ""; {
		length, err := strconv.Atoi(rest[2:4])
		require.NoError(t, err, code)
		fields[rest[:2]] = rest[4 : 4+length]
		rest = rest[4+length:]
	}
	assert.Equal(t, FormatAmount(value), fields["54"])
	assert.Equal(t, "986", fields["53"])
	assert.Equal(t, "BR", fields["58"])
	assert.LessOrEqual(t, len(fields["59"]), maxMerchantName)
	assert.LessOrEqual(t, len(fields["60"]), maxMerchantCity)
	crc, err := strconv.ParseUint(fields["63"], 16, 16)
	require.NoError(t, err)
	assert.EqualValues(t, checksum([]byte(code[:len(code)-4])), crc)
}

func TestTheChecksumOfTheStandard(t *testing.T) {
	t.Parallel()
	assert.EqualValues(t, 0x29b1, checksum([]byte("123456789")), "the check value of CRC-16/CCITT-FALSE")
}

func TestSeedsAndInstancesDiffer(t *testing.T) {
	t.Parallel()
	run := NewRun()
	id := NewSource(run, 0, 1).Next()
	same := NewSource(run, 0, 1).CashOut(id)
	assert.Equal(t, same, NewSource(run, 0, 1).CashOut(id))
	assert.NotEqual(t, same.Document, NewSource(run, 0, 2).CashOut(id).Document)
	id.Instance = 1
	assert.NotEqual(t, same.Document, NewSource(run, 1, 1).CashOut(id).Document)
}

func TestPaymentsSpread(t *testing.T) {
	t.Parallel()
	source := NewSource(NewRun(), 0, 42)
	const payments = 4000
	types, documents := map[string]int{}, map[string]bool{}
	var sum int64
	for range payments {
		c := source.CashOut(source.Next())
		types[c.KeyType]++
		documents[c.Document] = true
		sum += int64(c.Value)
	}
	for keyType, count := range types {
		assert.InDelta(t, payments/4, count, payments/20, keyType)
	}
	assert.Len(t, types, 4)
	assert.Greater(t, len(documents), payments*99/100)
	assert.InDelta(t, 5000, sum/payments, 250)
}

func TestARangeOfOneAmount(t *testing.T) {
	t.Parallel()
	source := NewSource(1, 0, 1)
	source.Amounts(7, 7)
	assert.EqualValues(t, 7, source.CashOut(source.Next()).Value)
}

func TestBodiesAreTheAPIs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body interface{ JSON() []byte }
		want string
	}{
		{&CashOut{123, "e", "d", "k", "EMAIL", "n", "1"}, `{"value":1.23,"externalId":"e","description":"d","details":{"key":"k","keyType":"EMAIL","name":"n","document":"1"}}`},
		{&CashOut{Value: 5}, `{"value":0.05,"details":{}}`},
		{&QRCashOut{Value: 100, QRCode: "000201", ExternalID: "e"}, `{"value":1.00,"qrCode":"000201","externalId":"e"}`},
		{&QRCashOut{100, "q", "e", "d", "n", "1"}, `{"value":1.00,"qrCode":"q","externalId":"e","description":"d","name":"n","document":"1"}`},
		{&Transfer{Value: 1, Key: "k"}, `{"pixKey":"k","payment":{"currency":"BRL","amount":0.01}}`},
		{&Transfer{"i", 1, "k", "1", "HIGH", "d", 60}, `{"pixKey":"k","creditorDocument":"1","priority":"HIGH","description":"d","expiration":60,"payment":{"currency":"BRL","amount":0.01}}`},
		{&CashIn{100, "e", "d", 60, "n", "1"}, `{"transaction":{"value":1.00,"description":"d","externalId":"e","expirationTime":60},"payer":{"fullName":"n","document":"1"}}`},
		{&Cob{"t", 100, 60, "n", "52998224725", "", ""}, `{"calendario":{"expiracao":60},"devedor":{"cpf":"52998224725","nome":"n"},"valor":{"original":"1.00","modalidadeAlteracao":0}}`},
		{&Cob{"t", 100, 60, "n", "11222333000181", "k", "s"}, `{"calendario":{"expiracao":60},"devedor":{"cnpj":"11222333000181","nome":"n"},"valor":{"original":"1.00","modalidadeAlteracao":0},"chave":"k","solicitacaoPagador":"s"}`},
		{&Refund{"E", "i", 100, "ORIGINAL", "d"}, `{"valor":"1.00","natureza":"ORIGINAL","descricao":"d"}`},
	} {
		assert.JSONEq(t, c.want, string(c.body.JSON()))
		assert.NotRegexp(t, `\.\d[^\d]`, string(c.body.JSON()), "two decimals")
	}
}

func TestAnyTextIsQuoted(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.String().Draw(t, "text")
		body := (&CashOut{Value: 1, Description: want, Name: want}).JSON()
		var got struct {
			Description string
			Details     struct{ Name string }
		}
		require.NoError(t, json.Unmarshal(body, &got), "%s", body)
		assert.Equal(t, want, got.Description)
		assert.Equal(t, want, got.Details.Name)
	})
}

func BenchmarkSourceCashOut(b *testing.B) {
	source := NewSource(NewRun(), 0, 1)
	b.ReportAllocs()
	for b.Loop() {
		payment := source.CashOut(source.Next())
		payment.JSON()
	}
}

func BenchmarkParseID(b *testing.B) {
	spelling := NewSource(NewRun(), 0, 1).Next().ExternalID()
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := ParseID(spelling); !ok {
			b.Fatal(spelling)
		}
	}
}
