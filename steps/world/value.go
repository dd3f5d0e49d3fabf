package world

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/pixcert/pixcert/steps/brcode"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/listing"
	"github.com/pixcert/pixcert/steps/record"
)

// value is the JSON of a value to send; nil if the field is left out.
func value(ctx context.Context, w *World, v language.Value) (any, error) {
	switch v.Kind {
	case language.Absent:
		return nil, nil
	case language.Literal:
		return v.JSON, nil
	case language.Twice:
		var both twice
		return both, json.Unmarshal(v.JSON, &both)
	case language.Headers:
		var headers []map[string]string
		for i := range v.N {
			headers = append(headers, map[string]string{"key": fmt.Sprintf("X-Pixcert-%d", i+1), "value": fmt.Sprint(i + 1)})
		}
		return encoded(headers), nil
	case language.Pairs:
		pairs := map[string]string{}
		for i := range v.N {
			pairs[fmt.Sprintf("key%02d", i+1)] = fmt.Sprint(i + 1)
		}
		return encoded(pairs), nil
	case language.SplitsOf:
		var splits list
		for i, part := range v.Parts {
			split := fixedSplit(w, i, part.Decimal)
			if part.Percent {
				split["type"] = text("PERCENTAGE")
			}
			if v.AtOnce {
				split["immediate"] = literal("true")
			}
			splits = append(splits, split)
		}
		return encoded(splits), nil
	}
	s, err := textOf(ctx, w, v)
	return text(s), err
}

func textOf(ctx context.Context, w *World, v language.Value) (string, error) {
	if text, ok := texts[v.Kind]; ok {
		return text(w, v), nil
	}
	switch v.Kind {
	case language.OwnKey:
		if w.the().pixKey == "" {
			return "", judge.UnknownKey
		}
		return w.the().pixKey, nil
	case language.NearSecret:
		return nearSecret(w, v.Text)
	case language.SentField:
		return sentBy(w, v)
	case language.EventsField:
		field, r := judge.OfEvent(w.Judge, v.Text)
		return field, failing(r)
	case language.MadeField:
		field, r := judge.OfMade(w.Judge.View, v.Makes, language.Nth(v.N), v.Text)
		if v.Swap && field != "" {
			field = withOtherEnd(field)
		}
		return field, failing(r)
	case language.AnsweredField:
		field, r := judge.LastAnswered(w.Judge.View, v.Text)
		return field, failing(r)
	case language.OwnCode:
		return ownCode(ctx, w)
	case language.PayeesCode:
		return payeesCode(w, v.Code)
	}
	return "", fmt.Errorf("unknown kind of value: %d", v.Kind)
}

// texts are the texts of the kinds that every scenario can have.
var texts = map[language.ValueKind]func(w *World, v language.Value) string{
	language.Text: func(_ *World, v language.Value) string { return v.Text },
	language.Repeated: func(_ *World, v language.Value) string {
		return strings.Repeat(map[bool]string{false: "x", true: "ã"}[v.Swap], v.N)
	},
	language.FreshText: func(_ *World, v language.Value) string {
		if v.Text != "" {
			return freshText(v.N-11) + v.Text + freshText(10)
		}
		return v.How + freshText(v.N-len(v.How))
	},
	language.FreshLine:       func(_ *World, v language.Value) string { return freshText(v.N) + "\n" },
	language.FreshDigits:     func(_ *World, v language.Value) string { return "00" + digits(v.N-2) },
	language.FreshUUID:       func(*World, language.Value) string { return uuid.NewString() },
	language.FreshEmail:      func(w *World, _ language.Value) string { return freshEmail(w.Stage) },
	language.EmailKeyOf:      func(_ *World, v language.Value) string { return freshText(v.N-len(emailDomain)) + emailDomain },
	language.FreshEndToEndID: func(w *World, _ language.Value) string { return freshEndToEndID(w) },
	language.NearEndToEndID:  func(w *World, v language.Value) string { return nearly[v.Text](endToEndID(w)) },
	language.FreshKey:        func(_ *World, v language.Value) string { return unknownKeys[v.How]() },
	language.NearKey:         func(w *World, _ language.Value) string { return nearKey(w.holder.key) },
	language.ThatKey:         func(w *World, _ language.Value) string { return w.holder.key },
	language.ThatDocument:    func(w *World, _ language.Value) string { return w.holder.document },
	language.PayeesKey:       func(w *World, _ language.Value) string { return payeesKey(w) },
	language.ClientID:        func(w *World, _ language.Value) string { return w.the().clientID },
	language.URLWithQuery:    urlWith,
	language.FreshURL:        func(w *World, _ language.Value) string { return temporaryURL(w, "") },
	language.Time: func(w *World, v language.Value) string {
		return w.the().now().Add(v.By).In(zoneOf(v.Text)).Truncate(time.Second).Format(time.RFC3339)
	},
	language.Date: func(w *World, v language.Value) string {
		return w.the().now().Add(v.By).In(w.Zone).Format(time.DateOnly)
	},
	language.LetterCode: func(_ *World, v language.Value) string { return "000201" + strings.Repeat("x", v.N) },
}

