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
	c := CashOut{
		Value:       d.amount(s.least, s.most),
		ExternalID:  id.ExternalID(),
		Description: d.pick(descriptions),
	}
	c.Name, c.Document = d.holder()
	c.KeyType, c.Key = d.key(id, c.Document)
	return c
}

// QRCashOut is the payment of an id to a static BR Code that contains its amount.
func (s *Source) QRCashOut(id ID) QRCashOut {
	d := s.draw(id)
	c := QRCashOut{
		Value:       d.amount(s.least, s.most),
		ExternalID:  id.ExternalID(),
		Description: d.pick(descriptions),
	}
	c.Name, c.Document = d.holder()
	c.QRCode = brCode(d.email(id), int64(c.Value), c.Name, d.pick(cities))
	return c
}

// Transfer is the payment of an id to a payee in the directory.
func (s *Source) Transfer(id ID, to Payee) Transfer {
	d := s.draw(id)
	return Transfer{
		IdempotencyKey: id.UUID(),
		Value:          d.amount(s.least, s.most),
		Key:            to.Key,
		Document:       to.Document,
		Priority:       "HIGH",
		Description:    d.pick(descriptions),
	}
}

// CashIn is the dynamic charge of an id.
func (s *Source) CashIn(id ID) CashIn {
	d := s.draw(id)
	c := CashIn{
		Value:       d.amount(s.least, s.most),
		ExternalID:  id.ExternalID(),
		Description: d.pick(descriptions),
	}
	c.Name, c.Document = d.holder()
	return c
}

// Cob is the immediate charge of an id, which expires after an hour.
func (s *Source) Cob(id ID) Cob {
	d := s.draw(id)
	c := Cob{TxID: id.ExternalID(), Value: d.amount(s.least, s.most), Expiration: 3600}
	c.Name, c.Document = d.holder()
	return c
}

// Refund is the refund, with an id, of a received PIX, with an amount in centavos.
func (s *Source) Refund(id ID, endToEndID string, value int64) Refund {
	d := s.draw(id)
	return Refund{EndToEndID: endToEndID, ID: id.ExternalID(), Value: Amount(value), Nature: "ORIGINAL", Description: d.pick(descriptions)}
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
	p := Payee{ISPB: d.pick(institutions)}
	p.Name, p.Document = d.holder()
	keyType, key := d.key(id, p.Document)
	if p.Key = key; keyType == "PHONE" {
		p.Key = "+55" + key
	}
	return p
}

// draw is the random numbers of one id, a function of seed, instance and sequence.
func (s *Source) draw(id ID) draw {
	d := draw{}
	d.Seed(mix(s.seed^uint64(id.Instance)<<48), mix(id.Sequence))
	return d
}

type draw struct{ rand.PCG }

// below is a number from 0 to n-1.
func (d *draw) below(n uint64) uint64 {
	high, _ := bits.Mul64(d.Uint64(), n)
	return high
}

func (d *draw) amount(least, most int64) Amount {
	return Amount(least + int64(d.below(uint64(most-least)+1))) // #nosec G115 -- most is not below least
}

func (d *draw) pick(from []string) string { return from[d.below(uint64(len(from)))] }
