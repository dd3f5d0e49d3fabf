package module

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"reflect"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/run"
)

// jsAccount is an account as seen by one virtual user.
type jsAccount struct {
	user    *user
	account *gateway.Account
}

func newAccount(u *user, account *gateway.Account) *sobek.Object {
	a, object := &jsAccount{user: u, account: account}, u.vu.Runtime().NewObject()
	must(object.Set("index", account.Index))
	must(object.Set("clientId", account.ClientID))
	must(object.Set("pixKey", account.PixKey))
	u.define(object, account, []method{
		pays(a, "cashOut", (*run.Run).CashOut),
		{"qrCashOut", 1, a.qrCashOut},
		{"transfer", 1, a.transfer},
		{"refund", 2, a.refund},
		pays(a, "cashIn", (*run.Run).CashIn),
		pays(a, "cob", (*run.Run).Cob),
		{"token", 0, a.token},
		{"balance", 0, a.balance},
		{"transactions", 1, a.transactions},
		{"transactionsByKey", 2, a.transactionsByKey},
		{"meds", 1, a.meds},
		{"registerWebhook", 1, a.registerWebhook},
		{"webhooks", 0, a.webhooks},
		{"resend", 1, a.resend},
		{"audit", 0, a.audit},
	})
	return object
}

// read decodes an argument, or throws an error that starts with the method's name. It returns the fields that are given.
func (a *jsAccount) read(name string, v sobek.Value, into any) map[string]json.RawMessage {
	rt := a.user.vu.Runtime()
	if common.IsNullish(v) {
		return nil
	}
	given, err := strictly(argument(rt, v), into)
	if err != nil {
		common.Throw(rt, fmt.Errorf("%s: %w", name, err))
	}
	return given
}

func (a *jsAccount) misuse(name, format string, args ...any) {
	common.Throw(a.user.vu.Runtime(), fmt.Errorf(name+": "+format, args...))
}

// pays is a method whose options replace fields of a generated body.
func pays[B any](a *jsAccount, name string, pay func(*run.Run, context.Context, run.Call, func(*B)) *run.Payment) method {
	return method{name, 1, func(call sobek.FunctionCall) work {
		_, edit := edits[B](a, name, call.Argument(0))
		return a.paying(func(ctx context.Context, c run.Call) *run.Payment { return pay(a.user.run, ctx, c, edit) })
	}}
}

func (a *jsAccount) qrCashOut(call sobek.FunctionCall) work {
	o, edit := edits[data.QRCashOut](a, "qrCashOut", call.Argument(0))
	if (o.Value != 0) != (o.QRCode != "") {
		a.misuse("qrCashOut", "value, qrCode: expected both or neither, because the code contains the amount")
	}
	return a.paying(func(ctx context.Context, c run.Call) *run.Payment { return a.user.run.QRCashOut(ctx, c, edit) })
}

func (a *jsAccount) transfer(call sobek.FunctionCall) work {
	o, edit := edits[data.Transfer](a, "transfer", call.Argument(0))
	if o.Key == "" && !a.user.run.Payees() {
		a.misuse("transfer", "key: expected a key in the directory, got none: without the test control directory, payees are not generated")
	}
	return a.paying(func(ctx context.Context, c run.Call) *run.Payment {
		return a.user.run.Transfer(ctx, c, func(t *data.Transfer) {
			to := *t
			edit(t)
			if t.Document = o.Document; o.Key == "" { // which belong together
				t.Key, t.Document = to.Key, to.Document
			}
		})
	})
}

func (a *jsAccount) refund(call sobek.FunctionCall) work {
	var o data.Refund
	if paid, ok := call.Argument(0).Export().(*receipt); ok {
		var part struct {
			Value data.Amount `json:"value"`
		}
		a.read("refund", call.Argument(1), &part)
		o.EndToEndID, o.Value = paid.EndToEndID, cmp.Or(part.Value, data.Amount(paid.payment.Amount))
	} else {
		a.read("refund", call.Argument(0), &o)
	}
	if o.EndToEndID == "" || o.Value < 1 {
		a.misuse("refund", `expected a paid charge, or {endToEndId, value}, got %s`, call.Argument(0))
	}
	return a.paying(func(ctx context.Context, c run.Call) *run.Payment {
		return a.user.run.Refund(ctx, c, o.EndToEndID, int64(o.Value))
	})
}

