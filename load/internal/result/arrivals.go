package result

// Arrivals counts the arrivals of a schedule that waits for virtual users.
type Arrivals struct {
	Due     int64
	Waited  int64 // all virtual users were busy when they were due
	Dropped int64 // never started: all virtual users were busy until the end
	MaxVUs  int64 // the maximum number of virtual users
}
