package container

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/moby/moby/api/types/network"
	"github.com/moby/moby/client"

	"github.com/pixcert/pixcert/steps/target"
)

// Labels by which an image says of itself what a profile may leave out.
const (
	portLabel     = "pixcert.port"
	controlsLabel = "pixcert.controls-port"
	healthLabel   = "pixcert.health"
)

// wanted is a target.Container with nothing left open.
type wanted struct {
	target.Container
	base     *url.URL // of the API, as the profile has it: scheme and path are kept
	controls *url.URL // likewise; nil where the container serves none
}

// settle fills in what a profile leaves open from what its image says. Its error names
// everything that is wrong or missing.
func settle(p target.Profile, image client.ImageInspectResult) (*wanted, error) {
	var labels map[string]string
	var exposed []string
	if image.Config != nil {
		labels = image.Config.Labels
		exposed = slices.Sorted(maps.Keys(image.Config.ExposedPorts))
	}
	w := &wanted{Container: *p.Container}
	w.Health = cmp.Or(w.Health, labels[healthLabel])
	w.StartUp = cmp.Or(w.StartUp, defaultTime)
	var errs [5]error
	w.base, errs[0] = parse("base URL", p.BaseURL)
	w.Port, errs[1] = firstPort(w.Port, portOf(w.base), labels[portLabel], only(exposed))
	if errs[1] == nil && w.Port == 0 {
		errs[1] = fmt.Errorf("unknown API port: the image %s exposes %s; set the port with --url http://127.0.0.1:PORT, image.port in the profile, or the image's label %s",
			w.Image, cmp.Or(strings.Join(exposed, ", "), "none"), portLabel)
	}
	elsewhere := p.Control != nil && p.Control.URL != ""
	if w.ControlsPort == 0 && !elsewhere {
		w.ControlsPort, errs[2] = firstPort(0, labels[controlsLabel])
	}
	if w.ControlsPort != 0 {
		given := ""
		if p.Control != nil {
			given = p.Control.URL
		}
		w.controls, errs[3] = parse("control URL", given)
	}
	errs[4] = answerable(p.Sink)
	return w, errors.Join(errs[:]...)
}

// answerable: to the target, a loopback address is the container itself. Its webhooks
// would never come, and it would fail for that.
func answerable(sink target.Sink) error {
	host, _, err := net.SplitHostPort(sink.Listen)
	if err != nil || sink.URL != "" {
		return nil
	}
	if ip := net.ParseIP(host); host != "localhost" && !ip.IsLoopback() {
		return nil
	}
	return fmt.Errorf("the sink listens on %s, which containers cannot reach; remove it, or use an address such as 0.0.0.0:9443", sink.Listen)
}

// ports are those to publish, each once.
func (w *wanted) ports() []network.Port {
	var ports []network.Port
	for _, number := range []int{w.Port, w.ControlsPort} {
		port, ok := network.PortFrom(uint16(number), network.TCP)
		if ok && number != 0 && !slices.Contains(ports, port) {
			ports = append(ports, port)
		}
	}
	return ports
}

// parse reads a URL of the profile; what names it in errors. Where there is none, the
// container is reached by plain HTTP.
func parse(what, raw string) (*url.URL, error) {
	if raw == "" {
		return &url.URL{Scheme: "http"}, nil
	}
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return &url.URL{}, fmt.Errorf("%s: expected none, or a URL with a port of the container such as http://127.0.0.1:8080, got %q", what, raw)
	}
	return u, nil
}

// portOf is the port of a URL, empty where there is no URL.
func portOf(u *url.URL) string {
	switch {
	case u.Host == "":
		return ""
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	default:
		return "80"
	}
}

// only is the port of an image that exposes no other.
func only(exposed []string) string {
	if len(exposed) != 1 {
		return ""
	}
	return strings.TrimSuffix(exposed[0], "/tcp")
}

// firstPort is the first that is given, 0 if none is.
func firstPort(number int, others ...string) (int, error) {
	named := cmp.Or(others...)
	if number != 0 || named == "" {
		named = strconv.Itoa(number)
	}
	port, err := strconv.ParseUint(named, 10, 16)
	if err != nil {
		return 0, fmt.Errorf("expected a container port from 1 to 65535, got %q", named)
	}
	return int(port), nil
}