// paying makes a payment and returns it to the script.
func (a *jsAccount) paying(make func(context.Context, run.Call) *run.Payment) work {
	u := a.user
	return func(ctx context.Context, c run.Call) (any, error) {
		p := make(ctx, c)
		u.checked(ctx, p.Exchange)
		return newPayment(u, p), u.thrown(p.Exchange)
	}
}

// token requests a new token, even if the account has one.
func (a *jsAccount) token(sobek.FunctionCall) work {
	return a.measured(gateway.Token, func(ctx context.Context, c run.Call) (*gateway.Exchange, any) {
		x := a.account.IssueToken(ctx, c.Sender)
		return x, a.user.newToken(x)
	})
}

func (a *jsAccount) balance(sobek.FunctionCall) work {
	return a.measured(gateway.ReadBalance, func(ctx context.Context, c run.Call) (*gateway.Exchange, any) {
		balance, x, err := a.account.Balance(ctx, c.Sender)
		return x, a.user.newBalance(balance, x, err)
	})
}

func (a *jsAccount) transactions(call sobek.FunctionCall) work {
	query := a.query("transactions", call.Argument(0))
	return a.measured(gateway.Transactions, func(ctx context.Context, c run.Call) (*gateway.Exchange, any) {
		page, x, err := a.account.Transactions(ctx, c.Sender, query)
		return x, a.user.newPage(page, x, err)
	})
}

func (a *jsAccount) transactionsByKey(call sobek.FunctionCall) work {
	if common.IsNullish(call.Argument(0)) {
		a.misuse("transactionsByKey", "key: expected a PIX key, got none")
	}
	key, query := call.Argument(0).String(), a.query("transactionsByKey", call.Argument(1))
	return a.measured(gateway.TransactionsByKey, func(ctx context.Context, c run.Call) (*gateway.Exchange, any) {
		page, x, err := a.account.TransactionsByKey(ctx, c.Sender, key, query)
		return x, a.user.newPage(page, x, err)
	})
}

func (a *jsAccount) meds(call sobek.FunctionCall) work {
	query := a.query("meds", call.Argument(0))
	return a.measured(gateway.Meds, func(ctx context.Context, c run.Call) (*gateway.Exchange, any) {
		meds, x, err := a.account.Meds(ctx, c.Sender, query)
		return x, &list{reply: a.user.reply(x, err), Items: meds}
	})
}

// measured runs an operation other than a payment.
func (a *jsAccount) measured(op gateway.Operation, do func(context.Context, run.Call) (*gateway.Exchange, any)) work {
	return func(ctx context.Context, c run.Call) (value any, err error) {
		a.user.run.Measure(op, c, func() *gateway.Exchange {
			var x *gateway.Exchange
			x, value = do(ctx, c)
			a.user.checked(ctx, x)
			err = a.user.thrown(x)
			return x
		})
		return value, err
	}
}

// query converts an object's fields to URL parameters.
func (a *jsAccount) query(name string, v sobek.Value) url.Values {
	if common.IsNullish(v) {
		return nil
	}
	var fields map[string]any
	if err := json.Unmarshal(argument(a.user.vu.Runtime(), v), &fields); err != nil {
		a.misuse(name, "expected an object of query parameters, got %s", v)
	}
	query := url.Values{}
	for field, value := range fields {
		query.Set(field, fmt.Sprint(value))
	}
	return query
}

