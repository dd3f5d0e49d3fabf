package judge

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/brcode"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// echoed: an accepted response repeats a field of its request.
func echoed(field, sent string) func(*record.Attempt, []string) []Breach {
	return func(t *record.Attempt, changed []string) []Breach {
		want, isSent := t.SentField(sent)
		if !isSent || mayDiffer(t, sent, changed) {
			return nil
		}
		switch got := jsonvalue.Find(t.Answer, field); {
		case !got.Present && t.Op.ID == "cob": // of others, that breaks the wire contract
			return breach(fmt.Sprintf("the %s sent", sent), "absent", field)
		case got.Present && !jsonvalue.Equal(got.Value, want):
			return breach(fmt.Sprintf("the %s sent", sent), "another value", field)
		}
		return nil
	}
}

// echoesItems: the response repeats each item of infoAdicionais.
func echoesItems(t *record.Attempt, changed []string) (all []Breach) {
	for i := range jsonvalue.Items(t.Request, "infoAdicionais") {
		for _, name := range []string{"nome", "valor"} {
			field := fmt.Sprintf("infoAdicionais[%d].%s", i, name)
			all = append(all, echoed(field, field)(t, changed)...)
		}
	}
	return all
}

// keepsName: a request that is sent again under the same name, which is in the path, is answered under that.
func keepsName(name string) func(*facts, *record.Attempt) []Breach {
	return func(s *facts, t *record.Attempt) []Breach {
		if !s.isOrdinary(t) {
			return nil
		}
		m, _ := s.Steps[t.Step].Meaning.(language.Send)
		if !m.Again || slices.ContainsFunc(m.Changes, func(c language.Change) bool { return c.Name == name || c.Name == anyField }) {
			return nil
		}
		return differs(name, fmt.Sprintf("the path %s sent", name), t.Parameter(name), jsonvalue.Text(t.Answer, name), "another value")
	}
}

// freeTexts are the fields that a response repeats whatever they are: nothing depends on them.
var freeTexts = []string{"devedor.", "infoAdicionais[", "chave", "solicitacaoPagador", "natureza", "descricao"}

// plain are the forms of fields that every gateway understands alike, whatever is special about the value.
var plain = map[string]*regexp.Regexp{
	"externalId":             regexp.MustCompile(`(?s)^.+$`),
	"transaction.externalId": regexp.MustCompile(`(?s)^.+$`),
	"valor":                  regexp.MustCompile(`^\d{1,9}\.\d{2}$`),
	"payment.amount":         regexp.MustCompile(`^\d{1,9}(\.\d{1,2})?$`),
	"path id":                regexp.MustCompile(fmt.Sprintf(`^[A-Za-z0-9]{1,%d}$`, api.MostRefundID)),
	"path txid":              regexp.MustCompile(fmt.Sprintf(`^[A-Za-z0-9]{%d,%d}$`, api.LeastTxID, api.MostTxID)),
}

// mayDiffer: a gateway may make another thing of a field that a step has changed, unless it is a text, and the body one
// that the specification states. What it makes of a debtor with both a CPF and a CNPJ is open ("debtor with a CPF and a
// CNPJ").
func mayDiffer(t *record.Attempt, sent string, changed []string) bool {
	_, cpf := t.SentField("devedor.cpf")
	_, cnpj := t.SentField("devedor.cnpj")
	isText := slices.ContainsFunc(freeTexts, func(prefix string) bool { return strings.HasPrefix(sent, prefix) })
	if form := plain[sent]; form != nil {
		isText = form.MatchString(t.SentText(sent))
	}
	return cpf && cnpj && strings.HasPrefix(sent, "devedor.") || touches(changed, sent) && !(isText && isAsContract(t))
}

// isAsContract: a body is as the contract has it, so that every gateway understands it in the same way.
func isAsContract(t *record.Attempt) bool {
	op, described := openapi().Operation(t.Op.ID)
	return described && t.Request != nil && !t.Unclear && len(op.CheckRequest(t.Request)) == 0
}

// cashInOnly are fields that only the response to a cash-in has (Payment transaction).
var cashInOnly = []string{"correlationId", "pixCode", "expirationDate", "qrCodeImage"}

// hasNoCashInField: the response to a cash-out has none of these fields.
func hasNoCashInField(t *record.Attempt, _ []string) (all []Breach) {
	for _, field := range cashInOnly {
		if jsonvalue.Find(t.Answer, field).Value != nil {
			all = append(all, breach(fmt.Sprintf("no %s in the response to a %s", field, t.Op.Noun), "a value", field)...)
		}
	}
	return all
}

func hasBRCode(t *record.Attempt, _ []string) []Breach {
	code := jsonvalue.Text(t.Answer, "pixCode")
	return breachIf(code != "" && !brcode.Is(code), "a BR Code", "another text", "pixCode")
}

// hasImageIfRequested: the response to a cash-in has an image of its QR Code if one was requested, and only then
// (Payment transaction).
func hasImageIfRequested(t *record.Attempt, _ []string) []Breach {
	requested, _ := t.SentField("transaction.generateQrCode")
	got := jsonvalue.Find(t.Answer, "qrCodeImage").Value
	switch {
	case !isAsContract(t):
	case requested == true && !brcode.IsImage(got):
		return breach("qrCodeImage to be a Base64 image, because generateQrCode is true", "none", "qrCodeImage")
	case requested != true && got != nil:
		return breach("no qrCodeImage, because generateQrCode is not true", "one", "qrCodeImage")
	}
	return nil
}

