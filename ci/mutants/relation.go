package mutants

// relation is what a call has to do with an earlier one, whose answer is nil while it
// runs.
type relation func(now *call, then *entry) bool

// after holds once the endpoint was called so often in these relations.
func after(times int, at *endpoint, relations ...relation) condition {
	return func(c *call, _ *answer) bool { return len(c.before(at, relations...)) >= times }
}

// byTheSame, byAnother: who called then.
func byTheSame(now *call, then *entry) bool { return then.call.client == now.client }

func byAnother(now *call, then *entry) bool {
	return then.call.client != "" && then.call.client != now.client
}

// taken: the gateway accepted it then.
func taken(_ *call, then *entry) bool { return then.answer.succeeded() }

// notRefused: it was taken, or nothing was answered yet.
func notRefused(_ *call, then *entry) bool { return then.answer == nil || then.answer.succeeded() }

// answered: a condition that held then.
func answered(held condition) relation {
	return func(_ *call, then *entry) bool { return held(then.call, then.answer) }
}

// same and other: whether the field at the path is as it was then.
func same(path string) relation {
	return func(now *call, then *entry) bool {
		x, okX := lookup(now.body, path)
		y, okY := lookup(then.call.body, path)
		return okX && okY && string(encode(x)) == string(encode(y))
	}
}

func other(path string) relation {
	return func(now *call, then *entry) bool { return !same(path)(now, then) }
}

func samePath(now *call, then *entry) bool { return now.path == then.call.path }

// sameHeader and otherHeader: whether the header is as it was then.
func sameHeader(name string) relation {
	return func(now *call, then *entry) bool { return now.header.Get(name) == then.call.header.Get(name) }
}

func otherHeader(name string) relation {
	return func(now *call, then *entry) bool { return !sameHeader(name)(now, then) }
}

// namedThen: whether the path has in a parameter what was sent then in a field.
func namedThen(parameter, path string) relation {
	return func(now *call, then *entry) bool { return now.parameter(parameter) == textAt(then.call.body, path) }
}

// sameQueryThen: whether the query is as it was then.
func sameQueryThen(now *call, then *entry) bool { return sameQuery(now.query, then.call.query) }

// sameBeginning: whether two texts begin with the same so many characters.
func sameBeginning(path string, length int) relation {
	return func(now *call, then *entry) bool {
		x, y := textAt(now.body, path), textAt(then.call.body, path)
		return len(x) >= length && len(y) >= length && x[:length] == y[:length]
	}
}

// followed holds for a call after one in the relations to it that so many others of the
// same client have followed, all of them taken.
func followed(times int, at *endpoint, relations ...relation) condition {
	return func(c *call, _ *answer) bool {
		then := c.lastBefore(at, append(relations, byTheSame, taken)...)
		if then == nil {
			return false
		}
		later := func(_ *call, e *entry) bool { return e.call.number > then.call.number }
		return len(c.before(at, byTheSame, taken, later)) >= times
	}
}
