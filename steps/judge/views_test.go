package judge

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// What controls show of a charge does not contradict itself.
func TestViewContradictions(t *testing.T) {
	t.Parallel()
	shown := func(of target.Control, answer string) record.Entry {
		e := called(of, answer)
		e.Exchange.Method, e.Exchange.URL = http.MethodGet, "https://gw.example/controls/1"
		return e
	}
	status := func(s string) record.Entry { return shown(target.Charges, `{"status":"`+s+`"}`) }
	parts := func(part, left string) record.Entry {
		return shown(target.Splits, `{"splits":[{"pixKey":"k","amount":"`+part+`","status":"PENDING"}],"left":"`+left+`"}`)
	}
	paid := called(target.Payments, `{}`)
	paid.Exchange.Method = http.MethodPost
	for name, c := range map[string]struct {
		entries []record.Entry
		want    string
	}{
		"it is paid":           {list(nil, status("ATIVA"), status("CONCLUIDA"), status("CONCLUIDA")), ""},
		"and opens again":      {list(nil, status("CONCLUIDA"), status("ATIVA"), status("CONCLUIDA")), "a charge that is CONCLUIDA to stay so, got ATIVA"},
		"and is removed":       {list(nil, status("CONCLUIDA"), status("REMOVIDA_PELO_PSP")), "a charge that is CONCLUIDA to stay so, got REMOVIDA_PELO_PSP"},
		"a state of no charge": {list(nil, status("EXPIRADA"), status("REMOVIDA_PELO_PSP")), "a charge to be one of ATIVA, CONCLUIDA, REMOVIDA_PELO_USUARIO_RECEBEDOR, REMOVIDA_PELO_PSP, got EXPIRADA"},
		"a refund that fails":  {list(nil, shown(target.Refunds, `{"status":"EM_PROCESSAMENTO"}`), shown(target.Refunds, `{"status":"NAO_REALIZADO"}`)), ""},
		"and succeeds":         {list(nil, shown(target.Refunds, `{"status":"NAO_REALIZADO"}`), shown(target.Refunds, `{"status":"DEVOLVIDO"}`)), "a refund that is NAO_REALIZADO to stay so, got DEVOLVIDO"},
		"it adds up":           {list(nil, paid, parts("3.00", "7.00"), parts("4.00", "6.00")), ""},
		"it loses a centavo":   {list(nil, paid, parts("3.00", "7.00"), parts("3.00", "6.99")), "the splits and what is left to add up to R$ 10.00, as in another response, got R$ 9.99"},
		"nothing is left yet":  {list(nil, parts("3.00", "0.00"), paid, parts("3.00", "7.00")), ""},
		"nobody says what is":  {list(nil, paid, parts("3.00", "7.00"), parts("3.00", "")), ""},
	} {
		t.Run(name, func(t *testing.T) {
			j, entries := story{steps: "When the account sends a cob", entries: c.entries}.begin(t)
			for _, e := range entries {
				j.Add(e)
			}
			got := ""
			for _, met := range j.contradictions() {
				got = met.Expected + ", got " + met.Got
			}
			assert.Equal(t, c.want, got)
		})
	}
}
