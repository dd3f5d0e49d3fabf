package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/untrusted"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Read reads a run back from verdict.json of the report in dir. What the report does not keep is
// missing: exchanges of scenarios that passed, and the ends of long bodies. Anybody may have written the report:
// a caller must not use what it says about the target (see Source).
func Read(dir string) (*verdict.Run, error) {
	run, _, err := ReadSource(dir)
	return run, err
}

// Source identifies the content of a report: the id of its run, and a digest of its verdict.json.
type Source struct {
	RunID  string `json:"runId"`
	Digest string `json:"digest"` // SHA-256 in hexadecimal
}

// ReadSource is Read. It also identifies what it has read.
func ReadSource(dir string) (*verdict.Run, Source, error) {
	content, err := readFile(dir)
	if err != nil {
		return nil, Source{}, err
	}
	run, err := parse(dir, content)
	if err != nil {
		return nil, Source{}, fmt.Errorf("%s: %w; run pixcert certify again", filepath.Join(dir, JSONFile), err)
	}
	sum := sha256.Sum256(content)
	return run, Source{run.ID, hex.EncodeToString(sum[:])}, nil
}

// jsonLimits are far above what a report of at most mostReport bytes has.
var jsonLimits = untrusted.Limits{Depth: 64, String: 1 << 20, Objects: 200_000, Values: 1_000_000}

// readFile reads verdict.json of the report in dir.
func readFile(dir string) ([]byte, error) {
	content, err := untrusted.ReadFile(dir, JSONFile, mostReport)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s contains no report: run pixcert certify first, or pass the directory of a report", dir)
	case err != nil:
		return nil, fmt.Errorf("reading the report: %w", err)
	}
	return content, nil
}

func parse(dir string, content []byte) (*verdict.Run, error) {
	if _, err := io.Copy(io.Discard, untrusted.Check(bytes.NewReader(content), jsonLimits)); err != nil {
		return nil, err
	}
	var r jsonReport
	if err := json.Unmarshal(content, &r); err != nil {
		return nil, err
	}
	if r.Schema != jsonSchema {
		return nil, fmt.Errorf("expected schema %d, got %d", jsonSchema, r.Schema)
	}
	run := r.read(dir)
	verdict.TellApart(run.Scenarios)
	return run, run.Received()
}

func (r *jsonReport) read(dir string) *verdict.Run {
	run := &verdict.Run{
		ID: r.RunID, Version: r.Pixcert, Subject: r.Subject, Settings: r.Settings, Controls: r.Controls, Families: r.Families,
		Started: r.Started, Took: duration64(r.TookMs), Course: r.Course, Additions: r.Additions, Advice: r.Advice,
		Broken: r.BrokenControls, Omitted: r.Omitted, Lacks: r.MissingShards, Statements: map[string][]verdict.Statement{},
		Webhooks: verdict.Webhooks{
			Count: r.Webhooks.Count, P99: duration64(r.Webhooks.P99Ms), Slowest: duration64(r.Webhooks.SlowestMs), Silence: duration64(r.Webhooks.SilenceMs), Strangers: r.Webhooks.Strangers,
		},
	}
	if r.Ended != nil {
		run.Ended = &r.Ended.Ended
	}
	run.Arguments = rebased(r.Arguments, dir, r.Directory)
	run.Directory, _ = os.Getwd() // that rebased arguments are relative to
	if run.Own != nil {
		run.Own.Directory = rebasedPath(run.Own.Directory, dir, r.Directory)
	}
	if info, err := os.Lstat(filepath.Join(dir, LogFile)); err == nil && info.Mode().IsRegular() {
		run.Log = LogFile
	}
	for _, l := range r.Latencies {
		run.Latencies = append(run.Latencies, l.read())
	}
	for _, o := range r.Observations {
		run.OpenPoints = append(run.OpenPoints, o.OpenPoint)
	}
	for _, feature := range r.Features {
		for _, rule := range feature.Rules {
			run.Rules = append(run.Rules, verdict.Rule{Name: rule.Name, Title: rule.Title, Subject: rule.Subject, Feature: feature.Name, File: feature.File, Own: feature.Own, Found: feature.Found})
			if len(rule.Statements) > 0 {
				run.Statements[rule.Name] = rule.Statements
			}
			for _, s := range rule.Scenarios {
				run.Scenarios = append(run.Scenarios, s.read(rule.Name))
			}
		}
	}
	return run
}

