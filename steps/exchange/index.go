package exchange

import (
	"encoding/binary"
	"maps"
	"slices"
)

// index finds secrets, and pieces of them, in a text. It holds grams of each secret at regular
// offsets, so that each byte of the text needs only one look-up, however many secrets there are.
type index struct {
	secrets []string
	places  map[uint64][]place // where a gram occurs in secrets
	maybe   []uint64           // a bit set of hashes: it rules out most bytes of a text without a map look-up
	short   bool               // a secret is shorter than a piece
	size    int                // bytes of secrets that are indexed whole
}

type place struct{ secret, offset int32 }

const (
	gram      = 8                // bytes by which a secret is looked up
	stride    = piece - gram + 1 // so that every piece of a secret contains an indexed gram
	mostOfOne = 16               // places of a gram: similar secrets must not slow down the search
	bitsKnown = 20               // of a hash

	// Only the ends of a secret are indexed if it is longer than LongestSecret, or if there are
	// mostWhole bytes in the index already.
	mostWhole = 4 << 20
	endOfLong = 512
)

// LongestSecret is more than common servers accept as a header, in bytes: nobody can use a longer
// token or client secret.
const LongestSecret = 16 << 10

func (x *index) add(secret string) {
	if x.places == nil {
		x.places, x.maybe = map[uint64][]place{}, make([]uint64, 1<<bitsKnown/64)
	}
	if len(secret) > LongestSecret || len(secret) > 2*endOfLong && x.size+len(secret) > mostWhole {
		x.add(secret[:endOfLong])
		x.add(secret[len(secret)-endOfLong:])
		return
	}
	x.size += len(secret)
	x.short = x.short || len(secret) < piece
	x.secrets = append(x.secrets, secret)
	last := len(secret) - gram
	for offset := 0; offset < last; offset += stride {
		x.learn(secret, offset)
	}
	x.learn(secret, last)
}

// learn indexes the gram at an offset of the last secret.
func (x *index) learn(secret string, offset int) {
	g := binary.LittleEndian.Uint64([]byte(secret[offset : offset+gram]))
	if len(x.places[g]) == mostOfOne {
		return
	}
	x.places[g] = append(x.places[g], place{int32(len(x.secrets) - 1), int32(offset)})
	h := hash(g)
	x.maybe[h/64] |= 1 << (h % 64)
}

func hash(g uint64) uint64 { return (g * 0x9e3779b97f4a7c15) >> (64 - bitsKnown) }

// find returns where secrets, or pieces of them, occur in a text, in order.
func (x *index) find(text []byte) []secret {
	if len(x.secrets) == 0 {
		return nil
	}
	var found []secret
	end := 0 // of the last one
	for i := 0; i+gram <= len(text); i++ {
		g := binary.LittleEndian.Uint64(text[i:])
		if h := hash(g); x.maybe[h/64]&(1<<(h%64)) == 0 {
			continue
		}
		from, to := i, i
		for _, p := range x.places[g] {
			s := x.secrets[p.secret]
			before, after := alike(text[end:i], text[i:], s, int(p.offset))
			if before+after >= min(piece, len(s)) {
				from, to = min(from, i-before), max(to, i+after)
			}
		}
		if to > i {
			found = append(found, secret{from: from, to: to})
			end, i = to, to-1
		}
	}
	return found
}

// alike counts the bytes before and after a place in a text that match those around an offset of a
// secret.
func alike(before, after []byte, s string, offset int) (left, right int) {
	for left < min(len(before), offset) && before[len(before)-1-left] == s[offset-1-left] {
		left++
	}
	for right < min(len(after), len(s)-offset) && after[right] == s[offset+right] {
		right++
	}
	return left, right
}

// shortestCode is the minimum length of a word that may encode a secret.
func (x *index) shortestCode() int {
	if x.short {
		return (gram*8 + 5) / 6
	}
	return (piece*8 + 5) / 6
}

// clone copies what add changes.
func (x *index) clone() index {
	c := *x
	c.secrets, c.maybe, c.places = slices.Clone(x.secrets), slices.Clone(x.maybe), maps.Clone(x.places)
	for g, places := range c.places {
		c.places[g] = slices.Clip(places)
	}
	return c
}
