package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/verdict"
)

// This file alone knows the judge: what a run asks it, and when.

// answer is what the judge says to a question after an entry of a record.
type answer struct {
	entry    int // after this one; -1 for before the first
	step     int
	question string
	text     string // a line for each thing that it says
}

// examination asks the judge about a record, entry by entry, what a run asks it: about a step once it has acted, and
// again after each look and each webhook; about balances when a step reads them; and about the rest of the scenario
// after its last step.
type examination struct {
	judge   *judge.Scenario
	record  *record.Record
	mark    string // in everything that the run sent
	next    int    // entry
	answers []answer
	said    map[string]string // by step and question
}

// examine returns what the judge says about a record. An answer that repeats the one before it is left out.
func examine(rec *record.Record, steps []language.Step, terms *record.Terms, mark string) (all []answer) {
	x := &examination{judge: judge.New(rec.Rule, steps, terms), record: rec, mark: mark, said: map[string]string{}}
	step := 0
	defer func() {
		if p := recover(); p != nil { // a run reports it as a suite error
			x.say(step, "panic", oneLine(fmt.Sprint(p)))
		}
		all = x.answers
	}()
	passes := true
	for ; step < len(steps) && passes; step++ {
		passes = x.do(step)
	}
	if passes {
		x.lookBack(len(steps))
	}
	for x.next < len(rec.Entries) {
		entry := rec.Entries[x.next]
		if entry.Fact != nil && entry.Fact.Kind == record.AtRest {
			x.conclude()
		}
		x.add()
		switch {
		case passes:
			x.lookBack(len(steps))
		case step > 0 && entry.Step == step-1 && isEvent(entry): // late, of the step that failed
			x.judgeStep(step - 1)
		}
	}
	step = len(steps)
	x.conclude()
	return x.answers
}

// do judges a step as a run does, and reports whether it passes.
func (x *examination) do(step int) bool {
	end, acted := x.next, x.next
	for ; end < len(x.record.Entries) && x.record.Entries[end].Step <= step; end++ {
		if acts(x.record.Entries[end]) {
			acted = end + 1
		}
	}
	for x.next < acted {
		entry := x.record.Entries[x.next]
		x.add()
		if entry.Role == record.Before {
			x.ask(step, "balance", func() string { return looks(x.judge.BalanceLook(entry.Account)) })
			x.ask(step, "returned", func() string { return looks(judge.ReturnLook(x.judge, entry.Account)) })
			x.ask(step, "stale", func() string { return fmt.Sprint(x.judge.MayBeStale(entry.Account)) })
		}
	}
	result := x.judgeStep(step)
	for x.next < end {
		entry := x.record.Entries[x.next]
		x.add()
		if entry.Role != record.Watched && (entry.Fact == nil || entry.Fact.Kind != record.Ended) { // they come after the verdict
			result = x.judgeStep(step)
		}
	}
	if result.Verdict == verdict.Pass {
		x.ask(step, "unsteady", func() string { return attempts(x.judge.Unsteady(step)) })
	}
	return result.Verdict == verdict.Pass
}

func (x *examination) judgeStep(step int) (r judge.Result) {
	x.ask(step, "judge", func() string {
		r = x.judge.Judge(step)
		return result(r)
	})
	return r
}

// acts reports whether an entry is part of what a step does, and not of waiting until it holds.
func acts(e record.Entry) bool {
	switch {
	case e.Exchange != nil && e.Exchange.Party == exchange.API:
		return e.Role == record.Spoken || e.Role == record.Aside || e.Role == record.Before
	case e.Exchange != nil && e.Exchange.Party == exchange.Control:
		return e.Exchange.Method != "GET"
	case e.Fact != nil:
		return e.Fact.Kind != record.Quiet && e.Fact.Kind != record.Waited && e.Fact.Kind != record.Ended && e.Fact.Kind != record.Reached
	}
	return false
}

func isEvent(e record.Entry) bool { return e.Exchange != nil && e.Exchange.Party == exchange.Webhook }

// lookBack asks what must still be seen after the last step.
func (x *examination) lookBack(step int) {
	x.ask(step, "undelivered", func() string { return attempts(x.judge.Undelivered()) })
	x.ask(step, "unreported", func() string { return x.met(x.judge.Unreported()) })
	x.ask(step, "unpaid", func() string { return attempts(x.judge.Unpaid()) })
	for _, account := range []language.Account{language.TheAccount, language.TheOther} {
		if x.judge.Accounts[account].Opened {
			x.ask(step, fmt.Sprintf("final balance of account %d", account), func() string { return looks(x.judge.FinalLook(account)) })
		}
	}
}

