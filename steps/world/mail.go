package world

import (
	"context"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/sink"
)

// mail is the URLs at which a scenario receives webhooks.
type mail struct {
	sink    *sink.Sink
	free    []string // paths of the profile's that are not used yet; nil for any
	opened  []*box
	arrived chan struct{} // notified of each delivery
}

// box is a mailbox with how many of its deliveries are recorded.
type box struct {
	*sink.Mailbox
	recorded int
}

// open opens the mailbox of a path, or finds it if the scenario has done so.
func (m *mail) open(path string) *sink.Mailbox {
	for _, b := range m.opened {
		if b.Path() == path {
			return b.Mailbox
		}
	}
	b := &box{Mailbox: m.sink.Open(path, m.arrived)}
	m.opened = append(m.opened, b)
	return b.Mailbox
}

// openFresh opens a URL that nobody else uses.
func (m *mail) openFresh(s *Stage) *sink.Mailbox {
	path := "/" + strings.ReplaceAll(s.Fresh("w"), "-", "/")
	if len(m.free) > 0 {
		path, m.free = m.free[0], m.free[1:]
	}
	return m.open(path)
}

// at finds the mailbox of a URL; nil if the scenario has none there.
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
	case <-m.arrived:
		return nil
	case <-time.After(patience):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
