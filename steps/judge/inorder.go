package judge

import (
	"reflect"

	"github.com/anishathalye/porcupine"

	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/spec"
)

// inSomeOrder reports whether a history is possible one at a time, beginning with a state, and such that
// the account can have so much available in the end; nil for any.
func inSomeOrder(first spec.Orders, history []porcupine.Operation, left *money.Centavos) bool {
	model := porcupine.Model{
		Init:  func() any { return first },
		Equal: func(a, b any) bool { return reflect.DeepEqual(a, b) },
		Step: func(state, input, _ any) (bool, any) {
			if input == nil {
				end := state.(spec.Orders)
				return end.Available.Plus(spec.Range{Least: end.Due}).Holds(*left), end
			}
			next, ok := state.(spec.Orders).After(input.(spec.Order))
			return ok, next
		},
	}
	if left != nil {
		last := int64(0)
		for _, o := range history {
			last = max(last, o.Return)
		}
		history = append(history[:len(history):len(history)], porcupine.Operation{ClientId: len(history), Call: last + 1, Return: last + 2})
	}
	return porcupine.CheckOperations(model, history)
}
