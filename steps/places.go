package steps

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/sink"
)

// The API has no way to remove a webhook and takes three URLs for each type of event. On
// an account that stays the suite therefore uses the same URLs in every run, one of each
// type, and leaves room for registrations that are to be refused.

// temporaryPlace is the URL that a resend is given for one time; it is never registered.
const temporaryPlace = "resend"

// places are what an account has a URL for: each type of event, without custom headers,
// and the temporary one.
var places = append(slices.Clone(eventTypes), temporaryPlace)

// mostOfAType is how many active URLs a type of event has at the most (Webhooks, rule 3).
const mostOfAType = 3

// pathOf is the path of a place: one of the profile's, or one made of the account.
func (r *run) pathOf(a *fixedAccount, place string) string {
	if paths := r.profile.Sink.Paths; len(paths) > 0 {
		return paths[slices.Index(places, place)*len(r.fixed)+a.index]
	}
	return "/pixcert/" + a.key() + "/" + place
}

// mailboxOf opens the mailbox of a place, or finds it where the scenario has done so.
func (s *scenario) mailboxOf(a *fixedAccount, place string) *sink.Mailbox {
	path := s.run.pathOf(a, place)
	if i := slices.IndexFunc(s.opened, func(m *sink.Mailbox) bool { return m.Path() == path }); i >= 0 {
		return s.opened[i]
	}
	m := s.run.sink.Open(path)
	s.opened = append(s.opened, m)
	return m
}

// receivesAt makes an account that stays receive events of some types at its places: what
// is registered already is not registered again.
func (s *scenario) receivesAt(ctx context.Context, a *actor, eventTypes ...string) error {
	rows, err := s.listOf(ctx, a)
	if err != nil {
		return err
	}
	for _, eventType := range eventTypes {
		m := s.mailboxOf(a.fixed, eventType)
		a.receivers = append(a.receivers, &receiver{eventType: eventType, mailbox: m})
		mine := entriesOf(rows, m.URL(), eventType)
		if len(mine) > 0 && isPlain(mine[0]) {
			continue
		}
		if len(mine) == 0 && countOf(rows, eventType) >= mostOfAType {
			return &unable{reason: fmt.Sprintf("the account has %d URLs for %s, none of them %s: ask for one of them to be removed", countOf(rows, eventType), eventType, m.URL())}
		}
		r, err := s.valid(a.name, "webhook registration")
		if err != nil {
			return err
		}
		r.body["eventType"], r.body["url"] = text(eventType), text(m.URL())
		if err := s.sendsRequest(ctx, r, hasSent); err != nil {
			return err
		}
	}
	return nil
}

// isPlain: an entry of the list is active and has no custom headers.
func isPlain(row any) bool {
	active, has := lookup(row, "isActive")
	headers, _ := lookup(row, "headers")
	return (!has || active == true) && (headers == nil || equalHeaders(headers, nil))
}

func countOf(rows []any, eventType string) int {
	n := 0
	for _, row := range rows {
		if listed, _ := lookup(row, "type"); listed == eventType {
			n++
		}
	}
	return n
}

// needsRoom: a registration that is to be refused needs a free place of its type, or the
// refusal may have another cause. What is registered now shows later what it has changed.
func (s *scenario) needsRoom(ctx context.Context, r *request) error {
	rows, err := s.listOf(ctx, r.actor)
	if err != nil {
		return err
	}
	s.registrations = rows
	url, eventType := textOf(r.body["url"]), textOf(r.body["eventType"])
	if len(entriesOf(rows, url, eventType)) == 0 && countOf(rows, eventType) >= mostOfAType {
		return &unable{reason: fmt.Sprintf("the account has %d URLs for %s already, so that a refusal shows nothing: ask for one of them to be removed", countOf(rows, eventType), eventType)}
	}
	return nil
}

// needsOneURL: which URL a resend goes to, where its type has several, is left open.
func (s *scenario) needsOneURL(ctx context.Context, r *request) error {
	made, err := s.last(payment, charge)
	if _, has := r.body["url"]; has || err != nil || s.plan.mustBeRefused(s.step) {
		return nil
	}
	eventType := "cash_out"
	if made.op.makes == charge {
		eventType = "cash_in"
	}
	rows, err := s.listOf(ctx, r.actor)
	if others := countOf(rows, eventType) - len(entriesOf(rows, s.mailboxOf(r.actor.fixed, eventType).URL(), eventType)); others > 0 {
		return &unable{reason: fmt.Sprintf("the account has other URLs for %s (%d) beside the suite's, and to which of them a resend goes is left open: ask for them to be removed", eventType, others)}
	}
	return err
}

// registerPlaces registers the URLs that the scenarios of the run will need, before any of
// them can take their room. What does not succeed is for those scenarios to tell.
func (s *scenario) registerPlaces(ctx context.Context, a *actor) {
	var needed []string
	for _, p := range s.run.planned {
		if !p.runs() || !p.receives {
			continue
		}
		for _, step := range p.scenario.Steps {
			switch m := receivesForm.FindStringSubmatch(step.Text); {
			case m != nil:
				needed = append(needed, m[1])
			case strings.HasSuffix(step.Text, "webhooks of every type"):
				needed = append(needed, eventTypes...)
			case strings.Contains(step.Text, "webhook registration"):
				needed = append(needed, "cash_out")
			}
		}
	}
	slices.Sort(needed)
	for _, eventType := range slices.Compact(needed) {
		_ = s.receivesAt(ctx, a, eventType)
	}
}

var receivesForm = regexp.MustCompile(`^(?:the|the other) account receives (\w+) webhooks$`)

// --- what a plan says of webhooks ---

// receivesWebhooks: a step that registers a webhook, or tries to.
func receivesWebhooks(step string) bool {
	return strings.Contains(step, " webhooks") || strings.Contains(step, "webhook registration") && !strings.Contains(step, " under ")
}

var manyURLs = regexp.MustCompile(` at (\d) URLs| sends (\d) webhook registrations`)

// mailboxesIn is how many URLs of the sink a step takes.
func mailboxesIn(step string) int {
	if m := manyURLs.FindStringSubmatch(step); m != nil {
		return atoi(m[1] + m[2])
	}
	n := strings.Count(step, "a URL with a query") + strings.Count(step, "a fresh URL")
	switch {
	case strings.HasSuffix(step, "webhooks of every type"):
		n += len(eventTypes)
	case receivesWebhooks(step) || strings.Contains(step, "webhook registration"):
		n++
	}
	return n
}
