package pix

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

// BRCode is what a PIX QR Code says, its copy-and-paste text: the EMV QR Code that a
// merchant presents, as the Central Bank's BR Code manual narrows it. It asks for a
// payment to Key, or to the charge that is found at URL.
type BRCode struct {
	Dynamic bool     // may be paid once
	Key     string   // a PIX key, at most 77 characters; empty if URL is there
	URL     string   // of a charge, without its scheme, at most 77 characters
	Amount  Centavos // 0: the payer chooses
	Name    string   // of the receiver
	City    string   // of the receiver
	TxID    string   // letters and digits, at most 25; may be empty
}

// The fields of a BR Code that matter here by their ids, and what they may say.
const (
	fieldFormat     = "00"
	fieldInitiation = "01"
	fieldCategory   = "52"
	fieldCurrency   = "53"
	fieldAmount     = "54"
	fieldCountry    = "58"
	fieldName       = "59"
	fieldCity       = "60"
	fieldAdditional = "62"
	fieldCRC        = "63"

	fieldReceiver   = "26"
	firstReceiver   = 26 // payment schemes share the templates 26 to 51
	lastReceiver    = 51
	firstUnreserved = 80 // up to 99, templates that anybody may define
	templateScheme  = "00"
	receiverKey     = "01"
	receiverURL     = "25"
	additionalTxID  = "05"

	pixScheme     = "br.gov.bcb.pix"
	formatOne     = "01"
	dynamicCode   = "12"
	uncategorised = "0000"
	inReais       = "986"
	inBrazil      = "BR"
	noTxID        = "***"

	maxCodeName      = 25
	maxCodeCity      = 15
	maxCodeAmount    = 13
	maxCodeTxID      = 25
	checksumDigits   = 4
	fieldHeaderBytes = 4 // two digits of the id, two of the length
)

// fixedFields say the same in every BR Code.
var fixedFields = []struct{ id, value string }{
	{fieldFormat, formatOne},
	{fieldCurrency, inReais},
	{fieldCountry, inBrazil},
}

// String writes the code. Name and city lose their accents and what is too long of
// them (25 and 15 characters), as banks write them; an amount above 9999999999.99 has
// no place in a code and is left out.
func (c BRCode) String() string {
	var b strings.Builder
	put(&b, fieldFormat, formatOne)
	if c.Dynamic {
		put(&b, fieldInitiation, dynamicCode)
	}
	put(&b, fieldReceiver, c.receiver())
	put(&b, fieldCategory, uncategorised)
	put(&b, fieldCurrency, inReais)
	if amount := c.Amount.String(); c.Amount != 0 && len(amount) <= maxCodeAmount {
		put(&b, fieldAmount, amount)
	}
	put(&b, fieldCountry, inBrazil)
	put(&b, fieldName, cut(ascii(c.Name), maxCodeName))
	put(&b, fieldCity, cut(ascii(c.City), maxCodeCity))
	var additional strings.Builder
	put(&additional, additionalTxID, cmp.Or(c.TxID, noTxID))
	put(&b, fieldAdditional, additional.String())
	return withChecksum(b.String())
}

func (c BRCode) receiver() string {
	var b strings.Builder
	put(&b, templateScheme, pixScheme)
	if c.URL != "" {
		put(&b, receiverURL, c.URL)
	} else {
		put(&b, receiverKey, c.Key)
	}
	return b.String()
}

// ParseBRCode reads a code. Its checksum must be right, every field must have the length that it
// states, counted in characters, and every template must name its scheme. Fields may be in any
// order. Templates of other schemes and unknown fields are skipped.
func ParseBRCode(text string) (BRCode, error) {
	body, err := checked(text)
	if err != nil {
		return BRCode{}, err
	}
	fields, err := parseFields(body)
	if err != nil {
		return BRCode{}, err
	}
	for _, fixed := range fixedFields {
		if got := fields[fixed.id]; got != fixed.value {
			return BRCode{}, fmt.Errorf("field %s of a BR Code must be %s, got %q", fixed.id, fixed.value, got)
		}
	}
	if category := fields[fieldCategory]; len(category) != 4 || !allDigits(category) {
		return BRCode{}, fmt.Errorf("field %s of a BR Code must be four digits, got %q", fieldCategory, category)
	}
	if err := checkTemplates(fields); err != nil {
		return BRCode{}, err
	}
	code := BRCode{Dynamic: fields[fieldInitiation] == dynamicCode}
	if code.Key, code.URL, err = parseReceiver(fields); err != nil {
		return BRCode{}, err
	}
	if code.Amount, err = parseCodeAmount(fields); err != nil {
		return BRCode{}, err
	}
	if code.Name, err = bounded(fields, fieldName, maxCodeName); err != nil {
		return BRCode{}, err
	}
	if code.City, err = bounded(fields, fieldCity, maxCodeCity); err != nil {
		return BRCode{}, err
	}
	code.TxID, err = parseTxID(fields)
	return code, err
}

