package mutants

import (
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
	"strings"
)

// Conditions on what a field holds: its kind, its length, its size. They say what a
// gateway gets wrong (any amount with cents), never an example of it (R$ 1.23).

// UUIDs, of version 4 and of any.
const (
	uuid4   = `(?i)^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`
	anyUUID = `(?i)^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`
)

// kinds of JSON values; "word" and "quoted" divide the texts.
var kinds = map[string]func(any) bool{
	"null":    func(v any) bool { return v == nil },
	"boolean": func(v any) bool { _, ok := v.(bool); return ok },
	"number":  func(v any) bool { _, ok := v.(json.Number); return ok },
	"text":    func(v any) bool { _, ok := v.(string); return ok },
	"word":    func(v any) bool { s, ok := v.(string); return ok && s != "" && !numeral.MatchString(s) },
	"quoted":  func(v any) bool { s, ok := v.(string); return ok && numeral.MatchString(s) }, // a number
	"list":    func(v any) bool { _, ok := v.([]any); return ok },
	"object":  func(v any) bool { _, ok := v.(map[string]any); return ok },
	"blank":   func(v any) bool { return v == "" },

	"no items":   func(v any) bool { a, ok := v.([]any); return ok && len(a) == 0 },
	"no members": func(v any) bool { o, ok := v.(map[string]any); return ok && len(o) == 0 },
}

// kind holds for a field of one of those kinds.
func kind(path string, of ...string) condition {
	for _, k := range of {
		if kinds[k] == nil {
			panic("a mutant asks for an unknown kind of value: " + k)
		}
	}
	return field(path, func(v any) bool {
		return slices.ContainsFunc(of, func(k string) bool { return kinds[k](v) })
	})
}

// words holds for a text that is such.
func words(path string, such func(string) bool) condition {
	return field(path, func(v any) bool { s, ok := v.(string); return ok && such(s) })
}

// outside holds for a text that is none of those that the specification lists.
func outside(path string, listed ...string) condition {
	return words(path, func(s string) bool { return !slices.Contains(listed, s) })
}

// longer holds for a text of more than so many characters.
func longer(path string, than int) condition {
	return words(path, func(s string) bool { return len([]rune(s)) > than })
}

// moreBytes holds for a text of more than so many bytes.
func moreBytes(path string, than int) condition {
	return words(path, func(s string) bool { return len(s) > than })
}

// nonASCII holds for a text with a letter beyond ASCII.
func nonASCII(path string) condition {
	return words(path, func(s string) bool { return strings.ContainsFunc(s, func(r rune) bool { return r > 127 }) })
}

// pairs holds for an object of more than so many members, items for a list of more than
// so many items.
func pairs(path string, moreThan int) condition {
	return field(path, func(v any) bool { o, _ := v.(map[string]any); return len(o) > moreThan })
}

func items(path string, moreThan int) condition {
	return field(path, func(v any) bool { a, _ := v.([]any); return len(a) > moreThan })
}

// extra holds for a body with a member that the specification does not list.
func extra(listed ...string) condition {
	return field("", func(v any) bool {
		o, _ := v.(map[string]any)
		for name := range o {
			if !slices.Contains(listed, name) {
				return true
			}
		}
		return false
	})
}

// anyItem holds for a list with an item for which the condition holds, whose paths begin
// at the item.
func anyItem(path string, holds condition) condition {
	return func(c *call, a *answer) bool {
		return field(path+"[]", func(v any) bool { return holds(c.edited(body(string(encode(v)))), a) })(c, a)
	}
}

// laterItem is anyItem for all items but the first.
func laterItem(path string, holds condition) condition {
	return func(c *call, a *answer) bool {
		found := lookups(c.body, path+"[]")
		return len(found) > 1 && slices.ContainsFunc(found[1:], func(v any) bool {
			return holds(c.edited(body(string(encode(v)))), a)
		})
	}
}

var numeral = regexp.MustCompile(`^-?\d+(\.\d+)?([eE][+-]?\d+)?$`)

// number holds for a number, in quotes or not, that is such; it is given as it is written.
func number(path string, such func(written string) bool) condition {
	return field(path, func(v any) bool {
		s, ok := spelt(v)
		return ok && such(s)
	})
}

// spelt is a number as it is written.
func spelt(v any) (string, bool) {
	s, ok := v.(string)
	if n, isNumber := v.(json.Number); isNumber {
		s, ok = n.String(), true
	}
	return s, ok && numeral.MatchString(s)
}

