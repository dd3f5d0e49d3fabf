package verdict

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/translation"
)

// failed is a reduced failing scenario of a recorded run.
type failed struct {
	rule, name string
	via        string   // the scenario that met it
	step       string   // the last When
	requests   []string // operations, of which the finding is about the last response
	finding    Finding
}

func (f failed) scenario() Scenario {
	s := Scenario{Rule: f.rule, Name: f.name, Via: f.via, Verdict: Fail, ExchangeCount: len(f.requests)}
	if f.via == "" {
		s.Steps = []Step{{Keyword: "When", Text: f.step, Verdict: Pass}, {Keyword: "Then", Text: "it is so", Verdict: Fail}}
	}
	for _, operation := range f.requests {
		e := exchange.Exchange{Party: exchange.API, Operation: operation, Method: "POST"}
		if _, err := fmt.Sscanf(operation, "resend request %d", &e.Status); err == nil {
			e.Operation = "resend request"
		}
		control, isControl := strings.CutPrefix(operation, "control ")
		switch {
		case isControl:
			e.Party, e.Operation = exchange.Control, control
		case strings.HasSuffix(operation, " event"):
			e.Party = exchange.Webhook
		case strings.Contains(operation, "list") || strings.Contains(operation, "balance"):
			e.Method = "GET"
		}
		s.Exchanges = append(s.Exchanges, e)
	}
	s.Finding = f.finding.At(len(f.requests) - 1)
	return s
}

// failedRun has the failures, and passing scenarios of the rules that are not about the fault.
func failedRun(passing []string, failures ...failed) *Run {
	run := &Run{}
	add := func(s Scenario) {
		if run.Title(s.Rule) == "" {
			run.Rules = append(run.Rules, Rule{Name: s.Rule, Title: "Title of " + s.Rule})
		}
		run.Scenarios = append(run.Scenarios, s)
	}
	for _, f := range failures {
		add(f.scenario())
	}
	for _, rule := range passing {
		for _, name := range []string{"One", "Two", "Three"} {
			add(Scenario{Rule: rule, Name: name, Verdict: Pass})
		}
	}
	return run
}

func moved(expected, got string) Finding {
	return Finding{Expected: expected, Got: got, Field: "available", About: About{Kind: Movement, Expected: Falls, Got: Falls}}
}

func fieldIs(field, expected, got string) Finding {
	return Finding{Expected: expected, Got: got, Field: field, About: About{Kind: Field}}
}

func other(expected, got string) Finding {
	return Finding{Expected: expected, Got: got, About: About{Kind: Other}}
}

var debitedTwice = []failed{
	{"cash-out.debit", "While it is pending", "", "the account sends a cash-out of R$ 10.00", []string{"cash-out", "balance request"}, moved("available to fall by R$ 10.00", "fell by R$ 20.00, from R$ 100.00 to R$ 80.00")},
	{"cash-out.value", "0.01 is accepted", "", "the account sends a cash-out with value 0.01", []string{"cash-out", "balance request"}, moved("available to fall by R$ 0.01", "fell by R$ 0.02, from R$ 100.00 to R$ 99.98")},
	{"balance.blocked", "blocked to be at most", "cash-out.debit/While it is pending", "", []string{"balance request"}, fieldIs("data[0].balanceAmount.blocked", "blocked to be at most R$ 10.00, which is all that the operations of the new account can take", "R$ 20.00")},
	{"bearer.every-request", "A cash-out with a wrong token", "", "the account sends each of them again", []string{"cash-out", "cash-out"}, Finding{Expected: "accepted with 201", Got: "if token is a garbage token: 400 PIX_INSUFFICIENT_BALANCE, the balance is below the amount", About: About{Kind: Rejection, Status: 400, Code: "PIX_INSUFFICIENT_BALANCE", Variant: "if token is a garbage token"}}},
	{"lists.own-account", "only transactions of this account", "cash-out.debit/While it is pending", "", []string{"transaction list request"}, other("only transactions of this account", "a payment with an externalId that this account has not sent")},
	{"lists.matching", "Payments of several days", "", "the account sends two cash-outs", []string{"cash-out", "transaction list request"}, Finding{Expected: "GET /api/transactions?page=1&size=1 to list only payment 2", Got: "also another transaction: Pix out of R$ 5.00", Field: "data[0]", About: About{Kind: Listing, Stranger: true}}},
	{"lists.status", "Status PENDING", "", "the account sends a transaction list request with query status PENDING", []string{"cash-out", "transaction list request"}, fieldIs("metadata.total", "metadata.total to be 1", "4")},
	{"money.outgoing", "available to fall", "cash-out.debit/While it is pending", "", []string{"balance request"}, other("available to fall by R$ 10.00, according to the requests of the scenario", "fell by R$ 20.00, from R$ 100.00 to R$ 80.00")},
	{"states.cash-out", "Confirmed", "", "the bank confirms the payment", []string{"cash-out", "balance request"}, fieldIs("available", "the account to have R$ 82.69 available", "R$ 65.38")},
}

