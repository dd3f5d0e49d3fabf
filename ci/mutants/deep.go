package mutants

// Kind is the kind of oversight by which a deep fault gets past a suite.
type Kind string

// The kinds of deep faults.
const (
	OneBody      Kind = "one body only"      // a check that is missing in one variant of a request
	FiltersAlone Kind = "filters alone"      // filters that fail together, or on later pages
	FirstElement Kind = "first element"      // a loop that handles one
	BenignData   Kind = "benign data"        // values that are unusual and valid
	ShortWay     Kind = "short way"          // a longer way through the states
	History      Kind = "history"            // what happened before, not at once
	OtherPeople  Kind = "other people"       // another account's data
	Second       Kind = "second event"       // the second of something that may happen again
	Calendar     Kind = "calendar"           // midnight, the end of a month, an edge of time
	Sums         Kind = "money that adds up" // several amounts
	Combination  Kind = "combination"        // several of these at once
)

// Deep is what a deep mutant has in addition to its fault. A deep fault does not show in a first
// simple use of the endpoint that has it.
type Deep struct {
	Kind      Kind
	Statement string // of the specification, that it violates: "OUT-067"
	Shown     string // the shortest sequence of calls that shows it, as the tests play it
}

// deepRow is a deep mutant as the tables spell it.
type deepRow struct {
	name      string
	kind      Kind
	statement string
	rule      string
	fault     fault
	shown     string
}

// AllDeep lists the deep mutants, subject by subject.
func AllDeep() []Mutant {
	return mutantsOf(
		deepTokenMutants, deepCashOutMutants, deepLimitMutants, deepQRCashOutMutants, deepCashInMutants,
		deepSplitMutants, deepCobMutants, deepTransferMutants, deepRefundMutants, deepMEDMutants,
		deepListMutants, deepRegistrationMutants, deepDeliveryMutants, deepResendMutants, deepBalanceMutants,
		deepErrorMutants,
	)
}

func mutantsOf(tables ...[]deepRow) (all []Mutant) {
	for _, table := range tables {
		for _, r := range table {
			all = append(all, Mutant{Name: r.name, Rule: r.rule, Deep: Deep{r.kind, r.statement, r.shown}, fault: r.fault})
		}
	}
	return all
}
