package judge

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/listing"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

// answered judges responses: "the request is accepted", "the request should be rejected with 400".
// A rejected request must also have no effect.
func answered(s *Scenario, i int, m language.Answered) Result {
	if m.Of != language.It {
		return eachAnswered(s, i, m)
	}
	t := s.It()
	if t == nil {
		return nothingSent()
	}
	f := misses(s, m.Expected, t)
	switch {
	case f == nil && m.Expected.MayRefuse() && !t.Accepted():
		return leavesNoTrace(s, i, t)
	case f == nil:
		return pass()
	case t.Status != 0 && t.Status < 500:
		return softened(fail(*f), m.Modality)
	}
	return fail(*f)
}

// eachAnswered judges several requests: all, or those that were not accepted. Of a request in
// variants, the refused ones must also have no effect.
func eachAnswered(s *Scenario, i int, m language.Answered) Result {
	batch := s.Several()
	if len(batch) == 0 {
		return nothingSent()
	}
	var first *verdict.Finding
	var wrong, right []*record.Attempt
	for _, t := range batch {
		f := misses(s, m.Expected, t)
		if f == nil || m.Of == language.Others && t.Accepted() {
			right = append(right, t)
			continue
		}
		first, wrong = cmp.Or(first, f), append(wrong, t)
	}
	last := batch[len(batch)-1]
	switch {
	case first == nil && last.Variant != "" && m.Expected.MayRefuse():
		return variantsLeaveNoTrace(s, i, batch)
	case first == nil:
		return pass()
	}
	inVariants(first, wrong, right)
	if slices.ContainsFunc(wrong, func(t *record.Attempt) bool { return t.Status == 0 || t.Status >= 500 }) {
		return fail(*first)
	}
	return softened(fail(*first), m.Modality)
}

// inVariants says in a finding which variants of a request are wrong, and of which the answer is right.
func inVariants(f *verdict.Finding, wrong, right []*record.Attempt) {
	if wrong[0].Variant == "" {
		return
	}
	if c := blamed(wrong, right); c != nil {
		variant := "if " + c.String()
		f.Got, f.About.Variant = variant+": "+f.Got, variant
		f.Hint = strings.TrimPrefix(f.Hint+"; "+c.evidence(wrong, right), "; ")
		return
	}
	f.Got, f.About.Variant = wrong[0].Variant+": "+f.Got, wrong[0].Variant
	said := fmt.Sprintf("wrong in %d of %d variants", len(wrong), len(wrong)+len(right))
	if len(right) == 0 && len(wrong) > 1 {
		said = "wrong in " + wording.Every(len(wrong), "variant")
	}
	for _, list := range []struct {
		what string
		of   []*record.Attempt
		most int
	}{{"also", wrong[1:], 4}, {"right", right, 2}} {
		if len(list.of) > 0 {
			said += "; " + list.what + ": " + variantsOf(list.of, list.most)
		}
	}
	f.Hint = strings.TrimPrefix(f.Hint+"; "+said, "; ")
}

// variantsOf names the first variants, and how many more there are.
func variantsOf(all []*record.Attempt, most int) string {
	var names []string
	for _, t := range all[:min(len(all), most)] {
		names = append(names, t.Variant)
	}
	if more := len(all) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, "; ")
}

