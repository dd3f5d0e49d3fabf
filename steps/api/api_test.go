package api

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/target"
)

func TestOperations(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for i := range Operations {
		op := &Operations[i]
		require.False(t, seen[op.Noun], "%s is listed twice", op.Noun)
		seen[op.Noun] = true
		require.Same(t, op, Named(op.Noun))
		require.NotEmpty(t, op.ID)
		require.NotEmpty(t, op.Accepted, op.Noun)
		require.Equal(t, op.ID == Token, op.Path == "", "only the path of the token request is the profile's: %s", op.Noun)
		require.Equal(t, op.ID != Token, op.Bearer, op.Noun)
		require.Equal(t, op.Makes != Nothing, op.Amount != "", "what moves money has an amount: %s", op.Noun)
		require.Equal(t, op.Makes != Nothing, len(op.Identity) > 0, "what is made can be identified: %s", op.Noun)
		require.Equal(t, op.Makes == Payment || op.Makes == Refund, op.TakesMoney(), op.Noun)
		require.False(t, op.IsRead() && op.Makes != Nothing, op.Noun)
		require.False(t, op.Looks && !op.IsRead(), op.Noun)
		if op.Family == "" {
			require.Contains(t, []string{Token, "balances", "standardBalance"}, op.ID, "every gateway offers %s", op.Noun)
		}
	}
	require.Nil(t, Named("payment"))
	require.Panics(t, func() { MustNamed("payment") })
}

func TestWhatAnOperationIs(t *testing.T) {
	t.Parallel()
	require.True(t, MustNamed("token request").IsRead())
	require.True(t, MustNamed("webhook list request").IsRead())
	require.False(t, MustNamed("webhook registration").IsRead())
	require.True(t, MustNamed("refund").TakesMoney())
	require.False(t, MustNamed("cash-in").TakesMoney())
	require.Equal(t, "200, 201 or 202", strings.Replace(MustNamed("transfer").Success(), " or ", ", ", 1))
	require.Equal(t, "201", MustNamed("cash-out").Success())
	require.True(t, MustNamed("cob").IsSuccess(http.StatusOK))
	require.False(t, MustNamed("cash-out").IsSuccess(http.StatusOK))
	require.Equal(t, "pageSize", MustNamed("MED list request").SizeParameter())
	require.Equal(t, "size", MustNamed("list-by-key request").SizeParameter())
	require.Equal(t, target.Public, MustNamed("split cash-in").Family)
}

func TestEvents(t *testing.T) {
	t.Parallel()
	for event, want := range map[string]Made{
		"CashOut": Payment, "cash_out": Payment, "TRANSFER": Payment, "refund_out": Payment,
		"RECEIVE": Charge, "cash_in": Charge, "REFUND": Refund, "refund_in": Refund,
		"med_created": Nothing, "med_accepted": Nothing, "med_rejected": Nothing,
	} {
		require.Equal(t, want, CauseOf(event), event)
	}
	for name, p := range Payloads {
		require.True(t, strings.HasPrefix(p.Rule, "contract."), name)
		require.NotEmpty(t, p.Webhook, name)
	}
}
