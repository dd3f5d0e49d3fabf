package target

import (
	"context"
	"slices"
)

// Discover asks a target which test controls it has, and sends nothing to its API.
func Discover(ctx context.Context, p Profile, id Identity) (*Target, error) {
	t, err := newTarget(p, id)
	if err != nil {
		return nil, err
	}
	defer t.Client.CloseIdleConnections()
	return t, t.discover(ctx, id)
}

// Presume trusts the profile: a target with test controls has them all, except those that the
// profile excludes. Nothing is sent.
func Presume(p Profile) *Target {
	p = p.withDefaults()
	t := &Target{Profile: p, Has: map[Control]bool{}}
	if p.Control == nil {
		return t
	}
	for _, control := range AllControls {
		if !slices.Contains(p.Control.Without, control) {
			t.Has[control] = true
		}
	}
	return t
}
