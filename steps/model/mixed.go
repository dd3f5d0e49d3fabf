package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
)

// The features show valid bodies in some shapes. A mixed body has its fields from several of them, so that
// fields also meet that no scenario has together.

// part is a field of a body, or fields that belong together, with the values that shapes have there.
type part struct {
	name   string
	values []language.ValidRequest
}

// together are the names of parts of several fields.
var together = map[string]string{
	"details.keyType": "details.key", "details.key": "details.key", "details.document": "details.key",
	"pixKey": "pixKey", "creditorDocument": "pixKey", "priority": "pixKey",
	"transaction.value": "splits", "splits": "splits",
}

// whole are the parts of which no field can be wrong alone.
var whole = map[string]bool{"splits": true}

// mixable are the parts of bodies, by noun.
var mixable = sync.OnceValue(func() map[string][]part {
	all := map[string][]part{}
	for noun, shapes := range language.FeatureExamples().Shapes {
		values := map[string][]language.ValidRequest{}
		for _, s := range shapes {
			rows := map[string][][]string{}
			for _, row := range s.Rows {
				name := row[0]
				if together[name] != "" {
					name = together[name]
				}
				rows[name] = append(rows[name], row)
			}
			for name := range rows {
				if s := (language.ValidRequest{Given: s.Given, Rows: rows[name], Amount: s.Amount}); mayMix(noun, name, s) {
					values[name] = append(values[name], s)
				}
			}
		}
		for _, key := range splitKeys {
			if len(values["splits"]) > 0 {
				values["splits"] = append(values["splits"], language.ValidRequest{Rows: [][]string{
					{"transaction.value", "10.00"}, {"splits", "R$ 3.00 and R$ 1.00"},
					{"splits[0].pixKeyType", key.kind}, {"splits[0].pixKey", key.key}, {"splits[0].document", key.document},
				}})
			}
		}
		if noun == "cash-out" {
			for _, key := range emailKeys {
				values["details.key"] = append(values["details.key"], language.ValidRequest{Rows: [][]string{
					{"details.keyType", `"EMAIL"`}, {"details.key", key}, {"details.document", `"52998224725"`},
				}})
			}
		}
		for parameter, all := range queries[noun] {
			for _, value := range all {
				name := "query " + parameter
				values[name] = append(values[name], language.ValidRequest{Rows: [][]string{{name, value}}})
			}
		}
		for _, name := range slices.Sorted(maps.Keys(values)) {
			all[noun] = append(all[noun], part{name, values[name]})
		}
	}
	return all
})

// splitKeys are valid keys of splits, one of each kind. How that of a phone is spelled is unspecified.
var splitKeys = []struct{ kind, key, document string }{
	{`"EMAIL"`, `"fulano@example.com"`, `"52998224725"`},
	{`"CPF"`, `"52998224725"`, `"52998224725"`},
	{`"CNPJ"`, `"11222333000181"`, `"11222333000181"`},
	{`"RANDOM"`, `"7d9f0335-8dcc-4054-9bf9-0dbd61d36906"`, `"52998224725"`},
}

// emailKeys are simple e-mail addresses. Which unusual ones are valid is unspecified.
var emailKeys = []string{
	`"f@example.com"`, `"fulano.de-tal_1@pix.example.com.br"`, `"4711@example.com"`,
}

// queries are valid values of the parameters of lists, which are valid together, too, by noun.
var queries = func() map[string]map[string][]string {
	all := map[string]map[string][]string{}
	for i := range api.Operations {
		op := &api.Operations[i]
		list, isList := api.Lists[op.ID]
		if !isList {
			continue
		}
		of := map[string][]string{"page": {"1", "2"}, list.Size: {"1", fmt.Sprint(list.MostPerPage)}}
		for _, filter := range list.Filters {
			if values := slices.Concat(op.FilterValues(filter), anyValue[filter]); len(values) > 0 {
				of[filter] = values
			}
		}
		all[op.Noun] = of
	}
	return all
}()

// anyValue are values of filters that have any.
var anyValue = map[string][]string{"startDate": {"2 days ago"}, "endDate": {"now"}, "externalId": {"no-such-order"}}

// ordinaryISPB is that of the keys to which the shapes pay.
const ordinaryISPB = "60701190"

// mayMix reports whether a part goes with any others: its fields are of the body, the amount is the step's
// own, a key is an ordinary one, and no ISPB is denied that a key may be at.
func mayMix(noun, name string, s language.ValidRequest) bool {
	if strings.Contains(name, " ") || name == api.MustNamed(noun).Amount || name == "pixKey" && s.Given.Text == "" {
		return false
	}
	if s.Given.Key.ISPB != "" && s.Given.Key.ISPB != ordinaryISPB || slices.ContainsFunc(s.Rows, func(row []string) bool { return strings.Contains(row[1], ordinaryISPB) }) {
		return false
	}
	return !slices.ContainsFunc(s.Rows, func(row []string) bool {
		return s.Amount > 0 && row[0] == "qrCode" || name == "splits" && row[0] == "splits" && row[1] == "absent" || strings.HasPrefix(row[1], "the ")
	})
}

// mixed are the rows that the step mixes into a body whose own rows decide what becomes of it, and what
// the key directory needs for them.
func (p *play) mixed(noun string, own [][]string) (rows [][]string, given language.GivenKey) {
	for i, part := range mixable()[noun] {
		value := pick(p, part.values) // whether it is mixed in or not, so that the others stay the same without it
		if !p.step.Mixed.has(i) || part.name == "splits" && len(own) == 0 || whole[part.name] && slices.ContainsFunc(own, func(row []string) bool { return together[row[0]] == part.name || row[0] == "transaction" }) {
			continue
		}
		if part.name == "pixKey" && slices.ContainsFunc(own, func(row []string) bool { return row[0] == "pixKey" }) {
			continue
		}
		for _, row := range value.Rows {
			if !slices.ContainsFunc(own, func(o []string) bool { return meets(row[0], o[0]) }) {
				rows = append(rows, row)
			}
		}
		if part.name == "pixKey" {
			given = value.Given
		}
	}
	return rows, given
}

// meets reports whether one of two fields is the other one, or contains it.
func meets(a, b string) bool {
	return a == b || strings.HasPrefix(a, b+".") || strings.HasPrefix(b, a+".") || strings.HasPrefix(a, b+"[")
}
