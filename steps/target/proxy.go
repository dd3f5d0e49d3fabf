package target

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/net/http/httpproxy"

	"github.com/pixcert/pixcert/steps/exchange"
)

// NoProxy is the value of Profile.Proxy that ignores the proxies of the environment.
const NoProxy = "none"

// proxies are the HTTP proxies for the API and the controls: the profile's, or those of HTTP_PROXY
// and HTTPS_PROXY. NO_PROXY lists the hosts that are reached directly, as loopback addresses always
// are.
type proxies struct {
	config httpproxy.Config
	from   string // the setting that names them, for errors
	of     func(*url.URL) (*url.URL, error)
}

func newProxies(p Profile, environment *httpproxy.Config) (*proxies, error) {
	own := &proxies{config: *environment, from: "HTTP_PROXY or HTTPS_PROXY"}
	switch p.Proxy {
	case "":
	case NoProxy:
		own.config = httpproxy.Config{}
	default:
		own.from = "proxy in the profile"
		own.config.HTTPProxy, own.config.HTTPSProxy = p.Proxy, p.Proxy
	}
	for _, address := range []string{own.config.HTTPProxy, own.config.HTTPSProxy} {
		if address != "" && !isProxy(address) {
			return nil, fmt.Errorf("%s: expected a URL such as http://proxy.example:3128, got %q", own.from, shownProxy(address))
		}
	}
	own.config.CGI = false // REQUEST_METHOD of this process says nothing about the target
	own.of = own.config.ProxyFunc()
	return own, nil
}

// isProxy reports whether net/http can use a proxy: as in curl, a missing scheme is http.
func isProxy(address string) bool {
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	return err == nil && u.Hostname() != "" && (u.Scheme == "http" || u.Scheme == "https" || u.Scheme == "socks5" || u.Scheme == "socks5h")
}

// shownProxy returns the address of a proxy without its user, even if it is not a valid URL.
func shownProxy(address string) string {
	if i := strings.LastIndex(address, "@"); i >= 0 {
		address = address[i+1:]
	}
	return exchange.Line(address)
}

// hideProxies adds the credentials of proxies to a redactor, as they are and as written in the URL.
func hideProxies(from *exchange.Redactor, addresses ...string) {
	for _, address := range addresses {
		rest, hasUser := address, false
		if i := strings.LastIndex(rest, "@"); i >= 0 {
			rest, hasUser = rest[:i], true
		}
		if !hasUser {
			continue
		}
		if _, after, ok := strings.Cut(rest, "://"); ok {
			rest = after
		}
		_, password, _ := strings.Cut(rest, ":")
		from.Add(password)
		if plain, err := url.PathUnescape(password); err == nil {
			from.Add(plain)
		}
	}
}

// use returns the proxy for a URL; nil for none.
func (p *proxies) use(u *url.URL) *url.URL {
	proxy, err := p.of(u)
	if err != nil {
		return nil // the address was checked
	}
	return proxy
}

// absolute makes net/http send a request with the whole URL, as plain HTTP to a proxy requires. A URL
// that is opaque, so that its path is sent as it is, would lose its host otherwise.
func (p *proxies) absolute(r *http.Request) *http.Request {
	if proxy := p.use(r.URL); proxy != nil && r.URL.Scheme == "http" && strings.HasPrefix(proxy.Scheme, "http") {
		r.URL.Opaque = "//" + r.URL.Host + r.URL.Opaque
	}
	return r
}

// apply makes a transport use the proxies.
func (p *proxies) apply(to *http.Transport) {
	to.Proxy = func(r *http.Request) (*url.URL, error) { return p.of(r.URL) }
	to.OnProxyConnectResponse = func(_ context.Context, _ *url.URL, _ *http.Request, response *http.Response) error {
		if response.StatusCode == http.StatusOK {
			return nil
		}
		return &net.OpError{Op: proxyConnect, Err: fmt.Errorf("it refuses CONNECT with %d %s", response.StatusCode, http.StatusText(response.StatusCode))}
	}
}

// proxyConnect is the operation of net/http's errors about a proxy.
const proxyConnect = "proxyconnect"

// proxyFailed begins the text of errors about a proxy.
const proxyFailed = "the proxy failed: "

// proxyProblem returns why a proxy does not work; nil if err is about something else.
func proxyProblem(err error) error {
	var failed *net.OpError
	if errors.As(err, &failed) && failed.Op == proxyConnect {
		return failed.Err
	}
	return nil
}

// advice says what to do about requests to the proxy of a base URL that get no response.
func (p *proxies) advice(base *url.URL, problem string) string {
	proxy := p.use(base)
	switch {
	case proxy != nil && strings.Contains(problem, "407"):
		return fmt.Sprintf("add the user and password that %s requires: http://USER:PASSWORD@%s in %s", proxy.Host, proxy.Host, p.from)
	case proxy != nil && strings.HasPrefix(problem, proxyFailed):
		return fmt.Sprintf("correct %s (%s), or list %s in NO_PROXY to connect directly", p.from, proxy.Host, base.Hostname())
	case strings.HasPrefix(problem, unresolved) && p.config.HTTPProxy+p.config.HTTPSProxy != "":
		return fmt.Sprintf("correct the host name; %s names a proxy, but not for this host: check NO_PROXY (%s) and set the variable of its scheme, %s_PROXY",
			p.from, cmp.Or(p.config.NoProxy, "empty"), strings.ToUpper(base.Scheme))
	case strings.HasPrefix(problem, unresolved):
		return fmt.Sprintf("correct the host name; if this network requires a proxy, set %s_PROXY or proxy in the profile (none is set)", strings.ToUpper(base.Scheme))
	default:
		return ""
	}
}