// variantsLeaveNoTrace: none of the refused variants moves money or is listed. What those may move
// that are accepted is known after the last step.
func variantsLeaveNoTrace(s *Scenario, i int, batch []*record.Attempt) Result {
	last := batch[len(batch)-1]
	if last.Is(api.Payment) && len(acceptedOf(batch)) == 0 {
		if r := movesNoMoney(s, i, last); r.Verdict != verdict.Pass {
			return r
		}
	}
	for _, t := range batch {
		if t.Op.ID == "registerWebhook" && !t.Accepted() {
			if r := notRegistered(s, i, t); r.Verdict != verdict.Pass {
				if r.Finding != nil {
					r.Finding.Got, r.Finding.About.Variant = t.Variant+": "+r.Finding.Got, t.Variant
				}
				return r
			}
		}
	}
	if !last.Is(api.Payment, api.Charge) {
		return pass()
	}
	page := s.LookOf(i, listNoun)
	if page == nil {
		return undecided(Look{At: List, Op: api.MustNamed(listNoun), Account: last.Account, Query: wholeList(listNoun)})
	}
	items, _ := page.Items() // none if the list fails, which other rules judge
	for _, t := range batch {
		id, ok := t.ExternalID()
		for _, item := range items {
			if is, _ := jsonvalue.Lookup(item, "externalId"); ok && id != "" && is == id && !mayHaveMade(&s.facts, id) {
				return fail(verdict.Finding{Expected: "a refused order not to be listed", Got: t.Variant + ": it is listed", Exchange: page.Index})
			}
		}
	}
	return pass()
}

// leavesNoTrace: a rejected request moves no money, lists no transaction and registers nothing. What a gateway keeps of
// an order that failed with 5xx is open ("what a failed order leaves").
func leavesNoTrace(s *Scenario, i int, t *record.Attempt) Result {
	r := traces(s, i, t)
	if t.Status >= 500 {
		return softened(r, language.Should)
	}
	return r
}

func traces(s *Scenario, i int, t *record.Attempt) Result {
	if t.Op.ID == "registerWebhook" {
		return notRegistered(s, i, t)
	}
	if t.Is(api.Payment) || t.Is(api.Refund) && onlyRequestSinceWhen(s, t) {
		if r := movesNoMoney(s, i, t); r.Verdict != verdict.Pass {
			return r
		}
	}
	if t.Is(api.Payment, api.Charge) {
		return notListed(s, i, t)
	}
	return pass()
}

// onlyRequestSinceWhen reports whether nothing but this request was done since the When began. When the money of an
// earlier refund moves is open ("money of a refund").
func onlyRequestSinceWhen(s *Scenario, t *record.Attempt) bool {
	return !slices.ContainsFunc(s.Exchanges[:t.Index], func(e *exchange.Exchange) bool {
		return e.Sent.After(s.When) && e.Method != http.MethodGet && e.Party != exchange.Webhook && e.Operation != "token request"
	})
}

// notListed: a rejected order is not listed. If an order with the same externalId was accepted
// before, that one is listed once.
func notListed(s *Scenario, i int, refused *record.Attempt) Result {
	id, ok := refused.ExternalID()
	if !ok || id == "" {
		return pass()
	}
	page := s.LookOf(i, listNoun)
	if page == nil {
		return undecided(Look{At: List, Op: api.MustNamed(listNoun), Account: refused.Account, Query: url.Values{"externalId": {id}}})
	}
	if !page.Accepted() {
		return pass() // other rules judge the list
	}
	items, _ := page.Items()
	listed, accepted := 0, 0
	for _, item := range items {
		if is, _ := jsonvalue.Lookup(item, "externalId"); is == id && !listing.IsReturned(item) {
			listed++
		}
	}
	for _, earlier := range s.Attempts {
		if used, ok := earlier.ExternalID(); ok && used == id && earlier.Accepted() && earlier.Account == refused.Account {
			accepted++
		}
	}
	return passIf(listed <= accepted, failAt(page, "a refused order not to be listed", fmt.Sprintf("%d transactions with its externalId", listed), ""))
}

