package world

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/brcode"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/verdict"
)

// sends is what a field of a cash-out holds when a feature spells it so.
func (th *testStage) sends(before, field, spelled string) (string, verdict.Verdict) {
	th.t.Helper()
	w, r := th.play(th.script("Given an account with R$ 500.00 available\n" + before + "\nWhen the account sends a cash-out with " + field + " " + spelled))
	if r.Verdict != verdict.Pass {
		return r.Finding.Got, r.Verdict
	}
	var body map[string]json.RawMessage
	require.NoError(th.t, json.Unmarshal(w.Judge.It().Body, &body))
	return string(body[field]), verdict.Pass
}

func TestValues(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	for spelled, want := range map[string]string{
		`10.00`:                             `10\.00`,
		`"x & <y>"`:                         `"x & <y>"`,
		`{"a": 1}`:                          `{"a":1}`,
		`absent`:                            ``,
		`a string of 3 characters`:          `"xxx"`,
		`a string of 2 accented characters`: `"ãã"`,
		`a random string of 26 letters and digits`:       `"[a-zA-Z0-9]{26}"`,
		`a random string of 30 characters with a hyphen`: `"[a-zA-Z0-9]{19}-[a-zA-Z0-9]{10}"`,
		`a random UUID`:                                `"[0-9a-f-]{36}"`,
		`a random string of 14 digits`:                 `"00\d{12}"`,
		`a random e-mail`:                              `"payee-test-\d+@payee\.example"`,
		`a key of 77 characters`:                       `"[a-zA-Z0-9]{63}@payee\.example"`,
		`a random end-to-end id`:                       `"E60701190\d{12}[a-zA-Z0-9]{11}"`,
		`that key`:                                     `"payee-test-\d+@payee\.example"`,
		`that document`:                                `"52998224725"`,
		`the account's key`:                            `"11111111-.*"`,
		`the payee's key`:                              `"payee-test-.*"`,
		`the account's clientId`:                       `"00000000-.*"`,
		`a URL with a query`:                           `"https://127.0.0.1:\d+/w/test/\d+\?tenant=pixcert&step=1%202"`,
		`a URL with capitals`:                          `"https://127.0.0.1:\d+/w/test/\d+/PIX/WebHook-Aa"`,
		`a URL with an escaped path`:                   `"https://127.0.0.1:\d+/w/test/\d+/a%20b/c%2Fd/%C3%A7"`,
		`a URL with a trailing slash`:                  `"https://127.0.0.1:\d+/w/test/\d+/"`,
		`a URL of 60 characters`:                       `"https://127.0.0.1:.{42}"`,
		`a new URL`:                                    `"https://127.0.0.1:\d+/w/test/\d+"`,
		`now`:                                          `"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"`,
		`2 hours ago`:                                  `"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"`,
		`2 hours ago at UTC+05:30`:                     `"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+05:30"`,
		`the date 2 days from now`:                     `"\d{4}-\d\d-\d\d"`,
		`2 pairs`:                                      `{"key01":"1","key02":"2"}`,
		`a list of 2`:                                  `\[{"key":"X-Pixcert-1","value":"1"},{"key":"X-Pixcert-2","value":"2"}\]`,
		`000201 followed by 3 letters`:                 `"000201xxx"`,
		`the code of its own charge`:                   `"000201cash-in-\d+"`,
		`its endToEndId`:                               `"E60701190\d{12}[a-zA-Z0-9]{11}"`,
		`its endToEndId without the last character`:    `"E60701190\d{12}[a-zA-Z0-9]{10}"`,
		`its endToEndId plus one letter`:               `"E60701190\d{12}[a-zA-Z0-9]{11}x"`,
		`its endToEndId with X as the first character`: `"X60701190\d{12}[a-zA-Z0-9]{11}"`,
		`its endToEndId with a hyphen as the last character`: `"E60701190\d{12}[a-zA-Z0-9]{10}-"`,
		`its clientSecret with the case swapped`:             `"sECRET-OF-ACCOUNT-\d+"`,
		`the first half of its clientSecret`:                 `"Secret-of-?"`,
		`its clientSecret plus one letter`:                   `"Secret-of-account-\d+x"`,
	} {
		got, v := th.sends("", "description", spelled)
		require.Equal(t, verdict.Pass, v, "%s: %s", spelled, got)
		assert.Regexp(t, regexp.MustCompile("^"+want+"$"), got, spelled)
	}
	const paid = "And the account has sent a cash-out of R$ 1.00"
	for spelled, want := range map[string]string{
		`the account's externalId`:                       `"Order-test-\d+"`,
		`the account's externalId with the case swapped`: `"oRDER-TEST-\d+"`,
		`the account's externalId plus one letter`:       `"Order-test-\d+x"`,
		`the account's first externalId`:                 `"Order-test-\d+"`,
		`the status returned`:                            `"PENDING"`,
		`the payee's key`:                                `"payee-test-\d+@payee\.example"`,
	} {
		got, v := th.sends(paid, "description", spelled)
		require.Equal(t, verdict.Pass, v, "%s: %s", spelled, got)
		assert.Regexp(t, regexp.MustCompile("^"+want+"$"), got, spelled)
	}
	const threeTimes = "And the account has sent a cash-out with details.name \"one\"\nAnd the account has sent a cash-out with details.name \"two\"\nAnd the account has sent a cash-out with details.name \"one\""
	for spelled, want := range map[string]string{
		"the account's details.name": `"one"`, "the account's second details.name": `"two"`,
		"the account's first details.name without the last character": `"on"`,
	} {
		got, _ := th.sends(threeTimes, "description", spelled)
		assert.Equal(t, want, got, spelled)
	}
	_, v := th.sends(threeTimes, "description", "the account's third details.name")
	assert.Equal(t, verdict.SuiteError, v, "there are only two different ones")
	got, _ := th.sends("And the account has received R$ 1.00 through a cob", "description", "its endToEndId")
	assert.Regexp(t, `^"E607011905\d{22}"$`, got)
}

