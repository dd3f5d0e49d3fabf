//go:build !unix

package reftest

// lock does nothing on this system: run one test binary at a time.
func lock(string) (unlock func(), err error) { return func() {}, nil }
