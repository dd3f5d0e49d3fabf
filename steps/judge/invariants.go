package judge

import (
	"fmt"
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/spec"
	"github.com/pixcert/pixcert/steps/target"
)

// Responses, lists, events and balances say more than the steps ask. These rules are checked in passing, in every
// scenario, whatever it is about; besides them, every response and event is held against openapi.yaml. Only what the
// specification states of any such message is checked here, and nothing that may change between two looks.

// invariant is a rule that is checked in passing.
type invariant struct {
	rule       string // under which a breach is reported; of several, separated by spaces, the check names one
	statements string // that justify it
	check      check  // what it is about, and what must hold of it
}

var invariants = []invariant{
	{"cash-out.accepted", "OUT-054", eachAccepted("cashOut", echoed("externalId", "externalId"))},
	{"cash-out.accepted", "OUT-057", eachAccepted("cashOut", hasNoCashInField)},
	{"cash-out.accepted", "OUT-056 GEN-006", eachResponse("cashOut", stamped("generateTime", true))},
	{"qr-cash-out.accepted", "OQR-032", eachAccepted("cashOutQRCode", echoed("externalId", "externalId"))},
	{"qr-cash-out.accepted", "OQR-036", eachAccepted("cashOutQRCode", hasNoCashInField)},
	{"qr-cash-out.accepted", "OQR-035 GEN-006", eachResponse("cashOutQRCode", stamped("generateTime", true))},
	{"cash-in.accepted", "IN-053", eachAccepted("cashIn", echoed("externalId", "transaction.externalId"))},
	{"cash-in.accepted", "IN-055 GEN-006", eachResponse("cashIn", stamped("generateTime", true))},
	{"cash-in.code", "IN-077", eachAccepted("cashIn", hasBRCode)},
	{"cash-in.qr-code-image", "IN-031 IN-032 IN-033 IN-034", eachAccepted("cashIn", hasImageIfRequested)},
	{"cash-in.expiration-date", "IN-024", eachResponse("cashIn", expiresByDefault)},
	{"transfer.accepted", "DICT-053", eachAccepted("transfer", echoed("payment.amount", "payment.amount"))},
	{"transfer.accepted", "DICT-054", eachResponse("transfer", beginsIn(api.TransferStates))},
	{"refund.accepted", "DEV-009 DEV-024", eachAccepted("refund", echoed("id", "path id"))},
	{"refund.accepted", "DEV-009 DEV-024", eachResponse("refund", keepsName("id"))},
	{"refund.accepted", "DEV-027", eachAccepted("refund", echoed("valor", "valor"))},
	{"refund.accepted", "DEV-029", eachAccepted("refund", echoed("descricao", "descricao"))},
	{"refund.accepted", "DEV-031 GEN-006", eachResponse("refund", stamped("horario.solicitacao", true))},
	{"refund.accepted", "DEV-032 DEV-050", eachResponse("refund", beginsIn(api.RefundStates))},
	{"refund.natureza", "DEV-015", eachAccepted("refund", echoed("natureza", "natureza"))},
	{"refund.natureza", "DEV-014 DEV-015", eachAccepted("refund", isOriginalByDefault)},
	{"cob.created", "COB-039", eachAccepted("cob", echoed("txid", "path txid"))},
	{"cob.created", "COB-039", eachResponse("cob", keepsName("txid"))},
	{"cob.created", "COB-038", eachAccepted("cob", echoed("calendario.expiracao", "calendario.expiracao"))},
	{"cob.created", "COB-047", eachAccepted("cob", echoed("devedor.cpf", "devedor.cpf"))},
	{"cob.created", "COB-047", eachAccepted("cob", echoed("devedor.cnpj", "devedor.cnpj"))},
	{"cob.created", "COB-048", eachAccepted("cob", echoed("devedor.nome", "devedor.nome"))},
	{"cob.created", "COB-049", eachAccepted("cob", echoed("valor.original", "valor.original"))},
	{"cob.created", "COB-050", eachAccepted("cob", echoed("valor.modalidadeAlteracao", "valor.modalidadeAlteracao"))},
	{"cob.created", "COB-051", eachAccepted("cob", echoed("chave", "chave"))},
	{"cob.created", "COB-052", eachAccepted("cob", echoed("solicitacaoPagador", "solicitacaoPagador"))},
	{"cob.created", "COB-036 COB-053 COB-054", eachAccepted("cob", echoesItems)},
	{"cob.created", "COB-044", eachAccepted("cob", hasOneLocation)},
	{"cob.created", "COB-037 GEN-006", eachResponse("cob", stamped("calendario.criacao", true))},
	{"cob.created", "COB-045 COB-057", eachResponse("cob", beginsIn(api.ChargeStates))},
	{"webhook.registered", "WHK-028", eachAccepted("registerWebhook", succeeds)},
	{"webhook.registered", "WHK-027", eachResponse("registerWebhook", isRegistered)},
	{"webhook.limit", "WHK-031 WHK-032", eachResponse("registerWebhook", hasRoom)},
	{"webhook.own-account", "WHK-058", eachResponse("listWebhooks", listsOwnURLs)},
	{"webhook.account-not-found", "WHK-059", eachLook(isOfExistingAccount)},
	{"resend.answer", "RSD-017 GEN-006", eachResponse("resendWebhook", stamped("sentAt", true))},
	{"resend.temporary-url resend.registered-url", "RSD-008 RSD-013 RSD-018", eachResponse("resendWebhook", isDelivered)},
	{"resend.answer", "RSD-018", eachResponse("resendWebhook", reportsStatus)},
	{"resend.answer", "RSD-019", overall(logIDsAreUnique)},

	{"envelope-a.fields", "ERR-002 GEN-006", eachRejection(envelopeA, stamped("timestamp", false))},
	{"envelope-a.fields", "ERR-001", eachRejection(envelopeA, hasStatusCode)},
	{"envelope-a.fields", "ERR-003", eachRejection(envelopeA, hasPath)},
	{"envelope-a.fields", "ERR-004", eachRejection(envelopeA, hasMethod)},
	{"envelope-b.fields", "ERR-021", eachRejection(envelopeB, hasStatusCode)},
	{"envelope-b.fields", "ERR-023 ERR-024 ERR-025 ERR-026 ERR-027 ERR-028", eachRejection(envelopeB, hasPhrase)},
	{"token.codes", "TOK-060 TOK-061", eachResponse(api.Token, hasCurrentCode)},
	{"token.* cash-out.business-codes", "TOK-003 TOK-041 TOK-043 TOK-045 TOK-047 TOK-051 OUT-063", eachResponse("", hasStatusOfCode)},
	{"cash-out.key-type", "OUT-098", eachResponse("cashOut", namesKeyTypes)},
	{"token.*", "TOK-028 TOK-030", eachResponse(api.Token, acceptsOwnCertificate)},
	{"token.*", "TOK-003 TOK-029 TOK-031 TOK-041 TOK-043", eachResponse(api.Token, rejectsWrongCertificate)},

	{"lists.answer balance.answer webhook.list med.list", "LTX-027 LPK-034 BAL-004 WHK-046 MED-023", eachLook(isAccepted)},
	{"lists.* med.case med.analysis", "LTX-031 GEN-014 MED-041", eachLook(listsAllAtRest)},
	{"lists.dates med.date-filter", "LPK-026 LPK-027 MED-010 MED-011", eachPage(isWithinDates)},
	{"lists.page lists.size lists.cap med.pages", "LTX-029 LPK-033 LPK-039 MED-025 MED-027 MED-028 MED-029", eachPage(isPage)},
	{"lists.external-id", "LTX-010", eachPage(countsNothing)},
	{"lists.external-id", "LTX-009", eachTransaction(hasExternalID)},
	{"lists.end-to-end-id", "LTX-011", eachTransaction(hasEndToEndID)},
	{"lists.status", "LTX-014 LTX-015 LTX-016 LPK-015 LPK-016 LPK-017", eachTransaction(hasRequestedStatus)},
	{"lists.type", "LTX-018 LTX-019 LTX-021 LPK-020 LPK-021 LPK-022", eachTransaction(hasRequestedType)},
	{"lists.own-account", "LTX-031 AUTH-011", eachTransaction(isOfAccount)},
	{"listed.fields", "LTX-037 LTX-059 LTX-060 LTX-061", eachTransaction(movesAsItsType)},
	{"listed.fields", "LTX-033", eachTransaction(hasIDOfOrder)},
	{"listed.fields", "LTX-039 LTX-040 LTX-041 EVT-019 EVT-020", eachTransaction(agreesWithEvent)},
	{"listed.amounts", "LTX-038", eachTransaction(hasAmountOfOrder)},
	{"listed.amounts", "LTX-040 EVT-021", eachTransaction(addsUpOnceConfirmed)},
	{"cash-out.confirmed", "OUT-060 GEN-014", eachTransaction(isConfirmedInTime)},
	{"med.status-filter", "MED-003 MED-004 MED-005 MED-006", eachCase(hasFiltered("status", api.Spelled(api.CaseStates.All()...)))},
	{"med.reconciled-filter", "MED-008 MED-009", eachCase(hasFiltered("isReconciled", []string{"true", "false"}))},
	{"med.own-account", "AUTH-011", eachCase(contestsOwnPayment)},
	{"med.case", "MED-034 MED-048", eachCase(showsItsPayment)},
	{"med.analysis", "MED-040 MED-041", eachCase(hasHadState)},

	{"delivery.json", "EVT-009", eachEvent(isJSON)},
	{"delivery.own-type", "WHK-040", eachEvent(arrivesAtItsType)},
	{"events.rejected", "DICT-063 EVT-011", eachEvent(isOfAcceptedOrder)},
	{"delivery.every-url", "WHK-039 WHK-054", eachEvent(keepsQuery)},
	{"delivery.every-url resend.same-event", "WHK-039 RSD-020", eachEvent(repeatsFirst)},
	{"events.receive", "GEN-007 EVT-066", eachEvent(isInReais)},
	{"events.receive", "EVT-063 EVT-065", eachEvent(agreesWithCharge)},
	{"events.refund", "GEN-007 EVT-075 EVT-081", eachEvent(refundsInReais)},
	{"events.refund", "EVT-080", eachEvent(listsOwnRefunds)},
	{
		"events.transfer delivery.cash-out-payload delivery.cash-out-amounts cash-out.confirmed cash-out.error",
		"EVT-048 EVT-050 EVT-052 EVT-053 EVT-059 EVT-015 EVT-017 EVT-018 EVT-021 OUT-074 OUT-075 EVT-025", eachEvent(agreesWithOrder),
	},

	{"cash-out.accepted qr-cash-out.accepted cash-in.accepted transfer.accepted", "OUT-052 OQR-030 IN-052 DICT-060", overall(orderIDsAreUnique)},
	{"cash-out.duplicate-external-id", "OUT-066 OUT-067", overall(duplicatesNameTheFirst)},
	{"transfer.idempotent", "DICT-057", overall(keysAreIdempotent)},
	{"lists.* med.case", "LTX-031 MED-023", overall(watchedListsKeepItems)},
	{"balance.centavos money.*", "BAL-026 BAL-015", overall(watchedBalancesStay)},
	{"balance.blocked", "BAL-016 BAL-017", overall(noMoreIsBlocked)},
	{"balance.centavos money.*", "OUT-099 OUT-100 OUT-101 OQR-046 OQR-047 OQR-048 BAL-015 BAL-020 BAL-027 DEV-057 DEV-058", overall(moneyIsExplained)},
	{"states.charge", "COB-046 COB-064 COB-065 COB-066 COB-067", overall(statesStay(target.Charges, "charge", api.ChargeStates))},
	{"states.refund", "DEV-033 DEV-055 DEV-056", overall(statesStay(target.Refunds, "refund", api.RefundStates))},
	{"splits.division", "SPL-046 SPL-048", overall(divisionsAddUp)},
	{"splits.unpaid", "SPL-047", overall(noneIsPaidEarly)},
	{"refund.done", "DEV-052 EVT-087", finally(unreportedRefunds)},
	{"med.events", "EVT-005 EVT-006 EVT-007", finally(unreportedCases)},
}

