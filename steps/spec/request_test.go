package spec

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
)

// request is a request for a thing, as far as the machine understands it.
type request struct {
	Op        *api.Operation
	Account   int
	Amount    money.Centavos
	Known     bool   // the amount
	IsPlain   bool   // nothing is changed but what the machine knows: the request is valid
	Key       string // what makes another request the same, as sent: an externalId, a txid, a key
	Near      string // the key in one case, if there is an open point about cases
	Of        ID     // of a refund: the charge; 0 if it is not known
	Lasts     time.Duration
	MayStay   bool
	Others    Range // what of a charge goes to others
	Played    bool
	Mistaken  bool // it may be invalid
	IsInvalid bool
	Pays      bool // it may pay a charge of the scenario's own
}

// keys are the fields that say whether a request is the same.
var keys = map[string]string{
	"cashOut": "externalId", "cashOutQRCode": "externalId", "cashIn": "transaction.externalId",
	"transfer": "x-idempotency-key", "refund": "id", "cob": "txid",
}

// plain is the valid request that sentences change.
func (s *story) plain(op *api.Operation, account int) request {
	s.fresh++
	r := request{Op: op, Account: account, Amount: 1_00, Known: true, IsPlain: true, Key: fmt.Sprint("key ", s.fresh), Lasts: api.Lifetimes[op.ID].Default}
	switch op.Noun {
	case "split cash-in":
		r.Amount, r.Others = 10_00, Range{0, 1_00}
	case "cob":
		r.Lasts = time.Hour
	case "refund":
		if charge, ok := s.received(language.Last); ok {
			r.Of = charge.ID
		}
	}
	r.Near = r.Key
	return r
}

// received are the charges that may have been paid.
func (s *story) received(n language.Nth) (made, bool) {
	if n != language.Last {
		return s.nth(n, api.Charge)
	}
	for i := len(s.made) - 1; i >= 0; i-- {
		if m := s.made[i]; m.Op.Makes == api.Charge && s.thing(m).May.Overlaps(WasPaid) {
			return m, true
		}
	}
	return made{}, false
}

// request is what a sentence sends.
func (s *story) request(m language.Send) request {
	var r request
	switch {
	case m.Again && s.meant != nil:
		r = s.meant.request
	case m.Again:
		r = s.accounts[m.Account].Request
	default:
		r = s.plain(m.Operation, int(m.Account))
	}
	if m.Raw != nil || m.OverLimit || m.Varies() {
		r.Known, r.IsPlain, r.Mistaken = false, false, true
	}
	for _, c := range m.Changes {
		s.change(&r, c)
	}
	if r.Op != nil && keys[r.Op.ID] != "" {
		s.accounts[m.Account].Sent = append(s.accounts[m.Account].Sent, r.Key)
	}
	return r
}

// change changes a field.
func (s *story) change(r *request, c language.Change) {
	text := c.Value.Text
	if c.Value.Kind == language.Literal {
		text = string(c.Value.JSON)
		_ = json.Unmarshal(c.Value.JSON, &text) // else it is no text
	}
	r.IsInvalid = r.IsInvalid || string(c.Value.JSON) == `"x"` // as the features spell what is
	isText := c.Value.Kind == language.Literal || c.Value.Kind == language.Text
	seconds := func() time.Duration {
		n, err := strconv.ParseInt(text, 10, 64)
		r.IsPlain, r.Mistaken = false, err != nil || n <= 0 // the bounds of it are not the machine's
		return time.Duration(n) * time.Second
	}
	switch {
	case r.Op == nil:
	case r.Op.Amount != "" && c.Name == r.Op.Amount:
		amount, err := money.Parse(text)
		isString := strings.HasPrefix(string(c.Value.JSON), `"`)
		r.Amount, r.Known = amount, isText && err == nil && isString == r.Op.Text && (!isString || text == amount.Decimal())
		r.IsPlain = r.IsPlain && r.Known && amount > 0
	case c.Name == keys[r.Op.ID] && c.Where != language.Body || c.Where == language.Body && c.Name == keys[r.Op.ID]:
		s.setKey(r, c.Value, text, isText)
	case c.Where == language.Path && c.Name == "e2eid":
		r.Of = 0
		if v := c.Value; v.Text == "endToEndId" && (v.Kind == language.EventsField || v.Kind == language.MadeField && v.Makes == api.Charge && !v.Swap) {
			if charge, ok := s.received(language.Nth(v.N)); ok {
				r.Of = charge.ID
			}
		}
		r.IsPlain = r.IsPlain && r.Of != 0
	case c.Name == api.Lifetimes[r.Op.ID].Field:
		r.Lasts = api.Lifetimes[r.Op.ID].Default
		if c.Value.Kind != language.Absent {
			r.Lasts = seconds()
		}
	case r.Op.ID == "transfer" && c.Name == "priority":
		r.MayStay = text != "NORM"
	case c.Name == "splits" || strings.HasPrefix(c.Name, "splits["):
		s.split(r, c.Name == "splits", c.Value)
	case c.Name == "qrCode":
		r.IsPlain = false
		r.Pays = c.Value.Kind != language.PayeesCode && c.Value.Kind != language.Literal && c.Value.Kind != language.Absent
	default:
		r.IsPlain, r.Mistaken = false, r.Mistaken || isText || c.Value.Kind == language.Absent
	}
}

