package model

import (
	"slices"

	"github.com/pixcert/pixcert/steps/language"
)

// addURL is a URL that the account sends for the first time.
func addURL(p *play) int {
	p.refs.addURL()
	return p.gw.Hooks.add()
}

// registers registers a URL for a type of event.
func registers(p *play, url int, eventType string) {
	if p.gw.Hooks.register(language.TheAccount, url, eventType) {
		p.refs.addEndpoint(url, p.gw.Hooks.Registrations)
	}
}

// namedURLs are the positions of the URLs that sentences can name and that are registered.
func namedURLs(p *play) (all []int) {
	for i, u := range p.gw.Hooks.URLs {
		if p.refs.URLs[i].Nth > 0 && len(u.Types[language.TheAccount]) > 0 {
			all = append(all, i)
		}
	}
	return all
}

// loseURLCount notes that a wrong request may have had a URL, which sentences count.
func loseURLCount(p *play, noun string) {
	if slices.Contains([]string{"webhook registration", "resend request"}, noun) {
		p.refs.URLsLost = true
	}
	if noun == "resend request" {
		p.gw.Hooks.resend(1)
	}
}
