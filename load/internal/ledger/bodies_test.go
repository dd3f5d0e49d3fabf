package ledger

import (
	"fmt"
	"time"

	"github.com/pixcert/pixcert/load/internal/data"
)

const testRun = 0xabcdef012345

func newID(sequence uint64) data.ID { return data.ID{Run: testRun, Sequence: sequence} }

// cashOut is the event of a cash-out as the specification shows it.
func cashOut(externalID, status, transactionID string, amount, fee int64) string {
	return fmt.Sprintf(`{"event":"CashOut","status":%q,"transactionType":"PIX","movementType":"DEBIT","transactionId":%q,
		"externalId":%q,"endToEndId":"E1234567820260301233000000000000A","pixKey":"somebody@example.com","feeAmount":%s,"originalAmount":%s,
		"finalAmount":%s,"processingDate":"2026-03-01T23:30:00.000Z","errorCode":null,"errorMessage":null,
		"counterpart":{"name":"Somebody","document":"***","bank":{"bankISPB":"60701190"}},"metadata":{}}`,
		status, transactionID, externalID, data.FormatAmount(fee), data.FormatAmount(amount), data.FormatAmount(amount+fee))
}

func transfer(idempotencyKey, status, amount string) string {
	return fmt.Sprintf(`{"type":"TRANSFER","data":{"id":17,"txId":null,"pixKey":"k","status":%q,"payment":{"amount":%q,"currency":"BRL"},
		"endToEndId":"E1","creditDebitType":"DEBIT","idempotencyKey":%q,"creditorAccount":{"name":"n","document":"***","ispb":"1"},"remittanceInformation":"r"}}`,
		status, amount, idempotencyKey)
}

func receive(txID, amount string) string {
	return fmt.Sprintf(`{"type":"RECEIVE","data":{"id":18,"txId":%q,"status":"LIQUIDATED","payment":{"amount":%q,"currency":"BRL"},
		"endToEndId":"E2","debtorAccount":{"name":"n","document":"***"}}}`, txID, amount)
}

// refund is the envelope REFUND: the ids and the amount outside of refunds are the original's.
func refund(originalTxID, refundID, amount, movement string) string {
	return fmt.Sprintf(`{"type":"REFUND","data":{"id":18,"txId":%q,"status":"REFUNDED","payment":{"amount":"99.99","currency":"BRL"},
		"endToEndId":"E2","creditDebitType":%q,"refunds":[{"status":"LIQUIDATED","payment":{"amount":%s,"currency":"BRL"},
		"endToEndId":%q,"eventDate":"2026-03-01T23:30:00.000Z","information":"i"}]}}`, originalTxID, movement, amount, refundID)
}

func reversal(refundID, originalID string, amount int64) string {
	return fmt.Sprintf(`{"event":"CashInReversal","status":"CONFIRMED","movementType":"DEBIT","transactionId":"t","externalId":%q,
		"feeAmount":0.00,"originalAmount":%s,"finalAmount":%s,"processingDate":"2026-03-01T23:30:00.000Z",
		"parentTransaction":{"transactionId":"p","externalId":%q,"endToEndId":"E3"}}`, refundID, data.FormatAmount(amount), data.FormatAmount(amount), originalID)
}

// book sends payments and events at times in seconds after its start.
type scene struct {
	*Ledger
	start time.Time
}

// Counts are the sums of ByOrigin.
func (l *Ledger) Counts() (sum Counts) {
	for _, counts := range l.ByOrigin() {
		sum.Add(counts)
	}
	return sum
}

// Expect is the range of an account's total now.
func (l *Ledger) Expect(account int) (from, to int64) {
	m := l.money(*l.accounts.at(account))
	return m.From, m.To
}

func newScene(cfg Config) scene {
	cfg.Run = testRun
	return scene{New(cfg), time.Now()}
}

func (s scene) at(seconds float64) time.Time {
	return s.start.Add(time.Duration(seconds * float64(time.Second)))
}

// pay registers a payment of R$ 10.00 sent at second 1, and has it answered at second 2.
func (s scene) pay(sequence uint64, kind Kind, fate Fate) data.ID {
	id := newID(sequence)
	s.Register(Payment{ID: id, Kind: kind, Amount: 1000, Sent: s.at(1)}, s.at(0.5))
	if fate != InFlight {
		s.Answered(id, Answer{Fate: fate, TransactionID: transactionID(id), At: s.at(2)})
	}
	return id
}

func transactionID(id data.ID) string { return fmt.Sprintf("t-%d", id.Sequence) }

// confirmed is a good event of a payment made by pay, without a fee.
func confirmed(id data.ID) string {
	return cashOut(id.ExternalID(), "CONFIRMED", transactionID(id), 1000, 0)
}

func failed(id data.ID) string {
	return cashOut(id.ExternalID(), "ERROR", transactionID(id), 1000, 0)
}

func (s scene) send(second float64, body string) Receipt {
	return s.Receive(Delivery{Type: "cash_out", Body: []byte(body), WebhookID: "w-" + fmt.Sprint(hash(body)), At: s.at(second)})
}

// rtrID is the id that a gateway gave a refund.
func rtrID(id data.ID) string { return fmt.Sprintf("D%031d", id.Sequence) }