// A secret that is nearly the account's is as secret as that.
func TestWhatIsNearlyASecretIsOne(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	got, _ := th.sends("", "description", "its clientSecret plus one letter")
	assert.NotContains(t, th.stage.Secrets.Text(got), "Secret")
	w := New(th.stage, Script{})
	defer w.Close()
	w.actors[0] = &actor{w: w}
	_, err := nearSecret(w, "its clientSecret with the case swapped")
	assert.ErrorContains(t, err, "has no letters")
	_, err = textOf(t.Context(), w, language.Value{Kind: language.OwnKey})
	require.ErrorContains(t, err, "set accounts[].pixKey in the profile")
	_, err = textOf(t.Context(), w, language.Value{Kind: language.SplitsOf})
	assert.ErrorContains(t, err, "unknown kind of value")
}

func TestCodes(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	code := func(spelled string) string {
		got, v := th.sends("", "description", spelled)
		require.Equal(t, verdict.Pass, v, "%s: %s", spelled, got)
		var s string
		require.NoError(t, json.Unmarshal([]byte(got), &s))
		return s
	}
	sealed := func(s string) bool { return len(s) > 8 && s == brcode.Seal(brcode.Unsealed(s)) }
	for spelled, holds := range map[string]func(string) bool{
		"a static code":                         func(s string) bool { return sealed(s) && strings.Contains(s, "@payee.example") },
		"a dynamic code":                        func(s string) bool { return sealed(s) && strings.Contains(s, "pix.example.com/Tt") },
		"a static code of R$ 10.00":             func(s string) bool { return sealed(s) && strings.Contains(s, "540510.00") },
		"a static code of 512 characters":       func(s string) bool { return sealed(s) && len(s) == 512 },
		"a static code that starts with 000202": func(s string) bool { return sealed(s) && strings.HasPrefix(s, "000202") },
		"a static code for São João":            func(s string) bool { return sealed(s) && strings.Contains(s, "5908São João") },
		"a dynamic code cut in half":            func(s string) bool { return !sealed(s) && strings.HasPrefix(s, "000201") },
		"a static code with a wrong CRC":        func(s string) bool { return !sealed(s) && brcode.Body(s)+brcode.Checksum(brcode.Body(s)) != s },
		"a static code with a changed amount":   func(s string) bool { return !sealed(s) && strings.Contains(s, "54042.00") },
		"a static code whose CRC starts with 0": func(s string) bool { return sealed(s) && s[len(s)-4] == '0' },
	} {
		assert.True(t, holds(code(spelled)), "%s: %s", spelled, code(spelled))
	}
	assert.NotEqual(t, code("a static code"), code("a static code"), "nobody has used it")
}

