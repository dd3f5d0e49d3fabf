package spec

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
)

// issue gives an account a token.
func (s *story) issue(h *holder) {
	s.ids++
	account := slices.Index(s.accounts[:], h)
	s.now = s.now.Make(Thing{ID: s.ids, Kind: Token, Account: account, Lasts: api.TokenLifetime}, IsDone)
	h.Tokens = append(h.Tokens, s.ids)
}

// carried is what the token of a request may be. An account gets itself another one in time.
func (s *story) carried(m language.Send) States {
	h, i := s.accounts[m.Account], 0
	for _, d := range m.Dimensions {
		if d.Name == language.TokenDimension {
			return none // of the features, each of them is wrong
		}
	}
	if !m.Again || m.Under != language.OwnToken { // else it is sent as it was
		h.Under = m.Under
	}
	switch h.Under {
	case language.OwnToken, language.ItsToken:
		if h.IsRemoved {
			return Any(Void, Expired)
		}
		return Any(Issued)
	case language.AnsweredToken:
		i = len(h.Tokens) - 1
	case language.FirstToken:
	default:
		return none
	}
	if i < 0 || i >= len(h.Tokens) {
		return Any(Issued)
	}
	token, _ := s.now.Thing(h.Tokens[i])
	return token.May
}

// admitted judges whether a response fits the token of the request, before anything else counts.
func (s *story) admitted(o language.Outcome) string {
	if s.op == nil || !s.op.Bearer {
		return ""
	}
	var stated []int // of rejections
	for _, way := range o.Alternatives {
		if !way.Accepted {
			stated = append(stated, way.Statuses...)
		}
	}
	statuses, accepted := Access(s.token)
	fits := slices.ContainsFunc(stated, func(status int) bool { return slices.Contains(statuses, status) })
	isAbout := len(stated) > 0 && !slices.ContainsFunc(stated, func(status int) bool { return status != http.StatusUnauthorized })
	c := s.counts.of(whatToken)
	switch {
	case !accepted && !fits, len(statuses) == 0 && o.MustRefuse() && isAbout:
		return fmt.Sprintf("the machine says that the token is %v", s.token)
	case accepted && len(statuses) > 0:
		c.by["either"]++
	case accepted:
		c.by["accepted"]++
	default:
		c.by["rejected"]++
	}
	return ""
}

// receive registers URLs.
func (s *story) receive(m language.Receive) {
	h := s.accounts[m.Account]
	for _, eventType := range m.EventTypes {
		for range m.Count {
			if !m.SameURL || len(h.URLs) == 0 {
				s.fresh++
				h.URLs = append(h.URLs, fmt.Sprint("url ", s.fresh))
			}
			h.Registrations, _ = h.Registrations.After(eventType, h.URLs[len(h.URLs)-1], Accepted)
		}
	}
}

// registration is a request for a registration whose response is judged later.
type registration struct {
	Type, URL string
	IsPlain   bool // nothing else is changed
	Several   bool // requests, or bytes that the machine does not read
	Before    Registrations
}

// manage gives the machine a request that orders nothing: for a token, or for a registration.
func (s *story) manage(m language.Send, r request, done Done) {
	h := s.accounts[m.Account]
	switch {
	case r.Op == nil:
	case r.Op.ID == api.Token && done == IsDone:
		s.issue(h)
	case r.Op.ID == "registerWebhook":
		s.registration = s.register(m, h)
		if done == NotDone {
			return
		}
		if to := s.registration; to.URL != "" && m.AtOnce == 0 {
			h.URLs = append(h.URLs, to.URL)
			h.Registrations, _ = h.Registrations.After(to.Type, to.URL, Accepted)
		}
	}
}

// register reads a request for a registration.
func (s *story) register(m language.Send, h *holder) *registration {
	s.fresh++
	r := &registration{api.TypeCashOut, fmt.Sprint("url ", s.fresh), true, m.Raw != nil || m.Varies() || m.AtOnce > 0, h.Registrations}
	if before := h.Registration; m.Again && before != nil {
		r.Type, r.URL, r.IsPlain, r.Several = before.Type, before.URL, before.IsPlain, before.Several
	}
	for _, c := range m.Changes {
		sent := s.accounts[c.Value.Of].URLs
		switch v := c.Value; {
		case c.Name == "eventType" && v.Kind == language.Literal && slices.Contains(api.EventTypes, strings.Trim(string(v.JSON), `"`)):
			r.Type = strings.Trim(string(v.JSON), `"`)
		case c.Name == "url" && v.Kind == language.SentField && v.How == "" && v.N <= len(sent) && len(sent) > 0:
			if r.URL = sent[len(sent)-1]; v.N > 0 {
				r.URL = sent[v.N-1]
			}
		case c.Name == "url" && (v.Kind == language.FreshURL || v.Kind == language.URLWithQuery):
		default:
			r.IsPlain = false
		}
	}
	h.Registration = r
	return r
}

// registered judges the response to a request for a registration.
func (s *story) registered(o language.Outcome) string {
	c, r := s.counts.of(whatRegistration), s.registration
	if s.token != Any(Issued) || r.Several || !r.IsPlain && o.MayRefuse() {
		c.leftOut["a field, a token, or several requests"]++
		return ""
	}
	_, accepted := r.Before.After(r.Type, r.URL, Accepted)
	_, rejected := r.Before.After(r.Type, r.URL, AnyReason)
	switch {
	case !accepted && !o.MayRefuse(), !rejected && o.MustRefuse(), accepted && o.MustRefuse():
		return fmt.Sprintf("the machine says that %s has %v", r.Type, r.Before)
	case accepted:
		c.by["accepted"]++
	default:
		c.by["rejected"]++
	}
	return ""
}
