package profile

import (
	"net/url"
	"os"
	slash "path"
	"path/filepath"
	"strconv"

	"github.com/pixcert/pixcert/steps/target"
)

// image is the container image of a gateway in the shape of the schema.
type image struct {
	Name         string            `json:"name"`
	Command      []string          `json:"command"`
	Env          map[string]string `json:"env"`
	Mounts       []mount           `json:"mounts"`
	Port         int               `json:"port"`
	ControlsPort int               `json:"controlsPort"`
	Health       string            `json:"health"`
	StartUp      string            `json:"startUp"`
}

type mount struct {
	Source   string `json:"source"`
	Target   string `json:"target"`
	ReadOnly bool   `json:"readOnly"`
}

// container reads how the image is run; nil for a target that runs already.
func (r *reader) container() *target.Container {
	if r.Image == nil {
		return nil
	}
	r.samePort(r.Image.Port, at("image", "port"), r.URL, "url")
	if r.Controls != nil {
		r.samePort(r.Image.ControlsPort, at("image", "controlsPort"), r.Controls.URL, "controls.url")
	}
	return &target.Container{
		Image: r.Image.Name, Command: r.Image.Command, Env: r.Image.Env, Mounts: r.mounts(),
		Port: r.Image.Port, ControlsPort: r.Image.ControlsPort, Health: r.Image.Health,
		StartUp: r.duration(r.Image.StartUp, at("image", "startUp")),
	}
}

// samePort: a URL may name a port of the container too, but no other.
func (r *reader) samePort(port int, p path, given, field string) {
	u, err := url.Parse(given)
	if err != nil || port == 0 || u.Port() == "" || u.Port() == strconv.Itoa(port) {
		return
	}
	r.mistake(p, "expected the port of the container that %s names, found another, %d; correct one of the two, or remove this field", field, port)
}

// mounts reads what the container sees of this machine. The engine asks for absolute
// paths, and for a place of its own for each.
func (r *reader) mounts() []target.Mount {
	var all []target.Mount
	first := map[string]int{}
	for i, m := range r.Image.Mounts {
		p := at("image", "mounts", i)
		all = append(all, target.Mount{Source: r.mounted(m.Source, p.below("source")), Target: m.Target, ReadOnly: m.ReadOnly})
		if m.Target == "" {
			continue // told already
		}
		place := slash.Clean(m.Target)
		if !slash.IsAbs(place) {
			r.mistake(p.below("target"), "expected an absolute path of the container, such as /certs, found %q", shown(r.places[p.below("target").key()].written))
		}
		if j, twice := first[place]; twice {
			r.mistake(p.below("target"), "expected a path of its own, found that of image.mounts[%d]; correct one of the two", j)
		} else {
			first[place] = i
		}
	}
	return all
}

// mounted is the absolute path of a file or directory that is there.
func (r *reader) mounted(name string, p path) string {
	if name == "" {
		return ""
	}
	absolute, err := filepath.Abs(r.beside(name))
	if err == nil {
		_, err = os.Stat(absolute)
	}
	if err != nil && !r.assume(p, r.places[p.key()].written) {
		r.mistake(p, "expected a file or a directory, but it cannot be read: %w; create it, or correct its path (%s is relative to the profile)", reasonOf(err), shown(r.places[p.key()].written))
	}
	return absolute
}
