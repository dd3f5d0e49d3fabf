package api

import (
	"fmt"
	"unicode/utf8"
)

// bodyBounds is how many bytes the body of each operation may have: twice and more what a
// request takes whose texts are all as long as may be, with every character escaped.
var bodyBounds = map[string]int64{
	"token":           8 << 10,
	"cashOut":         32 << 10,
	"cashOutQRCode":   32 << 10,
	"transfer":        64 << 10,
	"cashIn":          256 << 10,
	"cob":             256 << 10,
	"refund":          8 << 10,
	"registerWebhook": 256 << 10,
	"resendWebhook":   32 << 10,
}

// Bounds of what a body holds where the specification names none.
const (
	maxText   = 256  // characters of a text
	maxData   = 2048 // characters of a URL, of a header's value: they carry tokens of others
	maxItems  = 1000 // of an array or an object; the wire contract judges no more of an array
	maxFaults = 100  // that are listed; the arrays that the specification bounds cannot have more
)

// text is a string of at most maxText characters; a longer one is a fault.
func (f form) text(field string) string { return f.upTo(field, maxText) }

// data is a string of at most maxData characters; a longer one is a fault.
func (f form) data(field string) string { return f.upTo(field, maxData) }

func (f form) upTo(field string, most int) string {
	s, _ := f.fields[field].(string)
	if utf8.RuneCountInString(s) > most {
		f.fault(field, "maxLength", fmt.Sprintf("must have at most %d characters", most))
		return ""
	}
	return s
}

// names makes a name of more than maxText characters a fault of the object.
func (f form) names(field string) {
	object, _ := f.fields[field].(map[string]any)
	for name := range object {
		if utf8.RuneCountInString(name) > maxText {
			f.fault(field, "maxLength", fmt.Sprintf("must have names of at most %d characters", maxText))
		}
	}
}
