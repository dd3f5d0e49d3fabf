package target

import "context"

// Discover asks a target's test controls what they are, and calls nothing of its API.
func Discover(ctx context.Context, p Profile, id Identity) (*Target, error) {
	p = p.withDefaults()
	client, err := newClient(p, id)
	if err != nil {
		return nil, err
	}
	defer client.CloseIdleConnections()
	t := &Target{Profile: p, Client: client, Has: map[Control]bool{}, ways: map[Control]way{}}
	if p.Control == nil {
		return t, nil
	}
	return t, t.discover(ctx, id)
}

// Presume takes a profile's word for it: a target with test controls has them all, but
// those that it is to do without. Nothing is sent.
func Presume(p Profile) *Target {
	p = p.withDefaults()
	t := &Target{Profile: p, Has: map[Control]bool{}}
	if p.Control == nil {
		return t
	}
	for _, control := range []Control{
		Accounts, Funds, FeesControl, LimitsControl, Clock, Certificates, Directory, Settlement,
		Payments, Charges, Refunds, Returns, Splits, MED, FaultsControl,
	} {
		t.Has[control] = true
	}
	for _, control := range p.Control.Without {
		delete(t.Has, control)
	}
	return t
}
