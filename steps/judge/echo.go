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

// echo is a field of a response that repeats one of the request, with the rule that says so.
type echo struct{ rule, field, sent string }

var echoes = map[string][]echo{
	"cashOut":       {{"cash-out.accepted", "externalId", "externalId"}},
	"cashOutQRCode": {{"qr-cash-out.accepted", "externalId", "externalId"}},
	"cashIn":        {{"cash-in.accepted", "externalId", "transaction.externalId"}},
	"transfer":      {{"transfer.accepted", "payment.amount", "payment.amount"}},
	"refund": {
		{"refund.accepted", "id", "path id"},
		{"refund.accepted", "valor", "valor"},
		{"refund.accepted", "descricao", "descricao"},
		{"refund.natureza", "natureza", "natureza"},
	},
	"cob": {
		{"cob.created", "txid", "path txid"},
		{"cob.created", "calendario.expiracao", "calendario.expiracao"},
		{"cob.created", "devedor.cpf", "devedor.cpf"},
		{"cob.created", "devedor.cnpj", "devedor.cnpj"},
		{"cob.created", "devedor.nome", "devedor.nome"},
		{"cob.created", "valor.original", "valor.original"},
		{"cob.created", "valor.modalidadeAlteracao", "valor.modalidadeAlteracao"},
		{"cob.created", "chave", "chave"},
		{"cob.created", "solicitacaoPagador", "solicitacaoPagador"},
	},
}

// answerContradictions hold the response to an order against the request, as far as every gateway has to
// understand that in the same way.
func (s audit) answerContradictions(t *record.Attempt) []Breach {
	changed, ok := s.changesOf(t)
	if !t.Accepted() || t.Answer == nil || s.isUnusual(t) {
		return nil
	}
	if !ok {
		return s.renamedAgain(t)
	}
	all := contradictsItself(t, changed)
	for _, e := range echoesOf(t) {
		want, sent := t.SentField(e.sent)
		got := jsonvalue.Find(t.Answer, e.field)
		switch {
		case !sent || mayDiffer(t, e, changed):
		case !got.Present && t.Op.ID == "cob": // of others, that breaks the wire contract
			all = append(all, Breach{e.rule, fmt.Sprintf("the %s sent", e.sent), "absent", e.field})
		case got.Present && !jsonvalue.Equal(got.Value, want):
			all = append(all, Breach{e.rule, fmt.Sprintf("the %s sent", e.sent), "another value", e.field})
		}
	}
	if code := jsonvalue.Text(t.Answer, "pixCode"); code != "" && t.Op.ID == "cashIn" && !brcode.Is(code) {
		all = append(all, Breach{"cash-in.code", "a BR Code", "another text", "pixCode"})
	}
	if len(all) > 0 && s.isAgain(t) { // the response may repeat what the first one said, but id and txid are the request's own
		return slices.DeleteFunc(all, func(b Breach) bool { return b.Field != "id" && b.Field != "txid" })
	}
	return slices.Concat(all, s.beginsOtherwise(t, changed), expiresOtherwise(t))
}

// renamedAgain: a request that is sent again under the same name is answered under another.
func (s audit) renamedAgain(t *record.Attempt) (all []Breach) {
	if t.Step >= len(s.Steps) {
		return nil
	}
	m, _ := s.Steps[t.Step].Meaning.(language.Send)
	for _, e := range echoes[t.Op.ID] {
		_, name, isName := strings.Cut(e.sent, "path ")
		isChanged := slices.ContainsFunc(m.Changes, func(c language.Change) bool { return c.Name == name || c.Name == "" })
		if got := jsonvalue.Text(t.Answer, e.field); m.Again && isName && !isChanged && got != "" && got != t.Parameter(name) {
			all = append(all, Breach{e.rule, fmt.Sprintf("the %s sent", e.sent), "another value", e.field})
		}
	}
	return all
}

// echoesOf are the echoes of a request, those of the items of its arrays included.
func echoesOf(t *record.Attempt) []echo {
	all := echoes[t.Op.ID]
	for i := range jsonvalue.Items(t.Request, "infoAdicionais") {
		for _, name := range []string{"nome", "valor"} {
			field := fmt.Sprintf("infoAdicionais[%d].%s", i, name)
			all = append(all[:len(all):len(all)], echo{"cob.created", field, field})
		}
	}
	return all
}

// freeTexts are the fields that a response repeats whatever they are: nothing depends on them.
var freeTexts = []string{"devedor.", "infoAdicionais[", "chave", "solicitacaoPagador", "natureza", "descricao"}

