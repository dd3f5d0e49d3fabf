package judge

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

// pixcert reads balances and lists repeatedly, and waits while a target rejects requests because of
// earlier ones. A failed response is not forgotten because the next one is right: a status that the
// specification does not list fails, and one that it lists is shown as a warning.

// reads are the rules of what pixcert itself reads, by operation.
var reads = map[string]string{
	"listTransactions": "lists.answer", "listTransactionsByKey": "lists.answer", "balances": "balance.answer", "listWebhooks": "webhook.list",
	"listMeds": "med.list",
}

// busy are the statuses that the specification lists for a valid request (Endpoints 9 and 14). All
// other endpoints list theirs, too (Errors, Other).
var busy = map[string][]int{
	"listMeds":      {http.StatusTooManyRequests, http.StatusInternalServerError},
	"resendWebhook": {http.StatusTooManyRequests},
}

const unlisted429 = ", which the specification does not list here; requestsPerSecond in the profile limits what pixcert sends"

func isBusy(t *record.Attempt) bool { return t.Err == "" && slices.Contains(busy[t.Op.ID], t.Status) }

// isAccepted: a valid read does not fail, even if the next one succeeds.
func isAccepted(s *facts, t *record.Attempt) []Breach {
	rule, known := reads[t.Op.ID]
	if !known || isBusy(t) || len(s.callsOf(target.FaultsControl, "")) > 0 {
		return nil
	}
	if got := unusable(t, t.Status >= 500 || isAcceptedAround(s, t)); got != "" {
		return []Breach{{rule, expectedRead(t), got, ""}}
	}
	return nil
}

// unusable is what came instead of a response that accepts a valid request, also if its status is wrong; empty if nothing
// is wrong with it, or if none came.
func unusable(t *record.Attempt, isWrongStatus bool) string {
	switch status := strconv.Itoa(t.Status); {
	case t.NoResponse():
	case t.Status != 0 && t.Err != "":
		return "a malformed response: " + t.Err
	case t.IsThrottled():
		return status + unlisted429
	case isWrongStatus:
		return status
	}
	return ""
}

// isAcceptedAround: a read is rejected although the same one is accepted later, and one with its token was
// so long before that every replica knows the token. A key may be too new, and a page beyond the last.
func isAcceptedAround(s *facts, t *record.Attempt) bool {
	if t.Status < 400 || t.Op.ID == "listTransactionsByKey" || t.Query().Has("page") || len(s.callsOf(target.Clock, "")) > 0 {
		return false
	}
	accepted := func(other *record.Attempt, later bool) bool {
		return other.Accepted() && other.Op == t.Op && other.Account == t.Account && later == (other.Index > t.Index) &&
			other.Header.Get("Authorization") == t.Header.Get("Authorization") &&
			(later && other.URL == t.URL || !later && t.Sent.Sub(other.Sent) >= s.Lag)
	}
	return slices.ContainsFunc(s.Requests(), func(other *record.Attempt) bool { return accepted(other, false) }) &&
		slices.ContainsFunc(s.Requests(), func(other *record.Attempt) bool { return accepted(other, true) })
}

// isOfExistingAccount: a removed account's webhooks are not listed where pixcert itself reads them (Endpoint 13).
func isOfExistingAccount(s *facts, t *record.Attempt) []Breach {
	calls := slices.DeleteFunc(s.callsOf(target.Accounts, ""), func(c record.Call) bool { return c.Index > t.Index })
	removed := len(calls) > 0 && calls[len(calls)-1].Method == http.MethodDelete && calls[len(calls)-1].Succeeded()
	isListed := removed && t.Accepted() && t.Op.ID == "listWebhooks" && t.Account == language.TheAccount
	return breachIf(isListed, "a webhook list request of a removed account to be rejected with 404", strconv.Itoa(t.Status), "")
}

// listsOwnURLs: a new account lists no URL that only another scenario of this run has registered.
func listsOwnURLs(s *facts, t *record.Attempt) []Breach {
	account := s.Accounts[t.Account]
	if !t.Accepted() || s.OwnURLs == "" || !account.Opened || account.Fixed || t.Index < account.Since {
		return nil
	}
	for _, row := range jsonvalue.Items(t.Answer, "webhooks") {
		rest, isRuns := strings.CutPrefix(jsonvalue.Text(row, "url"), s.OwnURLs)
		id := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))] // what follows may be written in many ways
		isRegistered := func(r *record.Attempt) bool {                   // in whatever JSON
			return r.Op.ID == "registerWebhook" && strings.Contains(string(r.Body), id)
		}
		if isRuns && id != "" && !slices.ContainsFunc(s.Requests(), isRegistered) {
			return breach("only the account's own registrations", "a URL that another account has registered", "webhooks")
		}
	}
	return nil
}

func expectedRead(t *record.Attempt) string {
	return fmt.Sprintf("every valid %s to be accepted with 200", t.Op.Noun)
}

// Delays say which requests were sent again because the target was busy.
func (s *Scenario) Delays() (all []verdict.Finding) {
	count := map[string]int{}
	var first []*record.Attempt
	kindOf := func(t *record.Attempt) string { return fmt.Sprint(t.Op.ID, t.Status) }
	for _, t := range s.Looks {
		_, known := reads[t.Op.ID]
		if !isBusy(t) || !known && t.Role != record.Throttled {
			continue
		}
		if count[kindOf(t)]++; count[kindOf(t)] == 1 {
			first = append(first, t)
		}
	}
	for _, t := range first {
		all = append(all, verdict.Finding{
			Expected: expectedRead(t),
			Got:      fmt.Sprintf("%d %s; accepted later", t.Status, wording.Count(count[kindOf(t)], "time")),
			Hint:     "the specification lists this status; pixcert sent the request again", Exchange: -1, // a pass keeps none
		})
	}
	return all
}
