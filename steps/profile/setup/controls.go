package setup

import "github.com/pixcert/pixcert/steps/target"

// control is a test control and what can be tested with it, in both languages.
type control struct {
	Name                target.Control
	English, Portuguese string
}

// controls lists all test controls, most useful first.
var controls = []control{
	{target.Accounts, "scenarios run concurrently, each on a new account", "cenários rodam em paralelo, cada um em uma conta nova"},
	{target.Funds, "balances to the centavo, zero balances, insufficient funds", "saldos até o centavo, saldo zero, saldo insuficiente"},
	{target.Payments, "paid cash-ins and charges, with their events", "cobranças pagas e seus eventos"},
	{target.Settlement, "pending, confirmed and rejected payments", "pagamentos pendentes, confirmados e recusados"},
	{target.Clock, "expiry, night limits, daily limits, the 89-day refund deadline", "expiração, limites noturnos e diários, o prazo de 89 dias da devolução"},
	{target.Directory, "transfers through the key directory", "transferências por chave do diretório (DICT)"},
	{target.LimitsControl, "per-payment, daily and night limits; requests per minute", "limites por pagamento, diário e noturno; requisições por minuto"},
	{target.FeesControl, "fees for cash-outs and cash-ins", "tarifas de pagamentos e de recebimentos"},
	{target.Certificates, "added and revoked certificates", "certificados adicionados e revogados"},
	{target.MED, "MED cases and their events", "casos MED e seus eventos"},
	{target.Refunds, "refunds in progress, completed and failed", "devoluções em processamento, concluídas e não realizadas"},
	{target.Returns, "received returns", "devoluções recebidas"},
	{target.Charges, "charges removed before payment", "cobranças removidas antes do pagamento"},
	{target.Splits, "how a charge was split", "como uma cobrança foi dividida (split)"},
	{target.FaultsControl, "responses when upstream systems fail", "respostas quando os sistemas por trás do gateway falham"},
}