func rational(written string) *big.Rat {
	r, _ := new(big.Rat).SetString(written) // numeral has matched
	return r
}

// compared holds for a number that stands so to a bound: -1 below, 0 equal, 1 above.
func compared(path, bound string, so int) condition {
	b := rational(bound)
	return number(path, func(s string) bool { return rational(s).Cmp(b) == so })
}

func below(path, bound string) condition  { return compared(path, bound, -1) }
func equals(path, bound string) condition { return compared(path, bound, 0) }
func above(path, bound string) condition  { return compared(path, bound, 1) }

// decimals holds for a number that is written with so many of them.
func decimals(path string, least, most int) condition {
	return number(path, func(s string) bool {
		_, fraction, _ := strings.Cut(s, ".")
		return !strings.ContainsAny(s, "eE") && len(fraction) >= least && len(fraction) <= most
	})
}

// exponent holds for a number that is written with one.
func exponent(path string) condition {
	return number(path, func(s string) bool { return strings.ContainsAny(s, "eE") })
}

// finer holds for an amount with a part of a centavo, thirdZero for one that only seems
// to have one: 1.230.
func finer(path string) condition {
	return number(path, func(s string) bool { return !centavos(s).IsInt() })
}

func thirdZero(path string) condition { return all(decimals(path, 3, 99), not(finer(path))) }

// cents holds for an amount that is not in whole reais.
func cents(path string) condition {
	return number(path, func(s string) bool { return !rational(s).IsInt() })
}

// inexact holds for an amount that is not in whole centavos once a float has multiplied
// it by a hundred: 0.07, 0.29.
func inexact(path string) condition {
	return number(path, func(s string) bool {
		f, _ := rational(s).Float64()
		f *= 100
		return f != float64(int64(f))
	})
}

// beyondDouble holds for an amount of more centavos than a double counts exactly.
func beyondDouble(path string) condition {
	return number(path, func(s string) bool { return centavos(s).Cmp(new(big.Rat).SetInt64(1<<53)) > 0 })
}

func centavos(written string) *big.Rat {
	return new(big.Rat).Mul(rational(written), big.NewRat(100, 1))
}

// spending holds for an amount between so many times what the account has available,
// which is read beforehand.
func spending(path string, least, most int64) condition {
	return func(c *call, a *answer) bool {
		v, _ := lookup(c.look("/accounts/balances").body, available)
		has, ok := spelt(v)
		if !ok {
			return false
		}
		within := func(s string) bool {
			times := func(n int64) *big.Rat { return new(big.Rat).Mul(rational(has), big.NewRat(n, 1)) }
			return rational(s).Cmp(times(least)) >= 0 && rational(s).Cmp(times(most)) <= 0
		}
		return number(path, within)(c, a)
	}
}

// asMuchAs holds for an amount equal to that which the account last sent to an endpoint.
func asMuchAs(path string, at *endpoint, then string) condition {
	return after(1, at, byTheSame, taken, func(now *call, e *entry) bool {
		v, _ := lookup(now.body, path)
		w, _ := lookup(e.call.body, then)
		x, ok := spelt(v)
		y, okToo := spelt(w)
		return ok && okToo && rational(x).Cmp(rational(y)) == 0
	})
}

// wrongCheckDigits holds for a CPF or CNPJ whose last two digits do not follow from the
// others, or whose digits are all equal.
func wrongCheckDigits(path string) condition {
	return words(path, func(s string) bool {
		switch digits := regexp.MustCompile(`^\d+$`).MatchString(s); {
		case digits && len(s) == 11:
			return equalDigits(s) || !checked(s, 11)
		case digits && len(s) == 14:
			return equalDigits(s) || !checked(s, 9)
		}
		return false
	})
}

// checked verifies two check digits modulo 11, with weights that grow from the right, from
// 2 to the greatest and again.
func checked(s string, greatest int) bool {
	for _, at := range []int{len(s) - 2, len(s) - 1} {
		total := 0
		for i := range at {
			total += int(s[at-1-i]-'0') * (2 + i%(greatest-1))
		}
		if want := (11 - total%11) % 11 % 10; int(s[at]-'0') != want {
			return false
		}
	}
	return true
}

// equalDigits reports whether all digits of a text are the same, whatever masks them.
func equalDigits(s string) bool {
	digits := strings.Join(regexp.MustCompile(`\d+`).FindAllString(s, -1), "")
	return len(digits) > 1 && strings.Count(digits, digits[:1]) == len(digits)
}