// plain are the forms of fields that every gateway understands alike, whatever is special about the value.
var plain = map[string]*regexp.Regexp{
	"valor":     regexp.MustCompile(`^\d{1,9}\.\d{2}$`),
	"path id":   regexp.MustCompile(fmt.Sprintf(`^[A-Za-z0-9]{1,%d}$`, api.MostRefundID)),
	"path txid": regexp.MustCompile(fmt.Sprintf(`^[A-Za-z0-9]{%d,%d}$`, api.LeastTxID, api.MostTxID)),
}

// mayDiffer: a gateway may make another thing of a field that a step has changed, unless it is a text, and the
// body one that the specification states. What it makes of a debtor with both a CPF and a CNPJ is left open.
func mayDiffer(t *record.Attempt, e echo, changed []string) bool {
	_, cpf := t.SentField("devedor.cpf")
	_, cnpj := t.SentField("devedor.cnpj")
	isText := slices.ContainsFunc(freeTexts, func(prefix string) bool { return strings.HasPrefix(e.sent, prefix) })
	if form := plain[e.sent]; form != nil {
		isText = form.MatchString(t.SentText(e.sent))
	}
	return cpf && cnpj && strings.HasPrefix(e.sent, "devedor.") || touches(changed, e.sent) && !(isText && isAsContract(t))
}

// isAsContract: a body is as the contract has it, so that every gateway understands it in the same way.
func isAsContract(t *record.Attempt) bool {
	op, described := openapi().Operation(t.Op.ID)
	return described && t.Request != nil && !t.Unclear && len(op.CheckRequest(t.Request)) == 0
}

// cashInOnly are fields that only the response to a cash-in has (Payment transaction).
var cashInOnly = []string{"correlationId", "pixCode", "expirationDate", "qrCodeImage"}

// contradictsItself: a response has fields of another operation, or two values for the same thing, or says
// that what it accepts has failed. What a registration with an unusual header comes to is left open.
func contradictsItself(t *record.Attempt, changed []string) (all []Breach) {
	if t.Op.ID == "cashOut" || t.Op.ID == "cashOutQRCode" {
		for _, field := range cashInOnly {
			if got := jsonvalue.Find(t.Answer, field); got.Value != nil {
				all = append(all, Breach{echoes[t.Op.ID][0].rule, fmt.Sprintf("no %s in the response to a %s", field, t.Op.Noun), "a value", field})
			}
		}
	}
	location, same := jsonvalue.Text(t.Answer, "location"), jsonvalue.Text(t.Answer, "loc.location")
	if t.Op.ID == "cob" && location != "" && same != "" && location != same {
		all = append(all, Breach{"cob.created", "location to be the same as loc.location", "another value", "location"})
	}
	if _, sent := t.SentField("natureza"); t.Op.ID == "refund" && !sent {
		if got := jsonvalue.Find(t.Answer, "natureza").Value; got != nil && got != "ORIGINAL" {
			all = append(all, Breach{"refund.natureza", "natureza to be ORIGINAL, because none was sent", "another value", "natureza"})
		}
	}
	if t.Op.ID == "cashIn" && isAsContract(t) {
		all = append(all, wrongImage(t)...)
	}
	if success := jsonvalue.Find(t.Answer, "success"); t.Op.ID == "registerWebhook" && success.Value == false && isAsContract(t) && !touches(changed, "headers") {
		all = append(all, Breach{"webhook.registered", "success of a registration that is accepted to be true", "false", "success"})
	}
	return all
}

// wrongImage: the response to a cash-in has no image of its QR Code although one was requested, or has one
// although none was (Payment transaction).
func wrongImage(t *record.Attempt) []Breach {
	requested, _ := t.SentField("transaction.generateQrCode")
	got := jsonvalue.Find(t.Answer, "qrCodeImage").Value
	switch {
	case requested == true && !brcode.IsImage(got):
		return []Breach{{"cash-in.qr-code-image", "qrCodeImage to be a Base64 image, because generateQrCode is true", "none", "qrCodeImage"}}
	case requested != true && got != nil:
		return []Breach{{"cash-in.qr-code-image", "no qrCodeImage, because generateQrCode is not true", "one", "qrCodeImage"}}
	}
	return nil
}

// firstStates are those in which what an operation makes begins (States and transitions). A cash-out to a
// QR Code may begin in several; those of the others are in the contract.
var firstStates = map[string]struct {
	rule string
	of   api.Lifecycle
}{
	"transfer": {"transfer.accepted", api.TransferStates},
	"cob":      {"cob.created", api.ChargeStates},
	"refund":   {"refund.accepted", api.RefundStates},
}

