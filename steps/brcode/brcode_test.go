package brcode

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/pixcert/pixcert/steps/money"
)

// published are codes of the Central Bank's manual and of a shop.
var published = []string{
	"00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D",
	"00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***630464E4",
	"00020126580014br.gov.bcb.pix01365a5ea8c2-cbb5-4c25-a7be-2a778871fc5f52040000530398654031985802BR5911Arrumadinho6008Brasilia62290525e433v1530u155f31mSushiPro63048381",
}

func TestChecksum(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "29B1", Checksum("123456789"))
	assert.Equal(t, "29B0", WrongChecksum("123456789"))
}

func TestPublishedCodesAreRead(t *testing.T) {
	t.Parallel()
	for _, code := range published {
		fields, err := Read(code)
		require.NoError(t, err)
		assert.Equal(t, "BR", fields.Value("58"))
		assert.Empty(t, fields.Value("99"))
		assert.Equal(t, code, fields.String(), "and written again as they were")
		assert.Equal(t, code, Seal(Unsealed(code)))
		assert.Equal(t, code, Body(code)+Checksum(Body(code)))
	}
	for _, short := range []string{"", "abc"} {
		assert.Empty(t, Body(short))
		assert.Empty(t, Unsealed(short))
	}
}

func TestCodesThatAreNone(t *testing.T) {
	t.Parallel()
	for _, code := range []string{
		"", "6304", "abc", published[0][1:], published[0] + "0", strings.ToLower(published[0]), strings.Replace(published[0], "13Fulano", "14Fulano", 1),
		// Their checksums are right, and their lengths are not.
		Seal("00"), Seal("000"), Seal("00-1"), Seal("00-9xxxxxxx"), Seal("00+1x"), Seal("0099x"), Seal("00xxx"),
	} {
		_, err := Read(code)
		assert.Error(t, err, code)
	}
}

// Whatever a target returns for a code, reading it does not panic.
func TestAnyCodeCanBeRead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		code := rapid.OneOf(rapid.String(), rapid.StringMatching(`([0-9]{2}[-+ 0-9]{2}.{0,5}){0,5}`)).Draw(t, "code")
		_, _ = Read(code)
		fields, err := Read(Seal(code))
		if err == nil {
			assert.Equal(t, Seal(code), fields.String())
		}
		IsOf(code, 1)
	})
}

func TestCodesOfAnAmount(t *testing.T) {
	t.Parallel()
	code := func(amount string) string {
		return Code{Location: "a@b.example", Payee: "Fulano de Tal", Amount: amount}.String()
	}
	without := func(id string) string {
		fields, err := Read(code("10.00"))
		require.NoError(t, err)
		var kept TLV
		for _, f := range fields {
			if f.ID != id && f.ID != "63" {
				kept = append(kept, f)
			}
		}
		return Seal(kept.String())
	}
	for _, c := range []struct {
		code string
		of   money.Centavos
		is   bool
	}{
		{published[2], 198_00, true}, {published[2], 1_98, false}, {published[1], 1_00, true}, // which leaves it to its address
		{code("10.00"), 10_00, true}, {code("10"), 10_00, true}, {code("10.01"), 10_00, false}, {code("x"), 10_00, false},
		{code("0xA"), 10_00, false}, {code("20/2"), 10_00, false}, {code("1e999999999"), 10_00, false},
		{without("26"), 10_00, false}, {strings.Replace(published[1], "br.gov.bcb.pix", "br.gov.bcb.xip", 1), 10_00, false},
		{resealed(published[0], "br.gov.bcb.pix", "BR.GOV.BCB.PIX"), 10_00, true}, {resealed(published[0], "br.gov.bcb.pix", "br.gov.bcb.xip"), 10_00, false},
		{resealed(published[0], "pix0136", "pix0137"), 10_00, false}, {resealed(published[0], "26580014", "51580014"), 10_00, true},
		{without("58"), 10_00, false}, {without("53"), 10_00, false}, {without("00"), 10_00, false}, {without("60"), 10_00, true}, {"", 10_00, false},
	} {
		assert.Equal(t, c.is, IsOf(c.code, c.of), "%s of %v", c.code, c.of)
	}
}