// acceptedCount judges how many concurrent requests were accepted. "At most" requires at least
// one.
func acceptedCount(s *Scenario, m language.AcceptedCount) Result {
	batch := s.Several()
	if len(batch) == 0 {
		return nothingSent()
	}
	accepted := len(acceptedOf(batch))
	if slices.Contains(m.Counts, accepted) || m.AtMost && 0 < accepted && accepted < m.Counts[0] {
		return pass()
	}
	t := batch[0]
	minutely := t.Op.ID == "resendWebhook" // a minute may end between them
	bySent := func(a, b *record.Attempt) int { return a.Sent.Compare(b.Sent) }
	if took := slices.MaxFunc(batch, bySent).Sent.Sub(slices.MinFunc(batch, bySent).Sent); minutely && accepted == len(batch) && s.Terms.RequestsPerSecond > 0 && took > time.Minute/2 {
		return couldNotTest(fmt.Sprintf("the requests took %v because requestsPerSecond in the profile throttles them, so the per-minute limit may have reset in between", took.Round(time.Second)))
	}
	expected := fmt.Sprint(m.Counts[0])
	switch {
	case m.AtMost:
		expected = "at most " + expected
	case m.Counts[0] == 1:
		expected = "one"
	}
	hint := ""
	if accepted > slices.Max(m.Counts) {
		hint = "concurrent requests must not all pass the same check"
	}
	r := failAt(t, fmt.Sprintf("%s of %d requests at once to be accepted", expected, len(batch)), fmt.Sprintf("%d accepted", accepted), hint)
	r.Unproven = minutely && (accepted > slices.Max(m.Counts) || s.Terms.Fixed) // on a fixed account, others may have used some
	return r
}

// shareField: the accepted responses of a batch have the same value in a field.
func shareField(s *Scenario, m language.ShareField) Result {
	batch := s.Several()
	accepted := acceptedOf(batch)
	switch {
	case len(batch) == 0:
		return nothingSent()
	case len(accepted) == 0:
		return failAnswer(batch[0], "at least one of the requests to be accepted", "")
	}
	first := jsonvalue.Find(accepted[0].Answer, m.Field)
	if !first.Present {
		return failAt(accepted[0], m.Field+" in each accepted response", first.String(), "").in(m.Field)
	}
	return each(accepted, func(t *record.Attempt) Result {
		v := jsonvalue.Find(t.Answer, m.Field)
		isSame := v.Present && jsonvalue.Equal(first.Value, v.Value)
		return passIf(isSame, failAt(t, fmt.Sprintf("%s to be %s in each accepted response", m.Field, first), v.String(), "").in(m.Field))
	})
}

// oneOfTwo: at least one of the last two requests was accepted, or returned items.
func oneOfTwo(s *Scenario, m language.OneOfTwo) Result {
	a, b, ok := s.Two()
	if !ok {
		return unrecordedPair()
	}
	for _, t := range []*record.Attempt{a, b} {
		data, _ := jsonvalue.Lookup(t.Answer, "data")
		if t.Accepted() && (!m.NotEmpty || isNotEmpty(data)) {
			return pass()
		}
	}
	how := "accepted"
	if m.NotEmpty {
		how = "not empty"
	}
	r := failAt(b, "one of the last two requests to be "+how, a.Summary()+"; "+b.Summary(), "")
	r.Finding.About = answerOf(a)
	return r
}

func unrecordedPair() Result { return unrecorded("two responses or events to compare") }

func codeIsNoneOf(s *Scenario, m language.CodeIsNoneOf) Result {
	t := s.It()
	if t == nil {
		return nothingSent()
	}
	return passIf(!slices.Contains(m.Codes, string(t.Code())), failAnswer(t, "a code other than "+string(t.Code()), ""))
}

// differ: the last two responses, or events, differ in a field that identifies.
func differ(s *Scenario, m language.Differ) Result {
	what, index := "response", -1
	var first, second jsonvalue.Found
	if a, b, ok := s.Two(); ok && !m.Events {
		first, second, index = jsonvalue.Find(a.Answer, m.Field), jsonvalue.Find(b.Answer, m.Field), b.Index
	}
	if n := len(s.waited); n >= 2 && m.Events {
		a, b := s.waited[n-2].event, s.waited[n-1].event
		what, first, second, index = "event", jsonvalue.Find(a.Payload, m.Field), jsonvalue.Find(b.Payload, m.Field), b.Index
	}
	if index < 0 {
		return unrecordedPair()
	}
	isOther := second.Present && !jsonvalue.Equal(first.Value, second.Value)
	return passIf(isOther, failBy(index, "a different "+m.Field+" from the previous "+what, second.String()).in(m.Field))
}

