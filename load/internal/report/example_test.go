package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/ledger"
)

func TestTheTerminalShowsExamplesOfEachFinding(t *testing.T) {
	t.Parallel()
	r := badRun()
	r.Ledger.Counts.PaymentsVanished = 1
	r.Ledger.Examples = append(r.Ledger.Examples, ledger.Example{Sort: "payments_vanished", Payment: "px2nq", Detail: "accepted as transaction 7"}, ledger.Example{Sort: "payments_vanished", Payment: "px3"})
	text := terminalText(t, r)
	assert.Contains(t, text, "payments vanished")
	assert.Contains(t, text, "\n    px2nq: accepted as transaction 7\n")
	assert.Contains(t, text, "\n    px3\n")
	assert.Contains(t, text, data.ID{Run: 0x3f2a9c81d04e}.ExternalID()+": confirmed, R$ 12.34\n")
	assert.Equal(t, shownExamples, strings.Count(text, "confirmed, R$ 12.34"), "only the first")
}
