package sandbox

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/reference/seedfile"
)

// DefaultControls is where pixcert serve serves the test controls.
const DefaultControls = "http://127.0.0.1:8081"

// Options are what to serve.
type Options struct {
	Gateway   reference.Config // without accounts, data and edge
	Directory string           // for the files of clients, and the data
	Persist   bool             // keep the data in Directory, not in memory
	Declared  seedfile.Declaration
	Edge      Edge

	SharedFiles bool   // other users of this machine may read the files of clients
	Mutant      string // name of the mutant that the gateway is; empty for none
	Fault       string // that clients meet, see FaultHelp; empty for none
}

// Served is a running gateway with the files of its clients.
type Served struct {
	*Sandbox
	Gateway *reference.Gateway
	options Options
	access  Access
}

// Serve starts a gateway and writes the files of its clients. The caller closes the gateway.
func Serve(ctx context.Context, o Options) (_ *Served, err error) {
	s := &Served{options: o, access: Access{MTLS: o.Edge.MTLS, ControlToken: o.Gateway.ControlToken != ""}}
	cfg := o.Gateway
	if o.Fault != "" {
		if err := addFault(&cfg, o.Fault); err != nil {
			return nil, err
		}
	}
	if cfg, err = cfg.Bind(ctx); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			cfg.Release()
		}
	}()
	if s.access.CA, err = o.Edge.configure(&cfg, o.Directory); err != nil {
		return nil, err
	}
	if o.Persist {
		cfg.Data = filepath.Join(o.Directory, "pixcert.db")
	}
	if s.Sandbox, err = New(o.Directory, o.Declared); err != nil {
		return nil, err
	}
	cfg.Seed = s.Seed()
	wrap := cfg.WrapControls
	cfg.WrapControls = func(controls http.Handler) http.Handler {
		if wrap != nil {
			controls = wrap(controls)
		}
		return WithPage(controls)
	}
	if s.Gateway, err = reference.Start(ctx, cfg); err != nil {
		return nil, err
	}
	err = s.WriteProfile(s.Gateway, s.access)
	if err == nil && o.SharedFiles {
		err = s.share()
	}
	if err != nil {
		return nil, errors.Join(err, s.Gateway.Close(ctx))
	}
	return s, nil
}