// zoneOf is the zone of an offset, such as -03:00; UTC if there is none.
func zoneOf(offset string) *time.Location {
	t, err := time.Parse("-07:00", offset)
	if err != nil {
		return time.UTC
	}
	_, seconds := t.Zone()
	return time.FixedZone("", seconds)
}

var nearSecrets = map[string]func(secret string) string{
	"its clientSecret":                       func(secret string) string { return secret },
	"its clientSecret with the case swapped": listing.OtherCase,
	"the first half of its clientSecret":     func(secret string) string { return secret[:len(secret)/2] },
	"the second half of its clientSecret":    func(secret string) string { return secret[len(secret)/2:] },
	"its clientSecret plus one letter":       func(secret string) string { return secret + "x" },
}

func nearSecret(w *World, how string) (string, error) {
	secret := w.the().clientSecret
	wrong := nearSecrets[how](secret)
	if how != "its clientSecret" && wrong == secret || secret == "" {
		return "", record.Cannot("the account's clientSecret is empty or has no letters")
	}
	w.Secrets.Add(wrong)
	return wrong, nil
}

// withOtherEnd is a text that differs in its last character only.
func withOtherEnd(s string) string {
	if strings.HasSuffix(s, "0") {
		return s[:len(s)-1] + "1"
	}
	return s[:len(s)-1] + "0"
}

// nearly is how a text can differ from one that is known.
var nearly = map[string]func(id string) string{
	"":                                    func(id string) string { return id },
	"with the case swapped":               listing.OtherCase,
	"without the last character":          func(id string) string { return id[:max(0, len(id)-1)] },
	"plus one letter":                     func(id string) string { return id + "x" },
	"with a hyphen as the last character": func(id string) string { return id[:max(0, len(id)-1)] + "-" },
	"with a different first character": func(id string) string {
		return withOtherEnd(id[:min(1, len(id))])[:min(1, len(id))] + id[min(1, len(id)):]
	},
	"with a different last character": withOtherEnd,
	"with a space before it":          func(id string) string { return " " + id },
	"with a space after it":           func(id string) string { return id + " " },
	"with its accent removed":         func(id string) string { return strings.ReplaceAll(id, "é", "e") },
	"with X as the first character":   func(id string) string { return "X" + id[min(1, len(id)):] },
}

// sentBy is a field of the last request of an account that has it, or the Nth of its different
// values.
func sentBy(w *World, v language.Value) (string, error) {
	var all []string
	for _, t := range w.Judge.Attempts {
		field, ok := t.SentField(v.Text)
		if s, _ := field.(string); ok && t.Account == v.Of && (v.N == 0 || !slices.Contains(all, s)) {
			all = append(all, s)
		}
	}
	if len(all) < max(1, v.N) {
		return "", fmt.Errorf("no request of %v has a %s, or not so many different ones", v.Of, v.Text)
	}
	if v.N == 0 {
		v.N = len(all)
	}
	return nearly[v.How](all[v.N-1]), nil
}

// ownCode is the code of a charge that the account makes for the purpose.
func ownCode(ctx context.Context, w *World) (string, error) {
	t, err := w.the().ask(ctx, "cash-in", nil, record.Aside)
	if err != nil {
		return "", err
	}
	code := jsonvalue.Text(t.Answer, "pixCode")
	if !t.Accepted() || code == "" {
		return "", record.Cannot("no charge was accepted, so there is no code: " + t.Summary())
	}
	return code, nil
}

// crcTries is how many codes are made for one whose checksum starts with a given digit, of 16.
const crcTries = 1000

// payeesCode is a code that a payee has made.
func payeesCode(w *World, c language.Code) (string, error) {
	if c.Length > 0 {
		return brcode.OfLength(c.Length, freshEmail(w.Stage), payee.name)
	}
	code := freshCode(w, c.Dynamic)
	if c.Amount != "" {
		code.Amount = c.Amount
	}
	if odd := oddCodes[c.Oddity]; odd != nil {
		return odd(code), nil
	}
	whole := code.String()
	if c.Start != "" {
		return brcode.Seal(c.Start + brcode.Unsealed(whole)[len(c.Start):]), nil
	}
	switch c.Oddity {
	case language.CutInHalf:
		return whole[:len(whole)/2], nil
	case language.WrongCRC:
		return brcode.Body(whole) + brcode.WrongChecksum(brcode.Body(whole)), nil
	case language.ForSaoJoao:
		return brcode.Seal(strings.Replace(brcode.Unsealed(whole), "5913Fulano de Tal", "5908São João", 1)), nil
	case language.ChangedAmount:
		code.Amount = "1.00"
		return strings.Replace(code.String(), "54041.00", "54042.00", 1), nil
	case language.CRCFromZero:
		for tries := 0; whole[len(whole)-4] != '0'; tries++ {
			if tries == crcTries {
				return "", fmt.Errorf("none of %d codes has a CRC that starts with 0", crcTries)
			}
			whole = freshCode(w, c.Dynamic).String()
		}
	}
	return whole, nil
}
