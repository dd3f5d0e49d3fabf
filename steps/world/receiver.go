package world

import (
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
		r.Location = temporaryURL(w)
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

// urlWith opens a fresh URL with what a value says. The paths that a profile lists are taken as they are.
func urlWith(w *World, v language.Value) string {
	end := urlEnds[v.Text]
	if end[0] == '?' {
		return w.mail.openFresh(w.Stage).URL() + end
	}
	if len(w.mail.free) > 0 {
		return w.mail.openFresh(w.Stage).URL()
	}
	return w.mail.open(freshPath(w.Stage) + end).URL()
}
