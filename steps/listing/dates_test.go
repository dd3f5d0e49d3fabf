package listing

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestOutsideDates(t *testing.T) {
	t.Parallel()
	const lists, cases = "transaction list request", "MED list request"
	for name, c := range map[string]struct{ noun, query, item, want string }{
		"created within":       {lists, "startDate=2026-03-01T10:00:00Z&endDate=2026-03-01T12:00:00Z", `{"createdAt":"2026-03-01T11:00:00Z"}`, ""},
		"before startDate":     {lists, "startDate=2026-03-01T10:00:00Z", `{"createdAt":"2026-03-01T09:00:00Z"}`, "lists.dates"},
		"after endDate":        {lists, "endDate=2026-03-01T10:00:00Z", `{"createdAt":"2026-03-01T11:00:00.5Z"}`, "lists.dates"},
		"in the second of it":  {lists, "endDate=2026-03-01T10:00:00Z", `{"createdAt":"2026-03-01T10:00:00.9Z"}`, ""},
		"processed within":     {lists, "startDate=2026-03-01T10:00:00Z", `{"createdAt":"2026-03-01T09:00:00Z","processedAt":"2026-03-01T10:30:00Z"}`, ""},
		"the day before":       {lists, "startDate=2026-03-02", `{"createdAt":"2026-03-01T20:00:00Z"}`, ""}, // in some zone
		"days before":          {lists, "startDate=2026-03-02", `{"createdAt":"2026-02-27T20:00:00Z"}`, "lists.dates"},
		"an inverted interval": {lists, "startDate=2026-03-03T10:00:00Z&endDate=2026-03-01T12:00:00Z", `{"createdAt":"2026-03-02T11:00:00Z"}`, ""},
		"no date":              {lists, "startDate=yesterday", `{"createdAt":"2026-03-01T09:00:00Z"}`, ""},
		"a case before":        {cases, "startDate=2026-03-01T10:00:00Z", `{"createdAt":"2026-03-01T09:00:00Z","updatedAt":"2026-03-01T09:00:00Z"}`, "med.date-filter"},
		"a case that moved":    {cases, "startDate=2026-03-01T10:00:00Z", `{"createdAt":"2026-03-01T09:00:00Z","updatedAt":"2026-03-01T10:10:00Z"}`, ""},
		"outside of both ends": {lists, "startDate=2026-03-01T10:00:00Z&endDate=2026-03-01T12:00:00Z", `{"createdAt":"2026-03-01T09:00:00Z"},{"createdAt":"2026-03-01T13:00:00Z"}`, "lists.dates; lists.dates"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, b := range OutsideDates(returned(c.noun, c.query, 200, `{"data":[`+c.item+`]}`)) {
				got = append(got, b.Rule)
			}
			assert.Equal(t, c.want, strings.Join(got, "; "))
		})
	}
}
