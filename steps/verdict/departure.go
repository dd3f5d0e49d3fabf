package verdict

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
)

// departure is one thing that the target may do otherwise than the specification says, with the failures that it would
// explain.
type departure struct {
	rank           int // in the table of hypotheses
	shows, follows []*symptom
}

// hypothesis is a kind of departure. Names tell departures of the kind apart: two failures that show one of the same
// name probably have the same cause.
type hypothesis struct {
	shows   func(*symptom) []string // what a failure itself says that the target does
	follows func(*symptom) []string // what it may be a consequence of
}

// hypotheses are the kinds of departures, the specific ones first.
var hypotheses = []hypothesis{
	{ // A response that nobody asked for: whatever else is received may belong to another request.
		shows:   func(s *symptom) []string { return ifAny(s.about.Kind == Framing, "") },
		follows: func(*symptom) []string { return []string{""} },
	},
	{ // A response that does not arrive, for the same reason: it is rarely one operation that loses connections.
		shows: func(s *symptom) []string {
			if e := s.Subject(); e != nil && e.Err != "" {
				return []string{Typical(e.Err)}
			}
			return nil
		},
	},
	{ // Events are not JSON, so that whatever an event should say is missing.
		shows:   func(s *symptom) []string { return ifAny(notJSON.MatchString(s.finding.Expected), "") },
		follows: func(s *symptom) []string { return ifAny(s.isOfEvents(), "") },
	},
	{ // A request, or what somebody else does, moves money otherwise. Whatever comes later may be a consequence.
		shows: func(s *symptom) []string {
			switch {
			case s.about.Kind != Movement:
				return nil
			case len(s.acts) == 0:
				return ifAny(true, s.field, string(s.about.Expected), string(s.about.Got))
			}
			return []string{last(s.acts), cmp.Or(s.order(), last(s.acts))}
		},
		follows: func(s *symptom) []string {
			ofMoney := strings.Contains(s.finding.Expected, "PIX_INSUFFICIENT_BALANCE")
			if s.isContract() || s.about.MustFail && !ofMoney || s.isAbsent() {
				return nil
			}
			return s.acts
		},
	},
	{ // What a rule says must be rejected is accepted, by whichever operation.
		shows: func(s *symptom) []string {
			if s.about.Kind != Rejection || s.about.Status/100 != 2 || !s.about.MustFail {
				return nil
			}
			names := []string{s.Rule}
			if expected, _, _ := strings.Cut(s.finding.Expected, ","); !isOfInput.MatchString(expected) {
				names = append(names, expected) // that no other check of the request leads to
			}
			return names
		},
	},
	{ // An operation refuses in the same way: the right request or, with whatever message, the wrong one.
		shows: func(s *symptom) []string {
			got := strings.TrimPrefix(s.finding.Got, s.about.Variant+": ")
			if s.about.RightCode { // it is the message that is quoted
				got = s.about.answer() + ", " + strings.Trim(got, `"`)
			}
			if s.about.Kind != Rejection || s.about.Status < 400 || got == strconv.Itoa(s.about.Status) {
				return nil
			}
			names := ifAny(true, s.on, Typical(got))
			if s.about.MustFail {
				names = append(names, s.on+"\x00"+s.about.answer())
			}
			return names
		},
	},
	{ // The right refusal, of whichever operation, with a message that does not name what is wrong.
		shows: func(s *symptom) []string { return ifAny(s.about.RightCode, "") },
	},
	{ // Rejections have another form: operations have it in common.
		shows: func(s *symptom) []string {
			e := s.Subject()
			return ifAny(e != nil && e.Status >= 400 && (s.field != "" || s.isContract()), "")
		},
	},
	{ // A list contains what it should not, lacks what it should contain, or counts otherwise.
		shows: func(s *symptom) []string {
			return ifAny(s.about.Kind == Listing || strings.HasPrefix(s.field, "metadata") && !s.isContract() && !s.isAbsent(), s.on)
		},
		follows: func(s *symptom) []string {
			return ifAny(strings.Contains(s.on, "list") && !s.isContract() && !s.isAbsent(), s.on)
		},
	},
	{ // An event does not arrive, or not as it should.
		shows: func(s *symptom) []string {
			if s.about.Kind != Event {
				return nil
			}
			return eventsIn(s.finding.Expected + " " + s.on)
		},
		follows: func(s *symptom) []string { return eventsIn(s.finding.Expected + " " + s.finding.Got) },
	},
	{ // No event arrives, of whichever type.
		shows: func(s *symptom) []string { return ifAny(s.about.Kind == Event && s.finding.Got == "none", "") },
	},
	{ // A field of a response or an event is wrong.
		shows:   func(s *symptom) []string { return ifAny(lastName(s.field) != "", s.on, lastName(s.field)) },
		follows: func(s *symptom) []string { return eachIn(s.on, append(parents(s), s.names...)) },
	},
	{ // The same was expected and the same was received.
		shows: func(s *symptom) []string {
			return ifAny(s.Finding != nil, s.on, Typical(s.finding.Expected), Typical(s.finding.Got))
		},
	},
	{ // A rule does not hold. That of a contract says many things.
		shows: func(s *symptom) []string { return ifAny(!s.isContract() || s.Finding == nil, s.Rule) },
	},
}

