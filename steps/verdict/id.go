package verdict

import (
	"fmt"
	"hash/fnv"
	"strings"
)

// ID names a scenario within the suite: cash-out.covers-fee/One cent short.
func (s Scenario) ID() string { return s.Rule + "/" + s.Name }

// Slug names a scenario on the command line and as a file:
// cash-out.covers-fee/one-cent-short. It depends only on the names of the rule and the
// scenario. If it drops more than capitals and spaces, or is Alike, it ends with a short hash
// of the name, so that different names have different slugs.
func (s Scenario) Slug() string {
	const longest = 60
	var slug strings.Builder
	plain := true // only capitals and spaces are dropped
	for _, c := range strings.ToLower(s.Name) {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '.' && slug.Len() > 0:
			slug.WriteRune(c)
		default:
			plain = plain && c == ' '
			if slug.Len() > 0 && !strings.HasSuffix(slug.String(), "-") {
				slug.WriteByte('-')
			}
		}
	}
	short := strings.Trim(slug.String(), "-.")
	if len(short) > longest {
		short, plain = strings.Trim(short[:longest], "-."), false
	}
	if !plain || short == "" || s.Alike {
		sum := fnv.New32a()
		_, _ = sum.Write([]byte(s.Name)) // never fails
		short = strings.TrimPrefix(fmt.Sprintf("%s-%06x", short, sum.Sum32()&0xffffff), "-")
	}
	return s.Rule + "/" + short
}

// TellApart gives scenarios whose names differ only in capitals different slugs, also where a file system ignores
// capitals. The first by name keeps its slug.
func TellApart(scenarios []Scenario) {
	of := map[string]string{} // the first name, by slug
	for i := range scenarios {
		s := &scenarios[i]
		s.Alike = false
		if first, known := of[s.Slug()]; !known || s.Name < first {
			of[s.Slug()] = s.Name
		}
	}
	for i := range scenarios {
		s := &scenarios[i]
		s.Alike = of[s.Slug()] != s.Name
	}
}
