package report

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/ledger"
)

func TestTheSlowestPaymentsComeFirst(t *testing.T) {
	t.Parallel()
	r := goodRun()
	l := ledger.New(ledger.Config{})
	for i, ms := range []int{120, 2014, 450, 2013} {
		l.Took(ledger.Payment{ID: data.ID{Sequence: uint64(i)}, Sent: began.Add(time.Duration(i) * time.Second)}, time.Duration(ms)*time.Millisecond)
	}
	r.Ledger.Examples = l.Book().Examples
	_, slowest, _ := strings.Cut(pageText(t, r), "Slowest payments")
	var at []int
	for _, took := range []string{"2.01 s from the intended start", data.ID{Sequence: 1}.ExternalID(), data.ID{Sequence: 3}.ExternalID(), "450 ms from", "120 ms from"} {
		at = append(at, strings.LastIndex(slowest, took))
	}
	assert.NotContains(t, at, -1)
	assert.Greater(t, at[2], at[1])
	assert.True(t, slices.IsSorted(at[2:]), "the longest first: %v", at)
}

func TestTheTerminalShowsAnExampleOfEachFinding(t *testing.T) {
	t.Parallel()
	r := badRun()
	r.Ledger.Counts.PaymentsVanished = 1
	r.Ledger.Examples = append(r.Ledger.Examples, ledger.Example{Sort: "payments_vanished", Payment: "px2nq", Detail: "accepted as transaction 7"}, ledger.Example{Sort: "payments_vanished", Payment: "px3"})
	text := terminalText(t, r)
	assert.Contains(t, text, "payments vanished")
	assert.Contains(t, text, "\n    px2nq: accepted as transaction 7\n")
	assert.Equal(t, 1, strings.Count(text, data.ID{Run: 0x3f2a9c81d04e}.ExternalID()+": confirmed, R$ 12.34\n"))
	assert.Equal(t, 1, strings.Count(text, "confirmed, R$ 12.34"), "only the first")
	assert.NotContains(t, text, "px3")
}
