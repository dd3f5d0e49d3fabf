package listing

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/api"
)

// read are the first pages of queries, those that are read beyond the last one with a plus.
func read(op *api.Operation, all []Query) (requests []string) {
	for _, q := range all {
		request := q.Page(op, 1).Encode()
		if key := q.PixKey(); key != "" {
			request = fmt.Sprint(key, "?", request)
		}
		if q.Beyond {
			request += " +"
		}
		requests = append(requests, request)
	}
	return requests
}

// twoCases are a case that is reconciled, a later one that is not, and one of another account.
func twoCases() *List {
	created := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	return &List{Op: api.MustNamed("MED list request"), Items: []*Item{
		{Name: "case 1", Own: true, ID: "1", Values: map[string][]string{"isReconciled": {"true"}, "status": {"OPEN", "RECEIVED"}}, Created: created},
		{Name: "case 2", Own: true, ID: "2", Values: map[string][]string{"isReconciled": {"false"}, "status": {"CANCELLED"}}, Created: created.AddDate(0, 0, 4)},
		{Name: "case 3", ID: "3", Values: map[string][]string{"status": {"OPEN"}}},
	}}
}

func TestLookups(t *testing.T) {
	t.Parallel()
	cases := twoCases()
	assert.Equal(t, []string{""}, read(cases.Op, cases.Lookups()), "one list shows all cases")
	payments := []*Item{
		{Own: true, Values: map[string][]string{"externalId": {"Order-1"}, "pixKey": {"ana@a.example"}}},
		{Own: true, Values: map[string][]string{"pixKey": {""}}},
		{Values: map[string][]string{"externalId": {"Order-3"}, "pixKey": {"bob@b.example"}}},
	}
	lists := &List{Op: api.MustNamed("transaction list request"), Items: payments}
	assert.Equal(t, []string{"externalId=Order-1", "", "externalId=Order-3"}, read(lists.Op, lists.Lookups()))
	byKey := &List{Op: api.MustNamed("list-by-key request"), Items: payments}
	assert.Equal(t, []string{"ana@a.example?", "bob@b.example?"}, read(byKey.Op, byKey.Lookups()), "an empty key is in no path")
}

// A later change of these queries is seen here before it shows in a run.
func TestQueries(t *testing.T) {
	t.Parallel()
	l := twoCases()
	alone := []string{
		"page=1&pageSize=1 +",
		"status=OPEN", "status=RECEIVED", "status=CANCELLED", "status=ANALYZED",
		"isReconciled=true", "isReconciled=false",
		"page=1&pageSize=1&startDate=2026-03-01T09%3A59%3A58Z", "startDate=2026-03-03",
		"endDate=2026-03-01T10%3A00%3A02Z&page=1&pageSize=1", "endDate=2026-02-27",
	}
	assert.Equal(t, alone, read(l.Op, l.Queries(1)))
	assert.Equal(t, append(alone,
		"isReconciled=false&page=1&pageSize=1&status=CANCELLED", "isReconciled=true&status=CANCELLED",
		"page=1&pageSize=1&startDate=2026-03-05T09%3A59%3A58Z&status=CANCELLED", "startDate=2026-03-04&status=OPEN", "endDate=2026-03-05T09%3A59%3A59Z&status=CANCELLED",
		"endDate=2026-03-03&status=CANCELLED",
		"isReconciled=true&page=1&pageSize=1&startDate=2026-03-01T09%3A59%3A58Z", "isReconciled=true&startDate=2026-03-03", "isReconciled=false&startDate=2026-03-01T09%3A59%3A58Z",
		"endDate=2026-03-03&isReconciled=true&page=1&pageSize=1", "endDate=2026-03-01T09%3A59%3A59Z&isReconciled=true", "endDate=2026-03-03&isReconciled=false",
		"endDate=2026-03-01T10%3A00%3A02Z&page=1&pageSize=1&startDate=2026-03-01T09%3A59%3A58Z", "endDate=2026-03-05T09%3A59%3A59Z&startDate=2026-03-05T09%3A59%3A58Z",
	), read(l.Op, l.Queries(2)))
}

// An account with a history lists more than is known: only what was created since the first item is read.
func TestQueriesOfAHistory(t *testing.T) {
	t.Parallel()
	l := twoCases()
	l.More = true
	for _, q := range l.Queries(2) {
		assert.NotEmpty(t, q.Filters["startDate"])
	}
	assert.Equal(t, []string{""}, read(l.Op, l.Lookups()))
}

// Without items, filters have no values: only the whole list is read.
func TestQueriesWithoutItems(t *testing.T) {
	t.Parallel()
	l := &List{Op: api.MustNamed("transaction list request")}
	assert.Equal(t, []string{"page=1&size=1 +"}, read(l.Op, l.Queries(1)))
}
