package setup

import "github.com/pixcert/pixcert/steps/target"

// control is a test control and what can be tested with it.
type control struct {
	Name target.Control
	Lets string
}

// controls lists all test controls, most useful first.
var controls = []control{
	{target.Accounts, "scenarios run concurrently, each on a new account"},
	{target.Funds, "balances to the centavo, zero balances, insufficient funds"},
	{target.Payments, "paid cash-ins and charges, with their events"},
	{target.Settlement, "pending, confirmed and rejected payments"},
	{target.Clock, "expiry, night limits, daily limits, the 89-day refund deadline"},
	{target.Directory, "transfers through the key directory"},
	{target.LimitsControl, "per-payment, daily and night limits; requests per minute"},
	{target.FeesControl, "fees for cash-outs and cash-ins"},
	{target.Certificates, "added and revoked certificates"},
	{target.MED, "MED cases and their events"},
	{target.Refunds, "refunds in progress, completed and failed"},
	{target.Returns, "received returns"},
	{target.Charges, "charges removed before payment"},
	{target.Splits, "how a charge was split"},
	{target.FaultsControl, "responses when upstream systems fail"},
}
