// Package mutants holds gateways that are wrong on purpose. A mutant is the reference
// with one deliberate fault, at the boundary where a gateway is seen from outside: in
// the requests that reach it, its answers, its webhooks or its test controls. A suite
// that passes a mutant on the rule which it breaks does not test that rule.
package mutants

import (
	"net/http"
	"slices"
	"strings"
)

// Mutant is the reference with one deliberate fault.
type Mutant struct {
	Name  string // what the gateway does wrong, in plain words, unique: "takes a payment of R$ 0.00"
	Rule  string // the rule that it breaks: "cash-out.value"; empty where it breaks none
	fault fault  // how
}

// All lists the mutants, those of a rule beside each other.
func All() []Mutant {
	return slices.Concat(
		tokenMutants, certificateMutants, tokenErrorMutants, edgeMutants,
		bearerMutants, balanceMutants,
		orderMutants, orderFieldMutants, orderPayeeMutants, orderRefusalMutants,
		limitMutants, outcomeMutants,
		registrationMutants, registrationListMutants,
		deliveryMutants, payloadMutants,
		envelopeMutants, contractMutants,
		refundMutants, refundOutcomeMutants, refundContractMutants,
		medMutants,
		listMutants, listFilterMutants, listedMutants,
		resendMutants, eventMutants,
		qrOrderMutants, qrCodeMutants,
		chargeMutants, chargePayerMutants, chargeLifeMutants, splitMutants,
		cobMutants, cobLifeMutants,
		transferMutants, transferKeyMutants, transferFieldMutants,
		moneyMutants, stateMutants,
	)
}

// Tolerated lists gateways that differ from the reference where the specification
// leaves room. They break no rule: a suite that fails one asks for too much.
func Tolerated() []Mutant {
	return slices.Concat(
		toleratedRequests, toleratedAnswers, toleratedEvents,
		toleratedPayments, toleratedCharges, toleratedLaxity,
		toleratedRefunds, toleratedLists, toleratedResends, toleratedEnvelopes,
	)
}

// Together is a gateway with several faults, the first of them nearest to the client.
func Together(mutants ...Mutant) Mutant {
	var names []string
	var faults []fault
	for _, m := range mutants {
		names, faults = append(names, m.Name), append(faults, m.fault)
	}
	return Mutant{Name: strings.Join(names, " and "), fault: both(faults...)}
}

// API puts the mutant's fault around the handler of the API. Each call starts with a
// memory of its own, so that a mutant may be started several times in one process.
func (m Mutant) API(next http.Handler) http.Handler { return m.fault.handler(api, next) }

// Edge is the mutant's fault in the place of the edge that ends TLS before the API; nil
// where it has none there. Each call of what is returned starts with a memory of its
// own.
func (m Mutant) Edge() func(http.Handler) http.Handler {
	if m.fault.at(ahead) == nil {
		return nil
	}
	return func(next http.Handler) http.Handler { return m.fault.handler(ahead, next) }
}

// Controls puts the mutant's fault around the handler of the test controls; it is the
// identity for nearly all. Each call starts with a memory of its own.
func (m Mutant) Controls(next http.Handler) http.Handler { return m.fault.handler(controls, next) }

// Webhooks puts the mutant's fault between deliveries and the wire. Each call starts
// with a memory of its own.
func (m Mutant) Webhooks(next http.RoundTripper) http.RoundTripper { return m.fault.transport(next) }
