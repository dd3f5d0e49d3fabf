package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/listing"
	"github.com/pixcert/pixcert/steps/record"
)

// knownTo returns what the scenario knows that a list may contain.
func (s *facts) knownTo(op *api.Operation, account language.Account) []*listing.Item {
	if op.ID == "listMeds" {
		return s.knownCases(account)
	}
	return s.knownPayments(account)
}

func (s *facts) knownPayments(account language.Account) []*listing.Item {
	var all []*listing.Item
	for _, t := range s.Attempts {
		id := jsonvalue.Text(t.Answer, "transactionId")
		if !t.Accepted() || t.Op.Listed == "" || id == "" || t.Index < s.Accounts[t.Account].Since {
			continue
		}
		amount, _ := t.Amount()
		k := &listing.Item{
			Name: fmt.Sprintf("payment %d (%s of %v)", len(all)+1, t.Op.Noun, amount), Own: t.Account == account, ID: id, Amount: amount,
			Values: map[string][]string{"type": api.Spelled(t.Op.Listed), "pixKey": listKeyOf(t)},
		}
		if externalID, ok := t.ExternalID(); ok && externalID != "" {
			k.Values["externalId"] = []string{externalID}
		}
		if t.EndToEndID != "" && !t.Returned { // then it may be that of the return
			k.Values["endToEndId"] = []string{t.EndToEndID}
		}
		if state := s.gateway().state(t); state != "" {
			k.Values["status"] = api.Spelled(state)
			k.Name = fmt.Sprintf("payment %d (%s of %v, %s)", len(all)+1, t.Op.Noun, amount, state)
		}
		all = append(all, k)
	}
	return all
}

// listKeyOf is the key by which a payment is listed. An empty one is none that a query names; none at all is unknown,
// because how a path spells a phone number or capitals is open ("spelling of the key of a list by key").
func listKeyOf(t *record.Attempt) []string {
	key := t.SentText("details.key")
	if t.SentText("details.keyType") == "PHONE" || key != strings.ToLower(key) {
		return nil
	}
	return []string{key}
}

// knownCases: a new case is OPEN or RECEIVED.
func (s *facts) knownCases(account language.Account) []*listing.Item {
	var all []*listing.Item
	for _, c := range s.Cases {
		if c.Index <= s.Accounts[c.Account].Since {
			continue // of an account that the scenario has left
		}
		may, _ := s.gateway().caseBefore(c, len(s.Exchanges))
		k := &listing.Item{
			Name: fmt.Sprintf("case %d", len(all)+1), Own: c.Account == account, ID: c.ID,
			Values: map[string][]string{"status": caseStatuses(may)},
		}
		isLinked := slices.ContainsFunc(s.Attempts, func(t *record.Attempt) bool { return t.EndToEndID != "" && t.EndToEndID == c.EndToEndID })
		against := map[bool]string{true: "a payment received", false: "an unknown payment"}[isLinked]
		k.Values["isReconciled"] = []string{fmt.Sprint(isLinked)}
		k.Name = fmt.Sprintf("case %d (%s, against %s)", len(all)+1, strings.Join(k.Values["status"], " or "), against)
		all = append(all, k)
	}
	return all
}

// mayListMore reports whether a list may contain items of which the scenario does not know the id:
// on an account with a history, or if it made what the lists may show in some way, such as refunds.
func (s *facts) mayListMore(op *api.Operation, account language.Account) bool {
	if s.Accounts[account].Fixed || s.Accounts[account].Shared {
		return true
	}
	if op.ID == "listMeds" {
		return false
	}
	return slices.ContainsFunc(s.Attempts, func(t *record.Attempt) bool {
		_, splits := t.SentField("splits")
		return !t.Is(api.Nothing) && t.Account == account && (t.Status == 0 || t.Accepted()) && (t.Op.Listed == "" || t.Returned || splits || jsonvalue.Text(t.Answer, "transactionId") == "")
	})
}
