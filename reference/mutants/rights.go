package mutants

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
