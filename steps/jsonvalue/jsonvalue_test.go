package jsonvalue

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func decoded(t *testing.T, text string) any {
	t.Helper()
	v, err := Decode([]byte(text))
	require.NoError(t, err, text)
	return v
}

func TestDecodeIsStrict(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", " ", "x", `{"a":1,"a":2}`, `1 2`, `"` + "\xff" + `"`, `1e101`} {
		_, err := Decode([]byte(text))
		assert.Error(t, err, text)
	}
}

func TestDecodeClear(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		value   any
		unclear bool
	}{
		`{"a":1,"b":"x"}`:                {map[string]any{"a": json.Number("1"), "b": "x"}, false},
		`{"a":1,"b":2,"a":3}`:            {map[string]any{"b": json.Number("2")}, true},
		`{"a":1,"a":1}`:                  {map[string]any{"a": json.Number("1")}, true},
		`{"in":{"a":"x\ud800","b":"y"}}`: {map[string]any{"in": map[string]any{"b": "y"}}, true},
		`{"a":"\ud83d\ude00"}`:           {map[string]any{"a": "😀"}, false},
		`{"a":`:                          {nil, false},
	} {
		value, unclear := DecodeClear([]byte(text))
		assert.Equal(t, want.value, value, text)
		assert.Equal(t, want.unclear, unclear, text)
	}
}

func TestLookup(t *testing.T) {
	t.Parallel()
	v := decoded(t, `{"data":[{"a":{"X-B":null}},[7]],"n":{"":1}}`)
	for path, want := range map[string]string{
		"":              `{"data":[{"a":{"X-B":null}},[7]],"n":{"":1}}`,
		"data[0].a.X-B": `null`,
		"data[1][0]":    `7`,
		"data[0].a":     `{"X-B":null}`,
	} {
		got, ok := Lookup(v, path)
		require.True(t, ok, path)
		assert.True(t, Equal(decoded(t, want), got), path)
	}
	for _, path := range []string{"data[2]", "data[-1]", "data[x]", "data[0].b", "data.a", "data[0].a.X-B.c", "x", "data[1][0].y"} {
		_, ok := Lookup(v, path)
		assert.False(t, ok, path)
	}
	_, ok := Lookup(nil, "a")
	assert.False(t, ok)
}

func TestText(t *testing.T) {
	t.Parallel()
	v := decoded(t, `{"a":"x","n":10.00,"b":true,"null":null,"o":{"X-B":[2.0,null]}}`)
	for path, want := range map[string]string{"a": "x", "n": "10.00", "b": "true", "null": "", "none": "", "o": `{"X-B":[2.0,null]}`} {
		assert.Equal(t, want, Text(v, path), path)
	}
}

func TestItems(t *testing.T) {
	t.Parallel()
	v := decoded(t, `{"a":[1,2],"o":{}}`)
	assert.Len(t, Items(v, "a"), 2)
	assert.Nil(t, Items(v, "o"))
	assert.Nil(t, Items(v, "none"))
}

func TestEqual(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b  string
		equal bool
	}{
		{`1`, `1.0`, true}, {`1e1`, `10`, true}, {`1`, `2`, false}, {`1`, `"1"`, false}, {`"1"`, `1`, false},
		{`null`, `null`, true}, {`null`, `false`, false}, {`"a"`, `"a"`, true}, {`true`, `true`, true},
		{`{"a":1,"b":[2]}`, `{"b":[2.0],"a":1}`, true}, {`{"a":1}`, `{"a":1,"b":2}`, false}, {`{"a":1}`, `{"b":1}`, false},
		{`{"a":null}`, `{}`, false}, {`{"a":null}`, `{"b":null}`, false}, {`{}`, `[]`, false}, {`[]`, `{}`, false},
		{`[1,2]`, `[2,1]`, false}, {`[1]`, `[1,1]`, false}, {`[]`, `[]`, true}, {`[]`, `null`, false},
	} {
		assert.Equal(t, c.equal, Equal(decoded(t, c.a), decoded(t, c.b)), "%s and %s", c.a, c.b)
	}
}

func TestRatio(t *testing.T) {
	t.Parallel()
	r, ok := Ratio("10.50")
	require.True(t, ok)
	assert.Equal(t, "21/2", r.String())
	_, ok = Ratio("")
	assert.False(t, ok)
}

func TestFound(t *testing.T) {
	t.Parallel()
	v := decoded(t, `{"a":"x","n":10.00,"null":null,"list":[1,2],"empty":[],"o":{"b":1}}`)
	for path, want := range map[string]string{
		"a": `"x"`, "n": "10.00", "null": "null", "list": "a list of 2 items", "empty": "[]", "o": `{"b":1}`, "none": "absent",
	} {
		assert.Equal(t, want, Find(v, path).String(), path)
	}
	assert.Contains(t, Found{Value: func() {}, Present: true}.String(), "0x", "what JSON cannot hold")
}
