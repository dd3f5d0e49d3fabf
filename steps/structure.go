package steps

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// Structures that features spell in words: headers, pairs, splits.
var (
	headersForm = regexp.MustCompile(`^(\d+) headers$`)
	pairsForm   = regexp.MustCompile(`^(\d+) pairs$`)
	countForm   = regexp.MustCompile(`^(\d+) splits? of R\$ (\d+\.\d{2})$`)
	splitsForm  = regexp.MustCompile(`^((?:R\$ \d+\.\d{2}|\d+(?:\.\d+)?%)(?:(?:, | and )(?:R\$ \d+\.\d{2}|\d+(?:\.\d+)?%))*)(, at once)?$`)
	separator   = regexp.MustCompile(`, | and `)
)

// structure gives the JSON of a structure; false for anything else.
func (s *scenario) structure(spelled string) (json.RawMessage, bool, error) {
	if m := headersForm.FindStringSubmatch(spelled); m != nil {
		var headers []map[string]string
		for i := range atoi(m[1]) {
			headers = append(headers, map[string]string{"key": fmt.Sprintf("X-Pixcert-%d", i+1), "value": fmt.Sprint(i + 1)})
		}
		return marshalled(headers)
	}
	if m := pairsForm.FindStringSubmatch(spelled); m != nil {
		pairs := map[string]string{}
		for i := range atoi(m[1]) {
			pairs[fmt.Sprintf("key%02d", i+1)] = fmt.Sprint(i + 1)
		}
		return marshalled(pairs)
	}
	if m := countForm.FindStringSubmatch(spelled); m != nil {
		var splits list
		for range atoi(m[1]) {
			splits = append(splits, fixedSplit(s, m[2]))
		}
		return marshalled(splits)
	}
	if m := splitsForm.FindStringSubmatch(spelled); m != nil {
		var splits list
		for _, part := range separator.Split(m[1], -1) {
			splits = append(splits, s.split(part, m[2] != ""))
		}
		return marshalled(splits)
	}
	return nil, false, nil
}

func marshalled(v any) (json.RawMessage, bool, error) {
	b, err := encoded(v)
	return b, true, err
}

// fixedSplit is a valid split of an amount.
func fixedSplit(s *scenario, amount string) object {
	return object{
		"pixKey":     text(s.freshEmail()),
		"pixKeyType": text("EMAIL"),
		"name":       text(payee.name),
		"document":   text(payee.document),
		"type":       text("FIXED"),
		"value":      literal(amount),
	}
}

// split is one part as features spell it: "R$ 4.00" or "50%".
func (s *scenario) split(part string, immediate bool) object {
	amount, fixed := strings.CutPrefix(part, "R$ ")
	split := fixedSplit(s, strings.TrimSuffix(amount, "%"))
	if !fixed {
		split["type"] = text("PERCENTAGE")
	}
	if immediate {
		split["immediate"] = literal("true")
	}
	return split
}