func (a *jsAccount) registerWebhook(call sobek.FunctionCall) work {
	var o struct {
		URL     string            `json:"url"`
		Type    string            `json:"eventType"`
		Headers map[string]string `json:"headers"`
	}
	a.read("registerWebhook", call.Argument(0), &o)
	o.Type = cmp.Or(o.Type, "cash_out")
	if o.URL = cmp.Or(o.URL, a.user.run.WebhookURL(a.account, o.Type)); o.URL == "" {
		a.misuse("registerWebhook", "url: expected a URL, got none: this run has no webhook listener")
	}
	return a.measured(gateway.RegisterWebhook, func(ctx context.Context, c run.Call) (*gateway.Exchange, any) {
		x, err := a.account.RegisterWebhook(ctx, c.Sender, gateway.Webhook{URL: o.URL, Type: o.Type, Headers: o.Headers})
		return x, a.user.reply(x, err)
	})
}

func (a *jsAccount) webhooks(sobek.FunctionCall) work {
	return a.measured(gateway.Webhooks, func(ctx context.Context, c run.Call) (*gateway.Exchange, any) {
		registered, x, err := a.account.Webhooks(ctx, c.Sender)
		return x, &list{reply: a.user.reply(x, err), Items: registered}
	})
}

// resend requests a resend of a payment's webhook: of this run's payment, whose webhook the
// ledger then expects, or of any other by its id.
func (a *jsAccount) resend(call sobek.FunctionCall) work {
	v := call.Argument(0)
	p, ours := v.Export().(*payment)
	if !ours && common.IsNullish(v) {
		a.misuse("resend", "expected a payment or a transaction's id, got none")
	}
	account, transaction := a.account, v.String()
	if ours {
		account, transaction = p.payment.Account, p.payment.Transaction()
	}
	return a.measured(gateway.Resend, func(ctx context.Context, c run.Call) (*gateway.Exchange, any) {
		if ours {
			a.user.run.Ledger().ExpectResend(p.payment.ID)
		}
		r, x, err := account.Resend(ctx, c.Sender, transaction)
		switch {
		case !ours:
		case x.Unsent || x.Status >= 400 && x.Status <= 499:
			a.user.run.Ledger().UnexpectResend(p.payment.ID)
		case err != nil || r.Status < 200 || r.Status > 299:
			a.user.run.Ledger().DoubtResend(p.payment.ID)
		}
		return x, &resent{reply: a.user.reply(x, err), WebhookLogID: r.LogID, Delivered: r.Status}
	})
}

func (a *jsAccount) audit(sobek.FunctionCall) work {
	return func(ctx context.Context, c run.Call) (any, error) {
		m, err := a.user.run.Check(ctx, c.Sender, a.account)
		return newAudit(m), err
	}
}

// pay has a charge paid by the test controls.
func (u *user) pay(call sobek.FunctionCall) work {
	charge, ok := call.Argument(0).Export().(*payment)
	if !ok {
		common.Throw(u.vu.Runtime(), errors.New("pay: expected a charge returned by cashIn or cob: await it"))
	}
	return func(ctx context.Context, c run.Call) (any, error) {
		c.Account = charge.payment.Account
		endToEndID, err := u.run.Pay(ctx, c, charge.payment)
		if err != nil {
			return nil, err
		}
		return &receipt{endToEndID, data.FormatAmount(charge.payment.Amount), awaited{u, charge.payment}}, nil
	}
}

// audit compares all balances with the ledger, now.
func (u *user) audit(sobek.FunctionCall) work {
	return func(ctx context.Context, c run.Call) (any, error) {
		var all []audit
		for _, a := range u.run.Accounts() {
			m, err := u.run.Check(ctx, c.Sender, a)
			if err != nil {
				return nil, fmt.Errorf("audit: %w", err)
			}
			all = append(all, newAudit(m))
		}
		return all, nil
	}
}

// edits reads the options of a call, and sets them in a generated body.
func edits[B any](a *jsAccount, method string, v sobek.Value) (options B, edit func(*B)) {
	given := a.read(method, v, &options)
	from := reflect.ValueOf(options)
	return options, func(body *B) {
		for i := 0; len(given) > 0 && i < from.NumField(); i++ {
			if _, set := given[from.Type().Field(i).Tag.Get("json")]; set {
				reflect.ValueOf(body).Elem().Field(i).Set(from.Field(i))
			}
		}
	}
}