// checkTemplates checks the templates of payment schemes (26 to 51) and those that anybody may define
// (80 to 99): each consists of fields, of which the first names the scheme or its owner.
func checkTemplates(fields map[string]string) error {
	for id, value := range fields {
		if n, _ := strconv.Atoi(id); n < firstReceiver || n > lastReceiver && n < firstUnreserved {
			continue
		}
		inner, err := parseFields(value)
		if err != nil {
			return fmt.Errorf("field %s: %w", id, err)
		}
		if inner[templateScheme] == "" {
			return fmt.Errorf("field %s of a BR Code must name its scheme in field %s, got %q", id, templateScheme, value)
		}
	}
	return nil
}

// parseReceiver finds the template of PIX. The names of schemes are not case-sensitive.
func parseReceiver(fields map[string]string) (key, charge string, err error) {
	for id := firstReceiver; id <= lastReceiver; id++ {
		value := fields[strconv.Itoa(id)]
		receiver, err := parseFields(value)
		if err != nil || !strings.EqualFold(receiver[templateScheme], pixScheme) {
			continue
		}
		key, charge = receiver[receiverKey], receiver[receiverURL]
		if (key == "") == (charge == "") {
			return "", "", fmt.Errorf("field %d of a BR Code must contain either a key or the URL of a charge, got %q", id, value)
		}
		return key, charge, checkReceiver(id, key, charge)
	}
	return "", "", fmt.Errorf("a BR Code must have a receiver of %s", pixScheme)
}

// checkReceiver judges the key or the URL of the template with an id.
func checkReceiver(id int, key, charge string) error {
	if charge == "" {
		if _, isKey := DirectoryKey(key); !isKey {
			return fmt.Errorf("field %d of a BR Code must contain a PIX key: %s; got %q", id, DirectoryKeyForm, key)
		}
		return nil
	}
	if hasScheme(charge) {
		return fmt.Errorf("field %d of a BR Code must contain the URL of a charge without its scheme, got %q", id, charge)
	}
	if u, err := url.Parse("https://" + charge); err == nil && !hasValidPort(u) {
		return fmt.Errorf("field %d of a BR Code must contain a URL with a port from 1 to 65535, got %q", id, charge)
	}
	return nil
}

// hasScheme reports whether a URL begins with a scheme, such as https://.
func hasScheme(charge string) bool {
	before, _, found := strings.Cut(charge, "://")
	return found && !strings.ContainsAny(before, "/?#.")
}

// parseCodeAmount accepts one decimal or none too, as some banks write them.
func parseCodeAmount(fields map[string]string) (Centavos, error) {
	literal, ok := fields[fieldAmount]
	if !ok {
		return 0, nil
	}
	_, decimals, _ := strings.Cut(literal, ".")
	amount, err := ParseAmount(literal)
	if err != nil || len(literal) > maxCodeAmount || len(decimals) > 2 || !all(literal, isDecimalByte) {
		return 0, fmt.Errorf("field %s of a BR Code must be an amount such as 10.00, got %q", fieldAmount, literal)
	}
	return amount, nil
}

func isDecimalByte(c byte) bool { return c >= '0' && c <= '9' || c == '.' }

func parseTxID(fields map[string]string) (string, error) {
	value, ok := fields[fieldAdditional]
	if !ok {
		return "", nil
	}
	additional, err := parseFields(value)
	if err != nil {
		return "", fmt.Errorf("field %s: %w", fieldAdditional, err)
	}
	txid := additional[additionalTxID]
	switch {
	case txid == noTxID:
		return "", nil
	case len(txid) > maxCodeTxID || !all(txid, isAlphanumeric):
		return "", fmt.Errorf("txid of a BR Code must be at most %d letters and digits, got %q", maxCodeTxID, txid)
	}
	return txid, nil
}

