package sandbox

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pixcert/pixcert/reference/controls"
	"github.com/pixcert/pixcert/reference/pix"
)

// pagePath is where the web page is, below the URL of the test controls.
const pagePath = "/sandbox/"

const maxForm = 16 << 10 // bytes

// WithPage adds the web page to the test controls. The page is a client of the controls in the same process: it passes
// on what identifies the caller, so that the controls admit or reject it like any other.
func WithPage(controls http.Handler) http.Handler {
	p := page{controls}
	router := http.NewServeMux() // a chi router would see the calls of the controls, which have its context, as its own
	router.HandleFunc("GET /{$}", showRoot)
	router.HandleFunc("GET /sandbox", toPage)
	router.HandleFunc("GET "+pagePath+"{$}", p.showAccounts)
	router.HandleFunc("GET "+pagePath+"style.css", showStyle)
	router.HandleFunc("GET "+pagePath+"accounts/{account}", p.showAccount)
	router.HandleFunc("POST "+pagePath+"accounts/{account}/trigger", p.trigger)
	router.HandleFunc("POST "+pagePath+"accounts/{account}/resend", p.resend)
	guarded := http.NewCrossOriginProtection().Handler(router)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		isRoot := r.URL.Path == "/" && (r.Method == http.MethodGet || r.Method == http.MethodHead)
		isPage := r.URL.Path == "/sandbox" || strings.HasPrefix(r.URL.Path, pagePath) || isRoot
		if !isPage {
			controls.ServeHTTP(w, r)
			return
		}
		secure(w.Header())
		guarded.ServeHTTP(w, r)
	})
}

// page is the web page of the sandbox.
type page struct{ controls http.Handler }

//go:embed page.html.tmpl page.css
var pageFiles embed.FS

var pageTemplate = template.Must(template.New("page.html.tmpl").Funcs(template.FuncMap{
	"act": func(account int64, event, id, label, about string) act { return act{account, event, id, label, about} },
	"brl": reais, "local": local, "url": url.PathEscape, "title": pageTitle, "first": firstOf, "movement": pix.Kind.Movement,
}).ParseFS(pageFiles, "page.html.tmpl"))

// pageView is what the template shows: the list of accounts, or one account.
type pageView struct {
	Accounts []controls.Account
	*controls.Overview
	Codes   []pix.ErrorCode
	Done    string // what the last button did
	Problem string // why it did nothing
}

// act is a button that triggers an event.
type act struct {
	Account                 int64
	Event, ID, Label, About string
}

// root is what clients are shown that are no browser.
const root = `The test controls of a pixcert sandbox. The API has its own address.

  /sandbox/   the web page
  /controls   the controls that exist
  /accounts   the accounts

https://github.com/pixcert/pixcert/blob/main/steps/target/controls.md explains them.
`

func showRoot(w http.ResponseWriter, r *http.Request) {
	if strings.Contains(r.Header.Get("Accept"), "text/html") {
		toPage(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, root) // fails only when the client has gone
}

func toPage(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, pagePath, http.StatusSeeOther)
}

func showStyle(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, pageFiles, "page.css") }

// showAccounts lists the accounts. If there is only one, it leads to that.
func (p page) showAccounts(w http.ResponseWriter, r *http.Request) {
	var found controls.Accounts
	if err := p.read(r, "/accounts", &found); err != nil {
		p.refuse(w, err)
		return
	}
	if len(found.Accounts) == 1 {
		http.Redirect(w, r, accountPath(found.Accounts[0].ID), http.StatusSeeOther)
		return
	}
	render(w, http.StatusOK, pageView{Accounts: found.Accounts})
}

func (p page) showAccount(w http.ResponseWriter, r *http.Request) {
	v := pageView{}
	if i := slices.IndexFunc(happenings, func(h happening) bool { return h.name == r.URL.Query().Get("done") }); i >= 0 {
		v.Done = happenings[i].help
	}
	p.show(w, r, http.StatusOK, v)
}

// show shows the account that the path names.
func (p page) show(w http.ResponseWriter, r *http.Request, status int, v pageView) {
	v.Codes = pix.ErrorCodes()
	v.Overview = &controls.Overview{}
	if err := p.read(r, "/accounts/"+url.PathEscape(r.PathValue("account"))+"/overview", v.Overview); err != nil {
		p.refuse(w, err)
		return
	}
	render(w, status, v)
}

// trigger does what pixcert trigger does.
func (p page) trigger(w http.ResponseWriter, r *http.Request) {
	p.submit(w, r, func(ctx context.Context, at Controls) (string, error) {
		event := Trigger{Event: r.PostFormValue("event"), ID: r.PostFormValue("id"), Code: r.PostFormValue("code")}
		_, err := event.Run(ctx, at)
		return event.Event, err
	})
}

