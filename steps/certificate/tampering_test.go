package certificate

import (
	"bytes"
	"compress/gzip"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/baseline"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/verdict"
)

// forgery is a copy of the sample that somebody changes.
type forgery struct {
	t *testing.T
	sample
}

func (f *forgery) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

func (f *forgery) read(name string) []byte {
	f.t.Helper()
	content, err := os.ReadFile(f.path(name))
	require.NoError(f.t, err)
	return content
}

func (f *forgery) write(name string, content []byte) {
	f.t.Helper()
	require.NoError(f.t, os.MkdirAll(filepath.Dir(f.path(name)), 0o700))
	require.NoError(f.t, os.WriteFile(f.path(name), content, 0o600))
}

func (f *forgery) envelope() (e dsse.Envelope) {
	f.t.Helper()
	require.NoError(f.t, json.Unmarshal(f.content, &e))
	return e
}

// edited changes the envelope without signing it again.
func (f *forgery) edited(edit func(e *dsse.Envelope)) {
	f.t.Helper()
	e := f.envelope()
	edit(&e)
	content, err := json.Marshal(e)
	require.NoError(f.t, err)
	f.content = content
}

func (f *forgery) payload() []byte {
	f.t.Helper()
	e := f.envelope()
	payload, err := e.DecodeB64Payload()
	require.NoError(f.t, err)
	return payload
}

// replaced replaces a text of the payload; signed again if somebody has the key.
func (f *forgery) replaced(old, with string, signedAgain bool) {
	f.t.Helper()
	payload := f.payload()
	require.Contains(f.t, string(payload), old)
	changed := []byte(strings.Replace(string(payload), old, with, 1))
	if !signedAgain {
		f.edited(func(e *dsse.Envelope) { e.Payload = base64.StdEncoding.EncodeToString(changed) })
		return
	}
	f.signed(changed)
}

func (f *forgery) signed(payload []byte) {
	f.t.Helper()
	content, err := sealPayload(payload, payloadType, f.key)
	require.NoError(f.t, err)
	f.content = content
}

// lies signs other claims, which agree with each other, with the real key.
func (f *forgery) lies(change func(c *Claims, r *rules)) {
	f.t.Helper()
	c, err := Open(f.content, []ed25519.PublicKey{f.public()})
	require.NoError(f.t, err)
	claims, of := c.Claims, rules{passed: c.Passed, warned: c.Warned, failed: c.Failed}
	if claims.Evidence, err = hashAll(f.dir); err == nil {
		for _, e := range claims.Evidence {
			if e.Name == profileFile {
				claims.Profile = e.SHA256
			}
		}
	}
	require.NoError(f.t, err)
	change(&claims, &of)
	profile, err := readProfile(f.read(profileFile))
	if err != nil {
		profile.URL = "http://127.0.0.1"
	}
	f.content, err = seal(statementOf(claims, of, profile.URL), f.key)
	require.NoError(f.t, err)
}

// reissued rewrites the records and signs whatever follows from them, as somebody with the key could.
func (f *forgery) reissued(change func(e *run.Evidence)) {
	f.t.Helper()
	e, err := run.ReadEvidence(bytes.NewReader(f.read(report.RecordsFile)))
	require.NoError(f.t, err)
	change(e)
	var file bytes.Buffer
	require.NoError(f.t, e.WriteAgain(&file))
	f.write(report.RecordsFile, file.Bytes())
	f.lies(func(*Claims, *rules) {})
}

// profiled rewrites profile.json, and signs it.
func (f *forgery) profiled(change func(p *Profile)) {
	f.t.Helper()
	p, err := readProfile(f.read(profileFile))
	require.NoError(f.t, err)
	change(&p)
	content, err := p.Encode()
	require.NoError(f.t, err)
	f.write(profileFile, content)
	f.lies(func(*Claims, *rules) {})
}

// tampering is one way to change a certificate or its report, and what the rejection says.
type tampering struct {
	name   string
	tamper func(f *forgery)
	says   string
}

