package world

import (
	"strings"

	"github.com/pixcert/pixcert/steps/brcode"
	"github.com/pixcert/pixcert/steps/language"
)

// unknownKeys are keys that nobody has put into the key directory.
var unknownKeys = map[string]func() string{
	string(language.CPFKey):      func() string { return freshCPF("1") },
	string(language.CNPJKey):     func() string { return freshCNPJ("1") },
	string(language.PhoneKey):    func() string { return "+55119" + digits(8) },
	string(language.LandlineKey): func() string { return "+55113" + digits(7) },
}

// nearKey is a key of the same kind that differs in one digit, and in the check digits that follow from it.
func nearKey(key string) string {
	other := func(digit byte) string { return string('0' + (digit-'0'+1)%10) }
	switch {
	case strings.Contains(key, "@"):
		return "1" + key
	case strings.HasPrefix(key, "+"):
		return key[:len(key)-1] + other(key[len(key)-1])
	case len(key) == len(payee.document):
		return withCheckDigits(key[:8]+other(key[8]), cpfWeights)
	case len(key) == len(company.document):
		return withCheckDigits(key[:11]+other(key[11]), cnpjWeights)
	}
	return withOtherEnd(key)
}

// oddCodes write a code as payees seldom do, or as they must not.
var oddCodes = map[language.Oddity]func(brcode.Code) string{
	language.CapitalGUI: resealed("br.gov.bcb.pix", "BR.GOV.BCB.PIX"),
	language.OtherTemplate: func(c brcode.Code) string {
		return brcode.Seal("00020151" + brcode.Unsealed(c.String())[len("00020126"):])
	},
	language.Reusable:      resealed("00020126", "00020101021126"),
	language.OtherCategory: resealed("52040000", "52045812"),
	language.PostalCode:    resealed("6008BRASILIA", "6008BRASILIA610870074900"),
	language.OtherLanguage: resealed("62070503***", "62070503***64160002pt0106Fulano"),
	language.NoteForPayer: func(c brcode.Code) string {
		c.Note = "Pedido 12"
		return c.String()
	},
	language.NoCRC:    func(c brcode.Code) string { return brcode.Unsealed(c.String()) },
	language.EmptyCRC: func(c brcode.Code) string { return brcode.Body(c.String()) },
	language.ShortCRC: func(c brcode.Code) string {
		body := brcode.Unsealed(c.String()) + "6303"
		return body + brcode.Checksum(body)[1:]
	},
	language.LongCRC: func(c brcode.Code) string {
		body := brcode.Unsealed(c.String()) + "6305"
		return body + "0" + brcode.Checksum(body)
	},
	language.LongField:  resealed("62070503***", "62990503***"),
	language.ShortField: resealed("5913Fulano de Tal", "5912Fulano de Tal"),
}

// resealed replaces a part of a code and its checksum.
func resealed(part, by string) func(brcode.Code) string {
	return func(c brcode.Code) string {
		return brcode.Seal(strings.Replace(brcode.Unsealed(c.String()), part, by, 1))
	}
}
