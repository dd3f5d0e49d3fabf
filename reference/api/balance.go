package api

import (
	"net/http"

	"github.com/pixcert/pixcert/reference/pix"
)

// balancesAnswer is the resource "Balance (Central Bank format)"; data has one item.
type balancesAnswer struct {
	Data []balance `json:"data"`
}

type balance struct {
	EventDate     string `json:"eventDate"`
	BalanceAmount struct {
		Available pix.Centavos `json:"available"`
		Blocked   pix.Centavos `json:"blocked"`
		Overdraft pix.Centavos `json:"overdraft"` // not implemented: 0
	} `json:"balanceAmount"`
}

// balances is GET /accounts/balances.
func (a *api) balances(w http.ResponseWriter, _ *http.Request, account pix.Account) error {
	b := balance{EventDate: pix.Timestamp(account.Now())}
	b.BalanceAmount.Available = account.Available
	b.BalanceAmount.Blocked = account.Blocked
	writeJSON(w, http.StatusOK, balancesAnswer{Data: []balance{b}})
	return nil
}

// standardBalance is GET /balance, of which the specification gives the mapping alone.
func (a *api) standardBalance(w http.ResponseWriter, _ *http.Request, account pix.Account) error {
	writeJSON(w, http.StatusOK, struct {
		GrossBalance   pix.Centavos `json:"grossBalance"`
		BlockedBalance pix.Centavos `json:"blockedBalance"`
		NetBalance     pix.Centavos `json:"netBalance"`
		ConsultedAt    string       `json:"consultedAt"`
	}{
		GrossBalance:   account.Available + account.Blocked,
		BlockedBalance: account.Blocked,
		NetBalance:     account.Available,
		ConsultedAt:    pix.Timestamp(account.Now()),
	})
	return nil
}
