package steps

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/gif"  // the formats that a picture of a code may come in
	_ "image/jpeg" // likewise
	_ "image/png"  // likewise
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
)

// tlv is a BR Code as a sequence of fields: two digits of id, two of length, the value.
type tlv []struct{ id, value string }

func (fields tlv) String() string {
	var b strings.Builder
	for _, f := range fields {
		fmt.Fprintf(&b, "%s%02d%s", f.id, utf8.RuneCountInString(f.value), f.value)
	}
	return b.String()
}

// value is that of a field; empty where there is none.
func (fields tlv) value(id string) string {
	for _, f := range fields {
		if f.id == id {
			return f.value
		}
	}
	return ""
}

// brCode is a code to pay, as the suite makes it up.
type brCode struct {
	dynamic  bool
	location string // the key of a static code, the URL of a dynamic one
	amount   string // empty: none
	note     string // for the payee; it fills a static code up
}

// code is one that nobody has used: "static" or "dynamic".
func (s *scenario) code(kind string) brCode {
	if kind == "dynamic" {
		return brCode{dynamic: true, location: "pix.example.com/" + s.freshText(32)}
	}
	return brCode{location: s.freshEmail()}
}

// mostOfNote is how much of a note one template holds.
const mostOfNote = 80

// mostOfKey is the length of the longest key.
const mostOfKey = 77

func (c brCode) String() string {
	field, account := "01", tlv{{"00", "br.gov.bcb.pix"}}
	fields := tlv{{"00", "01"}}
	if c.dynamic {
		field, fields = "25", append(fields, tlv{{"01", "12"}}...)
	}
	account = append(account, tlv{{field, c.location}}...)
	fields = append(fields, tlv{{"26", account.String()}, {"52", "0000"}, {"53", "986"}}...)
	if c.amount != "" {
		fields = append(fields, tlv{{"54", c.amount}}...)
	}
	fields = append(fields, tlv{{"58", "BR"}, {"59", payee.name}, {"60", "BRASILIA"}, {"62", tlv{{"05", "***"}}.String()}}...)
	for i := 0; i < len(c.note); i += mostOfNote { // in templates of others, which a reader skips
		part := tlv{{"00", "com.example"}, {"01", c.note[i:min(i+mostOfNote, len(c.note))]}}
		fields = append(fields, tlv{{fmt.Sprint(80 + i/mostOfNote), part.String()}}...)
	}
	return sealed(fields.String())
}

// sealed closes a code with its checksum.
func sealed(code string) string {
	code += "6304"
	return code + fmt.Sprintf("%04X", crc16(code))
}

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

// readCode takes a code apart and checks its checksum.
func readCode(code string) (tlv, error) {
	body, sum, ok := cutLast(code, 4)
	if !ok || !strings.HasSuffix(body, "6304") || sum != fmt.Sprintf("%04X", crc16(body)) {
		return nil, errors.New("the checksum at the end is wrong")
	}
	var fields tlv
	for rest := []rune(code); len(rest) > 0; {
		if len(rest) < 4 {
			return nil, errors.New("a field lacks its length")
		}
		n, err := strconv.Atoi(string(rest[2:4]))
		if err != nil || n > len(rest)-4 {
			return nil, fmt.Errorf("the field %s has a wrong length", string(rest[:2]))
		}
		fields = append(fields, tlv{{string(rest[:2]), string(rest[4 : 4+n])}}...)
		rest = rest[4+n:]
	}
	return fields, nil
}

func cutLast(s string, n int) (before, last string, ok bool) {
	if len(s) < n {
		return "", "", false
	}
	return s[:len(s)-n], s[len(s)-n:], true
}

// isCodeOf: a BR Code whose checksum and lengths are right, of that amount or, as a
// dynamic one may be, of none: it is told at the code's address then.
func isCodeOf(v any, want centavos) bool {
	code, _ := v.(string)
	fields, err := readCode(code)
	if err != nil || fields.value("00") != "01" || fields.value("58") != "BR" || fields.value("53") != "986" {
		return false
	}
	if fields.value("54") == "" {
		return true
	}
	amount, err := parseAmount(fields.value("54"))
	return err == nil && amount == want
}

var (
	ofAmountForm  = regexp.MustCompile(`^of R\$ (\d+(?:\.\d{1,2})?)$`)
	ofLengthForm  = regexp.MustCompile(`^of (\d+) characters$`)
	thatStartForm = regexp.MustCompile(`^that starts (\S+)$`)
)