func bounded(fields map[string]string, id string, most int) (string, error) {
	value := fields[id]
	if n := utf8.RuneCountInString(value); n < 1 || n > most {
		return "", fmt.Errorf("field %s of a BR Code must have 1 to %d characters, got %q", id, most, value)
	}
	return value, nil
}

// parseFields takes a text of fields apart: two digits of id, two of length, and as
// many characters of value.
func parseFields(text string) (map[string]string, error) {
	fields := make(map[string]string)
	for text != "" {
		if len(text) < fieldHeaderBytes || !allDigits(text[:fieldHeaderBytes]) {
			return nil, fmt.Errorf("a field of a BR Code must start with four digits, got %q", text)
		}
		id, rest := text[:2], text[fieldHeaderBytes:]
		length, _ := strconv.Atoi(text[2:fieldHeaderBytes]) // two digits
		end, ok := after(rest, length)
		if !ok {
			return nil, fmt.Errorf("field %s of a BR Code must have %d characters, got %q", id, length, rest)
		}
		if _, twice := fields[id]; twice {
			return nil, fmt.Errorf("field %s of a BR Code comes twice", id)
		}
		fields[id], text = rest[:end], rest[end:]
	}
	return fields, nil
}

// after gives the byte offset behind the first n characters.
func after(s string, n int) (offset int, ok bool) {
	for range n {
		if offset == len(s) {
			return 0, false
		}
		_, size := utf8.DecodeRuneInString(s[offset:])
		offset += size
	}
	return offset, true
}

func put(b *strings.Builder, id, value string) {
	fmt.Fprintf(b, "%s%02d%s", id, utf8.RuneCountInString(value), value)
}

func withChecksum(body string) string {
	body += fmt.Sprintf("%s%02d", fieldCRC, checksumDigits)
	return fmt.Sprintf("%s%04X", body, crc16(body))
}

// checked gives what stands before the checksum, which comes last.
func checked(text string) (string, error) {
	if !utf8.ValidString(text) {
		return "", errors.New("a BR Code must be UTF-8")
	}
	at := len(text) - checksumDigits - fieldHeaderBytes
	if at < 0 {
		return "", fmt.Errorf("a BR Code must end in its checksum, got %q", text)
	}
	body := text[:at]
	if want := withChecksum(body); text != want {
		return "", fmt.Errorf("a BR Code must end in its checksum %q, got %q", want[at:], text[at:])
	}
	return body, nil
}

// crc16 is CRC-16/CCITT-FALSE (polynomial 1021, from FFFF).
func crc16(s string) uint16 {
	crc := uint16(0xFFFF)
	for i := range len(s) {
		crc ^= uint16(s[i]) << 8
		for range 8 {
			carry := crc&0x8000 != 0
			if crc <<= 1; carry {
				crc ^= 0x1021
			}
		}
	}
	return crc
}

// plainLetters are the letters of Portuguese and its neighbours without their marks.
var plainLetters = strings.NewReplacer(
	"á", "a", "à", "a", "â", "a", "ã", "a", "ä", "a", "é", "e", "è", "e", "ê", "e", "ë", "e",
	"í", "i", "ì", "i", "î", "i", "ï", "i", "ó", "o", "ò", "o", "ô", "o", "õ", "o", "ö", "o",
	"ú", "u", "ù", "u", "û", "u", "ü", "u", "ç", "c", "ñ", "n",
	"Á", "A", "À", "A", "Â", "A", "Ã", "A", "Ä", "A", "É", "E", "È", "E", "Ê", "E", "Ë", "E",
	"Í", "I", "Ì", "I", "Î", "I", "Ï", "I", "Ó", "O", "Ò", "O", "Ô", "O", "Õ", "O", "Ö", "O",
	"Ú", "U", "Ù", "U", "Û", "U", "Ü", "U", "Ç", "C", "Ñ", "N",
)

// ascii writes s in printable ASCII: letters without their marks, a dot for whatever
// else there is.
func ascii(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '.'
		}
		return r
	}, plainLetters.Replace(s))
}

func cut(s string, most int) string { return s[:min(len(s), most)] }