// check returns what breaks a rule, in all that a scenario has recorded of some kind. A breach without a rule is of the
// one of its invariant.
type check func(*audit) []Met

// audit is what the checks of a scenario have in common.
type audit struct {
	*facts
	requests []*record.Attempt
	lists    []*shownList
}

// contradictions are what breaks an invariant. If a request got no response, it is unknown what was processed.
func (s *Scenario) contradictions() (all []Met) {
	if slices.ContainsFunc(s.Exchanges, func(e *exchange.Exchange) bool { return target.NoResponse(*e) }) {
		return nil
	}
	a := &audit{facts: &s.facts, requests: s.Requests()}
	for _, t := range a.requests {
		if items, ok := t.Items(); ok && t.Accepted() && isPaged(t.Op) {
			a.lists = append(a.lists, newShownList(a.facts, t, items))
		}
	}
	for _, v := range invariants {
		for _, m := range v.check(a) {
			if m.Rule == "" {
				m.Rule = v.rule
			}
			all = append(all, m)
		}
	}
	return all
}

// eachResponse checks each response of an operation; of all if it is empty.
func eachResponse(op string, holds func(*facts, *record.Attempt) []Breach) check {
	return func(a *audit) (all []Met) {
		for _, t := range a.requests {
			if op == "" || t.Op.ID == op {
				all = append(all, metIn(t.Exchange, holds(a.facts, t))...)
			}
		}
		return all
	}
}