// rebased are the arguments of a command that ran in a directory, which is relative to the
// report's, as they are in the current one. Only the profile, which comes first, is a path.
func rebased(arguments []string, dir, directory string) []string {
	if len(arguments) == 0 || strings.HasPrefix(arguments[0], "-") {
		return arguments
	}
	return append([]string{rebasedPath(arguments[0], dir, directory)}, arguments[1:]...)
}

func rebasedPath(path, dir, directory string) string {
	if filepath.IsAbs(path) || directory == "" {
		return path
	}
	if directory = filepath.FromSlash(directory); !filepath.IsAbs(directory) {
		directory = filepath.Join(dir, directory)
	}
	path = filepath.Join(directory, path)
	if here, err := filepath.Abs("."); err == nil && filepath.IsAbs(path) {
		if below, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(below) {
			path = below
		}
	}
	return path
}

func (s jsonScenario) read(rule string) verdict.Scenario {
	read := verdict.Scenario{
		Rule: rule, Name: s.Name, Line: s.Line, Via: s.Via, Verdict: s.Verdict, Steps: s.Steps, Finding: s.Finding.read(), Known: s.Known, Missing: s.MissingControls,
		Observations: s.Observed, ExchangeCount: s.ExchangeCount, LeftOut: s.LeftOut, Doubt: s.Doubt, Started: s.Started, Took: duration64(s.TookMs),
	}
	for _, w := range s.Warnings {
		read.Warnings = append(read.Warnings, *w.read())
	}
	for _, a := range s.Attempts {
		read.Attempts = append(read.Attempts, verdict.Attempt{
			Verdict: a.Verdict, Doubt: a.Doubt, Finding: a.Finding.read(), Started: a.Started, Took: duration64(a.TookMs),
		})
	}
	for _, e := range s.Exchanges {
		read.Exchanges = append(read.Exchanges, e.read())
	}
	read.Right, read.Reference = s.Right.readIfAny(), s.Reference.readIfAny()
	return read
}

func (f *jsonFinding) read() *verdict.Finding {
	if f == nil {
		return nil
	}
	read := &verdict.Finding{Expected: f.Expected, Got: f.Got, Hint: f.Hint, Field: f.Field, Exchange: -1}
	if f.Exchange != nil {
		read.Exchange = *f.Exchange
	}
	if read.About = verdict.AboutTexts(f.Expected, f.Got); f.About != nil {
		read.About = *f.About
	}
	return read
}

func (e *jsonExchange) readIfAny() *exchange.Exchange {
	if e == nil {
		return nil
	}
	read := e.read()
	return &read
}

func (e jsonExchange) read() exchange.Exchange {
	read := exchange.Exchange{
		Party: e.Party, Step: e.Step, Other: e.Other, Unread: e.Unread, Operation: e.Operation, Method: e.Method, URL: e.URL, ClientCertificate: e.Handshake,
		Header: e.Headers, Command: exchange.Command{Program: e.Program}, Err: e.Error, Sent: e.Sent, Took: duration64(e.TookMs),
	}
	if e.Exit != nil {
		read.Exit = *e.Exit
	}
	var sentCut, gotCut int
	read.Body, sentCut = e.Body.read()
	if r := e.Response; r != nil {
		read.Status, read.ResponseHeader, read.Truncated = r.Status, r.Headers, r.Truncated
		read.ResponseBody, gotCut = r.Body.read()
	}
	read.LeftOutOwn, read.LeftOut = sentCut, gotCut
	if read.Party == exchange.Webhook {
		read.LeftOutOwn, read.LeftOut = gotCut, sentCut
	}
	return read
}

// read returns the body, and how many bytes of it are missing.
func (b *jsonBody) read() (body []byte, missing int) {
	switch {
	case b == nil:
		return nil, 0
	case b.Text != nil:
		body = []byte(*b.Text)
	default:
		body = b.Base64
	}
	return body, b.Bytes - len(body)
}

func (l jsonLatency) read() verdict.Latency {
	read := verdict.Latency{Operation: l.Operation, Count: l.Count, P50: duration64(l.P50Ms), P99: duration64(l.P99Ms), Slowest: duration64(l.SlowestMs)}
	for _, b := range l.Histogram {
		read.Buckets = append(read.Buckets, verdict.Bucket{UpTo: duration64(b.UpToMs), Count: b.Count})
	}
	return read
}

func duration64(ms float64) time.Duration {
	return time.Duration(math.Round(ms*1000)) * time.Microsecond
}
