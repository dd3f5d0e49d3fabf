package world

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
)

// Valid requests carry other data in each scenario, so that a gateway that mishandles an accent, a
// leading zero or the longest text fails somewhere. All of it is what the specification states that
// a gateway accepts: a scenario that is about something else must not fail because of its data.

// party is somebody at the other end of a payment, with a document that has the right check
// digits.
type party struct{ name, document string }

var (
	payee   = party{"Fulano de Tal", "52998224725"}
	payer   = party{"Conceição de Araújo", "11144477735"}
	company = party{"Padaria São João Ltda.", "11222333000181"}
	another = party{"Sicrano Pereira", "39053344705"}
)

// payees are people and companies; names have at most 100 characters (Limits).
var payees = []party{
	payee,
	{"João D'Ávila Conceição", "01234567890"},
	{"Companhia São José & Filhos S.A.", "11222333000181"},
	{"Al", withCheckDigits("001234567", cpfWeights)},
	{"Padaria Pão Quente", withCheckDigits("001234560001", cnpjWeights)},
	{longest("Maria das Dores Oliveira ", api.MostName), withCheckDigits("987654321", cpfWeights)},
}

// payers have a CPF, which is what a cob names them by.
var payers = []party{
	payer,
	{"Zoë D'Ávila", withCheckDigits("012345679", cpfWeights)},
	{"Li", withCheckDigits("000123456", cpfWeights)},
	{longest("Pedro de Alcântara ", 90), withCheckDigits("987654322", cpfWeights)},
}

// descriptions have at most 140 characters (Limits).
var descriptions = []string{
	"Pedido de teste",
	"Pão de açúcar nº 7, à vista",
	"Caixa d'água & cia. (50%)",
	"0012",
	longest("Pedido de teste ", api.MostDescription),
}

// marks begin an externalId. Capitals and leading zeros are part of it.
var marks = []string{"Order", "order", "0007", "PEDIDO_DE_TESTE"}

// longest repeats words up to a number of bytes, which are no fewer than its characters.
func longest(words string, bytes int) string {
	return strings.TrimSpace(strings.ToValidUTF8(strings.Repeat(words, bytes/len(words)+1)[:bytes-1], "")) + "x"
}

// testData is what a scenario's valid requests carry.
type testData struct {
	payee, payer party
	description  string
	mark         string
	keyKind      language.KeyKind
	required     bool // only the fields that a payment or a refund requires, and no text
}

// keyKinds are the kinds of the key that a cash-out pays, in a scenario that is not about keys. How a
// phone number is written in events is left open.
var keyKinds = []language.KeyKind{language.EmailKey, language.CPFKey, language.CNPJKey, language.RandomKey}

// drawData draws the data of a scenario; the plainest without a seed.
func drawData(seed int64, scenario string, steps []language.Step) testData {
	c := testData{payee: pick(payees, seed, scenario, "payee"), payer: pick(payers, seed, scenario, "payer"),
		description: pick(descriptions, seed, scenario, "description"), mark: pick(marks, seed, scenario, "mark"),
		keyKind: pick(keyKinds, seed, scenario, "key")}
	if slices.ContainsFunc(steps, isAboutKeys) {
		c.keyKind = language.EmailKey
	}
	c.required = pick([]bool{false, true}, seed, scenario, "required") && !slices.ContainsFunc(steps, isAboutShapes)
	return c
}

// pick draws one of several, the first without a seed.
func pick[T any](all []T, seed int64, scenario, salt string) T {
	if seed == 0 {
		return all[0]
	}
	h := fnv.New64a()
	h.Write([]byte(strconv.FormatInt(seed, 10) + "/" + scenario + "/" + salt)) // never fails
	return all[(h.Sum64()>>32)%uint64(len(all))]
}

// informative are the optional fields of orders that only inform somebody.
var informative = map[string][]string{
	"cash-out": {"description"}, "QR cash-out": {"description", "name", "document"}, "transfer": {"description"}, "refund": {"descricao"},
}

// isAboutShapes: a step sends every shape, or every value.
func isAboutShapes(step language.Step) bool {
	m, is := step.Meaning.(language.Send)
	return is && m.Varies()
}

// isAboutKeys: a step sets a part of the destination, or lists by key.
func isAboutKeys(step language.Step) bool {
	switch m := step.Meaning.(type) {
	case language.ListsSent:
		return true
	case language.SendMany:
		return m.OneKey
	case language.Walk:
		return m.Operation.ID == "listTransactionsByKey"
	case language.Send:
		if m.Operation != nil && m.Operation.ID == "listTransactionsByKey" {
			return true
		}
		if m.EveryShape { // the shapes say which
			return true
		}
		return slices.ContainsFunc(m.Changes, func(c language.Change) bool {
			return c.Where == language.Body && strings.HasPrefix(c.Name, "details")
		}) || slices.ContainsFunc(m.Dimensions, func(d language.Dimension) bool { return strings.HasPrefix(d.Name, "details.key") })
	}
	return false
}

// destination is where a cash-out goes: a key of the scenario's kind. A document that is a key is its
// holder's.
func destination(w *World) object {
	key, keyType, document := freshEmail(w.Stage), "EMAIL", w.data.payee.document
	switch w.data.keyKind {
	case language.CPFKey:
		key = freshCPF(w.data.payee.document[:1])
		keyType, document = "DOCUMENT", key
	case language.CNPJKey:
		key = freshCNPJ(w.data.payee.document[:1])
		keyType, document = "DOCUMENT", key
	case language.RandomKey:
		key, keyType = uuid.NewString(), "RANDOM"
	}
	return object{"key": text(key), "keyType": text(keyType), "name": text(w.data.payee.name), "document": text(document)}
}
