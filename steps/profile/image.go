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

// container reads how to run the image; nil if the target is already running.
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

// samePort: a URL may contain the port of the container too, but no other.
func (r *reader) samePort(field, urlField string) {
	port := int(r.number(field))
	u, err := url.Parse(r.text(urlField))
	if err == nil && port != 0 && u.Port() != "" && u.Port() != strconv.Itoa(port) {
		r.fieldError(field, "port %d differs from the port in %s; correct one of the two, or remove this field", port, urlField)
	}
}

// mounts reads the mounts. The engine requires absolute paths, and a different target for each.
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
			r.fieldError(inside, "expected an absolute path inside the container, such as /certs, got %q", r.written(inside))
		}
		if j, twice := first[place]; twice {
			r.fieldError(inside, "duplicate of image.mounts[%d].target; correct one of the two", j)
		} else {
			first[place] = i
		}
	}
	return all
}

// mounted returns the absolute path of an existing file or directory.
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
		r.fieldError(field, "cannot read %s (relative to the profile): %v; create it or correct the path", r.written(field), reasonOf(err))
	}
	return absolute
}
