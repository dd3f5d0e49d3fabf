package ledger

import (
	"fmt"
	"hash/fnv"
	"slices"
)

// nameless has the ids that the gateway assigned to payments, and holds messages until their id is known.
type nameless struct {
	counts  Counts                // of what has no payment
	aliases map[uint64]uint64     // hash of a name to its sequence
	named   map[uint64][]uint64   // by sequence: hashes of its names
	dropped [1 << 18]uint64       // hashes of the latest names of forgotten payments, each at its place: a duplicate is no orphan
	early   map[uint64][]*message // messages by each of their names
	held    map[*message]bool     // all of them
	returns map[uint64]returned
}

// returned is money that a payee has given back, according to an event: the account may have got it, once, however often it
// is reported. It need not, since the specification does not say what such an event means.
type returned struct {
	Account int
	Amount  int64 // centavos
}

// returnedTo is what an account may have got back.
func (n *nameless) returnedTo(account int) (sum int64) {
	for _, r := range n.returns {
		if r.Account == account {
			sum += r.Amount
		}
	}
	return sum
}

// key distinguishes messages of returned money: the refund's own id in a REFUND, all values of another payload.
func (m *message) key() uint64 {
	if m.about == aboutRefund {
		return hash(m.EndToEndID)
	}
	return hash(fmt.Sprint(m.TransactionID, " ", m.EndToEndID, " ", m.back, " ", m.ProcessingDate.UnixNano(), " ", m.account))
}

// maxHeld bounds the messages that wait for their name; any more are orphans at once.
const maxHeld = 10_000

// alias enters a name and returns the messages that it names, if any are held.
func (n *nameless) alias(sequence uint64, name string) []*message {
	n.aliases[hash(name)] = sequence
	n.named[sequence] = append(n.named[sequence], hash(name))
	delete(n.returns, hash(name)) // the run's own
	early := n.early[hash(name)]
	for _, m := range early {
		delete(n.returns, m.key())
		n.drop(m)
	}
	return early
}

// forget drops the names of a payment that is no longer kept in full.
func (n *nameless) forget(sequence uint64) {
	for _, name := range n.named[sequence] {
		delete(n.aliases, name)
		n.dropped[name%uint64(len(n.dropped))] = name
	}
	delete(n.named, sequence)
}

// forgotten says whether a name is of a payment that is no longer kept in full.
func (n *nameless) forgotten(name string) bool {
	of := hash(name)
	return n.dropped[of%uint64(len(n.dropped))] == of
}

// drop forgets a held message under all of its names.
func (n *nameless) drop(m *message) {
	delete(n.held, m)
	for _, name := range m.names {
		key := hash(name)
		kept := slices.DeleteFunc(slices.Clone(n.early[key]), func(other *message) bool { return other == m })
		if len(kept) == 0 {
			delete(n.early, key)
		} else {
			n.early[key] = kept
		}
	}
}

// hold notes returned money, and keeps a message that may be named until its name is known, unless there are too many.
func (n *nameless) hold(m *message, mayBeNamed bool) (kept bool) {
	if m.back != 0 {
		n.returns[m.key()] = returned{m.account, m.back}
	}
	if !mayBeNamed || len(m.names) == 0 || len(n.held) >= maxHeld {
		return false
	}
	held := *m // so that those that are not held need no heap
	for _, name := range slices.Compact(slices.Sorted(slices.Values(m.names))) {
		n.early[hash(name)] = append(n.early[hash(name)], &held)
	}
	n.held[&held] = true
	return true
}

// hash is 64 bits of a name.
func hash(name string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // never fails
	return h.Sum64()
}