// spoiltCode is a code as features spell it: "a static code of R$ 10.00", "a dynamic
// code with a wrong CRC".
func (s *scenario) spoiltCode(kind, words string) (string, error) {
	code := s.code(kind)
	if m := ofAmountForm.FindStringSubmatch(words); m != nil {
		code.amount = m[1]
		return code.String(), nil
	}
	if m := ofLengthForm.FindStringSubmatch(words); m != nil {
		return s.codeOfLength(atoi(m[1]))
	}
	if m := thatStartForm.FindStringSubmatch(words); m != nil {
		whole := code.String()
		return sealed(m[1] + whole[len(m[1]):len(whole)-8]), nil
	}
	whole := code.String()
	switch words {
	case "":
		return whole, nil
	case "for São João":
		return sealed(strings.Replace(whole[:len(whole)-8], "5913Fulano de Tal", "5908São João", 1)), nil
	case "cut in half":
		return whole[:len(whole)/2], nil
	case "with a wrong CRC":
		body, _, _ := cutLast(whole, 4)
		return body + fmt.Sprintf("%04X", crc16(body)^1), nil
	case "with a changed amount":
		code.amount = "1.00"
		return strings.Replace(code.String(), "54041.00", "54042.00", 1), nil
	case "whose CRC begins with 0":
		for range 1000 {
			if whole := s.code(kind).String(); whole[len(whole)-4] == '0' {
				return whole, nil
			}
		}
	}
	return "", fmt.Errorf("the suite knows no code %s", words)
}

// codeOfLength is a static code of exactly that many characters: filled up, or with as
// little in it as will do.
func (s *scenario) codeOfLength(n int) (string, error) {
	code := s.code("static")
	if len(code.String()) > n { // a key alone, which no bank would take but any reader can read
		short := tlv{{"00", "01"}, {"26", tlv{{"00", "br.gov.bcb.pix"}}.String()}, {"58", "BR"}}
		return sealed(short.String() + tlv{{"59", strings.Repeat("x", n-8-4-len(short.String()))}}.String()), nil
	}
	for ; len(code.location) <= mostOfKey; code.location = "x" + code.location { // a template more makes the lengths step over n
		for fill := 0; fill <= n; fill++ {
			code.note = strings.Repeat("x", fill)
			if len(code.String()) == n {
				return code.String(), nil
			}
		}
	}
	return "", fmt.Errorf("no code has %d characters", n)
}

// imageOf reads Base64, with or without the head of a data URI.
func imageOf(v any) ([]byte, bool) {
	s, _ := v.(string)
	if _, data, isURI := strings.Cut(s, ";base64,"); isURI && strings.HasPrefix(s, "data:image/") {
		s = data
	}
	raw, err := base64.StdEncoding.DecodeString(s)
	return raw, err == nil && len(raw) > 0
}

// magic is how files of images begin.
var magic = []string{"\x89PNG\r\n\x1a\n", "\xff\xd8\xff", "GIF8", "<svg", "<?xml", "RIFF", "BM"}

func isImage(v any) bool {
	raw, ok := imageOf(v)
	for _, start := range magic {
		if ok && bytes.HasPrefix(raw, []byte(start)) {
			return true
		}
	}
	return false
}

// mostPixels bounds a picture's sides: nobody draws a code larger.
const mostPixels = 4096

// isPictureOf: the image is a QR Code that reads as text. A drawing (SVG) or a format
// that the suite cannot read is taken on trust.
func isPictureOf(v any, text string) bool {
	raw, ok := imageOf(v)
	if !ok {
		return false
	}
	if c, _, err := image.DecodeConfig(bytes.NewReader(raw)); err == nil && (c.Width > mostPixels || c.Height > mostPixels) {
		return false
	}
	picture, _, err := image.Decode(bytes.NewReader(raw))
	if err != nil {
		return errors.Is(err, image.ErrFormat) && isImage(v)
	}
	// No one way of reading reads every picture: a clean one is read best as such, a
	// photograph or one with a logo otherwise, and some when they are larger.
	for _, times := range []int{1, 2, 3} {
		if times > 1 && max(picture.Bounds().Dx(), picture.Bounds().Dy())*times > mostPixels {
			break
		}
		for _, hint := range []gozxing.DecodeHintType{gozxing.DecodeHintType_PURE_BARCODE, gozxing.DecodeHintType_TRY_HARDER} {
			bitmap, err := gozxing.NewBinaryBitmapFromImage(enlarged{picture, times})
			if err != nil {
				return false
			}
			result, err := qrcode.NewQRCodeReader().Decode(bitmap, map[gozxing.DecodeHintType]any{hint: true})
			if err == nil && result.GetText() == text {
				return true
			}
		}
	}
	return false
}

// enlarged is a picture so many times as large, with white around it.
type enlarged struct {
	image.Image
	times int
}

// quietZone is the white around an enlarged picture, in pixels.
const quietZone = 16

func (e enlarged) Bounds() image.Rectangle {
	b := e.Image.Bounds()
	return image.Rect(0, 0, b.Dx()*e.times+2*quietZone, b.Dy()*e.times+2*quietZone)
}

func (e enlarged) At(x, y int) color.Color {
	b := e.Image.Bounds()
	at := image.Pt((x-quietZone)/e.times, (y-quietZone)/e.times).Add(b.Min)
	if x < quietZone || y < quietZone || !at.In(b) {
		return color.White
	}
	return e.Image.At(at.X, at.Y)
}