// isContract reports whether something breaks the wire contract. That an event is absent does not: then there was none
// to look at.
func (s *symptom) isContract() bool { return s.ofContract() && s.about.Kind != Event }

// notJSON matches what is expected of the body of an event that is none.
var notJSON = regexp.MustCompile(`^(a JSON body|an event with a JSON object as its body)(,|$)`)

// isOfEvents reports whether a failure is about an event, or about something that an event tells.
func (s *symptom) isOfEvents() bool {
	e := s.Subject()
	return s.about.Kind == Event || e != nil && e.Party == exchange.Webhook || len(eventsIn(s.finding.Expected)) > 0
}

// isAbsent reports whether a field is, of the response or of an item.
func (s *symptom) isAbsent() bool { return strings.HasPrefix(s.finding.Got, "absent") }

func ifAny(holds bool, parts ...string) []string {
	if !holds {
		return nil
	}
	return []string{strings.Join(parts, "\x00")}
}

// isOfInput matches an expectation that many checks of a request lead to.
var isOfInput = regexp.MustCompile(`^rejected( with 400( HTTP_ERROR)?)?$`)

var eventName = regexp.MustCompile(`\b([A-Z]\w+|[a-z]+_[a-z_]+) events?\b`)

// eventsIn are the names of the events that a text speaks of.
func eventsIn(text string) (all []string) {
	for _, found := range eventName.FindAllStringSubmatch(text, -1) {
		all = append(all, found[1])
	}
	return all
}

// parents are the names of the objects that an absent field is in.
func parents(s *symptom) []string {
	names := strings.FieldsFunc(s.field, func(r rune) bool { return r == '.' })
	if !s.isAbsent() || len(names) == 0 {
		return nil
	}
	return names[:len(names)-1]
}

func eachIn(on string, names []string) (all []string) {
	for _, name := range names {
		all = append(all, on+"\x00"+name)
	}
	return all
}

// departuresOf are all departures that failures show.
func departuresOf(all []*symptom) (found []*departure) {
	for rank, h := range hypotheses {
		of := map[string]*departure{}
		for _, s := range all {
			for _, name := range h.shows(s) {
				if of[name] == nil {
					of[name] = &departure{rank: rank}
					found = append(found, of[name])
				}
				if d := of[name]; last(d.shows) != s {
					d.shows = append(d.shows, s)
				}
			}
		}
		for _, s := range all {
			if h.follows == nil {
				break
			}
			for _, name := range h.follows(s) {
				if d := of[name]; d != nil && !slices.Contains(h.shows(s), name) && last(d.follows) != s {
					d.follows = append(d.follows, s)
				}
			}
		}
	}
	return found
}

// left is how many failures it explains that nothing explains yet.
func (d *departure) left() (n int) {
	for _, s := range d.shows {
		if s.was == nil {
			n++
		}
	}
	for _, s := range d.follows {
		if s.was == nil {
			n++
		}
	}
	return n
}

// explain explains what is left. If one cause already explains more of what shows this departure than is left, it explains the
// rest, too.
func (d *departure) explain() *explanation {
	e, fresh := &explanation{}, 0
	already := map[*explanation]int{}
	for _, s := range d.shows {
		if s.was == nil {
			fresh++
		} else if already[s.was]++; already[s.was] > already[e] {
			e = s.was
		}
	}
	if already[e] <= fresh {
		e = &explanation{}
	}
	joins := len(e.shows) > 0
	for _, s := range d.shows {
		switch {
		case s.was != nil:
		case joins:
			s.was, e.follows = e, append(e.follows, s)
		default:
			s.was, e.shows = e, append(e.shows, s)
		}
	}
	for _, s := range d.follows {
		if s.was == nil {
			s.was, e.follows = e, append(e.follows, s)
		}
	}
	return e
}