// comparisons are the ways to compare two rejections.
var comparisons = map[language.Comparison]func(a, b *record.Attempt) bool{
	language.SameStatusAndCode: func(a, b *record.Attempt) bool {
		return a.Status == b.Status && a.Code() == b.Code()
	},
	language.SameEnvelope: func(a, b *record.Attempt) bool {
		return a.Status == b.Status && sameFields(a, b, "code", "message", "userMessage", "details")
	},
	language.OwnErrorID: func(a, b *record.Attempt) bool {
		x, y := jsonvalue.Find(a.Answer, "errorId"), jsonvalue.Find(b.Answer, "errorId")
		return x.Value != nil && y.Value != nil && !jsonvalue.Equal(x.Value, y.Value)
	},
}

func sameFields(a, b *record.Attempt, fields ...string) bool {
	for _, field := range fields {
		x, y := jsonvalue.Find(a.Answer, field), jsonvalue.Find(b.Answer, field)
		if x.Present != y.Present || !jsonvalue.Equal(x.Value, y.Value) {
			return false
		}
	}
	return true
}

func refusalsCompare(s *Scenario, m language.RefusalsCompare) Result {
	a, b, ok := s.Two()
	if !ok {
		return unrecordedPair()
	}
	for _, t := range []*record.Attempt{a, b} {
		if t.Status < 400 {
			return failAnswer(t, "two rejections", "")
		}
	}
	r := failAt(b, "two rejections that "+string(m.By), fmt.Sprintf("%d %s and %d %s", a.Status, a.ResponseBody, b.Status, b.ResponseBody), "")
	r.Finding.About = answerOf(a)
	return passIf(comparisons[m.By](a, b), r)
}

// noTokenGiven: the last request was rejected, by edge or gateway, in any way.
func noTokenGiven(s *Scenario) Result {
	t := s.It()
	if t == nil {
		return nothingSent()
	}
	token, _ := jsonvalue.Lookup(t.Answer, "access_token")
	switch {
	case t.Accepted() || token != nil:
		return failAnswer(t, "no token: the certificate in the handshake belongs to another account",
			"the edge must overwrite X-SSL-Client-Cert with the certificate from the handshake, remove it if there is none, "+
				"and remove other spellings and repetitions of the header")
	case t.Status == 0 && !target.HandshakeRefused(*t.Exchange):
		return couldNotTest("the response does not show whether a token was issued: " + t.Summary())
	case !target.RefusedLikeEdge(*t.Exchange):
		return warn(verdict.Finding{Expected: "a refusal with 400, 401 or 403", Got: t.Summary(), Exchange: t.Index})
	}
	return pass()
}

// has judges fields against a table.
func has(s *Scenario, i int, m language.Has) Result {
	switch m.Of {
	case language.Others:
		return othersHave(s, i, m)
	case language.EachItem, language.AnyItem:
		return eachItemHas(s, i, m)
	case language.TheListing:
		return listedWith(s, i, m)
	case language.TheCase:
		return caseListedWith(s, i, m)
	case language.Event:
		return eventHas(s, i, m)
	}
	t := s.It()
	switch {
	case t == nil:
		return nothingSent()
	case t.Answer == nil && m.Modality == language.Must:
		return failAnswer(t, "a JSON body", "")
	case isNull(t.Answer, m.NotNull):
		return pass()
	}
	return preferably(rowsHold(s, i, t, t.Answer, m.Rows), m.Modality)
}

func othersHave(s *Scenario, i int, m language.Has) Result {
	batch := s.Several()
	if len(batch) == 0 {
		return nothingSent()
	}
	refused := slices.DeleteFunc(slices.Clone(batch), (*record.Attempt).Accepted)
	return each(refused, func(t *record.Attempt) Result { return rowsHold(s, i, t, t.Answer, m.Rows) })
}
