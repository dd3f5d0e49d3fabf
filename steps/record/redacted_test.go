package record

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
)

const (
	secret = "client/secret+of=an \"account\" that is known"
	token  = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI5MyJ9.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg"
)

// ours lists the fields of a record whose text comes from the suite, and never from a target.
var ours = map[string]bool{
	"Record.Rule": true, "Record.Name": true, "Entry.Role": true, "Fact.Kind": true, "Obstacle.Kind": true, "Obstacle.Control": true,
	"Exchange.Party": true, "Exchange.ClientCertificate": true,
}

// filled sets every string of a value that can come from a target.
func filled(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		filled(v.Elem(), text)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && !ours[v.Type().Name()+"."+f.Name] {
				filled(v.Field(i), text)
			}
		}
	case reflect.String:
		v.SetString(text)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte(text))
			return
		}
		filled(v.Index(0), text)
	case reflect.Map:
		v.Set(reflect.ValueOf(http.Header{"X-Anything": {text}, text: {"x"}}))
	}
}

// A redacted record contains no known secret, in whichever field and encoding a target echoes it.
func TestNoSecretSurvives(t *testing.T) {
	t.Parallel()
	in64 := base64.StdEncoding.EncodeToString
	quoted, err := json.Marshal(secret)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		text   string   // what a target echoes
		hidden []string // the parts of it that must be gone
	}{
		"whole":               {"you sent " + secret + "!", []string{secret, secret[:20], secret[20:]}},
		"a token":             {"Bearer " + token, []string{token, token[30:], "c2lnbmF0dXJlLW9m"}},
		"escaped for JSON":    {`{"m":` + string(quoted) + `}`, []string{string(quoted[1 : len(quoted)-1]), secret[:18]}},
		"escaped for a URL":   {url.QueryEscape(secret), []string{url.QueryEscape(secret), url.QueryEscape(secret)[:20]}},
		"a piece":             {"of " + secret[:20], []string{secret[:20]}},
		"the end of a token":  {token[len(token)-20:], []string{token[len(token)-20:]}},
		"in base64":           {in64([]byte(secret)), []string{in64([]byte(secret)), in64([]byte(secret))[4:20]}},
		"in base64, shifted":  {in64([]byte("id:" + secret)), []string{in64([]byte("id:" + secret))[8:24]}},
		"in base64, shifted2": {in64([]byte("i:" + secret)), []string{in64([]byte("i:" + secret))[8:24]}},
		"broken over lines":   {secret[:20] + "\r\n  " + secret[20:], []string{secret[:20], secret[20:]}},
	} {
		var known exchange.Redactor
		known.Add(secret, token)
		for _, redactor := range []*exchange.Redactor{&known, known.Disguise()} {
			var e [3]Entry
			filled(reflect.ValueOf(&e[0].Exchange).Elem(), c.text)
			filled(reflect.ValueOf(&e[1].Fact).Elem(), c.text)
			filled(reflect.ValueOf(&e[2].Obstacle).Elem(), c.text)
			whole := &Record{Rule: "r", Name: "n", Entries: e[:]}
			before, err := json.Marshal(whole)
			require.NoError(t, err)

			hidden := texts(reflect.ValueOf(whole.Redacted(redactor)), nil)
			require.NotEmpty(t, hidden)
			for _, text := range hidden {
				for _, no := range c.hidden {
					assert.NotContains(t, text, no, name)
				}
			}
			after, err := json.Marshal(whole)
			require.NoError(t, err)
			assert.JSONEq(t, string(before), string(after), "the original keeps its own")
			assert.Contains(t, strings.Join(texts(reflect.ValueOf(whole), nil), "\n"), c.hidden[0])
		}
	}
}

// texts appends all strings of a value.
func texts(v reflect.Value, all []string) []string {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			all = texts(v.Elem(), all)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return all
		}
		for i := range v.NumField() {
			all = texts(v.Field(i), all)
		}
	case reflect.String:
		all = append(all, v.String())
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return append(all, string(v.Bytes()))
		}
		for i := range v.Len() {
			all = texts(v.Index(i), all)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			all = texts(v.MapIndex(key), texts(key, all))
		}
	}
	return all
}
