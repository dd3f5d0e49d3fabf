package judge

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// Unpaid are the charges with splits that nobody has paid. They are looked at after the last step, whatever
// the scenario is about.
func (s *facts) Unpaid() []*record.Attempt {
	return slices.DeleteFunc(slices.Clone(s.Attempts), func(t *record.Attempt) bool {
		return len(jsonvalue.Items(t.Request, "splits")) == 0 || jsonvalue.Text(t.Answer, "transactionId") == "" || s.mayBePaid(t)
	})
}

func (s *facts) mayBePaid(charge *record.Attempt) bool {
	_, ok := charge.PayCode()
	return !ok || s.isPaid(charge)
}

// noneIsPaidEarly: no look at a charge shows a split as paid, although nobody has paid the charge.
func noneIsPaidEarly(s *facts) (all []Met) {
	for _, t := range s.Unpaid() {
		for _, c := range s.callsOf(target.Splits, http.MethodGet) {
			var d target.Division
			of, err := url.Parse(c.URL)
			if err != nil || of.Query().Get("transactionId") != jsonvalue.Text(t.Answer, "transactionId") || target.DecodeControl(c.ResponseBody, &d) != nil {
				continue
			}
			if slices.ContainsFunc(d.Splits, func(split target.Split) bool { return split.Status == "PAID" }) {
				all = append(all, Met{Breach{"splits.unpaid", "no split of a charge to be PAID that nobody has paid", "PAID", "splits"}, c.Exchange})
			}
		}
	}
	return all
}