var unpaid = []failed{
	{"balance.received", "Received money", "", "a payer pays the charge", []string{"cash-in", "control payments", "balance request"}, Finding{Expected: "available to rise by R$ 6.00", Got: "unchanged, from R$ 0.00 to R$ 0.00", Field: "available", About: About{Kind: Movement, Expected: Rises, Got: Stays}}},
	{"refund.natureza", "None", "", "the account sends a refund with natureza absent", []string{"cob", "control payments", "refund"}, Finding{Expected: "accepted with 200", Got: "404, no PIX received with the e2eid", About: About{Kind: Rejection, Status: 404}}},
	{"events.receive", "A cob", "", "a payer pays the charge", []string{"cob", "control payments"}, Finding{Expected: "a RECEIVE event with status LIQUIDATED at any of the account's 7 URLs within 2s", Got: "none", About: About{Kind: Event}}},
	{"splits.immediate", "One", "", "a payer pays the charge", []string{"split cash-in", "control payments", "control splits"}, fieldIs("splits[0].status", "split 1 of 1, of R$ 1.00, to be PAID", "PENDING")},
}

var withoutEnvelope = []failed{
	{"contract.resend", "404 with: code is required", "resend.unknown/One", "", []string{"resend request 404"}, fieldIs("code", "a response that matches openapi.yaml", "404 with: code is required")},
	{"contract.resend", "401 with: errorId is required", "bearer.required/One", "", []string{"resend request 401"}, fieldIs("errorId", "a response that matches openapi.yaml", "401 with: errorId is required")},
	{"contract.resend", "401 with: userMessage is required", "bearer.required/One", "", []string{"resend request 401"}, fieldIs("userMessage", "a response that matches openapi.yaml", "401 with: userMessage is required")},
}

var listedAsPending = []failed{
	{"listed.charge", "Paid", "", "a payer pays the charge", []string{"cash-in", "control payments", "transaction list request"}, fieldIs("status", `status to be "Confirmado"`, `"Pendente"`)},
	{"lists.matching", "Several", "", "", []string{"cash-in", "transaction list request"}, fieldIs("data[0]", `GET /api/transactions to list payment 3 with status "Confirmado"`, `status "Pendente"`)},
	{"lists.status", "status", "listed.charge/Paid", "", []string{"transaction list request"}, other("a listed Pix out to have status Confirmado", `status "Pendente"`)},
}

var withoutName = []failed{
	{"contract.cash-out", "201 with: name is required", "cash-out.accepted/One", "", []string{"cash-out"}, fieldIs("details.name", "a response that matches openapi.yaml", "201 with: details.name is required")},
}

// Reduced runs against gateways with one fault, or two.
func TestTheCausesOfRecordedRuns(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		passing []string // rules of which most scenarios pass
		all     []failed
		want    []string // headlines
		inPT    []string // the same
		blamed  []string // rules
	}{
		"debits a cash-out twice": {
			[]string{"cash-out.value", "lists.status", "lists.matching", "bearer.every-request", "states.cash-out"}, debitedTwice,
			[]string{"A cash-out of R$ 10.00 debited R$ 20.00"},
			[]string{"Um pagamento de R$ 10.00 debitou R$ 20.00"}, []string{"cash-out.debit"},
		},
		"does not let charges be paid": {
			[]string{"refund.natureza", "splits.immediate"}, unpaid,
			[]string{"When a payer pays the charge, available was unchanged; expected to rise by R$ 6.00"},
			[]string{"Após o passo \"a payer pays the charge\": saldo disponível não mudou; esperado: subir R$ 6.00"}, []string{"balance.received"},
		},
		"rejects a resend in another envelope": {
			nil, withoutEnvelope,
			[]string{"The response to a resend request breaks the contract: 401 with: errorId is required"},
			[]string{"Resposta a um pedido de reenvio viola o contrato: 401 com: errorId é obrigatório"}, []string{"contract.resend"},
		},
		"lists a paid charge as pending": {
			[]string{"lists.matching", "lists.status"}, listedAsPending,
			[]string{"When a payer pays the charge, `status` in the response to a transaction list request was \"Pendente\"; expected \"Confirmado\""},
			[]string{"Após o passo \"a payer pays the charge\": `status` em resposta a uma consulta do extrato: \"Pendente\"; esperado: \"Confirmado\""}, []string{"listed.charge"},
		},
		"two faults": {
			nil, slices.Concat(debitedTwice, withoutName),
			[]string{"A cash-out of R$ 10.00 debited R$ 20.00", "The response to a cash-out breaks the contract: 201 with: details.name is required"},
			[]string{"Um pagamento de R$ 10.00 debitou R$ 20.00", "Resposta a um pagamento viola o contrato: 201 com: details.name é obrigatório"},
			[]string{"cash-out.debit", "contract.cash-out"},
		},
	} {
		var headlines, inPT, blamed []string
		failures := 0
		for _, cause := range failedRun(c.passing, c.all...).Causes() {
			headlines, blamed = append(headlines, cause.Headline), append(blamed, cause.Rule.Name)
			inPT = append(inPT, cause.HeadlineIn(translation.Portuguese))
			failures += 1 + len(cause.Others)
		}
		assert.Equal(t, c.want, headlines, name)
		assert.Equal(t, c.inPT, inPT, name)
		assert.Equal(t, c.blamed, blamed, name)
		require.Equal(t, len(c.all), failures, name)
	}
}
