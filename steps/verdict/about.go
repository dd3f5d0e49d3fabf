package verdict

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Kind is what a finding is about.
type Kind string

// The kinds.
const (
	Rejection Kind = "rejection" // the outcome of a request: rejected instead of accepted, accepted, or rejected otherwise
	Movement  Kind = "movement"  // how a part of the balance moved
	Field     Kind = "field"     // a field of a response or an event
	Listing   Kind = "listing"   // what a list contains
	Event     Kind = "event"     // whether an event arrives, and which
	Framing   Kind = "framing"   // something that the target sent without being asked, so that responses may belong to other requests
	Other     Kind = "other"
)

// Direction is where a balance moves.
type Direction string

// The directions.
const (
	Falls Direction = "fall"
	Rises Direction = "rise"
	Stays Direction = "unchanged"
)

// About is what a finding says, for those who group and compare findings. Its texts are how it prints. The zero
// value is about something else.
type About struct {
	Kind Kind `json:"kind,omitempty"`

	// Of a rejection.
	Status    int    `json:"status,omitempty"`    // that was received; 0 for no response
	Code      string `json:"code,omitempty"`      // and its error code
	Variant   string `json:"variant,omitempty"`   // of the request, if it was one of several; the text begins with it
	MustFail  bool   `json:"mustFail,omitempty"`  // a rejection was expected
	RightCode bool   `json:"rightCode,omitempty"` // as was received, but not with this message

	// Of a movement.
	Expected Direction `json:"expected,omitempty"` // or, after "not to", the one that was not
	Got      Direction `json:"got,omitempty"`

	// Of a listing.
	Stranger bool `json:"stranger,omitempty"` // a transaction is listed that nobody made
}

// answer is the status and the code that were received: "400 PIX_INVALID_AMOUNT".
func (a About) answer() string { return strings.TrimSpace(fmt.Sprint(a.Status, " ", a.Code)) }

var (
	movement   = regexp.MustCompile(`\b(fell|rose|unchanged|fall|rise)\b`)
	acceptance = regexp.MustCompile(`^2\d\d(,|$)`)   // with what it did
	refusal    = regexp.MustCompile(`^[45]\d\d[ ,]`) // with its code or message
	directions = map[string]Direction{"fell": Falls, "fall": Falls, "rose": Rises, "rise": Rises, "unchanged": Stays}
)

// AboutTexts reads from its texts what a finding is about. Only reports of versions that did not write it need that.
func AboutTexts(expected, got string) About {
	answer, _, _ := strings.Cut(got, ",")
	status, code, _ := strings.Cut(answer, " ")
	switch {
	case acceptance.MatchString(got), refusal.MatchString(got):
		a := About{Kind: Rejection, Code: code, MustFail: strings.HasPrefix(expected, "rejected")}
		a.Status, _ = strconv.Atoi(status)
		a.RightCode = strings.HasPrefix(expected, "rejected with "+answer+", naming ")
		return a
	case strings.HasPrefix(got, "also "+Stranger):
		return About{Kind: Listing, Stranger: true}
	case movement.MatchString(got):
		return About{Kind: Movement, Expected: directions[movement.FindString(expected)], Got: directions[movement.FindString(got)]}
	}
	return About{}
}
