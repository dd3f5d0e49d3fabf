package faulty

// Fault is what a proxy does to one delivery, one payment or one repeat.
type Fault uint8

// Faults. The first group is for deliveries of webhooks, the second for payments that
// are sent first, the last one for payments that are sent again.
const (
	None     Fault = iota
	Lose           // told to the gateway as delivered, and dropped
	Double         // handed on twice
	Delay          // told to the gateway as delivered, and handed on later
	Alter          // handed on with other amounts
	Truncate       // handed on with half its body

	CutBefore // the connection ends and the gateway never hears of the payment
	CutAfter  // the gateway takes the payment and the connection ends instead of the answer

	DebitTwice // the gateway is given the repeat as another payment, of which no webhook comes unless TellTwice is set
)

// Plan says what is done to the n-th of its kind, counted from 1 in the order in which
// they arrive. It is called by one goroutine at a time. A nil plan does nothing.
type Plan func(n int64) Fault

// OneIn does each of the faults once in every n, far apart. n is above their number.
func OneIn(n int64, faults ...Fault) Plan {
	at := make(map[int64]Fault, len(faults))
	for i, fault := range faults {
		at[n*int64(i+1)/int64(len(faults)+1)] = fault
	}
	return func(k int64) Fault { return at[k%n] }
}

// At does faults to those that are chosen by their number.
func At(chosen map[int64]Fault) Plan {
	return func(n int64) Fault { return chosen[n] }
}

// Injected is what a proxy has done so far. Only what took place is counted: a delivery
// is doubled when its receiver answered both.
type Injected struct {
	Payments, Repeats, Deliveries int64 // that passed, with faults and without

	Lost, Doubled, Delayed, Altered, Truncated int64
	CutBefore, CutAfter                        int64
	DebitedTwice                               int64
	ToldTwice                                  int64 // events of second debits that were handed on
	DebitedCentavos                            int64 // what DebitedTwice took from the accounts, without fees

	Broken int64 // answers or deliveries that failed by themselves: no fault of the plan
}

func (i *Injected) counter(fault Fault) *int64 {
	return map[Fault]*int64{
		Lose: &i.Lost, Double: &i.Doubled, Delay: &i.Delayed, Alter: &i.Altered, Truncate: &i.Truncated,
		CutBefore: &i.CutBefore, CutAfter: &i.CutAfter, DebitTwice: &i.DebitedTwice,
	}[fault]
}
