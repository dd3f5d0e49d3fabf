// Package brcode makes and reads BR Codes: the text of a QR code by which a payment is made.
package brcode

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pixcert/pixcert/steps/money"
)

// TLV is a BR Code as a sequence of fields: two digits of id, two of length, the value.
type TLV []struct{ ID, Value string }

func (fields TLV) String() string {
	var b strings.Builder
	for _, f := range fields {
		fmt.Fprintf(&b, "%s%02d%s", f.ID, utf8.RuneCountInString(f.Value), f.Value)
	}
	return b.String()
}

// Value is the value of a field; empty if there is none.
func (fields TLV) Value(id string) string {
	for _, f := range fields {
		if f.ID == id {
			return f.Value
		}
	}
	return ""
}

// Code is a code to pay.
type Code struct {
	Dynamic  bool
	Location string // the key of a static code, the URL of a dynamic one
	Payee    string
	Amount   string // empty for none
	Note     string // for the payee; it fills up a static code
}

// noteLength is how much of a note one template holds.
const noteLength = 80

func (c Code) String() string {
	field, account := "01", TLV{{"00", "br.gov.bcb.pix"}}
	fields := TLV{{"00", "01"}}
	if c.Dynamic {
		field, fields = "25", append(fields, TLV{{"01", "12"}}...)
	}
	account = append(account, TLV{{field, c.Location}}...)
	fields = append(fields, TLV{{"26", account.String()}, {"52", "0000"}, {"53", "986"}}...)
	if c.Amount != "" {
		fields = append(fields, TLV{{"54", c.Amount}}...)
	}
	fields = append(fields, TLV{{"58", "BR"}, {"59", c.Payee}, {"60", "BRASILIA"}, {"62", TLV{{"05", "***"}}.String()}}...)
	for i := 0; i < len(c.Note); i += noteLength { // in templates that a reader skips
		part := TLV{{"00", "com.example"}, {"01", c.Note[i:min(i+noteLength, len(c.Note))]}}
		fields = append(fields, TLV{{fmt.Sprint(80 + i/noteLength), part.String()}}...)
	}
	return Seal(fields.String())
}

// Seal ends a code with its checksum.
func Seal(code string) string {
	code += "6304"
	return code + Checksum(code)
}

// Checksum is the CRC of a code as four hex digits.
func Checksum(code string) string { return fmt.Sprintf("%04X", crc16(code)) }

// WrongChecksum is another code of that length.
func WrongChecksum(code string) string { return fmt.Sprintf("%04X", crc16(code)^1) }

// Body is a code without its checksum, whose tag stays.
func Body(code string) string { return code[:max(0, len(code)-4)] }

// Unsealed is a code without its checksum and the tag of it.
func Unsealed(code string) string { return code[:max(0, len(code)-8)] }

// crc16 is CRC-16/CCITT-FALSE.
func crc16(s string) uint16 {
	crc := uint16(0xFFFF)
	for _, b := range []byte(s) {
		crc ^= uint16(b) << 8
		for range 8 {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
	}
	return crc
}

const longestKey = 77

// OfLength is a static code for a payee of exactly n characters: filled up, or with as
// little in it as will do.
func OfLength(n int, key, payee string) (string, error) {
	code := Code{Location: key, Payee: payee}
	if len(code.String()) > n { // no key, which no bank would accept but any reader can read
		short := TLV{{"00", "01"}, {"26", TLV{{"00", "br.gov.bcb.pix"}}.String()}, {"58", "BR"}}.String()
		fill := n - len(Seal(short)) - len(TLV{{"59", ""}}.String())
		if fill < 0 {
			return "", fmt.Errorf("no code has %d characters", n)
		}
		return Seal(short + TLV{{"59", strings.Repeat("x", fill)}}.String()), nil
	}
	for ; len(code.Location) <= longestKey; code.Location = "x" + code.Location { // another template makes the lengths skip n
		withNote := func(length int) string {
			code.Note = strings.Repeat("x", length)
			return code.String()
		}
		length, found := sort.Find(n+1, func(length int) int { return cmp.Compare(n, len(withNote(length))) })
		if found {
			return withNote(length), nil
		}
	}
	return "", fmt.Errorf("no code has %d characters", n)
}

// Read takes a code apart and checks its checksum and its lengths.
func Read(code string) (TLV, error) {
	body := Body(code)
	if len(code) < 4 || !strings.HasSuffix(body, "6304") || code[len(body):] != Checksum(body) {
		return nil, errors.New("the checksum at the end is wrong")
	}
	return fieldsOf(code)
}

// fieldsOf takes a code, or a template in one, apart.
func fieldsOf(text string) (fields TLV, err error) {
	for rest := []rune(text); len(rest) > 0; {
		if len(rest) < 4 {
			return nil, errors.New("a field lacks its length")
		}
		n, err := strconv.ParseUint(string(rest[2:4]), 10, 8)
		if err != nil || int(n) > len(rest)-4 {
			return nil, fmt.Errorf("field %s has a wrong length", string(rest[:2]))
		}
		fields = append(fields, TLV{{string(rest[:2]), string(rest[4 : 4+n])}}...)
		rest = rest[4+n:]
	}
	return fields, nil
}

// Is reports whether a text is a BR Code in reais, to an account of PIX.
func Is(code string) bool {
	fields, err := Read(code)
	return err == nil && fields.Value("00") == "01" && fields.Value("58") == "BR" && fields.Value("53") == "986" && fields.isOfPIX()
}

// isOfPIX: one of the templates that payment schemes share, 26 to 51, is that of PIX, and its fields have the lengths
// that they state.
func (fields TLV) isOfPIX() bool {
	return slices.ContainsFunc(fields, func(f struct{ ID, Value string }) bool {
		if f.ID < "26" || f.ID > "51" {
			return false
		}
		account, err := fieldsOf(f.Value)
		return err == nil && strings.EqualFold(account.Value("00"), "br.gov.bcb.pix")
	})
}

// IsOf reports whether a BR Code is of an amount or, as a dynamic one may be, of none: the code's address
// gives it then.
func IsOf(code string, want money.Centavos) bool {
	fields, err := Read(code)
	if err != nil || !Is(code) {
		return false
	}
	if fields.Value("54") == "" {
		return true
	}
	amount, err := money.Parse(fields.Value("54"))
	return err == nil && amount == want
}
