package module

import (
	"reflect"

	"go.k6.io/k6/v2/js/common"
)

// What the module needs of k6 and k6 does not export is in this file: the numbers of its events.
// Tests run k6 itself and fail if they change.

// k6's events; their type is internal to k6.
const (
	testEnd = 3 // iterations and teardown are over, metrics are still accepted
	exit    = 6 // k6 is about to exit, after the summary
)

// follow closes the run when the test ends, and logs the verdict when k6 exits. k6 closes the
// channel after the last event. Without these events, for example outside of a test, there is
// no result.
func (t *test) follow(events common.Events) {
	if v := reflect.ValueOf(events.Global); !v.IsValid() || v.IsNil() {
		return
	}
	_, received := events.Global.Subscribe(testEnd, exit)
	go func() {
		for e := range received {
			switch e.Type {
			case testEnd:
				t.end()
			case exit:
				t.exit()
			}
			e.Done()
		}
	}()
}