// flipped are changes of one byte at many places.
func flipped(t *testing.T) (all []tampering) {
	s := conforming()
	for i := range 40 {
		at := i * (len(s.content) - 1) / 40
		all = append(all, tampering{fmt.Sprintf("byte %d of the certificate", at), func(f *forgery) { f.content[at] ^= 1 }, ""})
	}
	files, err := list(s.dir)
	require.NoError(t, err)
	for _, name := range files {
		for part := range 4 {
			all = append(all, tampering{fmt.Sprintf("a byte of %s, place %d", name, part), func(f *forgery) {
				content := f.read(name)
				content[part*(len(content)-1)/3] ^= 4
				f.write(name, content)
			}, name + ": the file was changed"})
		}
	}
	return all
}

// files are changes of the report by somebody without the key.
func files() (all []tampering) {
	swapped := func(name string) func(f *forgery) {
		return func(f *forgery) {
			content, err := os.ReadFile(filepath.Join(other().dir, name))
			require.NoError(f.t, err)
			f.write(name, content)
		}
	}
	for _, name := range needed {
		all = append(all,
			tampering{name + " of another run", swapped(name), name + ": the file was changed"},
			tampering{name + " removed", func(f *forgery) { require.NoError(f.t, os.Remove(f.path(name))) }, name + ": the file is missing"},
			tampering{name + " truncated", func(f *forgery) { f.write(name, f.read(name)[:len(f.read(name))/2]) }, name + ": the file was changed: it has"},
			tampering{name + " is a symbolic link to the same content", func(f *forgery) {
				require.NoError(f.t, os.Rename(f.path(name), filepath.Join(f.t.TempDir(), "moved")))
				require.NoError(f.t, os.Symlink(filepath.Join(conforming().dir, name), f.path(name)))
			}, name + ": expected a regular file"},
			tampering{name + " is huge", func(f *forgery) { require.NoError(f.t, os.Truncate(f.path(name), 1<<40)) }, name + ": the file was changed: it has 1099511627776 bytes"},
			tampering{name + " is a directory", func(f *forgery) {
				require.NoError(f.t, os.Remove(f.path(name)))
				require.NoError(f.t, os.Mkdir(f.path(name), 0o700))
			}, name + ": the file is missing"})
	}
	return append(all,
		tampering{"a file added", func(f *forgery) { f.write("more.txt", []byte("x")) }, "more.txt: the file was added"},
		tampering{"a hidden file added", func(f *forgery) { f.write(".hidden", []byte("x")) }, ".hidden: the file was added"},
		tampering{"a log added", func(f *forgery) { f.write(report.LogFile, []byte("x")) }, "target.log: the file was added"},
		tampering{"evidence added", func(f *forgery) { f.write("evidence/cash-out.accepted/1.har", []byte("{}")) }, "1.har: the file was added"},
		tampering{"a baseline added", func(f *forgery) { f.write(baselineFile, []byte("failures: []\n")) }, "baseline.yaml: the file was added"},
		tampering{"a deep directory", func(f *forgery) { f.write("a/b/c/d/e/f/g", nil) }, "at most 4 deep"},
		tampering{"a symbolic link added", func(f *forgery) { require.NoError(f.t, os.Symlink("/etc", f.path("evidence"))) }, "evidence: expected a regular file"},
		tampering{"the report of another run", func(f *forgery) { f.dir = other().dir }, "the file was changed"},
		tampering{"the certificate of another run", func(f *forgery) { f.content = bytes.Clone(other().content) }, "the file was changed"},
		tampering{"no report", func(f *forgery) { f.dir = filepath.Join(f.dir, "absent") }, "no such file"},
		tampering{"an empty report", func(f *forgery) { f.dir = f.t.TempDir() }, "the file is missing"},
	)
}

