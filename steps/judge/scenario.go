package judge

import (
	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
)

// Scenario judges one attempt at a scenario, during or after recording.
type Scenario struct {
	facts
	Rule string

	Event        *record.Delivery   // the last event that a step waited for
	awaited      string             // the event name that the step waited for
	cause        cause              // what that event reports
	subscription string             // the type of event that its URL is registered for
	waited       []waited           // all events that steps waited for
	read         map[int]int        // the step that looked at an event, by the event's exchange
	lists        map[int]*listCheck // by step, those that read a list by its filters
	listed       any                // the payment as the list showed it when a step last looked
}

// waited is an event that a step waited for, and where.
type waited struct {
	event *record.Delivery
	step  int
	place string
}

// New returns a judge for a scenario without any record yet.
func New(rule string, steps []language.Step, terms *record.Terms) *Scenario {
	return &Scenario{facts: facts{View: record.NewView(terms), Steps: steps, reported: map[int]reporters{}}, Rule: rule, read: map[int]int{}, lists: map[int]*listCheck{}}
}

// ReadIn returns the step that looked at the event of an exchange; false if none did.
func (s *Scenario) ReadIn(index int) (step int, ok bool) {
	step, ok = s.read[index]
	return step, ok
}

func (s *Scenario) noteRead(index, i int) {
	if _, known := s.read[index]; !known {
		s.read[index] = i
	}
}

func failEvent(s *Scenario, expected, got string) Result {
	return failBy(s.Event.Index, expected, got)
}

func noEvent() Result { return unrecorded("an event that this step refers to") }

// StateOf is the state of what a request has made, if it is known for sure; otherwise empty.
func (s *Scenario) StateOf(t *record.Attempt) api.State { return s.gateway().state(t) }
