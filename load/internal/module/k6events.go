package module

import (
	"os"
	"reflect"

	"go.k6.io/k6/v2/js/common"
)

// What the module needs of k6 and k6 does not export is in this file: the numbers of its
// events, the error that it exits with, and an exit status of the module's own. Tests run k6
// itself and fail if any of this changes.

// k6's events; their type is internal to k6.
const (
	testEnd = 3 // iterations and teardown are over, metrics are still accepted
	exit    = 6 // k6 is about to exit, after the summary
)

// follow closes the run when the test ends, and judges it when k6 exits. k6 closes the
// channel after the last event. Without these events, for example outside of a test, there is
// no report.
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
				t.exit(complaint(e.Data))
			}
			e.Done()
		}
	}()
}

// complaint is the error that k6 exits with. The type of the event's data is internal to k6: if
// its field is missing, the run is judged as if k6 had none.
func complaint(data any) error {
	v := reflect.Indirect(reflect.ValueOf(data))
	if v.Kind() != reflect.Struct {
		return nil
	}
	field := v.FieldByName("Error")
	if !field.IsValid() || field.IsNil() {
		return nil
	}
	err, _ := field.Interface().(error)
	return err
}

// exitWith ends k6 with a status. An extension cannot set k6's own: k6 knows neither invalid
// runs nor tests without a result. It is the last thing that k6 does, except that it reports
// its usage if it still has to.
func exitWith(status int) { os.Exit(status) }
