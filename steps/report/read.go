package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
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
		ID: r.RunID, Version: r.Pixcert, Target: r.Target, URL: r.URL, Seed: r.Seed, Seeds: r.Seeds, Concurrency: r.Concurrency, Selection: r.Selection,
		Controls: r.Controls, Families: r.Families, Unlocks: r.Unlocks, Suspect: r.Suspect, Broken: r.BrokenControls, Notes: r.Notes, Arguments: rebased(r.Arguments, dir, r.Directory), Own: r.Own, Explored: r.Explored, Strict: r.Strict, LeftOut: r.LeftOut, Outages: r.Outages, Lacks: r.MissingShards, Baseline: r.Baseline, Started: r.Started, Took: duration64(r.TookMs),
		Webhooks: verdict.Webhooks{
			Count: r.Webhooks.Count, P99: duration64(r.Webhooks.P99Ms), Slowest: duration64(r.Webhooks.SlowestMs), Silence: duration64(r.Webhooks.SilenceMs), Strangers: r.Webhooks.Strangers,
		},
	}
	if e := r.Ended; e != nil {
		run.Ended = &verdict.Ended{Reason: e.Reason, At: e.At, Decided: e.Decided, Silent: e.Silent}
	}
	run.Directory, _ = os.Getwd() // that rebased arguments are relative to
	if run.Own != nil {
		run.Own.Directory = rebasedPath(run.Own.Directory, dir, r.Directory)
	}
	if r.Shard != nil {
		run.Shard = *r.Shard
	}
	if _, err := os.Stat(filepath.Join(dir, LogFile)); err == nil {
		run.Log = LogFile
	}
	for _, o := range r.Observations {
		run.OpenPoints = append(run.OpenPoints, verdict.OpenPoint{Name: o.Point, Question: o.Question, Permitted: o.Permitted, Readings: o.Readings})
	}
	for _, feature := range r.Features {
		for _, rule := range feature.Rules {
			run.Rules = append(run.Rules, verdict.Rule{Name: rule.Name, Title: rule.Title, Feature: feature.Name, File: feature.File, Own: feature.Own, Found: feature.Found})
			for _, s := range rule.Scenarios {
				run.Scenarios = append(run.Scenarios, s.read(rule.Name))
			}
		}
	}
	return run, nil
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
	for _, o := range s.Observed {
		read.Observations = append(read.Observations, verdict.Observed(o))
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
	read := &verdict.Finding{Expected: f.Expected, Got: f.Got, Hint: f.Hint, Field: f.Field, Exchange: -1}
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