func (s *story) setKey(r *request, v language.Value, text string, isText bool) {
	sent := s.accounts[v.Of].Sent
	s.fresh++
	r.Key = fmt.Sprint("key ", s.fresh)
	of, isMade := s.nth(language.Nth(v.N), v.Makes)
	switch {
	case v.Kind == language.MadeField && isMade && v.Text == keys[r.Op.ID] && !v.Swap:
		r.Key = of.Key
	case isText:
		r.Key = text
	case v.Kind == language.SentField && v.How == "" && v.N > 0 && v.N <= len(sent):
		r.Key = sent[v.N-1]
	case (v.Kind == language.SentField && v.N == 0 && (v.How == "" || v.How == "with the case swapped") || v.Kind == language.AnsweredField || v.Kind == language.EventsField) && len(sent) > 0:
		if r.Key = sent[len(sent)-1]; v.How != "" {
			r.Key += ", swapped"
		}
	case v.Kind == language.Absent:
		r.Key = ""
	}
	r.IsPlain = r.IsPlain && v.How == "" && slices.Contains([]language.ValueKind{language.SentField, language.MadeField, language.AnsweredField, language.EventsField, language.FreshUUID}, v.Kind)
	r.Near = strings.TrimSuffix(r.Key, ", swapped")
}

// split: what goes to others is known of a list of amounts; how percentages are rounded is left open.
func (s *story) split(r *request, whole bool, v language.Value) {
	r.IsPlain = false
	if v.Kind == language.Absent && whole {
		r.Others = Range{}
		return
	}
	if r.Others = (Range{0, r.Amount}); v.Kind != language.SplitsOf {
		return
	}
	var all Range
	for _, part := range v.Parts {
		n, err := money.Parse(part.Decimal)
		switch {
		case err != nil:
			return
		case part.Percent: // of which 100 are the whole
			of := float64(r.Amount) * float64(n) / 100_00
			all = all.Plus(Range{money.Centavos(of), money.Centavos(of) + 1})
		default:
			all = all.Plus(Exactly(n))
		}
	}
	if r.Others.Most = min(all.Most, r.Amount); v.AtOnce {
		r.Others.Least = min(all.Least, r.Amount)
	}
}

// thing is what the request makes.
func (r request) thing(id ID, h *holder) Thing {
	t := Thing{ID: id, Kind: KindOf(r.Op), Account: r.Account, Amount: r.Amount, Fee: h.Out, Of: r.Of, Lasts: r.Lasts, MayStay: r.MayStay, Others: r.Others}
	switch r.Op.Makes {
	case api.Charge:
		t.Fee = h.MostIn
	case api.Refund:
		t.Fee = h.MostOut
	}
	return t
}

// order is what the request orders.
func (s *story) order(r request, h *holder) Order {
	o := Order{Noun: r.Op.Noun, Amount: r.Amount, Fee: h.Out, ID: r.Near, Key: r.Key, Limits: h.Limits, AtNight: MayBeDone}
	if s.timeOfDay != nil && r.Account == int(language.TheAccount) {
		o.AtNight = AtNight(*s.timeOfDay, *s.timeOfDay)
	}
	switch r.Op.ID {
	case "cashOut":
		o.Counts, o.MinFee = true, h.Out
	case "cashIn":
		o.Noun = ACashIn
		o.MayReuse = slices.ContainsFunc(s.made, func(m made) bool {
			return m.Op.ID == r.Op.ID && m.Account == r.Account && m.Key == r.Key && s.thing(m).May.Has(Expired)
		})
	}
	if r.Op.Makes == api.Refund {
		o.Late = s.now.Late(r.Of)
		o.ID, o.Charge, o.Original = fmt.Sprint(r.Of, "/", r.Key), fmt.Sprint(r.Of), money.Most
		if charge, ok := s.now.Thing(r.Of); ok {
			o.Original = charge.Paid().Most
		}
	}
	return o
}
