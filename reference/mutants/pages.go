package mutants

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// without are the faults of a list whose items lack a field.
func without(list *endpoint, rule string, fields ...string) []Mutant {
	var mutants []Mutant
	for _, field := range fields {
		mutants = append(mutants, Mutant{
			fmt.Sprintf("lists no %s at %s", field, list.path), rule, answering(list, accepted, drop("data[]."+field)),
		})
	}
	return mutants
}

// answersWithThePageAsked gives the first page of a list, whatever page is asked for,
// and calls it that.
func answersWithThePageAsked(p place) fault {
	return changing(p, func(c *call, pass server) *answer {
		a := pass(c.edited(unasked("page")))
		if page, err := strconv.Atoi(c.asked("page")); err == nil && page > 0 {
			return a.edited(set("metadata.page", strconv.Itoa(page)))
		}
		return a
	})
}

// counted adds to a whole number.
func counted(path string, by int) edit {
	return at(path, func(v any) any {
		n, _ := v.(json.Number)
		if i, err := strconv.Atoi(n.String()); err == nil {
			return json.Number(strconv.Itoa(i + by))
		}
		return v
	})
}
