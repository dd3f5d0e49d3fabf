package steps

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// found is a value of an answer or an event, as a table of expected fields meets it.
type found struct {
	value   any
	present bool
}

func (f found) String() string {
	if !f.present {
		return "absent"
	}
	if items, ok := f.value.([]any); ok && len(items) > 0 {
		return fmt.Sprintf("%d items", len(items))
	}
	b, err := json.Marshal(f.value)
	if err != nil {
		return fmt.Sprint(f.value)
	}
	return string(b)
}

// shapes are the phrases that say what a value must be, whatever the scenario.
var shapes = map[string]func(found) bool{
	"absent":     func(f found) bool { return !f.present },
	"present":    func(f found) bool { return f.present && f.value != nil },
	"null":       func(f found) bool { return f.present && f.value == nil },
	"a string":   func(f found) bool { _, ok := f.value.(string); return ok },
	"a text":     func(f found) bool { s, _ := f.value.(string); return s != "" },
	"texts":      func(f found) bool { return texts(f.value) > 0 },
	"a number":   func(f found) bool { _, ok := f.value.(json.Number); return ok },
	"a boolean":  func(f found) bool { _, ok := f.value.(bool); return ok },
	"an object":  func(f found) bool { _, ok := f.value.(map[string]any); return ok },
	"an array":   func(f found) bool { _, ok := f.value.([]any); return ok },
	"empty":      func(f found) bool { a, ok := f.value.([]any); return ok && len(a) == 0 },
	"not empty":  func(f found) bool { return notEmpty(f.value) },
	"a UUID":     func(f found) bool { return matches(uuidForm, f.value) },
	"a JWT":      func(f found) bool { s, _ := f.value.(string); return isJWT(s) },
	"a UTC time": func(f found) bool { return isUTC(f.value) },

	"masked":             func(f found) bool { return isMasked(f.value) },
	"a decimal text":     func(f found) bool { return matches(decimalForm, f.value) },
	"an EMV code":        func(f found) bool { s, _ := f.value.(string); return strings.HasPrefix(s, "000201") },
	"an image in Base64": func(f found) bool { return isImage(f.value) },
}

var (
	uuidForm = regexp.MustCompile(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
	utcForm  = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|\+00:00)$`)
	manyForm = regexp.MustCompile(`^(at least )?(\d+) (items?|texts)$`)

	decimalForm    = regexp.MustCompile(`^\d+\.\d{2}$`)
	charactersForm = regexp.MustCompile(`^(\d+) characters$`)
	codeForm       = regexp.MustCompile(`^a BR Code of R\$ (\d+\.\d{2})$`)
)

// shape finds the meaning of a phrase that does not depend on the scenario.
func shape(phrase string) (func(found) bool, bool) {
	if f, ok := shapes[phrase]; ok {
		return f, true
	}
	if m := manyForm.FindStringSubmatch(phrase); m != nil {
		want, _ := strconv.Atoi(m[2])
		count := items
		if m[3] == "texts" {
			count = texts
		}
		return func(f found) bool {
			n := count(f.value)
			return n == want || m[1] != "" && n > want
		}, true
	}
	if m := charactersForm.FindStringSubmatch(phrase); m != nil {
		return func(f found) bool { s, ok := f.value.(string); return ok && len([]rune(s)) == atoi(m[1]) }, true
	}
	if m := codeForm.FindStringSubmatch(phrase); m != nil {
		want, err := parseAmount(m[1])
		return func(f found) bool { return isCodeOf(f.value, want) }, err == nil
	}
	if amount, ok := strings.CutPrefix(phrase, "R$ "); ok {
		want, err := parseAmount(amount)
		return func(f found) bool { got, ok := amountOf(f.value); return ok && got == want }, err == nil
	}
	if value, err := decode([]byte(phrase)); err == nil {
		return func(f found) bool { return f.present && equal(f.value, value) }, true
	}
	return nil, false
}

func items(v any) int {
	a, ok := v.([]any)
	if !ok {
		return -1
	}
	return len(a)
}

// texts counts the entries of an array of texts; -1 when v is something else.
func texts(v any) int {
	a, ok := v.([]any)
	if !ok {
		return -1
	}
	for _, entry := range a {
		if s, _ := entry.(string); s == "" {
			return -1
		}
	}
	return len(a)
}

func notEmpty(v any) bool {
	switch v := v.(type) {
	case []any:
		return len(v) > 0
	case map[string]any:
		return len(v) > 0
	case string:
		return v != ""
	}
	return false
}

func matches(form *regexp.Regexp, v any) bool {
	s, ok := v.(string)
	return ok && form.MatchString(s)
}

// isUTC: ISO 8601 in UTC, marked Z or +00:00, with or without a fraction.
func isUTC(v any) bool {
	if !matches(utcForm, v) {
		return false
	}
	_, err := time.Parse(time.RFC3339Nano, v.(string))
	return err == nil
}

// isJWT: three base64url parts of which the first decodes to a JSON object.
func isJWT(s string) bool {
	parts := strings.Split(s, ".")
	if len(parts) != 3 {
		return false
	}
	for _, p := range parts {
		if _, err := base64.RawURLEncoding.DecodeString(p); err != nil {
			return false
		}
	}
	header, _ := base64.RawURLEncoding.DecodeString(parts[0])
	var members map[string]any
	return json.Unmarshal(header, &members) == nil && members != nil
}

func amountOf(v any) (centavos, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	c, err := parseAmount(n.String())
	return c, err == nil
}

// equal compares decoded JSON; numbers by their value, however they are written.
func equal(a, b any) bool {
	x, aNumber := a.(json.Number)
	y, bNumber := b.(json.Number)
	if aNumber && bNumber {
		return x == y || sameValue(x, y)
	}
	if am, ok := a.(map[string]any); ok {
		bm, ok := b.(map[string]any)
		if !ok || len(am) != len(bm) {
			return false
		}
		for k, v := range am {
			if w, ok := bm[k]; !ok || !equal(v, w) {
				return false
			}
		}
		return true
	}
	if as, ok := a.([]any); ok {
		bs, ok := b.([]any)
		if !ok || len(as) != len(bs) {
			return false
		}
		for i := range as {
			if !equal(as[i], bs[i]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}

func sameValue(x, y json.Number) bool {
	a, okA := ratio(x)
	b, okB := ratio(y)
	return okA && okB && a.Cmp(b) == 0
}