func TestSplits(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	for spelled, want := range map[string]string{
		"R$ 4.00 and R$ 6.00":        `FIXED 4.00 false, FIXED 6.00 false`,
		"50% and R$ 5.00, immediate": `PERCENTAGE 50 true, FIXED 5.00 true`,
		"33.33%, 33.33% and 33.34%":  `PERCENTAGE 33.33 false, PERCENTAGE 33.33 false, PERCENTAGE 33.34 false`,
		"2 splits of R$ 0.01":        `FIXED 0.01 false, FIXED 0.01 false`,
	} {
		raw, _ := th.sends("", "splits", spelled)
		var splits []struct {
			Type      string
			Value     json.Number
			Immediate bool
		}
		require.NoError(t, json.Unmarshal([]byte(raw), &splits))
		var got []string
		for _, split := range splits {
			got = append(got, split.Type+" "+split.Value.String()+map[bool]string{true: " true", false: " false"}[split.Immediate])
		}
		assert.Equal(t, want, strings.Join(got, ", "))
	}
}

func TestBodies(t *testing.T) {
	t.Parallel()
	body := object{"a": literal("1"), "o": object{"b": text("x"), "c": text("y")}, "l": list{object{"d": literal("1")}, object{"d": literal("2")}}}
	before := string(encoded(body))
	for path, want := range map[string]string{
		"a":      `{"a":9,"l":[{"d":1},{"d":2}],"o":{"b":"x","c":"y"}}`,
		"new":    `{"a":1,"l":[{"d":1},{"d":2}],"new":9,"o":{"b":"x","c":"y"}}`,
		"o.b":    `{"a":1,"l":[{"d":1},{"d":2}],"o":{"b":9,"c":"y"}}`,
		"l[1].d": `{"a":1,"l":[{"d":1},{"d":9}],"o":{"b":"x","c":"y"}}`,
		"l[0].e": `{"a":1,"l":[{"d":1,"e":9},{"d":2}],"o":{"b":"x","c":"y"}}`,
	} {
		changed, err := body.with(path, literal("9"))
		require.NoError(t, err, path)
		assert.Equal(t, want, string(encoded(changed)), path)
		assert.Equal(t, before, string(encoded(body)), "what it was made from stays")
	}
	without, err := body.with("o.c", nil)
	require.NoError(t, err)
	assert.JSONEq(t, `{"a":1,"l":[{"d":1},{"d":2}],"o":{"b":"x"}}`, string(encoded(without)))
	for _, path := range []string{"n.b", "a.b", "l[2].d", "l[x].d", "o[0].b"} {
		_, err := body.with(path, literal("9"))
		assert.Error(t, err, path)
	}
	assert.Panics(t, func() { encoded(object{"a": literal("{")}) })
}

// What a feature spells as JSON can be changed like the rest.
func TestSpelledBodiesAreOpened(t *testing.T) {
	t.Parallel()
	body := object{"l": literal(`[{"d": 1}, {"d": 2}, {"d": 3}, {"d": 4}]`), "n": literal("[]"), "s": text("x")}
	changed, err := body.with("l[3].d", literal("9"))
	require.NoError(t, err)
	assert.JSONEq(t, `[{"d": 1}, {"d": 2}, {"d": 3}, {"d": 9}]`, string(encoded(changed["l"])))
	for path, want := range map[string][]string{
		"l[each].d": {"l[0].d", "l[1].d", "l[3].d"},
		"l[0].d":    {"l[0].d"},
	} {
		places, err := body.places(path)
		require.NoError(t, err)
		assert.Equal(t, want, places)
	}
	for _, path := range []string{"n[each].d", "s[each].d", "none[each].d"} {
		_, err := body.places(path)
		assert.ErrorIs(t, err, errNoField, path)
	}
}

