package mutants

import (
	"net/http"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

// The faults of the tables are put together from the functions below. They read as what
// the gateway does: answering(cashOut, accepted, status(200)).

// both is one fault of several parts.
func both(faults ...fault) fault {
	whole := fault{stack: callers()}
	for _, f := range faults {
		whole.parts = append(whole.parts, f.parts...)
		whole.triggers = append(whole.triggers, f.triggers...)
		whole.uncounted, whole.latent = whole.uncounted || f.uncounted, whole.latent || f.latent
	}
	return whole
}

// sometimes is a fault that does not always show.
func sometimes(f Frequency, of fault) fault {
	of.frequency = f
	return of
}

// latent is a fault that shows only in what happens later, if anything does: that it occurred tells little.
func latent(of fault) fault {
	of.latent = true
	return of
}

// changing makes a fault of a change to the calls to a place.
func changing(p place, ch change) fault {
	limited := func(c *call, pass server) *answer {
		if !p.has(c.endpoint) {
			return pass(c)
		}
		return ch(c, pass)
	}
	return fault{parts: []part{{p.where(), func() change { return limited }}}, stack: callers()}
}

// afterAnswer passes calls on, and has other answers where the condition holds for the answer.
func afterAnswer(p place, when condition, otherwise func(c *call, a *answer, pass server) *answer) fault {
	return changing(p, func(c *call, pass server) *answer {
		a := pass(c)
		if !when(c, a) {
			return a
		}
		return otherwise(c, a, pass)
	})
}

// insteadOf answers the calls for which the condition holds without passing them on.
func insteadOf(p place, when condition, by func(*call) *answer) fault {
	return changing(p, func(c *call, pass server) *answer {
		if !when(c, nil) {
			return pass(c)
		}
		return by(c)
	})
}

// answering edits the answers for which the condition holds.
func answering(p place, when condition, edits ...edit) fault {
	return afterAnswer(p, when, func(_ *call, a *answer, _ server) *answer { return a.edited(edits...) })
}

// misreading edits the calls for which the condition holds before they are passed on:
// requests that the gateway takes for others, events that it sends otherwise.
func misreading(p place, when condition, edits ...edit) fault {
	return changing(p, func(c *call, pass server) *answer {
		if when(c, nil) {
			c = c.edited(edits...)
		}
		return pass(c)
	})
}

// sending edits the events for which the condition holds.
func sending(when condition, edits ...edit) fault { return misreading(event, when, edits...) }

// accepting makes a lax gateway: what was refused is passed on once more, with what was
// wrong in it repaired, and its success is the answer.
func accepting(p place, when condition, repairs ...edit) fault {
	return afterAnswer(p, all(refused, when), func(c *call, a *answer, pass server) *answer {
		if second := pass(c.edited(repairs...)); second.succeeded() {
			return second
		}
		return a
	})
}

// despite makes a gateway that does what it refuses: what was refused is done as by
// accepting, and the refusal is the answer.
func despite(p place, when condition, repairs ...edit) fault {
	return afterAnswer(p, all(refused, when), func(c *call, a *answer, pass server) *answer {
		pass(c.edited(repairs...))
		return a
	})
}

// pretending answers what the gateway refused as a success, with nothing done.
func pretending(p place, when condition) fault {
	return afterAnswer(p, all(refused, when), func(c *call, _ *answer, _ server) *answer { return c.endpoint.success(c) })
}

// ignoring answers a success without passing the call on.
func ignoring(p place, when condition) fault {
	return insteadOf(p, when, func(c *call) *answer { return c.endpoint.success(c) })
}

// refusing refuses calls without passing them on.
func refusing(p place, when condition, status int, code api.Code) fault {
	return insteadOf(p, when, func(c *call) *answer { return refusal(c, status, code) })
}

// refusingUnderToken refuses calls whose token the gateway accepts: nothing is permitted before that is judged.
func refusingUnderToken(p place, when condition, status int, code api.Code) fault {
	accepts := func(c *call, _ *answer) bool { return c.read(balances.path, "").status != http.StatusUnauthorized }
	return refusing(p, all(accepts, when), status, code)
}

// refusingAnswered refuses calls whose answers are as the condition says: the gateway has judged their tokens by then.
func refusingAnswered(p place, answered condition, status int, code api.Code) fault {
	return afterAnswer(p, answered, func(c *call, _ *answer, _ server) *answer { return refusal(c, status, code) })
}

// answeringBy edits the answers with edits that follow from the call; nil are none.
func answeringBy(p place, edits func(*call, *answer) []edit) fault {
	return afterAnswer(p, accepted, func(c *call, a *answer, _ server) *answer { return a.edited(edits(c, a)...) })
}

// misreadingBy edits the calls with edits that follow from them.
func misreadingBy(p place, edits func(*call) []edit) fault {
	return changing(p, func(c *call, pass server) *answer { return pass(c.edited(edits(c)...)) })
}

// recalling gives the answer to the last of the earlier calls that stand in the relations
// to a call, once the gateway has answered that as the condition says.
func recalling(at *endpoint, when condition, relations ...relation) fault {
	return afterAnswer(at, when, func(c *call, a *answer, _ server) *answer {
		if then := c.lastBefore(at, relations...); then != nil {
			return then.answer
		}
		return a
	})
}

// doubling passes on twice what succeeds, the second time edited. The first answer
// counts.
func doubling(p place, when condition, edits ...edit) fault {
	return afterAnswer(p, all(accepted, when), func(c *call, a *answer, pass server) *answer {
		pass(c.edited(edits...))
		return a
	})
}

// repeating answers what an earlier call was answered, to which the call stands in the
// relations, without passing it on.
func repeating(at *endpoint, relations ...relation) fault {
	return changing(at, func(c *call, pass server) *answer {
		if then := c.lastBefore(at, relations...); then != nil {
			return then.answer
		}
		return pass(c)
	})
}

// windfall is a balance that no account of a test comes to by rights.
const windfall = "70707.07"

// leaving makes or loses money: after the controls for which the condition holds, so much
// is available to the account.
func leaving(p place, when condition, available string) fault {
	return afterAnswer(p, when, func(c *call, a *answer, pass server) *answer {
		pass(c.edited(method(http.MethodPut), onto("/accounts/"+c.client+"/balance"), body(`{"available":"`+available+`"}`)))
		return a
	})
}

// delaying holds calls back for so long, or until their sender gives up.
func delaying(p place, when condition, by time.Duration) fault {
	return misreading(p, when, func(m *message) { m.late = by })
}

// renewing serves calls under an expired token: the request that gave the token is made
// again, and the call passed on under the new one.
func renewing(p place, when condition) fault {
	return afterAnswer(p, all(was(http.StatusUnauthorized), when), func(c *call, a *answer, pass server) *answer {
		expired, _ := bearerOf(c)
		if issue := c.lastBefore(token, taken, gave(expired)); issue != nil {
			if renewed := textAt(pass(c.again(issue.call)).body, "access_token"); renewed != "" {
				return pass(c.edited(bearer(renewed)))
			}
		}
		return a
	})
}

// trusting serves calls under a token of which only one part is one that was issued:
// 1 is its claims, 2 its signature.
func trusting(p place, when condition, part int) fault {
	return afterAnswer(p, all(was(http.StatusUnauthorized), when), func(c *call, a *answer, pass server) *answer {
		forged, _ := bearerOf(c)
		issue := c.lastBefore(token, taken, func(_ *call, then *entry) bool {
			x, y := strings.Split(forged, "."), strings.Split(tokenOf(then), ".")
			return len(x) == 3 && len(y) == 3 && x[part] == y[part]
		})
		if issue == nil {
			return a
		}
		return pass(c.edited(bearer(tokenOf(issue))))
	})
}

// confusing passes calls on under the last token that was issued to another account.
func confusing(p place, when condition) fault {
	return changing(p, func(c *call, pass server) *answer {
		if issue := c.lastBefore(token, taken, byAnother); issue != nil && when(c, nil) {
			c = c.edited(bearer(tokenOf(issue)))
		}
		return pass(c)
	})
}

func tokenOf(e *entry) string { return textAt(e.answer.body, "access_token") }

// gave: the token was issued then.
func gave(t string) relation {
	return func(_ *call, then *entry) bool { return t != "" && tokenOf(then) == t }
}

// bearer puts a call under a token.
func bearer(t string) edit { return header("Authorization", "Bearer "+t) }

// lending serves a call with the rights of other accounts, one after the other, as long
// as the answer is wanting.
func lending(p place, wanting condition) fault {
	return changing(p, func(c *call, pass server) *answer {
		a := pass(c)
		for _, issue := range c.before(token, taken, byAnother) {
			if !wanting(c, a) {
				return a
			}
			if other := pass(c.edited(bearer(tokenOf(issue)))); other.succeeded() {
				a = other
			}
		}
		return a
	})
}
