package model

import (
	"slices"

	"github.com/pixcert/pixcert/steps/language"
)

func lookAtAll(p *play) {
	p.needs(p.refs.Sent)
	p.then("nothing else changes")
}

// page: in a list in the order of settling, what settles meanwhile moves others to another page. So does a split that is
// paid meanwhile, if the list shows it.
func page(p *play) {
	p.needs(p.gw.hasListed(language.TheAccount) && !p.gw.maySettle())
	p.when("the account pages through a transaction list request, %d items per page", 1+p.below(3))
	p.then("no item appears twice")
	p.refs.clear()
}

func listByKey(p *play) {
	p.needs(p.gw.Settings.ByKey && p.gw.Things.hasSent() && p.gw.Time.Elapsed <= month)
	p.then("the account's list by key contains exactly the matching payments for every %s", p.step.Way)
}

func list(p *play) {
	p.needs(p.gw.hasListed(language.TheAccount))
	p.then("the account's transaction list contains exactly the matching payments for every %s", p.step.Way)
}

// lookAtStandard compares GET /balance with GET /accounts/balances. Whether a gateway offers it is unspecified. The two are read
// one after the other, so that nothing may still change what is blocked: sentences wait for that of transfers without a fee.
func lookAtStandard(p *play) {
	p.needs(p.gw.movementExact(language.TheAccount) && p.gw.Fees.MostOut == 0 && !slices.ContainsFunc(p.gw.Things, Thing.mayBlock))
	p.when("the gateway supports GET /balance")
	p.when("the account sends a standard balance request")
	p.then("the request is accepted with 200")
	p.then("the response has:")
	p.with("grossBalance", "the available plus the blocked balance")
	p.with("blockedBalance", "the blocked balance")
	p.with("netBalance", "the available balance")
	p.with("consultedAt", "a UTC time")
	p.refs.clear()
}
