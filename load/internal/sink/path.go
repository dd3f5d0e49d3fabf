package sink

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pixcert/pixcert/load/internal/ledger"
)

// path is a path template, split into segments.
type path struct {
	prefix   string // of the public URL; a proxy may remove it
	segments []string
}

// newPath reads a template such as /{run}/{account}/{type}/{n}.
func newPath(template string, run uint64) (path, error) {
	var p path
	placeholders := map[string]bool{}
	for segment := range strings.SplitSeq(strings.Trim(template, "/"), "/") {
		switch segment {
		case "{run}":
			segment = fmt.Sprintf("%012x", run)
		case "{account}", "{type}", "{n}":
			placeholders[segment] = true
		default:
			if strings.ContainsAny(segment, "{}?#%") || segment == "" {
				return path{}, fmt.Errorf("expected a webhook path with plain segments and {run}, {account}, {type}, {n}, got segment %q in %q", segment, template)
			}
		}
		p.segments = append(p.segments, segment)
	}
	if !placeholders["{account}"] || !placeholders["{type}"] {
		return path{}, fmt.Errorf("expected {account} and {type} in the webhook path, to distinguish deliveries, got %q", template)
	}
	return p, nil
}

// format is the path of an account's deliveries, without the prefix.
func (p *path) format(account int, eventType string, n int) string {
	var b strings.Builder
	for _, segment := range p.segments {
		b.WriteByte('/')
		switch segment {
		case "{account}":
			b.WriteString(strconv.Itoa(account))
		case "{type}":
			b.WriteString(eventType)
		case "{n}":
			b.WriteString(strconv.Itoa(n))
		default:
			b.WriteString(segment)
		}
	}
	return b.String()
}

// parse extracts a delivery's data from its path; false if it is not the path of a delivery.
func (p *path) parse(text string, d *ledger.Delivery) bool {
	if p.prefix != "" {
		if rest, ok := strings.CutPrefix(text, p.prefix); ok && p.match(rest, d) {
			return true
		}
	}
	return p.match(text, d)
}

func (p *path) match(text string, d *ledger.Delivery) bool {
	for _, segment := range p.segments {
		if !strings.HasPrefix(text, "/") {
			return false
		}
		value, rest, more := strings.Cut(text[1:], "/")
		if text = ""; more {
			text = "/" + rest
		}
		if !p.fill(segment, value, d) {
			return false
		}
	}
	return text == ""
}

// maxIndex limits the numbers in a path, so that it cannot refer to an absurd account.
const maxIndex = 1 << 20

func (p *path) fill(segment, value string, d *ledger.Delivery) bool {
	switch segment {
	case "{account}", "{n}":
		n, err := strconv.ParseUint(value, 10, 32)
		if err != nil || n > maxIndex {
			return false
		}
		if segment == "{n}" {
			d.URL = int(n)
		} else {
			d.Account = int(n)
		}
		return true
	case "{type}":
		d.Type = value
		return value != "" && strings.Trim(value, "abcdefghijklmnopqrstuvwxyz_") == ""
	}
	return segment == value
}