// beginsOtherwise: something new is not in its first state. What was ordered twice may have moved on by
// the second response, and so may a cob that expires at once.
func (s audit) beginsOtherwise(t *record.Attempt, changed []string) []Breach {
	first, known := firstStates[t.Op.ID]
	twin := func(other *record.Attempt) bool {
		return other != t && other.Op.Makes != api.Nothing && orderName(other) == orderName(t)
	}
	if !known || touches(changed, "calendario.expiracao") || t.IsPlayed() || slices.ContainsFunc(s.Requests(), twin) {
		return nil
	}
	field, state := first.of.Field, string(first.of.First[0])
	if got := jsonvalue.Find(t.Answer, field); got.Present && got.Value != state {
		return []Breach{{first.rule, fmt.Sprintf("a new %s to be %s", t.Op.Noun, state), got.String(), field}}
	}
	return nil
}

// stamps are the fields of responses that are the time of the request.
var stamps = map[string]echo{
	"cashOut":       {rule: "cash-out.accepted", field: "generateTime"},
	"cashOutQRCode": {rule: "qr-cash-out.accepted", field: "generateTime"},
	"cashIn":        {rule: "cash-in.accepted", field: "generateTime"},
	"cob":           {rule: "cob.created", field: "calendario.criacao"},
	"refund":        {rule: "refund.accepted", field: "horario.solicitacao"},
	"resendWebhook": {rule: "resend.answer", field: "sentAt"},
}

// atOtherTime: a response has another time than that of its request. What a control has done to a clock
// is judged by the steps.
func (s audit) atOtherTime(t *record.Attempt) []Breach {
	stamp := stamps[t.Op.ID]
	switch {
	case slices.Contains(enveloped, t.Status) && hasRichErrors(t.Op):
		stamp = echo{rule: "envelope-a.fields", field: "timestamp"}
	case !t.Accepted():
		return nil
	}
	got := jsonvalue.Find(t.Answer, stamp.field).Value
	if _, isTime := utc(got); !isTime || isNear(got, t.Sent, false) || len(s.callsOf(target.Clock, "")) > 0 {
		return nil
	}
	return []Breach{{stamp.rule, fmt.Sprintf("%s of a %s response to be the time of the request", stamp.field, t.Op.Noun), "another time", stamp.field}}
}

// expiresOtherwise: a charge expires at another time than by default. For times that were asked for,
// there are scenarios.
func expiresOtherwise(t *record.Attempt) []Breach {
	of := api.Lifetimes["cashIn"]
	_, asked := t.SentField(of.Field)
	from, to := jsonvalue.Text(t.Answer, "generateTime"), jsonvalue.Text(t.Answer, "expirationDate")
	if t.Op.ID != "cashIn" || asked || from == "" || to == "" || isAfter(to, from, of.Default) {
		return nil
	}
	return []Breach{{"cash-in.expiration-date", fmt.Sprintf("an expirationDate %.0f seconds after generateTime", of.Default.Seconds()), "another time", "expirationDate"}}
}

// changesOf are the names of what a step has changed in a valid request; false if that is unknown.
func (s audit) changesOf(t *record.Attempt) ([]string, bool) {
	if t.Step >= len(s.Steps) {
		return nil, false
	}
	m, sends := s.Steps[t.Step].Meaning.(language.Send)
	if !sends {
		return nil, true
	}
	var names []string
	for _, c := range m.Changes {
		names = append(names, strings.TrimPrefix(string(c.Where)+" "+c.Name, " "))
	}
	const anyField = ""
	return names, !m.Again && !slices.Contains(names, anyField)
}

// touches reports whether a change is of a field, of what holds it, or of a part of it.
func touches(changed []string, field string) bool {
	return slices.ContainsFunc(changed, func(name string) bool {
		return name == field || strings.HasPrefix(field, name+".") || strings.HasPrefix(name, field+".")
	})
}

// isAgain: an order was sent before by the name of which a gateway may know it.
func (s audit) isAgain(t *record.Attempt) bool {
	return slices.ContainsFunc(s.Requests(), func(earlier *record.Attempt) bool {
		return earlier.Index < t.Index && earlier.Op.Makes != api.Nothing && orderName(earlier) == orderName(t)
	})
}

// orderName is all by which a gateway may recognize an order. Whether the id of a refund is unique for a
// payment or for an account is left open.
func orderName(t *record.Attempt) string {
	if t.Is(api.Refund) {
		return "refund " + t.Parameter("id")
	}
	id, _ := t.ExternalID()
	return t.Path() + " " + foldedKey(t) + " " + id
}
