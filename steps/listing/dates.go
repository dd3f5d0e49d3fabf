package listing

import (
	"time"

	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/record"
)

// OutsideDates: a list shows what was created, and last changed, outside of the interval in its query; of a case, its
// payment as well. Which of these times counts is open ("the time that a date filter compares"), and so is what an
// inverted interval returns ("startDate after endDate"). A list that lags shows less, but nothing else.
func OutsideDates(t *record.Attempt) (all []Breach) {
	rule := map[bool]string{true: "med.date-filter", false: "lists.dates"}[t.Op.ID == "listMeds"]
	q := Query{}
	bounds := []string{"startDate", "endDate"}
	for _, filter := range bounds {
		if asked := t.Query()[filter]; len(asked) == 1 && isDateOrTime(asked[0]) {
			q = q.With(filter, asked[0])
		}
	}
	if !q.spansTime() {
		return nil
	}
	items, _ := t.Items()
	for _, filter := range bounds {
		value, asked := q.Filters[filter]
		for _, item := range items {
			if asked && isOutside(boundOf(filter, value), item) {
				all = append(all, Breach{
					Page: t, Rule: rule, Field: "createdAt", Expected: "only items within the " + filter + " that was asked for", Got: "another item",
				})
			}
		}
	}
	return all
}

// isOutside reports whether all times of an item are outside of a bound; those that it lacks do not count, except for
// the creation.
func isOutside(b bound, item any) bool {
	for field, ifUnknown := range map[string]bool{"createdAt": false, "processedAt": true, "updatedAt": true, "originalTransaction.dateTime": true} {
		is := ifUnknown
		if at, err := time.Parse(time.RFC3339, jsonvalue.Text(item, field)); err == nil {
			is = b.fits(at) == Outside
		}
		if !is {
			return false
		}
	}
	return true
}

func isDateOrTime(value string) bool {
	_, isDate := time.Parse(time.DateOnly, value)
	_, isTime := time.Parse(time.RFC3339, value)
	return isDate == nil || isTime == nil
}
