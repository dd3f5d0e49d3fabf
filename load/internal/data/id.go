// Package data generates valid payments from a seed. Their ids are unique across virtual users,
// instances and runs.
package data

import (
	"crypto/rand"
	"encoding/binary"

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
func NewRun() uint64 {
	var b [8]byte
	for {
		rand.Read(b[:]) // never fails
		if run := binary.BigEndian.Uint64(b[:]) & mask48; run != 0 {
			return run
		}
	}
}

// ExternalID is 29 letters and digits: "px" and then, most significant character first,
// run (10), instance (4), sequence (10) and check (3) in lower-case Crockford base 32. Ids of
// one run share their first twelve characters. It is also a txid of an immediate charge, 26 to 35
// letters and digits, and the id of a refund, 1 to 35.
func (id ID) ExternalID() string {
	var b [textLength]byte
	copy(b[:], textPrefix)
	put32(b[2:12], id.Run)
	put32(b[12:16], uint64(id.Instance))
	put32(b[16:26], id.Sequence)
	put32(b[26:], id.check()&maskText)
	return string(b[:])
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
// chance, one in a million texts in the same format passes, and one in a thousand random UUIDs,
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
	textLength = 29
	uuidLength = 36

	mask48   = 1<<48 - 1
	maskText = 1<<15 - 1
	maskUUID = 1<<10 - 1

	digits32 = "0123456789abcdefghjkmnpqrstvwxyz"
)

var values32 = func() (values [256]int8) {
	for i := range values {
		values[i] = -1
	}
	for i := range digits32 {
		values[digits32[i]] = int8(i)
	}
	return values
}()

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

func put32(b []byte, value uint64) {
	for i := len(b) - 1; i >= 0; i-- {
		b[i] = digits32[value&31]
		value >>= 5
	}
}

func read32(s string) (value uint64, ok bool) {
	for i := range len(s) {
		digit := values32[s[i]]
		if digit < 0 {
			return 0, false
		}
		value = value<<5 | uint64(digit)
	}
	return value, true
}

func parseText(s string) (ID, bool) {
	if s[:2] != textPrefix {
		return ID{}, false
	}
	run, ok1 := read32(s[2:12])
	instance, ok2 := read32(s[12:16])
	sequence, ok3 := read32(s[16:26])
	check, ok4 := read32(s[26:])
	if !ok1 || !ok2 || !ok3 || !ok4 || run > mask48 || instance > 1<<16-1 || sequence > mask48 {
		return ID{}, false
	}
	id := ID{Run: run, Instance: uint16(instance), Sequence: sequence}
	return id, check == id.check()&maskText
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
