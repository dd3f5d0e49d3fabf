package world

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

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
	language.OtherSchemes:  resealed("00020126", "00020104141234567890123426", "52040000", "27300012com.exemplo10110012345678952040000"),
	language.OtherOrder:    resealed("520400005303986", "", "62070503***", "62070503***530398652040000"),
	language.Reusable:      resealed("00020126", "00020101021126"),
	language.OtherCategory: resealed("52040000", "52045812"),
	language.PostalCode:    resealed("6008BRASILIA", "6008BRASILIA610870074900"),
	language.OtherLanguage: resealed("62070503***", "62070503***64160002pt0106Fulano"),
	language.NoteForPayer: func(c brcode.Code) string {
		c.Note = "Pedido 12"
		return c.String()
	},
	language.NoteForPayee: func(c brcode.Code) string { return ofAccount(c, pixGUI+"01"+sized(c.Location)+"02"+sized("Pedido 12")) },
	language.LongestName:  resealed("5913Fulano de Tal", "5925Comercio de Teste Ltda ME"),
	language.LongestCity:  resealed("6008BRASILIA", "6015RIBEIRAO PRETO1"),
	language.LongestTxID:  resealed("62070503***", "62290525PEDIDO0000000000000000123"),
	language.PhoneInCode:  withKey(unknownKeys[string(language.PhoneKey)]),
	language.CPFInCode:    withKey(unknownKeys[string(language.CPFKey)]),
	language.EVPInCode:    withKey(uuid.NewString),
	language.CRCTagInKey: withKey(func() string {
		key := uuid.NewString()
		return key[:4] + "6304" + key[8:]
	}),
	language.CRCTagInName: resealed("5913Fulano de Tal", "5912Padaria 6304"),

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
	language.WrongCRCStart: func(c brcode.Code) string {
		whole := c.String()
		return brcode.Body(whole) + string("123456789ABCDEF0"[strings.IndexByte("0123456789ABCDEF", whole[len(whole)-4])]) + whole[len(whole)-3:]
	},
	language.EqualAsNumber:  equalAsNumber,
	language.TextAfterCRC:   func(c brcode.Code) string { return c.String() + "ABCD" },
	language.FieldAfterCRC:  func(c brcode.Code) string { return c.String() + "80150011com.exemplo" },
	language.SpaceBefore:    func(c brcode.Code) string { return " " + c.String() },
	language.LongField:      resealed("62070503***", "62990503***"),
	language.ShortField:     resealed("5913Fulano de Tal", "5912Fulano de Tal"),
	language.LongKey:        func(c brcode.Code) string { return ofAccount(c, pixGUI+"0199"+c.Location) },
	language.LengthNoNumber: resealed("6008BRASILIA", "600XBRASILIA"),
	language.OtherGUI:       resealed(pixGUI, "0014com.exemplo.xx"),
	language.LongGUI:        func(c brcode.Code) string { return ofAccount(c, "0016br.gov.bcb.pixel01"+sized(c.Location)) },
	language.NoKey:          func(c brcode.Code) string { return ofAccount(c, pixGUI) },
	language.NoName:         resealed("5913Fulano de Tal", ""),
	language.NoCity:         resealed("6008BRASILIA", ""),
	language.NoCurrency:     resealed("5303986", ""),
	language.OtherCurrency:  resealed("5303986", "5303840"),
	language.AmountNoNumber: withAmount("ABCD"),
	language.AmountComma:    withAmount("1,00"),
	language.AmountNegative: withAmount("-1.00"),
}

// pixGUI names PIX in the account of a payee.
const pixGUI = "0014br.gov.bcb.pix"

// sized is a value of a code after its length.
func sized(value string) string { return fmt.Sprintf("%02d%s", utf8.RuneCountInString(value), value) }

// resealed replaces parts of a code and its checksum.
func resealed(partsAndTheirs ...string) func(brcode.Code) string {
	return func(c brcode.Code) string {
		return brcode.Seal(strings.NewReplacer(partsAndTheirs...).Replace(brcode.Unsealed(c.String())))
	}
}

// ofAccount replaces what a static code says of the payee's account.
func ofAccount(c brcode.Code, account string) string {
	return resealed("26"+sized(pixGUI+"01"+sized(c.Location)), "26"+sized(account))(c)
}

func withKey(key func() string) func(brcode.Code) string {
	return func(c brcode.Code) string {
		c.Location = key()
		return c.String()
	}
}

func withAmount(amount string) func(brcode.Code) string {
	return func(c brcode.Code) string {
		c.Amount = amount
		return c.String()
	}
}

// equalAsNumber is a code whose checksum and another one are both zero with an exponent, with the other.
func equalAsNumber(c brcode.Code) string {
	for n := 0; ; n++ { // one in 655
		c.Note = fmt.Sprintf("Pedido %d", n)
		whole := c.String()
		if end := whole[len(whole)-2:]; strings.HasPrefix(whole[len(whole)-4:], "0E") && strings.Trim(end, "0123456789") == "" {
			return whole[:len(whole)-2] + string('0'+(end[0]-'0'+1)%10) + end[1:]
		}
	}
}
