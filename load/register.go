// Package load is a k6 extension for load tests of instant-payment gateways: the JavaScript
// module k6/x/pix, the executor pix-arrival-rate, and the subcommand k6 x pix.
package load

import (
	"go.k6.io/k6/v2/js/modules"
	"go.k6.io/k6/v2/subcommand"

	"github.com/pixcert/pixcert/load/internal/command"
	"github.com/pixcert/pixcert/load/internal/executor"
	"github.com/pixcert/pixcert/load/internal/module"
)

func init() {
	pix := module.New()
	modules.Register("k6/x/pix", pix)
	executor.Register(pix.Observer)
	subcommand.RegisterExtension("pix", command.New)
}
