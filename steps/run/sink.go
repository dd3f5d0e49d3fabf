package run

import (
	"crypto/tls"
	"fmt"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/steps/sink"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/world"
)

func (r *prepared) openSink() error {
	wanted := r.target.Profile.Sink
	certificate, err := sinkCertificate(r.stage.Authority, wanted)
	if err != nil {
		return err
	}
	s, err := sink.Listen(wanted.Listen, wanted.URL, certificate)
	if err != nil {
		return err
	}
	r.stage.Sink = s
	if len(wanted.Paths) > 0 {
		s.Acknowledge(wanted.Paths...)
		r.paths = newLeases(wanted.Paths)
		return nil
	}
	for _, a := range r.fixed {
		for _, place := range world.Places {
			s.Acknowledge(a.PathOf(place, nil))
		}
	}
	return nil
}

// noteUnreached says, once, that an awaited webhook did not arrive, nor any other.
func (r *prepared) noteUnreached() {
	if r.stage.Sink.IsReached() {
		return
	}
	r.unreached.Do(func() {
		r.note(fmt.Sprintf("no webhook has arrived at %s since %s; check sink.url in the profile, the firewall between the gateway and pixcert, and whether the gateway trusts the certificate",
			r.stage.Sink.Base(), clock(r.stage.Sink.Opened())))
	})
}

// sinkCertificate returns the certificate of the profile, or issues one for the host names of the
// sink.
func sinkCertificate(authority *certs.Authority, wanted target.Sink) (tls.Certificate, error) {
	if wanted.Certificate != nil {
		certificate, err := tls.X509KeyPair(wanted.Certificate, wanted.Key)
		if err != nil {
			return certificate, fmt.Errorf("sink.certificate in the profile: %w", err)
		}
		return certificate, nil
	}
	return authority.IssueServer(certs.Hosts(wanted.Listen, wanted.URL)...)
}
