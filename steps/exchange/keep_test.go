package exchange

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

func TestKeptCutsWhatTheTargetSent(t *testing.T) {
	t.Parallel()
	long := []byte(strings.Repeat("a", keptBody+5))
	header := http.Header{"A": {"1"}, "B": {strings.Repeat("b", keptHeader)}, "C": {"3", "4"}}
	e := Exchange{Party: API, Header: header, Body: long, ResponseHeader: header, ResponseBody: long}.Arrived().Kept()
	assert.Len(t, e.Body, keptBody+5, "what the suite sent can be sent again")
	assert.Equal(t, header, e.Header)
	assert.Len(t, e.ResponseBody, keptBody)
	assert.Equal(t, 5, e.LeftOut)
	assert.Equal(t, http.Header{"A": {"1"}, "C": {"3", "4"}, "(lines left out)": {"1"}}, e.ResponseHeader)
	assert.Equal(t, e, e.Kept(), "once is enough")

	many := http.Header{"Content-Type": {"application/json; charset=utf-8"}}
	for i := range keptHeader {
		many[fmt.Sprintf("X-%d", i)] = []string{"a"}
	}
	e = Exchange{Party: API, ResponseHeader: many}.Arrived()
	assert.Equal(t, many["Content-Type"], e.ResponseHeader["Content-Type"], "it is judged")
	assert.LessOrEqual(t, sizeOf(e.ResponseHeader), keptHeader+100)

	e = Exchange{Party: Webhook, Body: long, ResponseBody: long}.Kept()
	assert.Len(t, e.Body, keptBody)
	assert.Len(t, e.ResponseBody, keptBody+5)

	small := Exchange{Party: API, ResponseBody: []byte("{}"), ResponseHeader: http.Header{"A": {"1"}}}
	assert.Equal(t, small, small.Kept())
}

// Of a long header the shortest lines are kept, of equal ones those whose names come first, whatever their order.
func TestArrivedKeepsTheShortestLines(t *testing.T) {
	t.Parallel()
	header := http.Header{"Content-Type": {"application/json; charset=utf-8"}, "A": {"1", "2"}, "Location": {strings.Repeat("l", keptHeader)}}
	for i := range 1000 {
		header[fmt.Sprintf("X-%04d", i)] = []string{"a"}
		header[fmt.Sprintf("Long-%04d", i)] = []string{"a", "b"}
	}
	want := http.Header{"Content-Type": header["Content-Type"], "A": {"1", "2"}}
	room := keptHeader - sizeOf(want)
	for i := 0; room >= lineOverhead+len("X-0000a"); i++ {
		want[fmt.Sprintf("X-%04d", i)] = []string{"a"}
		room -= lineOverhead + len("X-0000a")
	}
	want["(lines left out)"] = []string{fmt.Sprint(1 + 3 + 3000 - len(want) - 1)}
	for range 20 {
		assert.Equal(t, want, Exchange{Party: API, ResponseHeader: header}.Arrived().ResponseHeader)
	}
}

// A body that cannot be parsed is cut when it arrives; others stay whole to be judged.
func TestArrivedCutsWhatCannotBeParsed(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	list := `{"data":[` + strings.Repeat(`{"id":1,"value":"10.00"},`, 2000) + `{}]}`
	for name, c := range map[string]struct {
		body              string
		ofAnswer, ofEvent int // bytes that are kept; 0 for all
	}{
		"a long list":                   {list, 0, keptJunk},
		"a long text":                   {`"` + long + `"`, 0, 0},
		"brackets in a text":            {`"` + strings.Repeat(`[\"{1`, 50_000) + `"`, 0, 0},
		"a short body":                  {"{", 0, 0},
		"no JSON":                       {long, keptBody, keptJunk},
		"a number of a million digits":  {`{"value":` + strings.Repeat("7", 1<<20) + `}`, keptBody, keptJunk},
		"a nesting of a million levels": {strings.Repeat("[", 1<<20), keptBody, keptJunk},
		"a million values":              {"[" + strings.Repeat("0,", 1<<20) + "0]", keptBody, keptJunk},
		"values for an event":           {"[" + strings.Repeat("0,", mostValuesOfEvent) + "0]", 0, keptJunk},
		"not UTF-8":                     {`"\xff` + long + `"`, keptBody, keptJunk},
		"a text that ends":              {`"` + long, keptBody, keptJunk},
	} {
		body := []byte(c.body)
		for _, e := range []Exchange{{Party: API, ResponseBody: body}, {Party: Webhook, Body: body}} {
			kept, most := e.Arrived(), c.ofAnswer
			if e.Party == Webhook {
				most = c.ofEvent
			}
			got := append(kept.Body, kept.ResponseBody...)
			if most == 0 {
				most = len(body)
			}
			assert.Len(t, got, most, "%s: %s", name, e.Party)
			assert.LessOrEqual(t, cap(got), most+most/4+64, "nothing else stays in memory: %s", name)
			assert.Equal(t, len(body)-most, kept.LeftOut, name)
			assert.Equal(t, kept, kept.Arrived(), "once is enough")
		}
	}
	whole := Exchange{Party: API, ResponseBody: []byte(list), Truncated: true}
	assert.Len(t, whole.Arrived().ResponseBody, keptBody, "what goes on cannot be read")
	tooMany := []byte(`{"data":[` + strings.Repeat(`{"id":1,"value":"10.00"},`, mostValues) + `{}]}`)
	allocated := testing.AllocsPerRun(10, func() { Exchange{Party: API, ResponseBody: tooMany}.Arrived() })
	assert.Less(t, allocated, 20.0, "looking at what is too much takes no memory")
	value := Exchange{Party: API, ResponseBody: []byte(list)}.Arrived()
	assert.NotNil(t, value.value)
	assert.Nil(t, value.Kept().value)
	assert.Equal(t, value.value, (&Exchange{Party: API, ResponseBody: []byte(list)}).Value())
}

func TestBodiesAreCutBetweenCharacters(t *testing.T) {
	t.Parallel()
	for n := range 8 {
		assert.True(t, utf8.Valid(Beginning([]byte("aé€😀"), n)), n)
	}
	assert.Len(t, Beginning(bytes.Repeat([]byte{0x80}, 100), 50), 46, "what is no text is cut somewhere")
}