func TestChangesLeaveTheRequestBeforeAlone(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	w, _ := th.passes("Given an account")
	r := w.the().valid("split cash-in")
	before := string(encoded(r.body))
	changed, err := r.changed(t.Context(),
		language.Change{Name: "splits[0].name", Value: language.Value{Kind: language.Absent}},
		language.Change{Where: language.Header, Name: "X-Test", Value: language.Value{Kind: language.Text, Text: "y"}},
		language.Change{Where: language.Query, Name: "page", Value: language.Value{Kind: language.Text, Text: "2"}},
		language.Change{Where: language.Path, Name: "txid", Value: language.Value{Kind: language.Text, Text: "t"}})
	require.NoError(t, err)
	assert.Equal(t, before, string(encoded(r.body)))
	assert.Empty(t, r.header.Get("X-Test"))
	assert.Empty(t, r.query)
	assert.Empty(t, r.parameters)
	assert.NotEqual(t, before, string(encoded(changed.body)))
	assert.Equal(t, "y", changed.header.Get("X-Test"))
	assert.Equal(t, "/api/pix/cash-in?page=2", changed.path())
	again, err := changed.changed(t.Context(), language.Change{Where: language.Header, Name: "X-Test", Value: language.Value{Kind: language.Absent}})
	require.NoError(t, err)
	assert.Empty(t, again.header.Get("X-Test"))
}

func TestDocumentsHaveTheirCheckDigits(t *testing.T) {
	t.Parallel()
	assert.Equal(t, payee.document, withCheckDigits(payee.document[:9], []int{11, 10, 9, 8, 7, 6, 5, 4, 3, 2}))
	assert.Equal(t, "11222333000181", withCheckDigits("112223330001", []int{6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2}))
	for range 50 {
		assert.Regexp(t, `^0\d{10}$`, freshCPF("0"))
		assert.Regexp(t, `^1\d{13}$`, freshCNPJ("1"))
	}
	assert.NotEqual(t, freshCPF("1"), freshCPF("1"))
}

// --- tokens ---

func TestAuthorizations(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	const jwt = `ey[\w-]+\.ey[\w-]+\.[\w-]+`
	for token, want := range map[string]string{
		"no token":                                          `^$`,
		"a garbage token":                                   `^Bearer x\.y\.z$`,
		"its first token":                                   `^Bearer ` + jwt + `$`,
		"its token":                                         `^Bearer ` + jwt + `$`,
		"its token without a scheme":                        `^` + jwt + `$`,
		"its token in the Basic scheme":                     `^Basic ` + jwt + `$`,
		"its token with a different signature":              `^Bearer ` + jwt + `$`,
		"its token with a later expiry":                     `^Bearer ` + jwt + `$`,
		"its token with a different start of its signature": `^Bearer ` + jwt + `$`,
		"its token with a different end of its signature":   `^Bearer ` + jwt + `$`,
		"its token without the end of its signature":        `^Bearer ` + jwt + `$`,
		"its token without a signature":                     `^Bearer ey[\w-]+\.ey[\w-]+\.$`,
	} {
		w, sent := th.passes("Given an account\nAnd the account has a token\nWhen the account sends a balance request using " + token)
		got := sent[0].Header.Get("Authorization")
		assert.Regexp(t, want, got, token)
		switch token {
		case "its token", "its first token":
			assert.Equal(t, "Bearer "+w.the().firstToken, got)
			assert.Equal(t, http.StatusOK, sent[0].Status)
		default:
			assert.Equal(t, http.StatusUnauthorized, sent[0].Status, token)
		}
		if _, credentials, _ := strings.Cut(got, " "); len(credentials) > 10 {
			assert.NotContains(t, th.stage.Secrets.Text(got), credentials, "nearly a token is a secret too")
		}
	}
	w, sent := th.passes("Given an account\nAnd another account\nWhen the account sends a balance request using its token with the other account's claims")
	own, others := strings.Split(w.the().issued, "."), strings.Split(w.actors[1].issued, ".")
	assert.Equal(t, "Bearer "+own[0]+"."+others[1]+"."+own[2], sent[0].Header.Get("Authorization"))
	assert.Equal(t, http.StatusUnauthorized, sent[0].Status)
	_, sent = th.passes("Given an account\nWhen the account sends a token request\nAnd the account sends a balance request using the returned token")
	assert.Equal(t, http.StatusOK, sent[1].Status)
	th = newTestStage(t)
	th.gateway.Opaque()
	_, sent = th.passes("Given an account\nWhen the account sends a token request")
	token := jsonvalue.Text(sent[0].Answer, "access_token")
	assert.NotContains(t, th.stage.Secrets.Text("it was "+token), token, "one that no request to repeat under is secret too")
}

