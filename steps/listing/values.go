package listing

import (
	"strings"
	"unicode"

	"github.com/pixcert/pixcert/steps/api"
)

// filterValues are all values of the filters that have only some, in the order in which they are tried.
func filterValues(op *api.Operation, filter string) []string {
	if filter == "type" {
		return api.Spelled(api.PixIn, api.PixOut, api.RefundOut, api.RefundIn)
	}
	return op.FilterValues(filter)
}

// nearKeys are valid keys that are not the key, but nearly.
func nearKeys(key string) []string {
	name, domain, isEmail := strings.Cut(key, "@")
	if !isEmail || len(name) < 3 {
		return nil
	}
	return []string{name[:len(name)-1] + "@" + domain, name[1:] + "@" + domain, key[:len(key)-1], key + ".br"}
}

// nearIDs are ids that are not the id, but nearly.
func nearIDs(filter, id string) []string {
	last := "0"
	if strings.HasSuffix(id, last) {
		last = "1"
	}
	changed := id[:len(id)-1] + last
	if filter == "endToEndId" { // one of another length is malformed
		return []string{changed, id[:len(id)-11] + OtherCase(id[len(id)-11:])}
	}
	near := []string{changed, id[:len(id)-1], id[1:], id + "1"} // whether another case is another externalId is open ("the case of an externalId")
	if strings.Contains(id, "_") {                              // which stands for any character in a pattern
		near = append(near, id[:len(id)-1]+"_")
	}
	return near
}

// OtherCase is a text whose letters have the other case.
func OtherCase(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, s)
}
