package language

import (
	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/money"
)

// --- what then holds: responses ---

type (
	// Answered judges the last response, or those of several requests at once.
	Answered struct {
		Of       Scope
		Modality Modality
		Expected Outcome
	}
	// AcceptedCount judges how many of several requests at once were accepted.
	AcceptedCount struct {
		AtMost bool
		Counts []int
	}
	// ShareField: all accepted responses have the same value.
	ShareField struct{ Field string }
	// OneOfTwo: of the last two requests at least one was accepted, or returned data.
	OneOfTwo struct{ NotEmpty bool }
	// Has judges fields of a response, of an event or of a listed item.
	Has struct {
		Of         Scope
		Nth        Nth    // of payments or cases
		IfAccepted bool   // only if the last request was accepted
		NotNull    string // only if this field is not null; empty for always
		Modality   Modality
		Rows       []Row
	}
	// CodeIsNoneOf: the error code is another one.
	CodeIsNoneOf struct{ Codes []string }
	// Differ: the last two responses, or events, differ in a field.
	Differ struct {
		Events bool
		Field  string
	}
	// RefusalsCompare compares the last two refusals.
	RefusalsCompare struct{ By Comparison }
	// RegistrationListed: a registration is listed as it was sent; the last one, unless it says
	// otherwise.
	RegistrationListed struct {
		First bool
		Each  bool // as it was last sent, and no other
	}
	// NoTokenGiven: the last request got no token.
	NoTokenGiven struct{}
	// MatchContract: the responses, or the event, match openapi.yaml.
	MatchContract struct{ Events bool }
)

// Scope says what a sentence speaks of.
type Scope int

const (
	It         Scope = iota // the last response
	Each                    // every one of several at once
	Others                  // those of several at once that were not accepted
	EachItem                // every item of the list
	AnyItem                 // every item of the list, which may be empty
	Event                   // the last event
	TheListing              // a payment as the list shows it
	TheCase                 // a MED case as the list shows it
)

// Comparison says what two refusals have in common.
type Comparison string

const (
	SameStatusAndCode Comparison = "have the same status and code"
	SameEnvelope      Comparison = "have the same status, code, messages and details"
	OwnErrorID        Comparison = "have different errorIds"
)

// Row expects a value in a field.
type Row struct {
	Field    string
	Expected Expected
}

// --- lists, states, money, splits ---

type (
	// ListHolds judges whether a list shows a payment, or the MED case.
	ListHolds struct {
		Not  bool
		Case bool
		Nth  Nth
	}
	// ListMatches: a list contains exactly what matches, whichever filters it has, so many at a time.
	ListMatches struct {
		Operation *api.Operation
		Account   Account
		Filters   int
	}
	// MetadataAddsUp: the numbers of a page follow from each other.
	MetadataAddsUp struct{}
	// EachItemOnce: no item was on two of the pages.
	EachItemOnce struct{}
	// ItemCount judges how many items there were on all pages.
	ItemCount struct {
		AtMost bool
		Count  int
	}
	// NoneMissed: the first payments were on some page.
	NoneMissed struct{ Count int }
	// ListedAsBefore: the payment is listed as it was when a sentence last looked.
	ListedAsBefore struct{ Modality Modality }
	// ListedOnce: one transaction came of the last order.
	ListedOnce struct{}
	// HasState judges the state of a charge, a refund or whatever was made last.
	HasState struct {
		Of       api.Made // Nothing for any
		Nth      Nth
		State    api.State
		Modality Modality // Should: it need not have stayed
	}
	// NothingChanges: whatever the scenario has made, and no sentence of this When speaks of, is as
	// before, and no event reports what has not happened.
	NothingChanges struct{ OnlyEvents bool }
	// Moved judges how a part of the balance moved since the When began.
	Moved struct {
		Blocked      bool // instead of what is available
		Least, Most  money.Centavos
		EachAccepted bool // so much for each accepted request
		IfAccepted   bool // only if the last request was accepted
		Stays        bool // also after a quiet time
		Modality     Modality
	}
	// SplitsAre judges the status of each split: one of all, or those in the order of the request.
	SplitsAre struct {
		Charge   Nth
		Statuses []string
	}
	// SplitsComeTo judges the amounts of the splits, in the order of the request.
	SplitsComeTo struct {
		Charge  Nth
		Amounts []money.Centavos
	}
	// SplitsLeave judges what is left to the account; with Sum, of splits and rest together.
	SplitsLeave struct {
		Amount     money.Centavos
		Sum        bool
		IfAccepted bool // only if the last request was accepted
	}
)

// --- events ---

type (
	// Arrives: an event arrives.
	Arrives struct {
		Event         string // the name of a payload, or a type of subscription
		Of            Nth    // the payment, charge or refund that it reports
		EachPayment   bool   // one for each accepted payment
		At            Place
		NotFailed     bool // only at URLs that have answered every event with 2xx
		ItsHeaders    bool // with the headers that its URL is registered with, and no other URL's
		Again         bool // once more, after the last request
		IfAccepted    bool
		Rows          []Row
		Header, Value string
		Modality      Modality // of the header
	}
	// QueryArrived: the event carried the query of its URL.
	QueryArrived struct{}
	// ArrivedAsPost: the event should be a POST.
	ArrivedAsPost struct{}
	// NothingArrives: no event of the last thing made arrives, for a quiet time.
	NothingArrives struct {
		EventType  string // empty for any
		Account    Account
		OtherTypes bool // at URLs for other types than that of the last event
		ThatURL    bool // of a resend
	}
	// NotReported: no event reports the last thing made with a status.
	NotReported struct{ Status api.State }
	// NoOtherOutcome: no event reports another status than the last one.
	NoOtherOutcome struct{}
	// NoEventCarries: no header of any event holds a text.
	NoEventCarries struct{ Text string }
)

// Place says at which URL an event has to arrive.
type Place int

const (
	AnyURL Place = iota
	EachURL
	FirstURL
	LastURL
	ThatURL // of a resend
)

// --- what the specification leaves open ---

type (
	// Noted records what the target does on an open point, and which of its readings that fits.
	Noted struct {
		What     Notable
		Field    string
		Point    string
		Readings []Reading
	}
	// WhetherNoted records whether an event comes.
	WhetherNoted struct {
		Again bool // after time has passed, instead of since the When began
		Point string
	}
)

// Reading says what a target that follows one reading of an open point does here.
type Reading struct {
	Name   string
	Values []string
}

// Notable is something that can be recorded.
type Notable int

const (
	AnswerField Notable = iota // a field of the last response, its status or its code
	EventField
	ListingField
	RefundListing
	OrderOfPayments
	TotalOfPages
	Splits
	Movement // of what is available
)

// IsIfAccepted reports whether a sentence begins with "if the request was accepted".
func IsIfAccepted(m Meaning) bool {
	switch m := m.(type) {
	case Has:
		return m.IfAccepted
	case Moved:
		return m.IfAccepted
	case SplitsLeave:
		return m.IfAccepted
	case Arrives:
		return m.IfAccepted
	}
	return false
}
