package api

import (
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pixcert/pixcert/features/contract"
	"github.com/pixcert/pixcert/reference/pix"
)

// query reads the parameters of a URL's query. Each method gives the value of one, or
// what stands for it where it is not given; what is wrong with any of them is gathered,
// one message for each, for check.
type query struct {
	values     url.Values
	violations []contract.Violation
}

func readQuery(r *http.Request) *query {
	values, err := url.ParseQuery(r.URL.RawQuery)
	q := &query{values: values}
	if err != nil {
		q.violate("", "query", "the query must be percent-encoded pairs of name=value")
	}
	return q
}

// check refuses the request when any parameter that was read is wrong.
func (q *query) check() error {
	if len(q.violations) == 0 {
		return nil
	}
	return invalid(q.violations)
}

// text is any string but an empty one; "" where it is not given.
func (q *query) text(name string) string {
	value, given := q.one(name)
	if given && value == "" {
		q.violate(name, "minLength", name+" must not be empty")
	}
	return value
}

// integer is a whole number from low to high.
func (q *query) integer(name string, low, high, fallback int) int {
	value, given := q.one(name)
	if !given {
		return fallback
	}
	n, err := strconv.Atoi(value)
	switch {
	case err != nil || strings.HasPrefix(value, "+"):
		q.violate(name, "type", fmt.Sprintf("%s must be an integer, got %q", name, value))
	case n < low:
		q.violate(name, "minimum", fmt.Sprintf("%s must be at least %d, got %d", name, low, n))
	case n > high:
		q.violate(name, "maximum", fmt.Sprintf("%s must be at most %d, got %d", name, high, n))
	}
	return n
}

// page is which page of a list is asked for, from 1 on, and how many items it has: 20,
// unless the parameter sizeName says another number up to maxSize.
func (q *query) page(sizeName string, maxSize int) (page, size int) {
	const defaultSize = 20
	return q.integer("page", 1, math.MaxInt32, 1), q.integer(sizeName, 1, maxSize, defaultSize)
}

// oneOf is one of a few values; "" where it is not given.
func oneOf[T ~string](q *query, name string, values ...T) T {
	value, given := q.one(name)
	if given && !slices.Contains(values, T(value)) {
		words := make([]string, len(values))
		for i, v := range values {
			words[i] = string(v)
		}
		q.violate(name, "enum", fmt.Sprintf("%s must be one of %s, got %q", name, strings.Join(words, ", "), value))
	}
	return T(value)
}

// boolean is true or false; nil where it is not given.
func (q *query) boolean(name string) *bool {
	value := oneOf(q, name, "true", "false")
	if value == "" {
		return nil
	}
	is := value == "true"
	return &is
}

// period is the bounds startDate and endDate, each of which may not be given.
func (q *query) period() (start, end pix.Bound) { return q.date("startDate"), q.date("endDate") }

func (q *query) date(name string) pix.Bound {
	value, given := q.one(name)
	if !given {
		return pix.Bound{}
	}
	bound, err := pix.ParseBound(value)
	if err != nil {
		q.violate(name, "format", fmt.Sprintf("%s: %v, got %q", name, err, value))
	}
	return bound
}

// one is the value of a parameter that may be given once.
func (q *query) one(name string) (value string, given bool) {
	switch values := q.values[name]; {
	case len(values) == 0:
		return "", false
	case len(values) > 1:
		q.violate(name, "single", fmt.Sprintf("%s must be given once, got it %d times", name, len(values)))
		return "", false
	case !utf8.ValidString(values[0]) || strings.ContainsRune(values[0], 0):
		q.violate(name, "type", name+" must be text in UTF-8 without the character NUL")
		return "", false
	default:
		return values[0], true
	}
}

func (q *query) violate(name, rule, message string) {
	q.violations = append(q.violations, contract.Violation{Field: name, Rule: rule, Message: message})
}
