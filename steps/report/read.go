package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Read reads a run back from verdict.json of the report in dir. What the report does not keep is
// missing: exchanges of scenarios that passed, and the ends of long bodies.
func Read(dir string) (*verdict.Run, error) {
	r, err := readJSON(dir)
	if err != nil {
		return nil, err
	}
	run := &verdict.Run{
		ID: r.RunID, Version: r.Pixcert, Target: r.Target, Seed: r.Seed, Concurrency: r.Concurrency, Selection: r.Selection,
		Controls: r.Controls, Families: r.Families, Unlocks: r.Unlocks, Arguments: r.Arguments, Directory: r.directory(dir), Strict: r.Strict, Lacks: r.MissingShards, Baseline: r.Baseline, Started: r.Started, Took: duration64(r.TookMs),
		Webhooks: verdict.Webhooks{
			Count: r.Webhooks.Count, P99: duration64(r.Webhooks.P99Ms), Slowest: duration64(r.Webhooks.SlowestMs), Silence: duration64(r.Webhooks.SilenceMs),
		},
	}
	if e := r.Ended; e != nil {
		run.Ended = &verdict.Ended{Reason: e.Reason, At: e.At, Decided: e.Decided, Silent: e.Silent}
	}
	if r.Shard != nil {
		run.Shard = *r.Shard
	}
	if _, err := os.Stat(filepath.Join(dir, LogFile)); err == nil {
		run.Log = LogFile
	}
	observed := map[string][]verdict.Observed{}
	for _, o := range r.Observations {
		run.OpenPoints = append(run.OpenPoints, verdict.OpenPoint{Name: o.Point, Question: o.Question, Permitted: o.Permitted})
		for _, seen := range o.Seen {
			for _, id := range seen.Scenarios {
				observed[id] = append(observed[id], verdict.Observed{Point: o.Point, Value: seen.Value})
			}
		}
	}
	for _, feature := range r.Features {
		for _, rule := range feature.Rules {
			run.Rules = append(run.Rules, verdict.Rule{Name: rule.Name, Title: rule.Title, Feature: feature.Name, File: feature.File})
			for _, s := range rule.Scenarios {
				read := s.read(rule.Name)
				read.Observations = observed[read.ID()]
				run.Scenarios = append(run.Scenarios, read)
			}
		}
	}
	return run, nil
}

// directory is where the command ran that made the report in dir; empty if that is unknown.
func (r jsonReport) directory(dir string) string {
	directory := filepath.FromSlash(r.Directory)
	if absolute, err := filepath.Abs(dir); err == nil && directory != "" && !filepath.IsAbs(directory) {
		directory = filepath.Join(absolute, directory)
	}
	return directory
}

// readJSON reads verdict.json of the report in dir.
func readJSON(dir string) (jsonReport, error) {
	path := filepath.Join(dir, JSONFile)
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return jsonReport{}, fmt.Errorf("%s contains no report: run pixcert certify first, or pass the directory of a report", dir)
	}
	if err != nil {
		return jsonReport{}, fmt.Errorf("reading the report: %w", err)
	}
	var report jsonReport
	if err := json.Unmarshal(content, &report); err != nil {
		return jsonReport{}, fmt.Errorf("%s: %w; run pixcert certify again", path, err)
	}
	if report.Schema != jsonSchema {
		return jsonReport{}, fmt.Errorf("%s: expected schema %d, got %d; run pixcert certify again", path, jsonSchema, report.Schema)
	}
	return report, nil
}

func (s jsonScenario) read(rule string) verdict.Scenario {
	read := verdict.Scenario{
		Rule: rule, Name: s.Name, Line: s.Line, Via: s.Via, Verdict: s.Verdict, Steps: s.Steps, Finding: s.Finding.read(), Known: s.Known, Missing: s.MissingControls,
		ExchangeCount: s.ExchangeCount, LeftOut: s.LeftOut, Started: s.Started, Took: duration64(s.TookMs),
	}
	for _, w := range s.Warnings {
		read.Warnings = append(read.Warnings, *w.read())
	}
	for _, a := range s.Attempts {
		read.Attempts = append(read.Attempts, verdict.Attempt{
			Verdict: a.Verdict, Spoiled: a.Spoiled, Finding: a.Finding.read(), Started: a.Started, Took: duration64(a.TookMs),
		})
	}
	for _, e := range s.Exchanges {
		read.Exchanges = append(read.Exchanges, e.read())
	}
	if s.Right != nil {
		right := s.Right.read()
		read.Right = &right
	}
	return read
}

func (f *jsonFinding) read() *verdict.Finding {
	if f == nil {
		return nil
	}
	read := &verdict.Finding{Expected: f.Expected, Got: f.Got, Hint: f.Hint, Exchange: -1}
	if f.Exchange != nil {
		read.Exchange = *f.Exchange
	}
	return read
}

func (e jsonExchange) read() exchange.Exchange {
	read := exchange.Exchange{
		Party: e.Party, Step: e.Step, Other: e.Other, Unread: e.Unread, Operation: e.Operation, Method: e.Method, URL: e.URL, ClientCertificate: e.Handshake,
		Header: e.Headers, Program: e.Program, Err: e.Error, Sent: e.Sent, Took: duration64(e.TookMs),
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

func duration64(ms float64) time.Duration {
	return time.Duration(math.Round(ms*1000)) * time.Microsecond
}
