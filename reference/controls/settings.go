package controls

import (
	"net/http"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
)

// setBalance sets what is available; what is blocked stays.
func (c *controls) setBalance(w http.ResponseWriter, r *http.Request) error {
	id, err := accountID(r)
	if err != nil {
		return err
	}
	body, err := read[struct {
		Available *amount `json:"available"`
	}](w, r)
	if err != nil {
		return err
	}
	if body.Available == nil {
		return badRequest("available is required")
	}
	if _, err := c.Store.SetBalance(r.Context(), id, *body.Available.centavos()); err != nil {
		return err
	}
	return done(w)
}

func (c *controls) setFees(w http.ResponseWriter, r *http.Request) error {
	type fees struct {
		CashOut *amount `json:"cashOut"`
		CashIn  *amount `json:"cashIn"`
	}
	return configure(c, w, r, func(body fees, s *pix.Settings) {
		if body.CashOut != nil {
			s.Fees.CashOut = *body.CashOut.centavos()
		}
		if body.CashIn != nil {
			s.Fees.CashIn = *body.CashIn.centavos()
		}
	})
}

// limits are any subset; null lifts one.
type limits struct {
	PerTransaction    change[amount] `json:"perTransaction"`
	Daily             change[amount] `json:"daily"`
	Night             change[amount] `json:"night"`
	RequestsPerMinute change[uint16] `json:"requestsPerMinute"`
}

func (c *controls) setLimits(w http.ResponseWriter, r *http.Request) error {
	return configure(c, w, r, func(body limits, s *pix.Settings) {
		for _, limit := range []struct {
			change change[amount]
			of     **pix.Centavos
		}{
			{body.PerTransaction, &s.Limits.PerTransaction},
			{body.Daily, &s.Limits.Daily},
			{body.Night, &s.Limits.Night},
		} {
			if limit.change.given {
				*limit.of = limit.change.value.centavos()
			}
		}
		if requests := body.RequestsPerMinute; requests.given {
			s.Limits.RequestsPerMinute = nil
			if requests.value != nil {
				n := int(*requests.value)
				s.Limits.RequestsPerMinute = &n
			}
		}
	})
}

// moveClock sets the account's time or moves it on. What falls due by the move happens
// before the call answers.
func (c *controls) moveClock(w http.ResponseWriter, r *http.Request) error {
	id, err := accountID(r)
	if err != nil {
		return err
	}
	body, err := read[struct {
		Now     *time.Time `json:"now"`
		Advance *duration  `json:"advance"`
	}](w, r)
	if err != nil {
		return err
	}
	var account pix.Account
	switch {
	case body.Now != nil && body.Advance == nil:
		account, err = c.Store.SetClock(r.Context(), id, *body.Now)
	case body.Now == nil && body.Advance != nil:
		account, err = c.Store.AdvanceClock(r.Context(), id, time.Duration(*body.Advance))
	default:
		err = badRequest("expected either now or advance")
	}
	if err != nil {
		return err
	}
	if err := c.RunDue(r.Context(), id); err != nil {
		return err
	}
	return answer(w, http.StatusOK, struct {
		Now string `json:"now"`
	}{pix.Timestamp(account.Now())})
}

// setFaults makes upstreams of the gateway fail, or work again; any subset.
func (c *controls) setFaults(w http.ResponseWriter, r *http.Request) error {
	type faults struct {
		Auth              *pix.AuthFault        `json:"auth"`
		PixProvider       *pix.PixProviderFault `json:"pixProvider"`
		MinimumExpiration *int                  `json:"minimumExpiration"` // seconds; 0: none
	}
	return configure(c, w, r, func(body faults, s *pix.Settings) {
		if body.Auth != nil {
			s.Faults.Auth = *body.Auth
		}
		if body.PixProvider != nil {
			s.Faults.PixProvider = *body.PixProvider
		}
		if body.MinimumExpiration != nil {
			s.Faults.MinimumExpiration = *body.MinimumExpiration
		}
	})
}

// configure reads a body and applies it to the settings of the account.
func configure[T any](c *controls, w http.ResponseWriter, r *http.Request, apply func(T, *pix.Settings)) error {
	id, err := accountID(r)
	if err != nil {
		return err
	}
	body, err := read[T](w, r)
	if err != nil {
		return err
	}
	if _, err := c.Store.Configure(r.Context(), id, func(s *pix.Settings) { apply(body, s) }); err != nil {
		return err
	}
	return done(w)
}
