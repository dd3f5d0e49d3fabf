package data

import (
	"regexp"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var (
	uuidV4 = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	txID   = regexp.MustCompile(`^[a-zA-Z0-9]{26,35}$`)
)

func anyID() *rapid.Generator[ID] {
	return rapid.Custom(func(t *rapid.T) ID {
		return ID{
			Run:      rapid.Uint64Max(mask48).Draw(t, "run"),
			Instance: rapid.Uint16().Draw(t, "instance"),
			Sequence: rapid.Uint64Max(mask48).Draw(t, "sequence"),
		}
	})
}

func TestEverySpellingIsReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		id := anyID().Draw(t, "id")
		assert.Regexp(t, txID, id.ExternalID())
		assert.Regexp(t, uuidV4, id.UUID())
		for _, spelling := range []string{id.ExternalID(), id.UUID()} {
			got, ok := ParseID(spelling)
			if !ok || got != id {
				t.Fatalf("%q was read as %v, %t: expected %v", spelling, got, ok, id)
			}
		}
	})
}

func TestSpellingsStayAsTheyAre(t *testing.T) {
	t.Parallel()
	id := ID{Run: 0x123456789abc, Instance: 0xfedc, Sequence: 0x0123456789ab}
	first := ID{Run: 1}
	for _, c := range []struct{ want, got string }{
		{"px28t5cy4tqkzdr0938nkrkaxe40", id.ExternalID()},
		{"12345678-9abc-4883-bedc-0123456789ab", id.UUID()},
		{"px0000000004000000000000313r", first.ExternalID()},
	} {
		assert.Equal(t, c.want, c.got)
	}
}

// One character that is changed makes it nobody's id, or at worst another's: it is never
// read as the same, and hardly ever as any.
func TestADamagedSpellingIsNotTheID(t *testing.T) {
	t.Parallel()
	damaged, read := 0, 0
	source := NewSource(NewRun(), 7, 1)
	for range 200 {
		id := source.Next()
		for _, spelling := range []string{id.ExternalID(), id.UUID()} {
			for i := range spelling {
				b := []byte(spelling)
				if b[i]++; b[i] > 'z' {
					b[i] = '0'
				}
				damaged++
				if got, ok := ParseID(string(b)); ok {
					read++
					assert.NotEqual(t, id, got)
				}
			}
		}
	}
	assert.Less(t, read, damaged/200)
}

func TestTextsThatNoRunMade(t *testing.T) {
	t.Parallel()
	id := ID{Run: 5, Sequence: 6}
	for _, s := range []string{
		"", "px", "PX" + id.ExternalID()[2:], id.ExternalID() + "0", id.ExternalID()[1:], " " + id.ExternalID()[1:],
		"px" + "zzzzzzzzzz" + id.ExternalID()[12:], "qx" + id.ExternalID()[2:], id.ExternalID()[:27] + "\n", id.ExternalID()[:20] + "\n" + id.ExternalID()[20:],
		"00000000-0000-4000-8000-000000000000", "7f8d6a52-63b5-4f4e-9d80-0c6d3a0a9f11",
		"00000000000040008000000000000000", "0000000g-0000-4000-8000-000000000000",
		id.UUID()[:14] + "5" + id.UUID()[15:], id.UUID()[:19] + "0" + id.UUID()[20:],
	} {
		_, ok := ParseID(s)
		assert.False(t, ok, s)
	}
}

func FuzzParseID(f *testing.F) {
	id := ID{Run: 5, Instance: 1, Sequence: 6}
	f.Add(id.ExternalID())
	f.Add(id.UUID())
	f.Fuzz(func(t *testing.T, s string) {
		id, ok := ParseID(s)
		if ok && s != id.ExternalID() && s != id.UUID() && len(s) != uuidLength { // hex has two cases
			t.Fatalf("%q was read as %v, which is spelled otherwise", s, id)
		}
	})
}

func TestAnIDIsFoundInABrokenBody(t *testing.T) {
	t.Parallel()
	id, other := ID{Run: 5, Sequence: 6}, ID{Run: 9, Sequence: 7}
	for body, want := range map[string]bool{
		`{"externalId":"` + id.ExternalID() + `","sta`:                   true,
		`{"idempotencyKey":"` + id.UUID():                                true,
		other.ExternalID() + `{"` + other.UUID() + `"` + id.ExternalID(): true,
		id.ExternalID():                        true,
		`{"externalId":"` + other.ExternalID(): false,
		id.ExternalID()[:27]:                   false,
		"":                                     false,
	} {
		got, ok := FindID([]byte(body), 5)
		assert.Equal(t, want, ok, body)
		if want {
			assert.Equal(t, id, got, body)
		}
	}
}

func TestASourceRepeatsNoID(t *testing.T) {
	t.Parallel()
	run := NewRun()
	require.NotZero(t, run)
	require.LessOrEqual(t, run, uint64(mask48))
	require.NotEqual(t, run, NewRun())
	const users, each = 8, 500
	var mu sync.Mutex
	seen := map[string]bool{}
	var together sync.WaitGroup
	for instance := range uint16(2) {
		source := NewSource(run, instance, 1)
		for range users {
			together.Go(func() {
				for range each {
					id := source.Next()
					mu.Lock()
					seen[id.ExternalID()], seen[id.UUID()] = true, true
					mu.Unlock()
				}
			})
		}
	}
	together.Wait()
	assert.Len(t, seen, 2*2*users*each)
}
