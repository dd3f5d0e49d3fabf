// Package data generates valid payments from a seed. Their ids are unique across virtual users,
// instances and runs.
package data

import (
	"encoding/base32"
	"encoding/binary"
	"math/rand/v2"
	"strings"

	"github.com/google/uuid"
)

// ID identifies a payment, charge or refund of a run. Its formats meet the API's rules for each
// kind of id, can be distinguished from other ids, and can be parsed, so that a webhook can be
// matched with its payment without a table.
type ID struct {
	Run      uint64 // 48 random bits, the same for every instance of a run
	Instance uint16 // of the run, from 0
	Sequence uint64 // within the instance, from 0; 48 bits
}

// NewRun is a new run id: 48 random bits, never 0.
func NewRun() uint64 { return max(rand.Uint64()&mask48, 1) } // #nosec G404 -- seeded by the system; an id, no secret

// ExternalID is 28 letters and digits: "px" and then run (48 bits), instance (16), sequence (48) and check (16) in
// lower-case Crockford base 32. Ids of one run share their first eleven characters. It is also a txid of an immediate
// charge, 26 to 35 letters and digits, and the id of a refund, 1 to 35.
func (id ID) ExternalID() string {
	var raw [16]byte
	binary.BigEndian.PutUint64(raw[:], id.Run<<16|uint64(id.Instance))
	binary.BigEndian.PutUint64(raw[8:], id.Sequence<<16|id.check()&maskText)
	var text [textLength]byte
	copy(text[:], textPrefix)
	crockford.Encode(text[len(textPrefix):], raw[:])
	return string(text[:])
}

// UUID is the id as a UUID of version 4, for x-idempotency-key. Of its 122 free bits, the
// run takes 48, the sequence 48, the instance 16 and the check 10:
// rrrrrrrr-rrrr-4kkk-iiii-ssssssssssss.
func (id ID) UUID() string {
	var raw uuid.UUID
	binary.BigEndian.PutUint64(raw[:], id.Run<<16|0x4000|id.check()&maskUUID<<2|uint64(id.Instance>>14))
	binary.BigEndian.PutUint64(raw[8:], uint64(0x8000|id.Instance&0x3fff)<<48|id.Sequence&mask48)
	return raw.String()
}

// ParseID parses any format of an id. It returns false for ids that no run generated. By
// chance, one in 200,000 texts in the same format passes, and one in a thousand random UUIDs,
// with a run id that does not exist.
func ParseID(s string) (ID, bool) {
	switch len(s) {
	case textLength:
		return parseText(s)
	case uuidLength:
		return parseUUID(s)
	}
	return ID{}, false
}

// FindID is the first id of a run in a body that cannot be parsed, for example a truncated one.
func FindID(body []byte, run uint64) (ID, bool) {
	for i := range body {
		for _, length := range []int{textLength, uuidLength} {
			if i+length > len(body) {
				continue
			}
			if id, ok := ParseID(string(body[i : i+length])); ok && id.Run == run {
				return id, true
			}
		}
	}
	return ID{}, false
}

const (
	textPrefix = "px"
	textLength = 28
	uuidLength = 36

	mask48   = 1<<48 - 1
	maskText = 1<<16 - 1
	maskUUID = 1<<10 - 1
)

var crockford = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// check hashes the id to a word, whose lowest bits are added to the id.
func (id ID) check() uint64 {
	return mix(mix(id.Run^uint64(id.Instance)<<48) ^ id.Sequence)
}

// mix is the finaliser of SplitMix64: each bit of the result depends on each bit of x.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func parseText(s string) (ID, bool) {
	text, ok := strings.CutPrefix(s, textPrefix)
	raw, err := crockford.DecodeString(text)
	if !ok || err != nil || len(raw) != 16 {
		return ID{}, false
	}
	high, low := binary.BigEndian.Uint64(raw), binary.BigEndian.Uint64(raw[8:])
	id := ID{Run: high >> 16, Instance: uint16(high), Sequence: low >> 16} // #nosec G115 -- its lowest bits
	return id, s == id.ExternalID()                                        // also the check
}

func parseUUID(s string) (ID, bool) {
	raw, err := uuid.Parse(s)
	if err != nil || raw.Version() != 4 || raw.Variant() != uuid.RFC4122 {
		return ID{}, false
	}
	high, low := binary.BigEndian.Uint64(raw[:]), binary.BigEndian.Uint64(raw[8:])
	id := ID{
		Run:      high >> 16,
		Instance: uint16(high&3)<<14 | uint16(low>>48&0x3fff),
		Sequence: low & mask48,
	}
	return id, high>>2&maskUUID == id.check()&maskUUID
}