// envelopes are changes of the certificate by somebody without the key.
func envelopes() []tampering {
	unsigned := func(old, with string) func(f *forgery) { return func(f *forgery) { f.replaced(old, with, false) } }
	_, stranger, err := ed25519.GenerateKey(nil)
	if err != nil {
		panic(err)
	}
	const wrong = "the signature is wrong"
	return []tampering{
		{"outcome in the payload", unsigned(`"outcome":"conforms"`, `"outcome":"no new failures"`), wrong},
		{"depth in the payload", unsigned(`"depth":"standard"`, `"depth":"thorough"`), wrong},
		{"target in the payload", unsigned("acme sandbox", "acme live"), wrong},
		{"edition in the payload", unsigned(`"edition":"`, `"edition":"0`), wrong},
		{"predicate type in the payload", unsigned("test-result/v0.1", "test-result/v0.2"), wrong},
		{"space in the payload", unsigned(`{"_type"`, `{ "_type"`), wrong},
		{"a duplicate member in the payload", unsigned(`"depth":"standard"`, `"depth":"standard","depth":"thorough"`), wrong},
		{"signed by a stranger who keeps the key's name", func(f *forgery) {
			e := f.envelope()
			payload := f.payload()
			e.Signatures[0].Sig = base64.StdEncoding.EncodeToString(ed25519.Sign(stranger, dsse.PAE(payloadType, payload)))
			f.edited(func(old *dsse.Envelope) { *old = e })
		}, wrong},
		{"signed by a stranger", func(f *forgery) { f.key = stranger; f.signed(f.payload()); f.key = conforming().key }, "signed with another key"},
		{"without a key's name", func(f *forgery) { f.edited(func(e *dsse.Envelope) { e.Signatures[0].KeyID = "" }) }, "signed with another key"},
		{"two signatures", func(f *forgery) {
			f.edited(func(e *dsse.Envelope) { e.Signatures = append(e.Signatures, e.Signatures[0]) })
		}, "expected one signature, got 2"},
		{"a stranger's signature added", func(f *forgery) {
			f.edited(func(e *dsse.Envelope) { e.Signatures = append(e.Signatures, dsse.Signature{KeyID: "x", Sig: "AAAA"}) })
		}, "expected one signature, got 2"},
		{"no signature", func(f *forgery) { f.edited(func(e *dsse.Envelope) { e.Signatures = nil }) }, "expected one signature, got 0"},
		{"an empty signature", func(f *forgery) { f.edited(func(e *dsse.Envelope) { e.Signatures[0].Sig = "" }) }, wrong},
		{"a short signature", func(f *forgery) {
			f.edited(func(e *dsse.Envelope) { e.Signatures[0].Sig = e.Signatures[0].Sig[:40] })
		}, wrong},
		{"the signature of another run", func(f *forgery) {
			var e dsse.Envelope
			require.NoError(f.t, json.Unmarshal(other().content, &e))
			f.edited(func(own *dsse.Envelope) { own.Signatures = e.Signatures })
		}, wrong},
		{"the payload of another run", func(f *forgery) {
			var e dsse.Envelope
			require.NoError(f.t, json.Unmarshal(other().content, &e))
			f.edited(func(own *dsse.Envelope) { own.Payload = e.Payload })
		}, wrong},
		{"another payload type", func(f *forgery) { f.edited(func(e *dsse.Envelope) { e.PayloadType = "text/plain" }) }, "expected the payload type"},
		{"an empty payload", func(f *forgery) { f.edited(func(e *dsse.Envelope) { e.Payload = "" }) }, wrong},
		{"base64 of another alphabet", func(f *forgery) {
			f.edited(func(e *dsse.Envelope) {
				e.Signatures[0].Sig = strings.NewReplacer("+", "-", "/", "_").Replace(e.Signatures[0].Sig) + "\n"
			})
		}, ""},
		{"an unknown member of the envelope", func(f *forgery) {
			f.content = bytes.Replace(f.content, []byte("{"), []byte(`{"note":"trust me",`), 1)
		}, "unknown field"},
		{"a member of the envelope twice", func(f *forgery) {
			f.content = bytes.Replace(f.content, []byte("{"), []byte(`{"payload":"",`), 1)
		}, `"payload" occurs twice`},
		{"a member of the envelope twice, once in capitals", func(f *forgery) {
			f.content = bytes.Replace(f.content, []byte("{"), []byte(`{"PAYLOAD":"",`), 1)
		}, `"payload" occurs twice`},
		{"a member of the envelope in capitals", func(f *forgery) {
			f.content = bytes.Replace(f.content, []byte(`"payload"`), []byte(`"Payload"`), 1)
		}, "not in the form"},
		{"more after the envelope", func(f *forgery) { f.content = append(f.content, `{}`...) }, "one JSON value"},
		{"half a certificate", func(f *forgery) { f.content = f.content[:len(f.content)/2] }, ""},
		{"an empty certificate", func(f *forgery) { f.content = nil }, "expected JSON"},
		{"a certificate of null", func(f *forgery) { f.content = []byte("null") }, ""},
		{"a huge certificate", func(f *forgery) { f.content = bytes.Repeat([]byte(" "), mostCertificate+1) }, "bytes of the certificate"},
		{"a deep certificate", func(f *forgery) { f.content = bytes.Repeat([]byte("["), 100_000) }, "levels of nesting"},
		{"a certificate that is no JSON", func(f *forgery) { f.content = []byte("-----BEGIN CERTIFICATE-----") }, "expected JSON"},
	}
}

