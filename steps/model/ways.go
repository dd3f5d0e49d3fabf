package model

import "github.com/pixcert/pixcert/steps/api"

// Ways of some moves.
var (
	openings   = []string{"a new account with exactly R$ 100.00", "an account with exactly R$ 100.00", "an account with R$ 100.00", "a new account with exactly R$ 5000.00"}
	keys       = []string{"e-mail key", "CPF key", "CPF key that starts with 0", "CNPJ key", "CNPJ key that starts with 0", "phone key", "random key"}
	others     = []string{"another new account", "another account"}
	amounts    = []string{"some", "R$ 0.01", "all", "R$ 1234.56", "as before"}
	charged    = []string{"some", "R$ 0.01", "R$ 1234.56", "as before"}
	tooMuch    = []string{"a centavo above the balance", "without enough for the fee"}
	filters    = []string{"filter", "pair of filters", "three filters"}
	parts      = []string{"a part", "the rest", "a centavo"}
	rejections = api.Spelled(api.SettlementCodes...)
	payers     = []string{"a payer", "another payer", "a company"}
	removers   = []string{"receiver", "PSP"}
)
