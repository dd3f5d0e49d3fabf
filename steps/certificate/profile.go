package certificate

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/plan"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/target"
)

const (
	profileFile  = report.ProfileFile
	baselineFile = report.BaselineFile
)

// Profile is a target's profile without secrets and personal data: all that decides which scenarios apply.
type Profile struct {
	Name              string            `json:"name"`
	URL               string            `json:"url"` // as it was called
	TokenPath         string            `json:"tokenPath"`
	Image             string            `json:"image,omitempty"`
	Families          []target.Family   `json:"families,omitempty"` // none for all
	Handshake         bool              `json:"handshake,omitempty"`
	ControlsURL       string            `json:"controlsUrl,omitempty"`
	ControlsCommand   bool              `json:"controlsCommand,omitempty"`
	Accounts          []Account         `json:"accounts,omitempty"`
	SandboxScenarios  map[string]string `json:"sandboxScenarios,omitempty"`
	Limits            target.Limits     `json:"limits"`
	Fees              target.Fees       `json:"fees"`
	SinkListen        string            `json:"sinkListen,omitempty"`
	SinkURL           string            `json:"sinkUrl,omitempty"`
	SinkPaths         []string          `json:"sinkPaths,omitempty"`
	Headers           []string          `json:"headers,omitempty"` // names
	RequestsPerSecond float64           `json:"requestsPerSecond,omitempty"`
	Deadlines         target.Deadlines  `json:"deadlinesNs"`
}

// Account says what the profile has of an account.
type Account struct {
	HasID     bool `json:"hasId"`
	HasPixKey bool `json:"hasPixKey"`
}

// ProfileOf is the public part of a profile.
func ProfileOf(gateway target.Profile, secrets *exchange.Redactor) Profile {
	p := target.Presume(gateway).Profile
	public := Profile{
		Name: secrets.Text(p.Name), URL: secrets.Text(p.BaseURL), TokenPath: p.TokenPath, Families: p.Families, Handshake: p.TLS.Handshake,
		SandboxScenarios: map[string]string{}, Limits: p.Limits, Fees: p.Fees, SinkListen: p.Sink.Listen, SinkURL: secrets.Text(p.Sink.URL),
		RequestsPerSecond: p.RequestsPerSecond, Deadlines: p.Deadlines,
	}
	if p.Container != nil {
		public.Image = secrets.Text(p.Container.Image)
	}
	if p.Control != nil {
		public.ControlsURL, public.ControlsCommand = secrets.Text(p.Control.URL), len(p.Control.Command) > 0
	}
	for _, a := range p.Accounts {
		public.Accounts = append(public.Accounts, Account{a.AccountID != 0, a.PixKey != ""})
	}
	for outcome, value := range p.SandboxScenarios {
		public.SandboxScenarios[outcome] = secrets.Text(value)
	}
	for _, path := range p.Sink.Paths {
		public.SinkPaths = append(public.SinkPaths, secrets.Text(path))
	}
	for name := range p.Header {
		public.Headers = append(public.Headers, name)
	}
	slices.Sort(public.Headers)
	return public
}

// Encode is profile.json.
func (p Profile) Encode() ([]byte, error) {
	content, err := json.MarshalIndent(p, "", "  ")
	return append(content, '\n'), err
}

func readProfile(content []byte) (Profile, error) {
	var p Profile
	if err := decode(content, &p); err != nil {
		return p, fmt.Errorf("%s: %w", profileFile, err)
	}
	if p.URL == "" || p.Name == "" {
		return p, fmt.Errorf("%s: expected the name and the URL of the target", profileFile)
	}
	return p, nil
}

// offer is what the target offers, by its profile and the controls that the run found.
func (p Profile) offer(controls []string) plan.Offer {
	of := target.Profile{
		BaseURL: p.URL, Families: p.Families, TLS: target.TLS{Handshake: p.Handshake}, SandboxScenarios: p.SandboxScenarios,
		Limits: p.Limits, Fees: p.Fees, Sink: target.Sink{Listen: p.SinkListen, URL: p.SinkURL, Paths: p.SinkPaths},
	}
	for _, a := range p.Accounts {
		var known target.Account
		if a.HasID {
			known.AccountID = 1
		}
		if a.HasPixKey {
			known.PixKey = "a key"
		}
		of.Accounts = append(of.Accounts, known)
	}
	has := map[target.Control]bool{}
	for _, c := range controls {
		has[target.Control(c)] = true
	}
	return plan.OfferOf(of, has)
}

// sent reports whether a request of the API went to the target.
func (p Profile) sent(e *exchange.Exchange) bool {
	rest, below := strings.CutPrefix(e.URL, p.URL)
	return below && (rest == "" || strings.ContainsAny(rest[:1], "/?"))
}