// statements are lies about the statement by somebody with the key.
func statements() []tampering {
	signed := func(old, with string) func(f *forgery) { return func(f *forgery) { f.replaced(old, with, true) } }
	lie := func(change func(c *Claims, r *rules)) func(f *forgery) { return func(f *forgery) { f.lies(change) } }
	evidence := func(change func(e *Evidence)) func(f *forgery) {
		return lie(func(c *Claims, _ *rules) { change(&c.Evidence[0]) })
	}
	const contradicts = "the recorded evidence contradicts the certificate: "
	return []tampering{
		{"signed: depth twice", signed(`"depth":"standard"`, `"depth":"standard","depth":"thorough"`), `"depth" occurs twice`},
		{"signed: depth twice, once in capitals", signed(`"depth":"standard"`, `"depth":"standard","Depth":"thorough"`), `"Depth" occurs twice`},
		{"signed: an unknown member", signed(`"depth":"standard"`, `"depth":"standard","homologated":true`), "unknown field"},
		{"signed: a member in capitals", signed(`"depth":`, `"Depth":`), "not in the form"},
		{"signed: a member missing", signed(`"seed":1,`, ``), "not in the form"},
		{"signed: another URL", signed(`"url":"http://127.0.0.1`, `"url":"https://acme.example`), contradicts + "URL"},
		{"signed: another statement type", signed("in-toto.io/Statement/v1", "in-toto.io/Statement/v0.1"), "expected a statement of type"},
		{"signed: another predicate type", signed("test-result/v0.1", "test-result/v9"), "expected a predicate of type"},
		{"signed: another payload type", func(f *forgery) {
			content, err := sealPayload(f.payload(), "application/json", f.key)
			require.NoError(f.t, err)
			f.content = content
		}, "expected the payload type"},
		{"signed: something else", func(f *forgery) { f.signed([]byte(`{"hello":"world"}`)) }, "unknown field"},
		{"signed: no payload", func(f *forgery) { f.signed(nil) }, "expected JSON"},
		{"signed: empty subjects", func(f *forgery) {
			var s statement
			require.NoError(f.t, json.Unmarshal(f.payload(), &s))
			s.Subject = []resource{}
			content, err := seal(s, f.key)
			require.NoError(f.t, err)
			f.content = content
		}, "got none"},
		{"signed: a subject less", func(f *forgery) {
			var s statement
			require.NoError(f.t, json.Unmarshal(f.payload(), &s))
			s.Subject = s.Subject[1:]
			content, err := seal(s, f.key)
			require.NoError(f.t, err)
			f.content = content
		}, "the subjects are not the target"},
		{"signed: another result", signed(`"result":"PASSED"`, `"result":"WARNED"`), "contradicts the outcome"},
		{"signed: another configuration", signed(`"name":"rules"`, `"name":"role"`), "the configuration is not"},
		{"signed: another target", lie(func(c *Claims, _ *rules) { c.Target = "acme live" }), contradicts + "target"},
		{"signed: no target", lie(func(c *Claims, _ *rules) { c.Target = "" }), "expected the name of the target"},
		{"signed: another run", lie(func(c *Claims, _ *rules) { c.RunID = "other" }), contradicts + "run"},
		{"signed: another outcome", lie(func(c *Claims, _ *rules) { c.Outcome = verdict.NoNewFailures }), contradicts + "outcome"},
		{"signed: an invented outcome", lie(func(c *Claims, _ *rules) { c.Outcome = "homologated" }), "expected an outcome"},
		{"signed: the outcome of a quick run", lie(func(c *Claims, _ *rules) { c.Outcome = verdict.NoneFound }), "expected an outcome"},
		{"signed: a raised depth", lie(func(c *Claims, _ *rules) { c.Depth = verdict.Thorough }), contradicts + "depth"},
		{"signed: a quick depth", lie(func(c *Claims, _ *rules) { c.Depth = verdict.Quick }), "expected the depth"},
		{"signed: raised coverage", lie(func(c *Claims, _ *rules) { c.Coverage.Rows = 47 }), contradicts + "coverage"},
		{"signed: more requests", lie(func(c *Claims, _ *rules) { c.Coverage.Requests++ }), contradicts + "coverage"},
		{"signed: strict", lie(func(c *Claims, _ *rules) { c.Strict = true }), contradicts + "strict"},
		{"signed: a rule that was not tested", lie(func(_ *Claims, r *rules) { r.passed = append(r.passed, "cash-out.debit") }), contradicts + "rules that pass"},
		{"signed: an omitted rule", lie(func(_ *Claims, r *rules) { r.passed = r.passed[1:] }), contradicts + "rules that pass"},
		{"signed: a failing rule as a warning", lie(func(_ *Claims, r *rules) { r.warned, r.passed = r.passed[:1], r.passed[1:] }), contradicts + "rules that pass"},
		{"signed: an untested rule hidden", lie(func(c *Claims, _ *rules) { c.Untested = []string{"refund.made"} }), contradicts + "rules that could not be tested"},
		{"signed: rules that do not apply", lie(func(c *Claims, _ *rules) { c.NotApplicable = []string{"med.list"} }), contradicts + "rules that do not apply"},
		{"signed: other counts", lie(func(c *Claims, _ *rules) { c.Scenarios["pass"]++ }), contradicts + "scenarios"},
		{"signed: more families", lie(func(c *Claims, _ *rules) { c.Families = append(c.Families, "boleto") }), contradicts + "families"},
		{"signed: fewer families", lie(func(c *Claims, _ *rules) { c.Families = c.Families[1:] }), contradicts + "families"},
		{"signed: other controls", lie(func(c *Claims, _ *rules) { c.Controls = c.Controls[1:] }), contradicts + "controls"},
		{"signed: another seed", lie(func(c *Claims, _ *rules) { c.Seed++ }), contradicts + "seed"},
		{"signed: explored", lie(func(c *Claims, _ *rules) { c.Explored = "a million walks" }), contradicts + "exploring"},
		{"signed: own rules", lie(func(c *Claims, _ *rules) { c.Own = "0011223344556677" }), contradicts + "own rules"},
		{"signed: a later run", lie(func(c *Claims, _ *rules) { c.Started = c.Started.Add(time.Minute) }), contradicts + "started"},
		{"signed: another end", lie(func(c *Claims, _ *rules) { c.Ended = c.Ended.Add(time.Minute) }), contradicts + "ended"},
		{"signed: issued before the run", lie(func(c *Claims, _ *rules) { c.Issued = c.Issued.AddDate(-1, 0, 0) }), "issued after the run"},
		{"signed: no time", lie(func(c *Claims, _ *rules) { c.Started = time.Time{} }), "issued after the run"},
		{"signed: an invented baseline", lie(func(c *Claims, _ *rules) { c.Baseline = []baseline.Entry{{Line: 1}} }), contradicts + "baseline"},
		{"signed: an invented expired entry", lie(func(c *Claims, _ *rules) { c.Expired = []string{"a.b/c"} }), contradicts + "expired"},
		{"signed: no edition", lie(func(c *Claims, _ *rules) { c.Edition = "" }), "expected the edition"},
		{"signed: an edition that is no hash", lie(func(c *Claims, _ *rules) { c.Edition = "2026-11" }), "expected the edition"},
		{"signed: another profile", lie(func(c *Claims, _ *rules) { c.Profile = strings.Repeat("ab", 32) }), contradicts + "profile"},
		{"signed: a path out of the report", evidence(func(e *Evidence) { e.Name = "../../etc/passwd" }), "expected the name of a file"},
		{"signed: an absolute path", evidence(func(e *Evidence) { e.Name = "/etc/passwd" }), "expected the name of a file"},
		{"signed: a path with dots", evidence(func(e *Evidence) { e.Name = "evidence/../index.html" }), "expected the name of a file"},
		{"signed: a Windows path", evidence(func(e *Evidence) { e.Name = `C:\index.html` }), "expected the name of a file"},
		{"signed: an empty name", evidence(func(e *Evidence) { e.Name = "" }), "expected the name of a file"},
		{"signed: the certificate as evidence", evidence(func(e *Evidence) { e.Name = report.CertificateFile }), "is not a file of evidence"},
		{"signed: a name twice", lie(func(c *Claims, _ *rules) { c.Evidence = slices.Insert(c.Evidence, 1, c.Evidence[0]) }), "each file once"},
		{"signed: a negative size", evidence(func(e *Evidence) { e.Size = -1 }), "expected at most"},
		{"signed: a huge size", evidence(func(e *Evidence) { e.Size = 1 << 50 }), "expected at most"},
		{"signed: a hash in capitals", evidence(func(e *Evidence) { e.SHA256 = strings.ToUpper(e.SHA256) }), "expected a SHA-256"},
		{"signed: a short hash", evidence(func(e *Evidence) { e.SHA256 = e.SHA256[2:] }), "expected a SHA-256"},
		{"signed: a hash of something else", evidence(func(e *Evidence) { e.SHA256 = strings.Repeat("ab", 32) }), "the file was changed"},
		{"signed: no evidence", lie(func(c *Claims, _ *rules) { c.Evidence = nil }), "expected index.html among the files"},
		{"signed: no records", lie(func(c *Claims, _ *rules) {
			c.Evidence = slices.DeleteFunc(c.Evidence, func(e Evidence) bool { return e.Name == report.RecordsFile })
		}), "expected records.json.gz among the files"},
	}
}

