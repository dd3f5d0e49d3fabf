package mutants

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestEdits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edit         edit
		before, then string
	}{
		"set":                        {set("a.b", `[1]`), `{"a":{"b":2,"c":3}}`, `{"a":{"b":[1],"c":3}}`},
		"set what is not there":      {set("a.b", `1`), `{}`, `{"a":{"b":1}}`},
		"set in an item":             {set("a[1].b", `1`), `{"a":[{},{}]}`, `{"a":[{},{"b":1}]}`},
		"set in every item":          {set("a[].b", `1`), `{"a":[{},{}]}`, `{"a":[{"b":1},{"b":1}]}`},
		"set in an item that is not": {set("a[2].b", `1`), `{"a":[{}]}`, `{"a":[{}]}`},
		"drop":                       {drop("a"), `{"a":1,"b":2}`, `{"b":2}`},
		"drop what is not there":     {drop("a"), `{"b":2}`, `{"b":2}`},
		"drop an item":               {drop("a[0]"), `{"a":[1,2]}`, `{"a":[2]}`},
		"rename":                     {rename("a", "b", "c"), `{"a":{"b":1}}`, `{"a":{"c":1}}`},
		"rename the whole":           {rename("", "b", "c"), `{"b":1}`, `{"c":1}`},
		"quoted":                     {quoted("a", "b"), `{"a":10.00,"b":"x"}`, `{"a":"10.00","b":"x"}`},
		"times":                      {times("a", 1, 100), `{"a":10}`, `{"a":0.10}`},
		"plus":                       {plus("a", -1), `{"a":"10.00"}`, `{"a":"9.99"}`},
		"plus what is null":          {plus("a", 1), `{"a":null}`, `{"a":null}`},
		"plus what is not there":     {plus("a", 1), `{}`, `{}`},
		"rounded":                    {rounded("a", 10), `{"a":1.29}`, `{"a":1.20}`},
		"binary":                     {binary("a"), `{"a":0.29}`, `{"a":0.28}`},
		"binary where it is exact":   {binary("a"), `{"a":0.25}`, `{"a":0.25}`},
		"sum":                        {sum("a", "b", "c"), `{"b":0.10,"c":0.20}`, `{"a":0.30,"b":0.10,"c":0.20}`},
		"cut":                        {cut("a", 2), `{"a":"ãõé"}`, `{"a":"ãõ"}`},
		"replaced in a list":         {replaced("a", "x", "y"), `{"a":["x","xx"]}`, `{"a":["y","yy"]}`},
		"prefixed":                   {prefixed("a", "x"), `{"a":"b"}`, `{"a":"xb"}`},
		"prefixed what is not there": {prefixed("a", "x"), `{}`, `{}`},
		"stamped":                    {stamped(time.RFC3339, saoPaulo), `{"a":["2026-03-01T12:00:00.5Z","x"]}`, `{"a":["2026-03-01T09:00:00-03:00","x"]}`},
		"later, a moment":            {later(-time.Hour), `{"now":"2026-03-01T12:00:00Z"}`, `{"now":"2026-03-01T11:00:00Z"}`},
		"later, a duration":          {later(-time.Minute), `{"advance":"1801s"}`, `{"advance":"29m1s"}`},
		"code":                       {code("X"), `{"code":"A","errorCode":"A"}`, `{"code":"X","errorCode":"X"}`},
		"code without errorCode":     {code("X"), `{"code":"A"}`, `{"code":"X"}`},
		"status":                     {status(404), `{"statusCode":400,"error":"Bad Request"}`, `{"error":"Not Found","statusCode":404}`},
		"status of a success":        {status(202), `{"id":1}`, `{"id":1}`},
		"listed":                     {listed("a"), `{"a":"x"}`, `{"a":["x"]}`},
		"joined":                     {joined("a"), `{"a":["x","y"]}`, `{"a":"x; y"}`},
		"firstOf":                    {firstOf("a"), `{"a":["x","y"]}`, `{"a":["x"]}`},
		"unlisted":                   {at("a", onlyItem), `{"a":[1]}`, `{"a":1}`},
		"doubled":                    {doubled("a[0]"), `{"a":[1]}`, `{"a":[1,1]}`},
		"withoutZeros of a text":     {retold("a", withoutZeros), `{"a":"10.50"}`, `{"a":"10.5"}`},
		"inSaoPaulo":                 {retold("a", inSaoPaulo), `{"a":"2026-03-01T12:00:00Z"}`, `{"a":"2026-03-01T09:00:00Z"}`},
		"trimmed":                    {trimmed("a"), `{"a":100.00}`, `{"a":100}`},
		"onceByURL":                  {onceByURL, `{"webhooks":[{"url":"a"},{"url":"a","b":1},{"url":"c"}],"total":3}`, `{"total":2,"webhooks":[{"url":"a"},{"url":"c"}]}`},
		"body":                       {body(`{}`), `{"a":1}`, `{}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := message{body: []byte(c.before)}
			assert.Equal(t, c.then, string(before.edited([]edit{c.edit}).body))
			assert.Equal(t, c.before, string(before.body), "the message itself stays as it is")
		})
	}
}

func TestHeadersAreEditedInACopy(t *testing.T) {
	t.Parallel()
	before := message{header: http.Header{"X-A": {"1"}, "Accept": {"*/*"}}}
	for name, c := range map[string]struct {
		edit edit
		then http.Header
	}{
		"set":           {header("x-a", "2"), http.Header{"x-a": {"2"}, "Accept": {"*/*"}}},
		"taken away":    {withoutHeaders(`^X-`), http.Header{"Accept": {"*/*"}}},
		"small letters": {lowerHeaders, http.Header{"X-A": nil, "x-a": {"1"}, "Accept": nil, "accept": {"*/*"}}},
		"under a token": {bearer("t"), http.Header{"X-A": {"1"}, "Accept": {"*/*"}, "Authorization": {"Bearer t"}}},
		"encoded":       {encodedHeaders, http.Header{"X-A": {"1%20"}, "Accept": {"*/*"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, c.then, before.edited([]edit{c.edit}).header)
			assert.Equal(t, http.Header{"X-A": {"1"}, "Accept": {"*/*"}}, before.header)
		})
	}
}

func TestConditions(t *testing.T) {
	t.Parallel()
	c := &call{message: message{
		path:   "/cob/abc",
		header: http.Header{"Content-Type": {"text/plain"}},
		body:   []byte(`{"value":1.230,"none":null,"name":"` + strings.Repeat("ã", 141) + `","list":[1,2]}`),
	}}
	refusal := &answer{message: message{status: 400, body: []byte(`{"code":"X","total":3}`)}}
	for name, held := range map[string]struct {
		condition condition
		want      bool
	}{
		"sent, as it is written":  {sent("value", `1.23`, `1.230`), true},
		"sent, written otherwise": {sent("value", `1.23`), false},
		"sent null":               {sent("none", `null`), true},
		"sent at all":             {sent("none"), true},
		"unsent":                  {unsent("other"), true},
		"matching":                {matching("name", `^ã+$`), true},
		"matching no text":        {matching("value", `.`), false},
		"longer, in characters":   {longer("name", 140), true},
		"not longer":              {longer("name", 141), false},
		"items":                   {items("list", 1), true},
		"written":                 {written(`"value":\d\.`), true},
		"not JSON":                {notJSON, false},
		"under":                   {under("Content-Type", `^text`), true},
		"under none":              {under("Authorization", `^$`), true},
		"refused as":              {refusedAs("Y", "X"), true},
		"refused as another":      {refusedAs("Y"), false},
		"accepted":                {accepted, false},
		"was":                     {was(400), true},
		"told":                    {told("total", `^3$`), true},
		"all":                     {all(refused, was(400)), true},
		"not all":                 {all(refused, was(401)), false},
		"not":                     {not(accepted), true},
		"either":                  {either(accepted, was(400)), true},
		"neither":                 {either(accepted, was(401)), false},
		"lacking, null":           {lacking("none"), true},
		"lacking, not there":      {lacking("other"), true},
		"not lacking":             {lacking("list"), false},
		"pairs":                   {pairs("", 3), true},
		"no more pairs":           {pairs("", 4), false},
		"pairs of a list":         {pairs("list", 0), false},
		"on path":                 {onPath(`^/cob/.{3}$`), true},
		"on another path":         {onPath(`-`), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, held.want, held.condition(c, refusal))
		})
	}
	for name, asked := range map[string]condition{
		"accepted": accepted, "refused": refused, "was": was(400), "told": told("total", `.`),
	} {
		assert.False(t, asked(c, nil), "%s holds before there is an answer", name)
	}
}
