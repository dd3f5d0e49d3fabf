package setup

import "github.com/pixcert/pixcert/steps/target"

// control is a test control and what it lets be tested.
type control struct {
	Name target.Control
	Lets string
}

// controls are all there are, in the order in which they are worth having.
var controls = []control{
	{target.Accounts, "an account for each scenario, so that they run side by side"},
	{target.Funds, "what depends on the balance: to the centavo, too little, none"},
	{target.Payments, "cash-ins and charges that somebody pays, with their events"},
	{target.Settlement, "payments that are pending, confirmed or rejected"},
	{target.Clock, "what expires, nights, days, deadlines of 89 days"},
	{target.Directory, "transfers by the key directory"},
	{target.LimitsControl, "the limits of a payment, a day and a night; requests a minute"},
	{target.FeesControl, "fees of cash-outs and cash-ins"},
	{target.Certificates, "certificates of an account that are added and revoked"},
	{target.MED, "MED cases and their events"},
	{target.Refunds, "refunds that are under way, done or not done"},
	{target.Returns, "refunds that are received"},
	{target.Charges, "charges that end before they are paid"},
	{target.Splits, "how a payment was divided"},
	{target.FaultsControl, "what the gateway says when those behind it fail"},
}
