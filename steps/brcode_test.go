package steps

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/png"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// published are codes of the Central Bank's manual and of a shop.
var published = []string{
	"00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D",
	"00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***630464E4",
	"00020126580014br.gov.bcb.pix01365a5ea8c2-cbb5-4c25-a7be-2a778871fc5f52040000530398654031985802BR5911Arrumadinho6008Brasilia62290525e433v1530u155f31mSushiPro63048381",
}

func TestChecksum(t *testing.T) {
	t.Parallel()
	assert.Equal(t, uint16(0x29B1), crc16("123456789"))
}

func TestPublishedCodesAreRead(t *testing.T) {
	t.Parallel()
	for _, code := range published {
		fields, err := readCode(code)
		require.NoError(t, err)
		assert.Equal(t, "BR", fields.value("58"))
		assert.Equal(t, code, fields.String(), "and written again as they were")
	}
	assert.True(t, isCodeOf(published[2], 198_00))
	assert.False(t, isCodeOf(published[2], 1_98))
	assert.True(t, isCodeOf(published[1], 1_00), "a code of no amount leaves it to its address")
}

func TestCodesThatAreNone(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"", "6304", published[0][1:], published[0] + "0", strings.Replace(published[0], "13Fulano", "14Fulano", 1)} {
		_, err := readCode(code)
		assert.Error(t, err, code)
	}
}

func TestCodesAsFeaturesSpellThem(t *testing.T) {
	t.Parallel()
	s := newScenario()
	for _, c := range []struct {
		kind, words string
		readable    bool
	}{
		{"static", "", true},
		{"dynamic", "", true},
		{"static", "of R$ 10.00", true},
		{"static", "whose CRC begins with 0", true},
		{"static", "that starts 000202", true}, // its sum is right: it is wrong for its start alone
		{"static", "with a wrong CRC", false},
		{"dynamic", "with a wrong CRC", false},
		{"static", "with a changed amount", false},
		{"static", "cut in half", false},
	} {
		code, err := s.spoiltCode(c.kind, c.words)
		require.NoError(t, err)
		_, err = readCode(code)
		assert.Equal(t, c.readable, err == nil, "%s %s: %s", c.kind, c.words, code)
	}
	_, err := s.spoiltCode("static", "of gold")
	assert.Error(t, err)
}

func TestCodesOfALength(t *testing.T) {
	t.Parallel()
	s := newScenario()
	for _, n := range []int{49, 50, 250, 251, 350, 351, 499, 500, 501} {
		code, err := s.codeOfLength(n)
		require.NoError(t, err)
		assert.Equal(t, n, utf8.RuneCountInString(code))
		assert.True(t, strings.HasPrefix(code, "000201"))
		_, err = readCode(code)
		assert.NoError(t, err, "%d", n)
	}
}

func TestPictures(t *testing.T) {
	t.Parallel()
	picture := base64.StdEncoding.EncodeToString(qrPNG(t, published[0]))
	assert.True(t, isPictureOf(picture, published[0]))
	assert.True(t, isPictureOf("data:image/png;base64,"+picture, published[0]))
	assert.False(t, isPictureOf(picture, published[1]))
	assert.True(t, isImage(picture))
	for _, no := range []any{nil, 1, "", "a picture", base64.StdEncoding.EncodeToString([]byte("no picture"))} {
		assert.False(t, isImage(no), no)
		assert.False(t, isPictureOf(no, ""), no)
	}
}

func qrPNG(t *testing.T, text string) []byte {
	t.Helper()
	matrix, err := qrcode.NewQRCodeWriter().Encode(text, gozxing.BarcodeFormat_QR_CODE, 300, 300, nil)
	require.NoError(t, err)
	picture := image.NewGray(image.Rect(0, 0, matrix.GetWidth(), matrix.GetHeight()))
	for x := range matrix.GetWidth() {
		for y := range matrix.GetHeight() {
			if !matrix.Get(x, y) {
				picture.Set(x, y, color.White)
			}
		}
	}
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, picture))
	return b.Bytes()
}

func TestDocumentsHaveRightCheckDigits(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "52998224725", withCheckDigits("529982247", "11 10 9 8 7 6 5 4 3 2"))
	assert.Equal(t, "11222333000181", withCheckDigits("112223330001", "6 5 4 3 2 9 8 7 6 5 4 3 2"))
	for _, p := range []person{payee, payer, another} {
		assert.Equal(t, p.document, withCheckDigits(p.document[:9], "11 10 9 8 7 6 5 4 3 2"), p.name)
	}
	for range 100 {
		_, err := strconv.ParseUint(freshCNPJ(), 10, 64)
		require.NoError(t, err)
		assert.Len(t, freshCPF(), 11)
	}
}

func TestMaskedDocuments(t *testing.T) {
	t.Parallel()
	for document, masked := range map[string]bool{
		"***.982.247-**": true, "***": true, "52998224725": false, "529.982.247-25": false, "11222333000181": false, "": false,
	} {
		assert.Equal(t, masked, isMasked(document), document)
	}
	assert.False(t, isMasked(nil))
}
