package pix

// TextAmount is an amount as the V2 envelopes write it.
type TextAmount struct {
	Amount   string `json:"amount"`
	Currency string `json:"currency"`
}

// Currency is that of every amount.
const Currency = "BRL"