func hasOneLocation(t *record.Attempt, _ []string) []Breach {
	location, same := jsonvalue.Text(t.Answer, "location"), jsonvalue.Text(t.Answer, "loc.location")
	return differs("location", "location to be the same as loc.location", location, same, "another value")
}

func isOriginalByDefault(t *record.Attempt, _ []string) []Breach {
	got := jsonvalue.Find(t.Answer, "natureza").Value
	_, sent := t.SentField("natureza")
	return breachIf(!sent && got != nil && got != "ORIGINAL", "natureza to be ORIGINAL, because none was sent", "another value", "natureza")
}

// succeeds: what a registration with an unusual header comes to is open ("blocked header names in upper case", "null
// headers of a webhook").
func succeeds(t *record.Attempt, changed []string) []Breach {
	isFalse := jsonvalue.Find(t.Answer, "success").Value == false && isAsContract(t) && !touches(changed, "headers")
	return breachIf(isFalse, "success of a registration that is accepted to be true", "false", "success")
}

// beginsIn: something new is in its first state (States and transitions). A cash-out to a QR Code may begin in several;
// those of the others are in the contract. What was ordered twice may have moved on by the second response, and so may
// a cob that expires at once.
func beginsIn(of api.Lifecycle) func(*facts, *record.Attempt) []Breach {
	return func(s *facts, t *record.Attempt) []Breach {
		changed, ok := s.isClear(t)
		twin := func(other *record.Attempt) bool { return other != t && isSameOrder(other, t) }
		if !ok || touches(changed, "calendario.expiracao") || t.IsPlayed() || slices.ContainsFunc(s.Requests(), twin) {
			return nil
		}
		state, got := string(of.First[0]), jsonvalue.Find(t.Answer, of.Field)
		return breachIf(got.Present && got.Value != state, fmt.Sprintf("a new %s to be %s", t.Op.Noun, state), got.String(), of.Field)
	}
}

// stamped: a field of a response, accepted or not, is the time of its request. What a control has done to a clock is judged by
// the steps.
func stamped(field string, accepted bool) func(*facts, *record.Attempt) []Breach {
	return func(s *facts, t *record.Attempt) []Breach {
		got := jsonvalue.Find(t.Answer, field).Value
		_, isTime := utc(got)
		isOther := t.Accepted() == accepted && isTime && !isNear(got, t.Sent, false) && len(s.callsOf(target.Clock, "")) == 0
		return breachIf(isOther, fmt.Sprintf("%s of a %s response to be the time of the request", field, t.Op.Noun), "another time", field)
	}
}

// expiresByDefault: a charge expires when it should by default. For times that were asked for, there are scenarios.
func expiresByDefault(s *facts, t *record.Attempt) []Breach {
	of := api.Lifetimes["cashIn"]
	_, asked := t.SentField(of.Field)
	from, to := jsonvalue.Text(t.Answer, "generateTime"), jsonvalue.Text(t.Answer, "expirationDate")
	_, ok := s.isClear(t)
	isOther := ok && !asked && from != "" && to != "" && !isAfter(to, from, of.Default)
	return breachIf(isOther, fmt.Sprintf("an expirationDate %.0f seconds after generateTime", of.Default.Seconds()), "another time", "expirationDate")
}

// isOrdinary: an order is accepted that every gateway has to understand in the same way.
func (s *facts) isOrdinary(t *record.Attempt) bool {
	return t.Accepted() && t.Answer != nil && !s.isUnusual(t)
}

// anyField is the name of a change that may be of any.
const anyField = ""

// isClear returns the names of what the step of an ordinary order has changed in a valid request; false if that is unknown.
func (s *facts) isClear(t *record.Attempt) (changed []string, ok bool) {
	if !s.isOrdinary(t) {
		return nil, false
	}
	m, sends := s.Steps[t.Step].Meaning.(language.Send)
	if !sends {
		return nil, true
	}
	for _, c := range m.Changes {
		changed = append(changed, strings.TrimPrefix(string(c.Where)+" "+c.Name, " "))
	}
	return changed, !m.Again && !slices.Contains(changed, anyField)
}

// touches reports whether a change is of a field, of what holds it, or of a part of it.
func touches(changed []string, field string) bool {
	return slices.ContainsFunc(changed, func(name string) bool {
		return name == field || strings.HasPrefix(field, name+".") || strings.HasPrefix(name, field+".")
	})
}

// isSameOrder: a gateway may know two orders by one name.
func isSameOrder(other, t *record.Attempt) bool {
	return other.Op.Makes != api.Nothing && orderName(other) == orderName(t)
}

// orderName is all by which a gateway may recognize an order. Whether the id of a refund is unique for a payment or for
// an account is open ("refund id used for another payment").
func orderName(t *record.Attempt) string {
	if t.Is(api.Refund) {
		return "refund " + t.Parameter("id")
	}
	id, _ := t.ExternalID()
	return t.Path() + " " + foldedKey(t) + " " + id
}
