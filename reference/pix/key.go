package pix

import (
	"slices"
	"strings"
)

// KeyType says what a PIX key is (details.keyType of a cash-out).
type KeyType string

// The four types of key that a cash-out can pay to.
const (
	KeyDocument KeyType = "DOCUMENT"
	KeyEmail    KeyType = "EMAIL"
	KeyPhone    KeyType = "PHONE"
	KeyRandom   KeyType = "RANDOM"
)

// keyFormats is the table "Format of details.key by keyType": what a client may
// write, and how the directory spells the same key.
var keyFormats = map[KeyType]struct {
	description string
	matches     func(key string) bool
	canonical   func(key string) string
}{
	KeyDocument: {DocumentForm + ", digits only", IsDocument, asWritten},
	KeyEmail:    {"an e-mail address", isEmail, strings.ToLower},
	KeyPhone:    {"area code and number, 10 or 11 digits, without +55", isPhone, withCountryCode},
	KeyRandom:   {"a UUID, with or without hyphens", isUUID, hyphenated},
}

// KeyTypes lists the types of key in the order of the specification.
func KeyTypes() []KeyType { return []KeyType{KeyDocument, KeyEmail, KeyPhone, KeyRandom} }

// Valid says whether t is one of the four types.
func (t KeyType) Valid() bool { _, ok := keyFormats[t]; return ok }

// Format describes in words what a key of the type looks like.
func (t KeyType) Format() string { return keyFormats[t].description }

// Matches says whether key has the format that a cash-out asks of its type.
func (t KeyType) Matches(key string) bool {
	format, ok := keyFormats[t]
	return ok && format.matches(key)
}

// Canonical spells a key that Matches as the directory does: an e-mail address in
// lower case, a phone number with +55, a UUID in lower case with hyphens.
func (t KeyType) Canonical(key string) string {
	format, ok := keyFormats[t]
	if !ok {
		return key
	}
	return format.canonical(key)
}

// IsDirectoryKey says whether key is spelled as the directory spells keys: digits of
// a CPF or CNPJ, a lower-case e-mail address, +55 with area code and number, a
// lower-case UUID with hyphens.
func IsDirectoryKey(key string) bool {
	local, isBrazilian := strings.CutPrefix(key, countryCode)
	switch {
	case isBrazilian:
		return isPhone(local)
	case strings.Contains(key, "@"):
		return isEmail(key) && strings.ToLower(key) == key
	case strings.Contains(key, "-"):
		return isUUID(key) && hyphenated(key) == key
	}
	return IsDocument(key)
}

// DirectoryKeyForm describes in words what DirectoryKey accepts.
const DirectoryKeyForm = "a phone number with +55, area code and number, a CPF or CNPJ in digits, an e-mail address or a UUID with hyphens"

// DirectoryKey spells a key of any type as the directory does. It is false where s is no
// key: phone numbers have their +55 and UUIDs their hyphens.
func DirectoryKey(s string) (string, bool) {
	s = strings.ToLower(s)
	return s, IsDirectoryKey(s)
}

// IsUUIDv4 says whether s is a UUID v4, with letters in either case.
func IsUUIDv4(s string) bool {
	return len(s) == 36 && isUUID(s) && s[14] == '4' && strings.IndexByte("89abAB", s[19]) >= 0
}

// DirectoryKeys are the keys of the directory that somebody may mean who does not say of
// which type it is: eleven digits may be a CPF and a phone number. None means that it is
// no key.
func DirectoryKeys(written string) []string {
	var keys []string
	if key, ok := DirectoryKey(written); ok {
		keys = append(keys, key)
	}
	for _, t := range KeyTypes() {
		if !t.Matches(written) {
			continue
		}
		if key := t.Canonical(written); !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

const countryCode = "+55"

func asWritten(key string) string       { return key }
func withCountryCode(key string) string { return countryCode + key }

func isPhone(s string) bool { return (len(s) == 10 || len(s) == 11) && allDigits(s) }

// isUUID accepts any version: which one a directory hands out is its own business.
func isUUID(s string) bool {
	bare := s
	if len(s) == 36 {
		if s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
			return false
		}
		bare = withoutHyphens(s)
	}
	return len(bare) == 32 && all(bare, isHexDigit)
}

func withoutHyphens(uuid string) string {
	return uuid[:8] + uuid[9:13] + uuid[14:18] + uuid[19:23] + uuid[24:]
}

func hyphenated(uuid string) string {
	if len(uuid) == 32 {
		uuid = uuid[:8] + "-" + uuid[8:12] + "-" + uuid[12:16] + "-" + uuid[16:20] + "-" + uuid[20:]
	}
	return strings.ToLower(uuid)
}

// Bounds of an e-mail key; the directory takes no key longer than 77 characters.
const (
	maxKey   = 77
	maxLocal = 64
	maxLabel = 63
)

// isEmail accepts what the key directory accepts: an address of plain ASCII, without
// quotes or comments, at a domain of two labels or more.
func isEmail(s string) bool {
	local, domain, ok := strings.Cut(s, "@")
	if !ok || len(s) > maxKey || len(local) > maxLocal {
		return false
	}
	for atom := range strings.SplitSeq(local, ".") {
		if atom == "" || !all(atom, isAtomByte) {
			return false
		}
	}
	labels := 0
	for label := range strings.SplitSeq(domain, ".") {
		if !isDomainLabel(label) {
			return false
		}
		labels++
	}
	return labels >= 2
}

func isDomainLabel(s string) bool {
	return s != "" && len(s) <= maxLabel && s[0] != '-' && s[len(s)-1] != '-' &&
		all(s, func(c byte) bool { return isAlphanumeric(c) || c == '-' })
}

func isAtomByte(c byte) bool {
	return isAlphanumeric(c) || strings.IndexByte("!#$%&'*+/=?^_`{|}~-", c) >= 0
}

func isAlphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func isHexDigit(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func all(s string, is func(byte) bool) bool {
	for i := range len(s) {
		if !is(s[i]) {
			return false
		}
	}
	return true
}
