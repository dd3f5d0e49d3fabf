package sink

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pixcert/pixcert/load/internal/ledger"
)

// paths of deliveries are /ROOT/ACCOUNT/TYPE/0. The 0 means nothing any more: gateways keep the
// URLs that existing accounts have registered.
type paths struct {
	prefix string // of the public URL; a proxy may remove it
	root   string
}

// format is the path of an account's deliveries, without the prefix.
func (p *paths) format(account int, eventType string) string {
	return fmt.Sprintf("/%s/%d/%s/0", p.root, account, eventType)
}

// parse extracts a delivery's data from its path; false if it is not the path of a delivery.
func (p *paths) parse(text string, d *ledger.Delivery) bool {
	rest, prefixed := strings.CutPrefix(text, p.prefix)
	return prefixed && p.match(rest, d) || p.match(text, d)
}

// maxIndex limits the account in a path, so that it cannot be absurd.
const maxIndex = 1 << 20

func (p *paths) match(text string, d *ledger.Delivery) bool {
	empty, rest, _ := strings.Cut(text, "/")
	root, rest, _ := strings.Cut(rest, "/")
	number, rest, _ := strings.Cut(rest, "/")
	eventType, last, _ := strings.Cut(rest, "/")
	account, err := strconv.ParseUint(number, 10, 32)
	d.Account, d.Type = int(account), eventType
	return empty == "" && root == p.root && err == nil && account <= maxIndex &&
		eventType != "" && strings.Trim(eventType, "abcdefghijklmnopqrstuvwxyz_") == "" && last == "0"
}