// records are lies in the evidence by somebody with the key, who signs it all again.
func records() []tampering {
	again := func(change func(e *run.Evidence)) func(f *forgery) { return func(f *forgery) { f.reissued(change) } }
	profiled := func(change func(p *Profile)) func(f *forgery) { return func(f *forgery) { f.profiled(change) } }
	first := func(e *run.Evidence) *verdict.Scenario { return &e.Run.Scenarios[0] }
	without := func(e *run.Evidence, id string) {
		for i := len(e.Records) - 1; i >= 0; i-- {
			if e.Records[i].ID() == id {
				e.Records = slices.Delete(e.Records, i, i+1)
			}
		}
	}
	return []tampering{
		{"recorded: a scenario omitted", again(func(e *run.Evidence) { e.Run.Scenarios = e.Run.Scenarios[1:] }), "was omitted"},
		{"recorded: a scenario without a record", again(func(e *run.Evidence) { without(e, first(e).ID()) }), "contradicts"},
		{"recorded: a scenario that does not apply", again(func(e *run.Evidence) {
			without(e, first(e).ID())
			first(e).Verdict, first(e).Steps = verdict.NotApplicable, nil
		}), "without a record, although it applies"},
		{"recorded: a scenario that passes without a record", again(func(e *run.Evidence) {
			without(e, first(e).ID())
			first(e).Steps = nil
		}), "without a record, although it applies"},
		{"recorded: no records", again(func(e *run.Evidence) { e.Records = nil }), "contradicts"},
		{"recorded: truncated records", again(func(e *run.Evidence) {
			for _, r := range e.Records {
				r.Entries = r.Entries[:len(r.Entries)/2]
			}
		}), "contradicts"},
		{"recorded: a response of the gateway removed", again(func(e *run.Evidence) {
			for _, r := range e.Records {
				r.Entries = slices.DeleteFunc(r.Entries, func(x entry) bool { return x.Exchange != nil && x.Exchange.Party == exchange.API })
			}
		}), "contradicts"},
		{"recorded: a wrong response", again(func(e *run.Evidence) {
			for _, r := range e.Records {
				for _, x := range r.Entries {
					if x.Exchange != nil && x.Exchange.Party == exchange.API && x.Exchange.Status == 200 {
						x.Exchange.Status = 500
					}
				}
			}
		}), "contradicts"},
		{"recorded: another base URL", again(func(e *run.Evidence) {
			for _, r := range e.Records {
				for _, x := range r.Entries {
					if x.Exchange != nil && x.Exchange.Party == exchange.API {
						x.Exchange.URL = strings.Replace(x.Exchange.URL, "127.0.0.1", "acme.example", 1)
					}
				}
			}
		}), "the target is"},
		{"recorded: requests long before the run", again(func(e *run.Evidence) { e.Run.Started = e.Run.Started.AddDate(0, 1, 0) }), "the run started at"},
		{"recorded: another target", again(func(e *run.Evidence) { e.Run.Target = "acme live" }), "but the records are of"},
		{"recorded: a raised depth", again(func(e *run.Evidence) { e.Run.Depth = verdict.Thorough }), "contradicts"},
		{"recorded: a quick run", again(func(e *run.Evidence) { e.Run.Depth = verdict.Quick }), "the depth of the run"},
		{"recorded: a selection", again(func(e *run.Evidence) { e.Run.Selection = "@token" }), "some rules only"},
		{"recorded: a shard", again(func(e *run.Evidence) { e.Run.Shard = verdict.Shard{Index: 1, Of: 2} }), "is a shard"},
		{"recorded: a budget that left something out", again(func(e *run.Evidence) { e.Run.LeftOut = &verdict.LeftOut{Scenarios: 3} }), "left out 3 scenarios"},
		{"recorded: ended early", again(func(e *run.Evidence) { e.Run.Ended = &verdict.Ended{Reason: "Ctrl-C"} }), "ended early"},
		{"recorded: passed only when run again", again(func(e *run.Evidence) { e.Run.Reran = 2 }), "only when run again"},
		{"recorded: no coverage", again(func(e *run.Evidence) { e.Run.Coverage = nil }), "what it covered"},
		{"recorded: families left out", again(func(e *run.Evidence) { e.Run.Families = []string{"public"} }), "but the records are of"},
		{"recorded: lenient deadlines", again(func(e *run.Evidence) { e.Terms.Deadlines.Webhook = time.Hour }), "deadlines"},
		{"recorded: families that the judge lets off", again(func(e *run.Evidence) { e.Terms.Lacks = append(e.Terms.Lacks, "med") }), "families that the target lacks"},
		{"recorded: other fees", again(func(e *run.Evidence) { e.Terms.Fees.CashOut = "9.99" }), "fees"},
		{"recorded: another id of the run", again(func(e *run.Evidence) { e.Run.ID = "other" }), "contradicts"},
		{"recorded: controls hidden", again(func(e *run.Evidence) { e.Run.Controls = nil }), ""},
		{"recorded: more rules of its own", again(func(e *run.Evidence) { e.Own.Sources = append(e.Own.Sources, source) }), ""},
		{"recorded: not gzip", func(f *forgery) {
			f.write(report.RecordsFile, []byte("{}"))
			f.lies(func(*Claims, *rules) {})
		}, "records.json.gz: expected gzip"},
		{"recorded: a bomb", func(f *forgery) {
			f.write(report.RecordsFile, bomb(f.t))
			f.lies(func(*Claims, *rules) {})
		}, "records.json.gz"},
		{"profiled: another name", profiled(func(p *Profile) { p.Name = "acme live" }), "but the records are of"},
		{"profiled: another URL", profiled(func(p *Profile) { p.URL = "https://acme.example" }), "the target is"},
		{"profiled: fewer families", profiled(func(p *Profile) { p.Families = append(p.Families, "public") }), "claims the families"},
		{"profiled: fees", profiled(func(p *Profile) { p.Fees.CashIn = "1.00" }), "fees"},
		{"profiled: handshakes", profiled(func(p *Profile) { p.Handshake = true }), "client certificates in handshakes"},
		{"profiled: no URL", profiled(func(p *Profile) { p.URL = "" }), "expected the name and the URL"},
		{"profiled: unknown members", func(f *forgery) {
			f.write(profileFile, bytes.Replace(f.read(profileFile), []byte("{"), []byte(`{"secret":"x",`), 1))
			f.lies(func(*Claims, *rules) {})
		}, "unknown field"},
		{"reported: a verdict that does not follow", func(f *forgery) {
			f.write(report.JSONFile, bytes.Replace(f.read(report.JSONFile), []byte(`"verdict": "pass"`), []byte(`"verdict": "fail"`), 3))
			f.lies(func(*Claims, *rules) {})
		}, "contradicts"},
		{"reported: verdict.json of another run", func(f *forgery) {
			content, err := os.ReadFile(filepath.Join(other().dir, report.JSONFile))
			require.NoError(f.t, err)
			f.write(report.JSONFile, content)
			f.lies(func(*Claims, *rules) {})
		}, "is of the run"},
		{"reported: no JSON", func(f *forgery) {
			f.write(report.JSONFile, []byte("trust me"))
			f.lies(func(*Claims, *rules) {})
		}, "verdict.json"},
		{"accepted: a baseline that no run had", func(f *forgery) {
			f.write(baselineFile, []byte(expiredBaseline))
			f.lies(func(*Claims, *rules) {})
		}, "contradicts the certificate: baseline"},
		{"accepted: an expired entry hidden", func(f *forgery) {
			f.write(baselineFile, []byte(expiredBaseline))
			f.lies(func(c *Claims, _ *rules) {
				known, err := baseline.Parse(baselineFile, []byte(strings.Replace(expiredBaseline, "2020-01-31", "2099-01-31", 1)))
				require.NoError(f.t, err)
				c.Baseline = known.Entries()
			})
		}, "contradicts the certificate: baseline"},
		{"accepted: a baseline that is no YAML", func(f *forgery) {
			f.write(baselineFile, []byte("{"))
			f.lies(func(*Claims, *rules) {})
		}, "baseline.yaml"},
	}
}