// eachAccepted checks each response that accepts an order which every gateway has to understand in the same way, against
// what its step has changed in a valid request. The response to an order that was sent before may repeat what the first
// one said, but id and txid are the request's own.
func eachAccepted(op string, holds func(t *record.Attempt, changed []string) []Breach) check {
	return eachResponse(op, func(s *facts, t *record.Attempt) []Breach {
		changed, ok := s.isClear(t)
		if !ok {
			return nil
		}
		all := holds(t, changed)
		wasSent := func(earlier *record.Attempt) bool { return earlier.Index < t.Index && isSameOrder(earlier, t) }
		if len(all) > 0 && slices.ContainsFunc(s.Requests(), wasSent) {
			return slices.DeleteFunc(all, func(b Breach) bool { return b.Field != "id" && b.Field != "txid" })
		}
		return all
	})
}

// The two formats of errors.
const envelopeA, envelopeB = true, false

// eachRejection checks each rejection with one of the envelopes. That of GET /balance is open
// ("errors of GET /balance").
func eachRejection(isRich bool, holds func(*facts, *record.Attempt) []Breach) check {
	return eachResponse("", func(s *facts, t *record.Attempt) []Breach {
		if !slices.Contains(enveloped, t.Status) || spec.HasRichErrors(t.Op) != isRich || t.Op.ID == "standardBalance" {
			return nil
		}
		return holds(s, t)
	})
}