func TestForgedTokens(t *testing.T) {
	t.Parallel()
	encode := base64.RawURLEncoding.EncodeToString
	header, claims := encode([]byte(`{"alg":"HS256"}`)), encode([]byte(`{"sub":"a","exp":1}`))
	decoded := func(part string) string {
		b, err := base64.RawURLEncoding.DecodeString(part)
		require.NoError(t, err)
		return string(b)
	}
	middle := otherSignature(func(n int) int { return n / 2 })
	for signature, other := range map[string]string{"BBBB": "BBAB", "AAAA": "AAZA", "": "c2lnbA0dXJl"} {
		got := strings.Split(middle(header, claims, signature), ".")[2]
		if signature != "" {
			assert.Equal(t, other, got)
		}
		assert.NotEqual(t, signature, got)
	}
	assert.Equal(t, "a.b.ABBB", otherSignature(func(int) int { return 0 })("a", "b", "BBBB"))
	assert.Equal(t, "a.b.BB", cutShort("a", "b", "BBBB"))
	later := strings.Split(laterExpiry(header, claims, "s"), ".")
	assert.Regexp(t, `^{"exp":\d{10},"sub":"a"}$`, decoded(later[1]))
	assert.Equal(t, "s", later[2])
	none := strings.Split(unsigned("none")(header, claims, "s"), ".")
	assert.Equal(t, `{"alg":"none"}`, decoded(none[0]))
	assert.Equal(t, []string{claims, ""}, none[1:])
	for _, strange := range []string{encode([]byte("null")), encode([]byte("[]")), "%"} {
		assert.Equal(t, `{"alg":"none"}`, decoded(strings.Split(unsigned("none")(strange, claims, ""), ".")[0]))
	}
}

// Of a token that is not a JWT none can be forged, and one that no header can hold is of no use.
func TestTokensThatAreOfNoUse(t *testing.T) {
	t.Parallel()
	th := newTestStage(t)
	th.gateway.Opaque()
	_, r := th.play(th.script("Given an account\nWhen the account sends a balance request using its token without a signature"))
	assert.Equal(t, verdict.CouldNotTest, r.Verdict)
	assert.Contains(t, r.Finding.Got, "not a JWT")
	for body, says := range map[string]string{
		`{"access_token":"a\nb"}`: "control characters",
		`{"access_token":5}`:      "issued no token",
		`{}`:                      "issued no token",
	} {
		th.gateway.Spoil(func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path != "/api/auth/token" {
				return false
			}
			w.WriteHeader(http.StatusCreated)
			_, _ = w.Write([]byte(body))
			return true
		})
		_, r := th.play(th.script("Given an account\nWhen the account sends a balance request"))
		assert.Equal(t, verdict.CouldNotTest, r.Verdict)
		assert.Contains(t, r.Finding.Got, says)
	}
}

func TestAFieldOfALaterItem(t *testing.T) {
	t.Parallel()
	o := object{"splits": literal(`[{"name":"a","value":1.10},{"name":"b"}]`), "others": list{object{"name": text("c")}}}
	for _, c := range []struct{ path, value, want string }{
		{"splits[1].name", `"x"`, `{"others":[{"name":"c"}],"splits":[{"name":"a","value":1.10},{"name":"x"}]}`},
		{"splits[0].name", "", `{"others":[{"name":"c"}],"splits":[{"value":1.10},{"name":"b"}]}`},
		{"others[0].name", `"x"`, `{"others":[{"name":"x"}],"splits":[{"name":"a","value":1.10},{"name":"b"}]}`},
	} {
		var value any // left out
		if c.value != "" {
			value = literal(c.value)
		}
		changed, err := o.with(c.path, value)
		require.NoError(t, err, c.path)
		assert.JSONEq(t, c.want, string(encoded(changed)), c.path)
	}
	for _, path := range []string{"splits[2].name", "none[0].name"} {
		_, err := o.with(path, literal("1"))
		assert.ErrorIs(t, err, errNoField, path)
	}
	assert.JSONEq(t, `{"splits":[{"name":"a","value":1.10},{"name":"b"}],"others":[{"name":"c"}]}`, string(encoded(o)), "the original does not change")
}

func TestLeapYears(t *testing.T) {
	t.Parallel()
	for year, want := range map[int]int{2026: 2028, 2027: 2028, 2028: 2032, 2096: 2104} {
		assert.Equal(t, want, leapYearAfter(year), year)
	}
}
