package judge

import (
	"net/http"
	"slices"

	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/listing"
	"github.com/pixcert/pixcert/steps/record"
)

// The response to a resend shows the status that the destination has returned, so that the destination has
// received something by then, whichever sentence follows.

// Undelivered are the resends that say that a URL of the sink's has accepted the event, although nothing
// has arrived there since.
func (s *facts) Undelivered() []*record.Attempt {
	return slices.DeleteFunc(s.Requests(), func(t *record.Attempt) bool { return len(isDelivered(s, t)) == 0 })
}

// isDelivered: what is said to be delivered has arrived.
func isDelivered(s *facts, t *record.Attempt) []Breach {
	if t.Op.ID != "resendWebhook" || !t.Accepted() {
		return nil
	}
	status, _ := listing.WholeNumber(t.Answer, "statusCode")
	rule, where := "resend.temporary-url", "the URL in the request"
	at := slices.DeleteFunc(slices.Clone(s.Temporary), func(url string) bool { return url != t.SentText("url") })
	if _, given := t.SentField("url"); !given && !s.Accounts[t.Account].Fixed {
		rule, where = "resend.registered-url", "a URL of the account's"
		for _, r := range s.Accounts[t.Account].Receivers {
			at = append(at, r.URL)
		}
	}
	arrived := func(d *record.Delivery) bool { return slices.Contains(at, d.At) && !d.Sent.Before(t.Sent) }
	if status/100 != http.StatusOK/100 || len(at) == 0 || slices.ContainsFunc(s.Events, arrived) {
		return nil
	}
	return []Breach{{rule, "the event at " + where + ", which has returned statusCode " + jsonvalue.Text(t.Answer, "statusCode"), "nothing arrived there", ""}}
}

// lastTemporary is "that URL": the last that a resend was given; none if there is none.
func lastTemporary(s *Scenario) (at []record.Receiver) {
	for _, url := range s.Temporary {
		at = []record.Receiver{{URL: url}}
	}
	return at
}
