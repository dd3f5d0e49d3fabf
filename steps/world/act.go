package world

import (
	"context"
	"reflect"

	"github.com/pixcert/pixcert/steps/language"
)

// act carries out a step. A step that only states an expectation does nothing.
func act(ctx context.Context, w *World, m language.Meaning) error {
	if do := actions[reflect.TypeOf(m)]; do != nil {
		return do(ctx, w, m)
	}
	return nil
}

type action func(ctx context.Context, w *World, m language.Meaning) error

// actions carry out the steps that do something, by the type of their meaning.
var actions map[reflect.Type]action

func init() { // here, because some actions carry out other steps
	actions = map[reflect.Type]action{}
	// accounts and what they have
	handle(open)
	handle(setAvailable)
	handle(setFee)
	handle(setLimit)
	handle(limitRequests)
	handle(liftLimits)
	handle(ownLimit)
	handle(holdToken)
	handle(receive)
	handle(receiverAnswers)
	handle(removeAccount)
	handle(listsSent)
	handle(offersStandardBalance)
	handle(inState)

	handle(addCertificate)
	handle(revokeCertificate)
	handle(makeCertificate)
	handle(presentCertificate)
	handle(presentAs)
	handle(presentInHeader)

	// time, the bank and the key directory
	handle(setTime)
	handle(setDate)
	handle(passTime)
	handle(holdSettlement)
	handle(settle)
	handle(putKey)
	handle(fault)

	// what happens to charges, payments and refunds
	handle(pay)
	handle(hasBeenPaid)
	handle(endCharge)
	handle(holdRefunds)
	handle(endRefund)
	handle(returnPayment)
	handle(openCase)
	handle(moveCase)

	// requests
	handle(send)
	handle(sendMany)
	handle(burst)
	handle(returnTo)
	handle(walk)
}

func handle[M language.Meaning](do func(context.Context, *World, M) error) {
	actions[reflect.TypeFor[M]()] = func(ctx context.Context, w *World, m language.Meaning) error { return do(ctx, w, m.(M)) }
}