func (p page) resend(w http.ResponseWriter, r *http.Request) {
	p.submit(w, r, func(ctx context.Context, at Controls) (string, error) {
		_, err := at.Call(ctx, http.MethodPost, "/events/"+url.PathEscape(r.PostFormValue("event"))+"/resend", nil)
		return "", err
	})
}

// submit does what a form asks for and leads back to the account, so that a reload does not repeat it.
func (p page) submit(w http.ResponseWriter, r *http.Request, do func(context.Context, Controls) (done string, err error)) {
	account, err := strconv.ParseInt(r.PathValue("account"), 10, 64)
	if err == nil {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		err = r.ParseForm()
	}
	if err != nil {
		p.refuse(w, &Refused{http.StatusBadRequest, "expected a form of an account: " + err.Error()})
		return
	}
	done, err := do(r.Context(), pageControls{p, r, account})
	refused, known := errors.AsType[*Refused](err)
	switch {
	case err == nil:
		http.Redirect(w, r, accountPath(account)+"?done="+url.QueryEscape(done), http.StatusSeeOther)
	case known && (refused.Status == http.StatusUnauthorized || refused.Status == http.StatusForbidden):
		p.refuse(w, refused)
	default:
		p.show(w, r, http.StatusConflict, pageView{Problem: err.Error()})
	}
}

// refuse shows a page that has no data. For a missing token, the browser asks for it, as a password.
func (p page) refuse(w http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	if refused, known := errors.AsType[*Refused](err); known {
		status = refused.Status
	}
	if status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Basic realm="pixcert: any user name, and the token of the controls as the password"`)
	}
	render(w, status, pageView{Problem: err.Error()})
}

func (p page) read(r *http.Request, path string, into any) error {
	answer, err := p.call(r.Context(), r, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	return json.Unmarshal(answer, into)
}

// call calls a control for the sender of a request.
func (p page) call(ctx context.Context, from *http.Request, method, path string, body map[string]any) ([]byte, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, path, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	request.Host = from.Host
	for _, name := range []string{"Origin", "Sec-Fetch-Site", "Authorization"} {
		request.Header[name] = from.Header[name]
	}
	if _, password, given := from.BasicAuth(); given {
		request.Header.Set("Authorization", "Bearer "+password)
	}
	answer := memory{header: http.Header{}, status: http.StatusOK}
	p.controls.ServeHTTP(&answer, request)
	if answer.status/100 == 2 {
		return answer.body.Bytes(), nil
	}
	var refusal struct{ Message string }
	_ = json.Unmarshal(answer.body.Bytes(), &refusal)
	return nil, &Refused{answer.status, refusal.Message}
}

// pageControls are the controls of an account, called for the sender of a form.
type pageControls struct {
	page
	from    *http.Request
	account int64
}

func (c pageControls) Account() int64 { return c.account }

func (c pageControls) Call(ctx context.Context, method, path string, body map[string]any) ([]byte, error) {
	return c.call(ctx, c.from, method, fmt.Sprintf("/accounts/%d%s", c.account, path), body)
}

// memory keeps a response.
type memory struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (m *memory) Header() http.Header               { return m.header }
func (m *memory) WriteHeader(status int)            { m.status = status }
func (m *memory) Write(content []byte) (int, error) { return m.body.Write(content) }

func accountPath(id int64) string { return fmt.Sprintf("%saccounts/%d", pagePath, id) }

func render(w http.ResponseWriter, status int, v pageView) {
	var text bytes.Buffer
	if err := pageTemplate.Execute(&text, v); err != nil {
		http.Error(w, "the page could not be rendered: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(text.Bytes()) // fails only when the client has gone
}

// secure forbids scripts, frames and requests to other sites, in case something that a client stored gets past the
// escaping. Without a referrer of the same origin, browsers would send forms with the origin null.
func secure(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
}

func pageTitle(v pageView) string {
	if v.Overview == nil {
		return "pixcert sandbox"
	}
	return fmt.Sprintf("Account %d · pixcert sandbox", v.Account.ID)
}

// firstOf is the first text that is not empty.
func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// reais writes an amount with separators of thousands.
func reais(amount string) string {
	whole, cents, _ := strings.Cut(amount, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return "R$ " + whole + "." + cents
}

var saoPaulo = func() *time.Location {
	location, err := time.LoadLocation("America/Sao_Paulo")
	if err != nil {
		panic(err) // package pix embeds the zones
	}
	return location
}()

// local is a time as a person in São Paulo reads it.
func local(at time.Time) string { return at.In(saoPaulo).Format("2006-01-02 15:04:05") }
