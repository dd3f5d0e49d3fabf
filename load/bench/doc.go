// Package bench measures what a load run costs and shows that its numbers are right: it
// holds tests alone.
//
// The tests run the real k6 with the extension, the bundled reference gateway and what
// package faulty has, each in a process of its own. With -measure they are the
// measurements of the load module, one after the other, at most 40 minutes in all, and a
// table of what was found ends them:
//
//	cd bench && go test -measure -timeout 90m
//
// Books that are wrong fail; a figure that misses its aim does not.
package bench
