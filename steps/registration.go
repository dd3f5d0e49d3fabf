package steps

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/target"
)

// receives registers URLs of the sink for one type of event.
func (s *scenario) receives(ctx context.Context, who, eventType, sameURL, count, header, value string) error {
	a, err := s.actorNamed(who)
	if err != nil {
		return err
	}
	if a.fixed != nil {
		if sameURL != "" || count != "" || header != "" {
			return errors.New("an account that stays has one URL of a type, without headers: this scenario needs a new account")
		}
		return s.receivesAt(ctx, a, eventType)
	}
	for range max(1, atoi(count)) {
		r, err := s.valid(who, "webhook registration")
		if err != nil {
			return err
		}
		r.body["eventType"] = text(eventType)
		if header != "" {
			r.body["headers"] = literal(fmt.Sprintf(`[{"key":%q,"value":%q}]`, header, value))
		}
		if sameURL != "" {
			r.body["url"] = text(a.receivers[len(a.receivers)-1].mailbox.URL())
		}
		if err := s.sendsRequest(ctx, r, hasSent); err != nil {
			return err
		}
	}
	return nil
}

// eventTypes are the types of subscription.
var eventTypes = []string{"cash_in", "cash_out", "refund_in", "refund_out", "med_created", "med_accepted", "med_rejected"}

// receivesAll registers one URL for each type of event of the families that the target
// claims, so that it shows by which type an event came.
func (s *scenario) receivesAll(ctx context.Context) error {
	if s.account.fixed != nil {
		return s.receivesAt(ctx, s.account, eventTypes...)
	}
	for _, eventType := range eventTypes {
		if strings.HasPrefix(eventType, "med_") && !s.run.offered.claims(target.MEDFamily) {
			continue
		}
		if err := s.receives(ctx, "the account", eventType, "", "", "", ""); err != nil {
			return err
		}
	}
	return nil
}

// registered remembers where the events of a registration will arrive.
func (s *scenario) registered(r *request) {
	url, eventType := textOf(r.body["url"]), textOf(r.body["eventType"])
	mailbox, ok := s.mailboxAt(url)
	if !ok {
		return
	}
	for _, known := range r.actor.receivers {
		if known.mailbox == mailbox && known.eventType == eventType {
			return
		}
	}
	r.actor.receivers = append(r.actor.receivers, &receiver{eventType: eventType, mailbox: mailbox})
}

func textOf(v any) string {
	raw, _ := v.(json.RawMessage)
	var s string
	_ = json.Unmarshal(raw, &s) // what is no text is no URL of ours
	return s
}

// listedAsSent: a registration stands once in the last list, with its URL, its type and
// its headers.
func (s *scenario) listedAsSent(which string) error {
	t, err := s.it()
	if err != nil {
		return err
	}
	var registrations []*attempt
	for _, earlier := range s.attempts {
		if earlier.op.id == "registerWebhook" && earlier.accepted() {
			registrations = append(registrations, earlier)
		}
	}
	if len(registrations) == 0 {
		return errors.New("the scenario has registered no webhook")
	}
	sent := registrations[0]
	if which == "last" {
		sent = registrations[len(registrations)-1]
	}
	list, _ := lookup(t.answer, "webhooks")
	rows, _ := list.([]any)
	url, eventType := textOf(sent.body["url"]), textOf(sent.body["eventType"])
	matching := entriesOf(rows, url, eventType)
	if len(matching) != 1 {
		return s.fail(t, fmt.Sprintf("one entry of type %s with the url %s", eventType, url), fmt.Sprintf("%d of the %d entries", len(matching), len(rows)),
			"the list calls type what the registration calls eventType")
	}
	return s.sameHeaders(t, sent, matching[0])
}

// sameHeaders: the list shows as an object what the registration gives as a list.
func (s *scenario) sameHeaders(t, sent *attempt, row any) error {
	raw, _ := fieldOf(sent.body, "headers")
	want := headersGiven(raw)
	listed, present := lookup(row, "headers")
	if !equalHeaders(listed, want) {
		return s.fail(t, fmt.Sprintf("headers %v", want), found{listed, present}.String(), "the list shows the headers as an object")
	}
	return nil
}

// headersGiven are the custom headers of a registration, by their names.
func headersGiven(raw json.RawMessage) map[string]any {
	decoded, _ := decode(raw)
	given, _ := decoded.([]any) // what is no list gives none
	headers := map[string]any{}
	for _, h := range given {
		key, _ := lookup(h, "key")
		value, _ := lookup(h, "value")
		headers[fmt.Sprint(key)] = value
	}
	return headers
}

// equalHeaders compares names without regard to case, as HTTP does.
func equalHeaders(listed any, want map[string]any) bool {
	got, ok := listed.(map[string]any)
	if !ok || len(got) != len(want) {
		return false
	}
	for name, value := range want {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(got)), func(k string) bool {
			return strings.EqualFold(k, name) && got[k] == value
		}) {
			return false
		}
	}
	return true
}

// registeredNothing: what a refused registration asked for is not in the list. An
// account that has no list, such as one that is gone, has nothing in it.
func (s *scenario) registeredNothing(ctx context.Context, refused *attempt) error {
	url, eventType := textOf(refused.body["url"]), textOf(refused.body["eventType"])
	if url == "" || s.isRegistered(refused.actor, url, eventType) {
		return nil
	}
	rows, err := s.listOf(ctx, refused.actor)
	if err != nil {
		return err
	}
	now := entriesOf(rows, url, eventType)
	if refused.actor.fixed != nil && equal(now, entriesOf(s.registrations, url, eventType)) {
		return nil // it stood there before, as it does now
	}
	if len(now) > 0 {
		return s.fail(refused, "a refused registration to register nothing", "its URL is listed for "+eventType, "")
	}
	return nil
}

// entriesOf are the rows of a list with that URL and that type.
func entriesOf(rows []any, url, eventType string) []any {
	var entries []any
	for _, row := range rows {
		listedURL, _ := lookup(row, "url")
		listedType, _ := lookup(row, "type")
		if listedURL == url && listedType == eventType {
			entries = append(entries, row)
		}
	}
	return entries
}

// isRegistered tells whether an earlier request of the scenario registered the URL.
func (s *scenario) isRegistered(a *actor, url, eventType string) bool {
	return slices.ContainsFunc(a.receivers, func(r *receiver) bool {
		known, _, _ := strings.Cut(url, "?")
		return r.mailbox.URL() == known && r.eventType == eventType
	})
}

// listOf reads an account's registrations, beside the requests of the sentences.
func (s *scenario) listOf(ctx context.Context, a *actor) ([]any, error) {
	t, err := s.aside(ctx, a, "webhook list request")
	if err != nil {
		return nil, err
	}
	list, _ := lookup(t.answer, "webhooks")
	rows, _ := list.([]any)
	return rows, nil
}
