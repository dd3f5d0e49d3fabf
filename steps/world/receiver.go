package world

import (
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/sink"
)

// slowReceivers are how long slow receivers take. Some senders have given up by then: the event has arrived all the same.
var slowReceivers = map[language.Manner]time.Duration{language.AfterASecond: time.Second, language.AfterThree: 3 * time.Second}

// responseOf is what receivers respond as a step says. "That URL" is then the one that they redirect to.
func responseOf(w *World, m language.ReceiverAnswers) sink.Response {
	r := sink.Response{
		Status: m.Status, After: slowReceivers[m.Manner],
		Compressed: m.Manner == language.Compressed, Chunked: m.Manner == language.InChunks, HTML: m.Manner == language.AsHTML, Long: m.Manner == language.LongBody,
	}
	if m.Redirects {
		r.Location = temporaryURL(w, "")
	}
	return r
}

// urlEnds are what makes a fresh URL one that careless code changes on the way.
var urlEnds = map[string]string{
	"":                    "?" + judge.URLQuery,
	"capitals":            "/PIX/WebHook-Aa",
	"an escaped path":     "/a%20b/c%2Fd/%C3%A7",
	"a trailing slash":    "/",
	"repeated parameters": "?b=2&a=1&b=%2F&flag&empty=&t=A%2Bb%20c",
}

// isResending reports whether the current step sends a resend request.
func isResending(w *World) bool {
	if w.step == len(w.Steps) { // after the last step
		return false
	}
	m, is := w.Steps[w.step].Meaning.(language.Send)
	return is && m.Operation != nil && m.Operation.ID == "resendWebhook"
}

// urlWith opens a fresh URL with what a value says. The one that a resend is given is "that URL".
func urlWith(w *World, v language.Value) string {
	open := func(end string) string { return w.mail.openFresh(w.Stage, end).URL() }
	if isResending(w) {
		open = func(end string) string { return temporaryURL(w, end) }
	}
	path, query, _ := strings.Cut(urlEnds[v.Text], "?")
	url := open(path)
	if v.N > 0 {
		query = "p=" + strings.Repeat("x", max(0, v.N-len(url+"?p=")))
	}
	if query != "" {
		url += "?" + query
	}
	return url
}