// resealed replaces a part of a code, and its checksum.
func resealed(code, part, by string) string {
	return Seal(strings.Replace(Unsealed(code), part, by, 1))
}

func TestCodes(t *testing.T) {
	t.Parallel()
	dynamic := Code{Dynamic: true, Location: "pix.example.com/1", Payee: "São João", Note: strings.Repeat("x", noteLength+1)}
	fields, err := Read(dynamic.String())
	require.NoError(t, err)
	assert.Equal(t, "12", fields.Value("01"))
	assert.Equal(t, "São João", fields.Value("59"))
	assert.Contains(t, fields.Value("26"), "2517pix.example.com/1")
	assert.Len(t, fields.Value("80"), 4+len("com.example")+4+noteLength)
	assert.NotEmpty(t, fields.Value("81"))
}

func TestCodesOfALength(t *testing.T) {
	t.Parallel()
	for _, n := range []int{49, 50, 99, 250, 251, 350, 351, 499, 500, 501} {
		code, err := OfLength(n, "payee-1@payee.example", "Fulano de Tal")
		require.NoError(t, err, n)
		assert.Equal(t, n, utf8.RuneCountInString(code))
		assert.True(t, strings.HasPrefix(code, "000201"))
		_, err = Read(code)
		assert.NoError(t, err, n)
	}
	for _, n := range []int{-1, 0, 40} {
		_, err := OfLength(n, "payee-1@payee.example", "Fulano de Tal")
		assert.Error(t, err, n)
	}
}

func in64(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

func TestPictures(t *testing.T) {
	t.Parallel()
	picture := in64(pngOf(t, published[0], 300))
	assert.True(t, IsPictureOf(picture, published[0]))
	assert.True(t, IsPictureOf("data:image/png;base64,"+picture, published[0]))
	assert.False(t, IsPictureOf("data:text/png;base64,"+picture, published[0]))
	assert.False(t, IsPictureOf(picture, published[1]))
	assert.True(t, IsPictureOf(in64(pngOf(t, published[0], 64)), published[0]), "a small one")
	assert.True(t, IsPictureOf(in64([]byte("<svg></svg>")), published[0]), "a drawing is accepted as it is")
	assert.False(t, IsPictureOf(in64(pngOf(t, published[0], 300)[:200]), published[0]), "a picture that is cut off")

	var blank bytes.Buffer
	require.NoError(t, png.Encode(&blank, image.NewGray(image.Rect(0, 0, 50, 50))))
	assert.False(t, IsPictureOf(in64(blank.Bytes()), published[0]))
	var wide bytes.Buffer
	require.NoError(t, gif.Encode(&wide, image.NewPaletted(image.Rect(0, 0, mostPixels+1, 1), color.Palette{color.White}), nil))
	assert.False(t, IsPictureOf(in64(wide.Bytes()), published[0]), "one that is too large")

	assert.True(t, IsImage(picture))
	assert.True(t, IsImage(in64([]byte("GIF89a"))))
	for _, no := range []any{nil, 1, "", "a picture", in64([]byte("no picture")), []any{picture}} {
		assert.False(t, IsImage(no), no)
		assert.False(t, IsPictureOf(no, ""), no)
	}
}

// A picture with noise in it may not be read, but never panics.
func TestAnyPictureCanBeLookedAt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 60).Draw(t, "size")
		pixels := rapid.SliceOfN(rapid.Byte(), size*size, size*size).Draw(t, "pixels")
		noise := image.NewGray(image.Rect(0, 0, size, size))
		copy(noise.Pix, pixels)
		var b bytes.Buffer
		require.NoError(t, png.Encode(&b, noise))
		assert.False(t, IsPictureOf(in64(b.Bytes()), published[0]))
	})
}

func pngOf(t *testing.T, text string, size int) []byte {
	t.Helper()
	matrix, err := qrcode.NewQRCodeWriter().Encode(text, gozxing.BarcodeFormat_QR_CODE, size, size, nil)
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
