package world

import (
	"context"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/sink"
)

// mail has the URLs at which a scenario receives webhooks.
type mail struct {
	load    *Load
	sink    *sink.Sink
	free    []string // paths of the profile's that are not used yet; nil for any
	opened  []*box
	arrived chan struct{} // notified of each delivery
	wanted  []string      // ids by which events name what the scenario has created
}

// want makes the sink keep the events that name what the scenario has created, however many others
// arrive.
func (m *mail) want(ids ...string) {
	m.wanted = append(m.wanted, ids...)
	for _, b := range m.opened {
		b.Want(ids...)
	}
}

// box is a mailbox, with the number of its deliveries that are recorded.
type box struct {
	*sink.Mailbox
	recorded int
}

// open returns the mailbox of a path, and opens it if necessary.
func (m *mail) open(path string) *sink.Mailbox {
	for _, b := range m.opened {
		if b.Path() == path {
			return b.Mailbox
		}
	}
	b := &box{Mailbox: m.sink.Open(path, m.arrived)}
	b.Want(m.wanted...)
	m.opened = append(m.opened, b)
	return b.Mailbox
}

// openFresh opens a URL that no other scenario uses, whose path ends in a certain way. Paths that a profile lists are taken
// as they are.
func (m *mail) openFresh(s *Stage, end string) *sink.Mailbox {
	path := freshPath(s) + end
	if len(m.free) > 0 {
		path, m.free = m.free[0], m.free[1:]
	}
	return m.open(path)
}

func freshPath(s *Stage) string { return "/" + strings.ReplaceAll(s.Fresh("w"), "-", "/") }

// at returns the mailbox of a URL; nil if the scenario has none there.
func (m *mail) at(url string) *sink.Mailbox {
	url, _, _ = strings.Cut(url, "?")
	for _, b := range m.opened {
		if b.URL() == url {
			return b.Mailbox
		}
	}
	return nil
}

// next waits until something arrives, or until patience ends.
func (m *mail) next(ctx context.Context, patience time.Duration) error {
	select {
	case <-m.arrived: // nothing to wait for
		return nil
	default:
	}
	defer m.load.idle()()
	select {
	case <-m.arrived:
		return nil
	case <-time.After(patience):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
