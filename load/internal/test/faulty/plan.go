package faulty

// Fault is what a proxy does to one delivery, one payment or one repeat.
type Fault uint8

// Faults. The first group is for webhook deliveries, the second for payments, the third for
// repeats.
const (
	None     Fault = iota
	Lose           // acknowledged to the gateway, and dropped
	Double         // forwarded twice
	Delay          // acknowledged to the gateway, and forwarded later
	Alter          // forwarded with other amounts
	Truncate       // forwarded with half its body

	CutBefore // the connection ends before the gateway receives the payment
	CutAfter  // the gateway accepts the payment, and the connection ends before the response

	DebitTwice // the gateway receives the repeat as another payment, without a webhook unless DeliverTwice is set
)

// Plan returns the fault of the n-th of its kind, counted from 1 in order of arrival. It is
// called by one goroutine at a time. A nil plan does nothing.
type Plan func(n int64) Fault

func (p Plan) of(n int64) Fault {
	if p == nil {
		return None
	}
	return p(n)
}

// OneIn injects each of the faults once in every n, far apart. n must exceed the number of
// faults.
func OneIn(n int64, faults ...Fault) Plan {
	at := make(map[int64]Fault, len(faults))
	for i, fault := range faults {
		at[n*int64(i+1)/int64(len(faults)+1)] = fault
	}
	return func(k int64) Fault { return at[k%n] }
}

// At injects faults at the given numbers.
func At(chosen map[int64]Fault) Plan {
	return func(n int64) Fault { return chosen[n] }
}

// Injected counts the faults injected so far. Only faults that took effect are counted: a
// delivery is duplicate if its receiver responded to both.
type Injected struct {
	Payments, Repeats, Deliveries int64 // that passed, with and without faults

	Lost, Doubled, Delayed, Altered, Truncated int64
	CutBefore, CutAfter                        int64
	DebitedTwice                               int64
	DeliveredTwice                             int64 // events of second debits that were forwarded
	DebitedCentavos                            int64 // what DebitedTwice took from the accounts, without fees

	Broken int64 // responses or deliveries that failed without a fault of the plan
}

func (i *Injected) counter(fault Fault) *int64 {
	return map[Fault]*int64{
		Lose: &i.Lost, Double: &i.Doubled, Delay: &i.Delayed, Alter: &i.Altered, Truncate: &i.Truncated,
		CutBefore: &i.CutBefore, CutAfter: &i.CutAfter, DebitTwice: &i.DebitedTwice,
	}[fault]
}