// eachLook checks each response to what pixcert reads itself.
func eachLook(holds func(*facts, *record.Attempt) []Breach) check {
	return func(a *audit) (all []Met) {
		for _, t := range a.Looks {
			all = append(all, metIn(t.Exchange, holds(a.facts, t))...)
		}
		return all
	}
}

// eachPage checks each page of a list.
func eachPage(holds func(*shownList) []Breach) check {
	return func(a *audit) (all []Met) {
		for _, l := range a.lists {
			all = append(all, metIn(l.t.Exchange, holds(l))...)
		}
		return all
	}
}

// eachTransaction checks each item of the lists of transactions: all of one list may show the same breach, which counts once.
func eachTransaction(holds func(*shownList, shownItem) []Breach) check { return eachItem(false, holds) }

// eachCase checks each MED case of the lists.
func eachCase(holds func(*shownList, shownItem) []Breach) check { return eachItem(true, holds) }

func eachItem(ofCases bool, holds func(*shownList, shownItem) []Breach) check {
	return eachPage(func(l *shownList) (all []Breach) {
		for _, i := range l.items {
			if l.isOfCases() == ofCases {
				all = append(all, holds(l, i)...)
			}
		}
		return all
	})
}

// eachEvent checks each event.
func eachEvent(holds func(*facts, *record.Delivery) []Breach) check {
	return func(a *audit) (all []Met) {
		for _, d := range a.Events {
			all = append(all, metIn(d.Exchange, holds(a.facts, d))...)
		}
		return all
	}
}

// overall checks the scenario as a whole.
func overall(holds func(*facts) []Met) check {
	return func(a *audit) []Met { return holds(a.facts) }
}

// finally checks the scenario once events were waited for after its last step.
func finally(holds func(*facts) []Met) check {
	return func(a *audit) []Met {
		if !a.HasWaited(len(a.Steps), EventsAfterLastStep) {
			return nil
		}
		return holds(a.facts)
	}
}

// Breaches are what breaks the wire contract, in every response and in every event of the scenario's payments, and what
// breaks an invariant.
func (s *Scenario) Breaches() []Met {
	all := s.contradictions()
	for _, t := range s.Requests() {
		if t.MayBeOfEdge(s.Terms) && !edgeAccepts(s.View, t) {
			continue
		}
		for _, v := range breachesOf(t) {
			all = append(all, Met{Breach{t.Op.Rule, expectedResponse(t), fmt.Sprintf("%d with: %s", t.Status, v), v.Field}, t.Exchange})
		}
	}
	for _, d := range s.Events {
		if !s.isOfScenario(d) {
			continue
		}
		for _, v := range eventBreaches(d) {
			all = append(all, Met{Breach{api.Payloads[d.Name].Rule, expectedEvent(d), v.Message, v.Field}, d.Exchange})
		}
	}
	return all
}

// Rows are the rows of the machine, with those that a record shows.
func Rows(s *Scenario) []spec.Row { return s.gateway().now().Rows() }
