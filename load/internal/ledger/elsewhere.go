package ledger

import (
	"bytes"
	"encoding/gob"
	"io"
)

// elsewhere keeps the messages about payments of other instances until their books are
// merged. On shared accounts, these are most of all messages of a run, so they are kept encoded:
// each takes some 50 bytes, and none refers to its body.
type elsewhere struct {
	encoder   *gob.Encoder
	encoded   blocks
	overtaken int // with a text
}

// overtakenEarlier is the reason of a message out of order if as many others are examples.
const overtakenEarlier = "expected a later processingDate, as in an earlier webhook"

func (e *elsewhere) keep(f foreign) {
	if e.encoder == nil {
		e.encoder = gob.NewEncoder(&e.encoded)
	}
	if f.Overtaken != "" {
		if e.overtaken++; e.overtaken > maxExamples {
			f.Overtaken = overtakenEarlier
		}
	}
	if f.Problem == "" && f.ErrorCode == "" && !f.Others {
		f.TransactionID = "" // its mark is enough to compare
	}
	_ = e.encoder.Encode(f) // never fails: it is what a result file has
}

// all are the messages in the order in which they arrived.
func (e *elsewhere) all() (all []foreign) {
	for decoder := gob.NewDecoder(e.encoded.reader()); ; {
		var f foreign
		if decoder.Decode(&f) != nil { // the end
			return all
		}
		all = append(all, f)
	}
}

// blocks is bytes in pieces, which are not copied when more are written.
type blocks [][]byte

const blockSize = 64 << 10

func (b *blocks) Write(p []byte) (int, error) {
	last := len(*b) - 1
	if last < 0 || len((*b)[last])+len(p) > cap((*b)[last]) {
		*b, last = append(*b, make([]byte, 0, max(blockSize, len(p)))), last+1
	}
	(*b)[last] = append((*b)[last], p...)
	return len(p), nil
}

func (b blocks) reader() io.Reader {
	var pieces []io.Reader
	for _, piece := range b {
		pieces = append(pieces, bytes.NewReader(piece))
	}
	return io.MultiReader(pieces...)
}
