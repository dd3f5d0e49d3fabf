package api

import (
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// readAll reads one parameter of each kind.
func readAll(q *query) {
	q.page("size", 100)
	q.text("externalId")
	oneOf(q, "status", "PENDING", "CONFIRMED")
	q.boolean("isReconciled")
	q.period()
}

func TestEveryWrongParameterHasItsMessage(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string][]string{
		"":                           nil,
		"unknown=1&unknown=2":        nil,
		"page=1&size=100":            nil,
		"page=0":                     {"page must be at least 1, got 0"},
		"page=-1":                    {"page must be at least 1, got -1"},
		"page=abc":                   {`page must be an integer, got "abc"`},
		"page=1.0":                   {`page must be an integer, got "1.0"`},
		"page=%2B1":                  {`page must be an integer, got "+1"`},
		"page=":                      {`page must be an integer, got ""`},
		"page=2147483648":            {"page must be at most 2147483647, got 2147483648"},
		"page=99999999999999999999":  {`page must be an integer, got "99999999999999999999"`},
		"page=1&page=1":              {"page must be given once, got it 2 times"},
		"size=0":                     {"size must be at least 1, got 0"},
		"size=101":                   {"size must be at most 100, got 101"},
		"status=PENDING":             nil,
		"status=Pendente":            {`status must be one of PENDING, CONFIRMED, got "Pendente"`},
		"status=pending":             {`status must be one of PENDING, CONFIRMED, got "pending"`},
		"status=":                    {`status must be one of PENDING, CONFIRMED, got ""`},
		"isReconciled=true":          nil,
		"isReconciled=1":             {`isReconciled must be one of true, false, got "1"`},
		"externalId=":                {"externalId must not be empty"},
		"externalId=%00":             {"externalId must be text in UTF-8 without the character NUL"},
		"externalId=%FF":             {"externalId must be text in UTF-8 without the character NUL"},
		"page=%zz":                   {"the query must be percent-encoded pairs of name=value"},
		"page=x&size=y&status=z":     {`page must be an integer, got "x"`, `size must be an integer, got "y"`, `status must be one of PENDING, CONFIRMED, got "z"`},
		"startDate=2026-03-01":       nil,
		"endDate=foo":                {`endDate: expected an ISO 8601 date such as 2026-03-01, or a date-time with its zone such as 2026-03-01T12:00:00Z, got "foo"`},
		"startDate=2026-13-01T00:00": {`startDate: expected an ISO 8601 date such as 2026-03-01, or a date-time with its zone such as 2026-03-01T12:00:00Z, got "2026-13-01T00:00"`},
	} {
		q := readQuery(httptest.NewRequest("GET", "/?"+raw, nil))
		readAll(q)
		err := q.check()
		if want == nil {
			assert.NoError(t, err, "%s", raw)
			continue
		}
		require.IsType(t, &problem{}, err, "%s", raw)
		p := err.(*problem)
		assert.Equal(t, 400, p.status, "%s", raw)
		assert.Equal(t, want, p.messages, "%s", raw)
	}
}

func TestParametersThatAreNotGivenHaveADefault(t *testing.T) {
	t.Parallel()
	q := readQuery(httptest.NewRequest("GET", "/", nil))
	page, size := q.page("pageSize", 100)
	start, end := q.period()
	require.NoError(t, q.check())
	assert.Equal(t, 1, page)
	assert.Equal(t, 20, size)
	assert.Empty(t, q.text("externalId"))
	assert.Empty(t, oneOf(q, "status", "PENDING"))
	assert.Nil(t, q.boolean("isReconciled"))
	assert.False(t, start.Given())
	assert.False(t, end.Given())
}

func TestParametersAreRead(t *testing.T) {
	t.Parallel()
	q := readQuery(httptest.NewRequest("GET", "/?page=3&pageSize=7&externalId=a%20b&status=PENDING&isReconciled=false&startDate=2026-03-01", nil))
	page, size := q.page("pageSize", 100)
	start, _ := q.period()
	reconciled := q.boolean("isReconciled")
	require.NoError(t, q.check())
	assert.Equal(t, 3, page)
	assert.Equal(t, 7, size)
	assert.Equal(t, "a b", q.text("externalId"))
	assert.Equal(t, "PENDING", oneOf(q, "status", "PENDING"))
	require.NotNil(t, reconciled)
	assert.False(t, *reconciled)
	assert.Equal(t, "2026-03-01", start.String())
}
