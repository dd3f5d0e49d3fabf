// Package bench measures what a load run costs and checks that its numbers are correct. It
// contains only tests.
//
// The tests run the real k6 with the extension, the bundled reference gateway and the
// gateways of package faulty, each in a separate process. With -measure, they run the
// measurements of the load module one after the other, at most 50 minutes in all, and print a
// table of the results:
//
//	cd bench && go test -measure -timeout 90m
//
// A wrong ledger fails a test; a figure that misses its goal does not.
package bench
