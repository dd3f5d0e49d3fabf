package world

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/sink"
	"github.com/pixcert/pixcert/steps/target"
)

// receive registers URLs of the sink for types of event. Of every type, those of the families
// that the target claims, so that the type by which an event came shows.
func receive(ctx context.Context, w *World, m language.Receive) error {
	a, err := w.actor(m.Account)
	if err != nil {
		return err
	}
	if a.fixed != nil {
		if m.SameURL || m.Count > 1 || m.Header != "" {
			return errors.New("existing accounts have one URL for each type, without headers: this scenario requires a new account")
		}
		return a.receiveAtPlaces(ctx, m.EventTypes...)
	}
	for _, eventType := range m.EventTypes {
		if strings.HasPrefix(eventType, "med_") && len(m.EventTypes) > 1 && !w.Claims(target.MEDFamily) {
			continue
		}
		for range m.Count {
			r := a.valid("webhook registration")
			r.body["eventType"] = text(eventType)
			if m.Header != "" {
				r.body["headers"] = literal(fmt.Sprintf(`[{"key":%q,"value":%q}]`, m.Header, m.Value))
			}
			if m.SameURL {
				known := w.Judge.Accounts[a.which].Receivers
				r.body["url"] = text(known[len(known)-1].URL)
			}
			if err := r.sendSpoken(ctx, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// receiverAnswers sets what the account's URLs answer from now on.
func receiverAnswers(_ context.Context, w *World, m language.ReceiverAnswers) error {
	receivers := w.Judge.Accounts[language.TheAccount].Receivers
	if m.URL > 0 {
		if len(receivers) < int(m.URL) {
			return fmt.Errorf("the account has no %v webhook endpoint", m.URL)
		}
		receivers = receivers[m.URL-1 : m.URL]
	}
	response := responseOf(w, m)
	for _, r := range receivers {
		if mailbox := w.mail.at(r.URL); mailbox != nil {
			mailbox.Respond(response)
		}
	}
	return nil
}

// registrationURL is the URL of a valid registration: a fresh one, or the one that an account
// of the profile keeps.
func (a *actor) registrationURL() string {
	if a.fixed != nil {
		return a.place(api.TypeCashOut).URL()
	}
	return a.w.mail.openFresh(a.w.Stage, "").URL()
}

// temporaryURL opens "that URL", whose path ends in a certain way unless the profile says what it is.
func temporaryURL(w *World, end string) string {
	var mailbox *sink.Mailbox
	if w.the().fixed != nil {
		mailbox = w.the().place(TemporaryPlace)
	} else {
		mailbox = w.mail.openFresh(w.Stage, end)
	}
	w.note(record.Fact{Kind: record.Temporary, Of: mailbox.URL()})
	return mailbox.URL()
}

// --- accounts of the profile ---

// The API has no way to remove a webhook and accepts three URLs for each type of event. On an
// account that stays the suite therefore uses the same URLs in every run, one of each type,
// and leaves room for registrations that are to be refused.

// TemporaryPlace is the URL that a resend is given for one time; it is never registered.
const TemporaryPlace = "resend"

// Places are what an account of the profile has a URL for: each type of event, without custom
// headers, and the temporary one.
var Places = append(slices.Clone(api.EventTypes), TemporaryPlace)

// mostOfAType is how many active URLs a type of event has at most (Webhooks, rule 3).
const mostOfAType = 3

// PathOf is the path of a place: one of the profile's, or one made from the account. Each account has
// paths of its own one after the other, so that those of an account that is added leave the others as they were.
func (a *FixedAccount) PathOf(place string, paths []string) string {
	if len(paths) > 0 {
		return paths[a.Index*len(Places)+slices.Index(Places, place)]
	}
	return "/pixcert/" + a.Key() + "/" + place
}

func (a *actor) place(place string) *sink.Mailbox {
	profile := a.w.Target.Profile
	return a.w.mail.open(a.fixed.PathOf(place, profile.Sink.Paths))
}

// receiveAll records whatever arrives at the URLs of an account of the profile, which are registered
// for good, whether a step waits for it or not.
func (a *actor) receiveAll() {
	if a.w.Sharing {
		return
	}
	profile := a.w.Target.Profile
	if paths := profile.Sink.Paths; len(paths) > 0 && len(paths) < len(Places)*len(profile.Accounts) {
		return // too few: nothing is registered
	}
	for _, eventType := range api.EventTypes {
		url := a.place(eventType).URL()
		if len(profile.Sink.Paths) == 0 { // a path of the profile may have had another use before
			a.w.noteOf(a.which, record.Fact{Kind: record.Kept, Text: eventType, Of: url})
		}
	}
}

// receiveAtPlaces makes an account of the profile receive events of some types: what is
// registered already is not registered again.
func (a *actor) receiveAtPlaces(ctx context.Context, eventTypes ...string) error {
	_, rows, err := a.registrations(ctx)
	if err != nil {
		return err
	}
	for _, eventType := range eventTypes {
		url := a.place(eventType).URL()
		a.w.noteOf(a.which, record.Fact{Kind: record.Subscribed, Text: eventType, Of: url})
		mine := judge.Entries(rows, url, eventType)
		if len(mine) > 0 && isPlain(mine[0]) {
			continue
		}
		if n := countOf(rows, eventType); len(mine) == 0 && n >= mostOfAType {
			return record.Cannot(fmt.Sprintf("the account already has %d webhook URLs for %s, none of them %s: ask the gateway's operator to remove one", n, eventType, url))
		}
		r := a.valid("webhook registration")
		r.body["eventType"], r.body["url"] = text(eventType), text(url)
		if err := r.sendSpoken(ctx, true); err != nil {
			return err
		}
	}
	return nil
}

func (a *actor) registrations(ctx context.Context) (*record.Attempt, []any, error) {
	t, err := a.ask(ctx, "webhook list request", nil, record.Aside)
	if err != nil {
		return nil, nil, err
	}
	return t, jsonvalue.Items(t.Answer, "webhooks"), nil
}

// isPlain: an entry of the list is active and has no custom headers.
func isPlain(row any) bool {
	active, headers := jsonvalue.Find(row, "isActive"), jsonvalue.Find(row, "headers").Value
	return (!active.Present || active.Value == true) && (headers == nil || judge.EqualHeaders(headers, nil))
}

func countOf(rows []any, eventType string) int {
	return len(slices.DeleteFunc(slices.Clone(rows), func(row any) bool { return jsonvalue.Find(row, "type").Value != eventType }))
}

// onOwnURLs: URLs of somebody else that an account of the profile has must not decide what
// becomes of a request.
func (r *request) onOwnURLs(ctx context.Context) error {
	if r.actor.fixed == nil || r.role != record.Spoken {
		return nil
	}
	switch r.op.ID {
	case "registerWebhook":
		return r.needsRoom(ctx)
	case "resendWebhook":
		return r.needsOneURL(ctx)
	}
	return nil
}

// needsRoom: a registration that is to be refused needs room for its type, or the refusal may
// have another cause. What is registered now shows later what it has changed.
func (r *request) needsRoom(ctx context.Context) error {
	list, rows, err := r.actor.registrations(ctx)
	if err != nil {
		return err
	}
	r.actor.w.note(record.Fact{Kind: record.Registered, Index: list.Index})
	url, eventType := stringOf(r.body["url"]), stringOf(r.body["eventType"])
	if n := countOf(rows, eventType); len(judge.Entries(rows, url, eventType)) == 0 && n >= mostOfAType {
		return record.Cannot(fmt.Sprintf("the account already has %d webhook URLs for %s, so a refusal would prove nothing: ask the gateway's operator to remove one", n, eventType))
	}
	return nil
}

// needsOneURL: which URL a resend goes to, if its type has several, is left open.
func (r *request) needsOneURL(ctx context.Context) error {
	w := r.actor.w
	made := w.Judge.LastOf(api.Payment, api.Charge)
	if _, has := r.body["url"]; has || made == nil || language.MustBeRefused(w.Steps, w.step) {
		return nil
	}
	eventType := api.TypeCashOut
	if made.Is(api.Charge) {
		eventType = api.TypeCashIn
	}
	_, rows, err := r.actor.registrations(ctx)
	if others := countOf(rows, eventType) - len(judge.Entries(rows, r.actor.place(eventType).URL(), eventType)); others > 0 {
		return record.Cannot(fmt.Sprintf("the account has %d other webhook URLs for %s, and the specification does not say which one receives a resend: ask the gateway's operator to remove them", others, eventType))
	}
	return err
}

// stringOf is the text of a JSON string; empty for anything else.
func stringOf(v any) string {
	raw, _ := v.(json.RawMessage)
	var s string
	_ = json.Unmarshal(raw, &s) // anything but a text is no URL of ours
	return s
}