// conclude asks what a run asks about a whole scenario.
func (x *examination) conclude() {
	step := len(x.judge.Steps)
	x.ask(step, "breaches", func() string { return x.met(x.judge.Breaches()) })
	x.ask(step, "identities", func() string {
		var said strings.Builder
		for _, id := range x.judge.Identities() {
			fmt.Fprintf(&said, "%s value: %s, of: %s\n", x.met([]judge.Met{{Breach: id.Breach, Exchange: id.Shown}}), oneLine(id.Value), oneLine(id.Of))
		}
		return said.String()
	})
	x.ask(step, "delays", func() string {
		var said strings.Builder
		for _, f := range x.judge.Delays() {
			said.WriteString(fields("delay ", f))
		}
		return said.String()
	})
	x.ask(step, "at rest", func() string {
		return looks(append(x.judge.AtRestLooks(language.TheAccount), x.judge.AtRestLooks(language.TheOther)...)...)
	})
	x.ask(step, "events", func() string {
		said := fmt.Sprintf("strangers: %d\n", x.judge.Strangers(x.mark))
		for _, e := range x.judge.Events {
			latency, known := x.judge.Latency(e)
			readIn, read := x.judge.ReadIn(e.Index)
			said += fmt.Sprintf("event #%d: latency %v %t, read in step %d %t\n", e.Index, latency, known, readIn, read)
		}
		return said
	})
}

func (x *examination) add() {
	x.judge.Add(x.record.Entries[x.next])
	x.next++
}

func (x *examination) ask(step int, question string, answer func() string) {
	x.say(step, question, answer())
}

func (x *examination) say(step int, question, text string) {
	key := fmt.Sprint(step, " ", question)
	if before, asked := x.said[key]; asked && before == text || !asked && text == "" {
		return
	}
	x.said[key] = text
	x.answers = append(x.answers, answer{x.next - 1, step, question, text})
}

// result is what the judge says about a step.
func result(r judge.Result) string {
	var said strings.Builder
	fmt.Fprintf(&said, "verdict: %s\n", r.Verdict)
	if r.Finding != nil {
		said.WriteString(fields("finding ", *r.Finding))
	}
	for _, w := range r.Warnings {
		said.WriteString(fields("warning ", w))
	}
	for _, o := range r.Observations {
		said.WriteString(fields("observation ", o))
	}
	fmt.Fprintf(&said, "missing: %q, spoiled: %t, unproven: %t\n%s", r.Missing, r.Spoiled, r.Unproven, looks(r.Look))
	return said.String()
}

// looks are what must still be looked at, and for how long.
func looks(all ...*judge.Look) string {
	var said strings.Builder
	for _, l := range all {
		if l == nil {
			continue
		}
		fmt.Fprintf(&said, "look: %s of account %d, key %q, query %q, place %q", l.At, l.Account, l.PixKey, l.Query.Encode(), l.Place)
		if l.Op != nil {
			fmt.Fprintf(&said, ", %s", l.Op.ID)
		}
		if l.Of != nil {
			fmt.Fprintf(&said, ", of #%d", l.Of.Index)
		}
		fmt.Fprintf(&said, "\npatience: %v\n", l.Patience)
	}
	return said.String()
}

func attempts(all []*record.Attempt) string {
	var said strings.Builder
	for _, t := range all {
		fmt.Fprintf(&said, "%s #%d\n", t.Op.ID, t.Index)
	}
	return said.String()
}

// met are violations, each with the exchange that shows it. They are sorted: the judge finds some in the order of a map.
func (x *examination) met(all []judge.Met) string {
	var said []string
	for _, m := range all {
		index := -1
		for i, e := range x.judge.Exchanges {
			if e == m.Exchange {
				index = i
			}
		}
		said = append(said, fmt.Sprintf("%sshown by: #%d\n", fields("violation ", m.Breach), index))
	}
	slices.Sort(said)
	return strings.Join(said, "")
}

// fields are all fields of a struct, also those that are added later.
func fields(of string, value any) string {
	var said strings.Builder
	v := reflect.ValueOf(value)
	for i := range v.NumField() {
		if f := v.Field(i); !f.IsZero() {
			text := fmt.Sprint(f.Interface())
			if f.Kind() == reflect.Struct {
				encoded, _ := json.Marshal(f.Interface()) // texts and numbers
				text = string(encoded)
			}
			fmt.Fprintf(&said, "%s%s: %s\n", of, strings.ToLower(v.Type().Field(i).Name), oneLine(text))
		}
	}
	return said.String()
}

var lineBreaks = strings.NewReplacer("\\", "\\\\", "\n", "\\n", "\r", "\\r")

func oneLine(text string) string { return lineBreaks.Replace(text) }
