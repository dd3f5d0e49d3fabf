package brcode

import (
	"bytes"
	"encoding/base64"
	"errors"
	"image"
	"image/color"
	_ "image/gif"  // the formats that a picture of a code may be in
	_ "image/jpeg" // likewise
	_ "image/png"  // likewise
	"slices"
	"strings"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
)

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

// IsImage reports whether a value is an image in Base64, with or without the head of a data
// URI.
func IsImage(v any) bool {
	raw, ok := imageOf(v)
	return ok && slices.ContainsFunc(magic, func(start string) bool { return bytes.HasPrefix(raw, []byte(start)) })
}

// mostPixels bounds a picture's sides: nobody draws a code larger.
const mostPixels = 4096

// IsPictureOf reports whether an image, in Base64, is a QR code that reads as text. A drawing
// (SVG) or a format that cannot be read here is accepted as it is.
func IsPictureOf(v any, text string) bool {
	raw, ok := imageOf(v)
	if !ok {
		return false
	}
	if c, _, err := image.DecodeConfig(bytes.NewReader(raw)); err == nil && (c.Width > mostPixels || c.Height > mostPixels) {
		return false
	}
	picture, _, err := image.Decode(bytes.NewReader(raw))
	if err != nil {
		return errors.Is(err, image.ErrFormat) && IsImage(v)
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
