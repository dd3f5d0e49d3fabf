package data

import (
	"math/bits"
	"math/rand/v2"
	"sync/atomic"
)

// Source generates ids, and for each id always the same payment with the same seed. It is safe for concurrent use.
type Source struct {
	run      uint64
	instance uint16
	seed     uint64
	least    int64
	most     int64
	next     atomic.Uint64
}

// NewSource is the source of one instance of a run; its amounts are R$ 0.01 to R$ 100.00.
func NewSource(run uint64, instance uint16, seed uint64) *Source {
	return &Source{run: run & mask48, instance: instance, seed: seed, least: 1, most: 100_00}
}

// Amounts sets the range of amounts, in centavos, both ends included, before the source is shared.
func (s *Source) Amounts(least, most int64) { s.least, s.most = least, most }

// Next is a new id.
func (s *Source) Next() ID {
	return ID{Run: s.run, Instance: s.instance, Sequence: s.next.Add(1) - 1}
}

// CashOut is the payment of an id to a key of one of the four types.
func (s *Source) CashOut(id ID) CashOut {
	d := s.draw(id)
	c := CashOut{Value: d.value, ExternalID: id.ExternalID(), Description: d.description, Name: d.name, Document: d.document}
	c.KeyType, c.Key = d.key(id)
	return c
}

// QRCashOut is the payment of an id to a static BR Code that contains its amount.
func (s *Source) QRCashOut(id ID) QRCashOut {
	d := s.draw(id)
	return QRCashOut{
		Value: d.value, ExternalID: id.ExternalID(), Description: d.description, Name: d.name, Document: d.document,
		QRCode: brCode(d.email(id), int64(d.value), d.name, d.pick(cities)),
	}
}

// Transfer is the payment of an id to a payee in the directory.
func (s *Source) Transfer(id ID, to Payee) Transfer {
	d := s.draw(id)
	return Transfer{
		IdempotencyKey: id.UUID(), Value: d.value, Description: d.description,
		Key: to.Key, Document: to.Document, Priority: "HIGH",
	}
}

// CashIn is the dynamic charge of an id.
func (s *Source) CashIn(id ID) CashIn {
	d := s.draw(id)
	return CashIn{Value: d.value, ExternalID: id.ExternalID(), Description: d.description, Name: d.name, Document: d.document}
}

// Cob is the immediate charge of an id, which expires after an hour.
func (s *Source) Cob(id ID) Cob {
	d := s.draw(id)
	return Cob{TxID: id.ExternalID(), Value: d.value, Expiration: 3600, Name: d.name, Document: d.document}
}

// Refund is the refund, with an id, of a received PIX, with an amount in centavos.
func (s *Source) Refund(id ID, endToEndID string, value int64) Refund {
	return Refund{EndToEndID: endToEndID, ID: id.ExternalID(), Value: Amount(value), Nature: "ORIGINAL", Description: s.draw(id).description}
}

// Payee is an entry of the key directory for transfers.
type Payee struct {
	Key      string // in the directory's format: phones with +55
	Name     string
	Document string
	ISPB     string
}

// Payee is the payee of an id. Its key is new, because others use the directory too.
func (s *Source) Payee(id ID) Payee {
	d := s.draw(id)
	keyType, key := d.key(id)
	if keyType == "PHONE" {
		key = "+55" + key
	}
	return Payee{Key: key, Name: d.name, Document: d.document, ISPB: d.pick(institutions)}
}

// draw is what is random about one id, a function of seed, instance and sequence.
type draw struct {
	rand.PCG
	value                       Amount
	description, name, document string
}

func (s *Source) draw(id ID) (d draw) {
	d.Seed(mix(s.seed^uint64(id.Instance)<<48), mix(id.Sequence))
	d.value = Amount(s.least + int64(d.below(uint64(s.most-s.least)+1))) // #nosec G115 -- most is not below least
	d.description = d.pick(descriptions)
	d.name, d.document = d.holder()
	return d
}

// below is a number from 0 to n-1.
func (d *draw) below(n uint64) uint64 {
	high, _ := bits.Mul64(d.Uint64(), n)
	return high
}

func (d *draw) pick(from []string) string { return from[d.below(uint64(len(from)))] }
