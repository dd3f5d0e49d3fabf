package sink

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A stranger that sends nothing makes room before a sender of webhooks that waits between two of them.
func TestWhatMakesRoomFirst(t *testing.T) {
	t.Parallel()
	at := func(second int64) time.Time { return time.Unix(second, 0) }
	idleSender, activeSender := connState{http.StateIdle, at(1)}, connState{http.StateActive, at(2)}
	firstStranger, secondStranger := connState{http.StateNew, at(3)}, connState{http.StateNew, at(4)}
	all := []connState{activeSender, secondStranger, idleSender, firstStranger}
	slices.SortFunc(all, connState.compare)
	require.Equal(t, []connState{firstStranger, secondStranger, idleSender, activeSender}, all)
}