// expiredBaseline has an entry that no longer counts.
const expiredBaseline = `failures:
  - rule: balance.overdraft
    scenarios: ["The overdraft field"]
    expected: "201"
    got: "500"
    reason: known
    owner: ana
    expires: 2020-01-31
`

// bomb is a small file that unpacks to more than any evidence has.
func bomb(t *testing.T) []byte {
	t.Helper()
	var file bytes.Buffer
	z := gzip.NewWriter(&file)
	_, err := io.Copy(z, io.LimitReader(zeros{}, 200<<20))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return file.Bytes()
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// Every way to change a certificate or its report is rejected, with the reason. So are lies by the holder of the key.
func TestTamperingIsRejected(t *testing.T) {
	t.Parallel()
	own := conforming()
	_, err := own.verified()
	require.NoError(t, err, "the sample itself is right")
	all := slices.Concat(flipped(t), files(), envelopes(), statements(), records())
	require.GreaterOrEqual(t, len(all), 100)
	t.Logf("%d kinds of tampering", len(all))
	names := map[string]bool{}
	for _, c := range all {
		require.False(t, names[c.name], "twice: %s", c.name)
		names[c.name] = true
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := &forgery{t, sample{t.TempDir(), bytes.Clone(own.content), own.key}}
			require.NoError(t, os.CopyFS(f.dir, os.DirFS(own.dir)))
			c.tamper(f)
			_, err := f.verified()
			require.Error(t, err)
			require.Contains(t, err.Error(), c.says)
			require.NotContains(t, err.Error(), "\n", "one line")
		})
	}
}
