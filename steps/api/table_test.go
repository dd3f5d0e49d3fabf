package api

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLabelsAreUnique(t *testing.T) {
	t.Parallel()
	for i, l := range Transactions {
		require.Equal(t, l.Type, TransactionTypes[i])
		require.Equal(t, l.Label, l.Type.Label())
		of, known := Labelled(l.Label)
		require.True(t, known)
		require.Equal(t, l, of)
	}
	_, known := Labelled("PAYMENT")
	require.False(t, known, "a value of the filter is no label")
	for _, s := range PaymentStates.All() {
		require.NotEmpty(t, s.Label())
		require.Equal(t, s, StateLabelled(s.Label()))
	}
	require.Empty(t, Active.Label(), "no list shows a cob by a label")
	require.Empty(t, StateLabelled("PENDING"))
	require.Empty(t, StateLabelled(""))
}

func TestTablesAreOfOperations(t *testing.T) {
	t.Parallel()
	find := func(id string) *Operation {
		i := slices.IndexFunc(Operations, func(op Operation) bool { return op.ID == id })
		require.GreaterOrEqual(t, i, 0, id)
		return &Operations[i]
	}
	for id := range Lifetimes {
		find(id)
	}
	for code, of := range Codes {
		require.False(t, find(of.Operation).IsSuccess(of.Status), code)
		require.NotContains(t, Retired, code)
	}
	require.Equal(t, "401 PUB_CERT_EXPIRED", CertExpired.Refusal())
	for id, list := range Lists {
		op := find(id)
		require.True(t, op.IsList(), id)
		require.Equal(t, list.Size, op.SizeParameter())
		require.Nil(t, op.FilterValues("startDate"), "any date")
	}
	require.Nil(t, find("listMeds").FilterValues("type"), "which the list does not have")
	require.Equal(t, Spelled(CaseStates.All()...), find("listMeds").FilterValues("status"))
	require.Equal(t, Spelled(PaymentStates.All()...), find("listTransactions").FilterValues("status"))
}
