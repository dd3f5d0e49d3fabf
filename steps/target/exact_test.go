package target

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A target may add members whose names differ only in case.
func TestNamesOfControlsCountExactly(t *testing.T) {
	t.Parallel()
	var d Division
	require.NoError(t, DecodeControl([]byte(`{"LEFT":1,"Splits":"no","splits":[{"Amount":2,"amount":"3.00","ſtatus":"no","status":"PAID","x":{}}],"left":"7.00"} more`), &d))
	require.Equal(t, Division{Splits: []Split{{Amount: "3.00", Status: "PAID"}}, Left: "7.00"}, d)
	var a Account
	require.NoError(t, DecodeControl([]byte(`{"accountId":9007199254740993,"Certificate":"eA==","ClientID":"no"}`), &a))
	require.Equal(t, Account{AccountID: 9007199254740993}, a)
	require.ErrorContains(t, DecodeControl([]byte(`{"name":5}`), &a), "Account.name")
	require.Error(t, DecodeControl([]byte(`{"name":`), &a))
}
