package run_test

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/run"
	"github.com/pixcert/pixcert/load/internal/test/reftest"
)

// relisted changes a field of a payment in a list.
func relisted(x *gateway.Exchange, p *run.Payment, field, value string) {
	for _, item := range gjson.GetBytes(x.Body, "data").Array() {
		if item.Get("externalId").Str == p.ExternalID {
			old := item.Get(field)
			changed := strings.Replace(item.Raw, `"`+field+`":`+old.Raw, `"`+field+`":`+value, 1)
			x.Body = bytes.Replace(x.Body, []byte(item.Raw), []byte(changed), 1)
		}
	}
}

// examplesOf are the details of a finding, by payment.
func examplesOf(book ledger.Book, sort string) map[string]string {
	details := map[string]string{}
	for _, e := range book.Examples {
		if e.Sort == sort {
			details[e.Payment] = e.Detail
		}
	}
	return details
}

// The differences cancel, so that the balance agrees.
func TestPaymentsThatAreListedDifferentlyAreNamed(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r, n := against(t, reftest.Start(t), func(c *run.Config) { c.Accounts, c.Least, c.Most = 1, 10_00, 10_00 })
	var all []*run.Payment
	n.Unmeasured = lists{n.Sender, func(x *gateway.Exchange) {
		relisted(x, all[1], "originalAmount", "10.01")
		relisted(x, all[3], "originalAmount", "9.99")
		relisted(x, all[4], "feeAmount", "0.01")
	}}
	require.NoError(t, r.Prepare(ctx, n))
	for range 6 {
		all = append(all, r.CashOut(ctx, call(r, n, 0), nil))
	}
	book := r.Close(ctx).Ledger
	assert.EqualValues(t, 6, book.Counts.PaymentsCompared)
	assert.EqualValues(t, 3, book.Counts.PaymentsMisstated)
	assert.Equal(t, map[string]string{
		all[1].ExternalID: "sent 10.00, listed 10.01",
		all[3].ExternalID: "sent 10.00, listed 9.99",
		all[4].ExternalID: "fee 0.00 according to its webhook, listed 0.01",
	}, examplesOf(book, "payments_misstated"))
	assert.Zero(t, book.Counts.MoneyDrift)
	assert.Zero(t, book.Counts.WebhooksContradictory)
}

// A gateway that debits a centavo more than it reports, but lists what it debits.
func TestADriftThatTheListExplainsNamesThePayment(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r, n := against(t, reftest.Start(t), func(c *run.Config) { c.Accounts, c.Least, c.Most = 1, 10_00, 10_00 })
	var p *run.Payment
	n.Unmeasured = dear{lists{n.Sender, func(x *gateway.Exchange) { relisted(x, p, "originalAmount", "10.01") }}}
	require.NoError(t, r.Prepare(ctx, n))
	r.CashOut(ctx, call(r, n, 0), nil)
	p = r.CashOut(ctx, call(r, n, 0), nil)
	book := r.Close(ctx).Ledger
	assert.EqualValues(t, 1, book.Counts.MoneyDrift)
	require.Len(t, book.Causes, 1)
	assert.Equal(t, "account 0: the balance is off by exactly what the gateway lists differently: payment "+p.ExternalID+": sent 10.00, listed 10.01", book.Causes[0].Text)
}

// Without webhooks only the list tells which of the accepted payments exist.
func TestWithoutWebhooksEveryPaymentThatTheListLacksHasVanished(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r, n := against(t, reftest.Start(t), func(c *run.Config) { c.Webhooks, c.Drain = nil, 2*time.Second })
	require.NoError(t, r.Prepare(ctx, n))
	lost := map[string]bool{}
	lossy := &forgetful{Sender: n.Sender}
	for i := range 40 {
		to := call(r, n, i%2)
		if i%3 == 0 {
			to.Sender = lossy
		}
		p := r.CashOut(ctx, to, nil)
		require.True(t, p.Accepted())
		if i%3 == 0 {
			lost[p.ExternalID] = true
		}
	}
	book := r.Close(ctx).Ledger
	c := book.Counts
	assert.EqualValues(t, len(lost), c.PaymentsVanished)
	assert.EqualValues(t, 40-len(lost), c.PaymentsConfirmed)
	assert.Zero(t, c.PaymentsUnchecked+c.PaymentsUnreported+c.MoneyDrift)
	for id := range examplesOf(book, "payments_vanished") {
		assert.True(t, lost[id])
	}
}

// What a list that is too long or fails does not show is neither confirmed nor vanished.
func TestWhatIsNotReadOfAListIsUnchecked(t *testing.T) {
	t.Parallel()
	for name, show := range map[string]func(*gateway.Exchange){
		"too long": func(x *gateway.Exchange) {
			x.Body = []byte(`{"data": [{"originalAmount": 1, "feeAmount": 0}], "metadata": {"hasNext": true}}`)
		},
		"fails": func(x *gateway.Exchange) { x.Status = http.StatusInternalServerError },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			r, n := against(t, reftest.Start(t), func(c *run.Config) { c.Accounts, c.Webhooks = 1, nil })
			n.Unmeasured = lists{n.Sender, show}
			require.NoError(t, r.Prepare(ctx, n))
			for range 3 {
				require.True(t, r.CashOut(ctx, call(r, n, 0), nil).Accepted())
			}
			book := r.Close(ctx).Ledger
			assert.EqualValues(t, 3, book.Counts.PaymentsUnchecked)
			assert.Zero(t, book.Counts.PaymentsVanished+book.Counts.PaymentsCompared)
			assert.Len(t, examplesOf(book, "payments_unchecked"), 3)
			failed := slices.ContainsFunc(book.Examples, func(e ledger.Example) bool { return e.Sort == "payments_compared" })
			assert.Equal(t, name == "fails", failed, "why the list was not read")
		})
	}
}

// The list names what moved twice, although nothing was repeated.
func TestTwoTransactionsUnderOneIDAreADoubleDebit(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r, n := against(t, reftest.Start(t), func(c *run.Config) { c.Accounts = 1 })
	n.Unmeasured = lists{n.Sender, func(x *gateway.Exchange) {
		item := gjson.GetBytes(x.Body, "data.0")
		again := strings.Replace(item.Raw, item.Get("transactionId").Str, "t-2", 1)
		x.Body = bytes.Replace(x.Body, []byte(item.Raw), []byte(item.Raw+","+again), 1)
	}}
	require.NoError(t, r.Prepare(ctx, n))
	p := r.CashOut(ctx, call(r, n, 0), func(c *data.CashOut) { c.Value = 10_00 })
	book := r.Close(ctx).Ledger
	assert.EqualValues(t, 1, book.Counts.DoubleDebits)
	assert.Equal(t, map[string]string{p.ExternalID: "the gateway lists another transaction under its id: t-2"}, examplesOf(book, "double_debits"))
}

// dear is a sender that shows a centavo less in each balance.
type dear struct{ gateway.Sender }

func (s dear) Send(ctx context.Context, r *gateway.Request) *gateway.Exchange {
	x := s.Sender.Send(ctx, r)
	if r.Operation == gateway.ReadBalance {
		available := gjson.GetBytes(x.Body, "data.0.balanceAmount.available")
		centavos, _ := data.ParseAmount(available.Raw) // the reference's
		x.Body = bytes.Replace(x.Body, []byte(`"available":`+available.Raw), []byte(`"available":`+data.FormatAmount(centavos-1)), 1)
	}
	return x
}
