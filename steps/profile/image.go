package profile

import (
	"fmt"
	"net/url"
	"os"
	slash "path"
	"path/filepath"
	"strconv"

	"github.com/pixcert/pixcert/steps/target"
)

// container reads how the image is run; nil for a target that runs already.
func (r *reader) container() *target.Container {
	if r.value("image") == nil {
		return nil
	}
	r.samePort("image.port", "url")
	r.samePort("image.controlsPort", "controls.url")
	return &target.Container{
		Image: r.text("image.name"), Command: texts[string](r.value("image.command")), Env: r.pairs("image.env"), Mounts: r.mounts(),
		Port: int(r.number("image.port")), ControlsPort: int(r.number("image.controlsPort")), Health: r.text("image.health"),
		StartUp: r.duration("image.startUp"),
	}
}

// samePort: a URL may name a port of the container too, but no other.
func (r *reader) samePort(field, urlField string) {
	port := int(r.number(field))
	u, err := url.Parse(r.text(urlField))
	if err == nil && port != 0 && u.Port() != "" && u.Port() != strconv.Itoa(port) {
		r.mistake(field, "expected the port of the container that %s names, found another, %d; correct one of the two, or remove this field", urlField, port)
	}
}

// mounts reads what the container sees of this machine. The engine asks for absolute
// paths, and for a place of its own for each.
func (r *reader) mounts() []target.Mount {
	var all []target.Mount
	first := map[string]int{}
	for i := range r.items("image.mounts") {
		source, inside := fmt.Sprintf("image.mounts[%d].source", i), fmt.Sprintf("image.mounts[%d].target", i)
		readOnly, _ := r.value(fmt.Sprintf("image.mounts[%d].readOnly", i)).(bool)
		all = append(all, target.Mount{Source: r.mounted(source), Target: r.text(inside), ReadOnly: readOnly})
		if r.text(inside) == "" {
			continue // reported already
		}
		place := slash.Clean(r.text(inside))
		if !slash.IsAbs(place) {
			r.mistake(inside, "expected an absolute path of the container, such as /certs, found %q", r.written(inside))
		}
		if j, twice := first[place]; twice {
			r.mistake(inside, "expected a path of its own, found that of image.mounts[%d]; correct one of the two", j)
		} else {
			first[place] = i
		}
	}
	return all
}

// mounted is the absolute path of a file or directory that is there.
func (r *reader) mounted(field string) string {
	name := r.text(field)
	if name == "" {
		return ""
	}
	absolute, err := filepath.Abs(r.beside(name))
	if err == nil {
		_, err = os.Stat(absolute)
	}
	if err != nil && !r.assume(field, r.places[field].written) {
		r.mistake(field, "expected a file or a directory, but it cannot be read: %v; create it, or correct its path (%s is relative to the profile)", reasonOf(err), r.written(field))
	}
	return absolute
}
