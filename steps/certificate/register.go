package certificate

import (
	"cmp"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/untrusted"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Register is what many certificates say about targets.
type Register struct {
	Made       time.Time
	Edition    string // of the rules of this version
	Entries    []Entry
	Unverified []Unverified
	Points     []Point
}

// Entry is the newest certificate of a target.
type Entry struct {
	*Verified
	Directory string    // below the register
	Since     time.Time // start of the first of its certificates without an interruption that says the same
	Badge     string    // name of its file
	Earlier   int       // older certificates of the target
}

// Unverified is a certificate that is not to be trusted, or none.
type Unverified struct{ Directory, Reason string }

// Point is an open point on which targets differ.
type Point struct {
	verdict.OpenPoint
	Readings []Reading
}

// Reading is what some targets do on an open point.
type Reading struct {
	Value   string
	Targets []string
}

// mostCertificates bounds the directories of a register.
const mostCertificates = 5_000

// ReadRegister verifies every certificate in the directories below dir.
func ReadRegister(dir, version string, now time.Time, keys ...ed25519.PublicKey) (*Register, error) {
	return readRegister(dir, version, now, keys, scope{})
}

func readRegister(dir, version string, now time.Time, keys []ed25519.PublicKey, of scope) (*Register, error) {
	if len(keys) == 0 {
		return nil, errors.New("expected the public keys of those who sign, got none; pass each with --key")
	}
	edition, err := Edition()
	if err != nil {
		return nil, err
	}
	r := &Register{Made: now, Edition: edition}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	found := map[string][]Entry{} // by name of the target and key: others may call theirs the same
	for i, e := range entries {
		if i == mostCertificates {
			return nil, &untrusted.LimitError{Most: mostCertificates, Of: "directories of the register"}
		}
		if !e.IsDir() {
			continue
		}
		v, err := verifyIn(filepath.Join(dir, e.Name()), version, keys, of)
		if err != nil {
			r.Unverified = append(r.Unverified, Unverified{shorten(e.Name()), shorten(err.Error())})
			continue
		}
		id := v.Target + "\x00" + Fingerprint(v.Certificate.Key)
		found[id] = append(found[id], Entry{Verified: v, Directory: e.Name()})
	}
	for id, all := range found {
		r.Entries = append(r.Entries, newest(id, all))
	}
	slices.SortFunc(r.Entries, func(a, b Entry) int { return cmp.Or(cmp.Compare(a.Target, b.Target), cmp.Compare(a.Badge, b.Badge)) })
	r.Points = pointsOf(r.Entries)
	return r, nil
}

func verifyIn(dir, version string, keys []ed25519.PublicKey, of scope) (*Verified, error) {
	content, err := untrusted.ReadFile(dir, report.CertificateFile, mostCertificate)
	if err != nil {
		return nil, err
	}
	v, err := verify(content, dir, version, keys, of)
	if err != nil {
		return nil, err
	}
	for i := range v.Run.Scenarios { // many certificates do not fit into memory with all they quote
		verdict.KeepExchange(&v.Run.Scenarios[i], nil)
		v.Run.Scenarios[i].Steps = nil
	}
	return v, nil
}

// newest is the last certificate of a target.
func newest(id string, all []Entry) Entry {
	slices.SortFunc(all, func(a, b Entry) int { return b.Started.Compare(a.Started) })
	last := all[0]
	last.Since, last.Earlier = last.Started, len(all)-1
	for _, e := range all[1:] {
		if e.Outcome != last.Outcome {
			break
		}
		last.Since = e.Started
	}
	sum := sha256.Sum256([]byte(id))
	last.Badge = hex.EncodeToString(sum[:6]) + ".svg" // the name of a target may be anything
	return last
}

// pointsOf are the open points on which targets differ, in the order of the rules.
func pointsOf(entries []Entry) []Point {
	var all []Point
	at := map[string]int{}
	for _, e := range entries {
		for _, o := range e.Run.Observations() {
			if len(o.Seen) == 0 {
				continue
			}
			i, known := at[o.Name]
			if !known {
				i = len(all)
				at[o.Name] = i
				all = append(all, Point{OpenPoint: o.OpenPoint})
			}
			all[i].add(valueOf(o), e.Target)
		}
	}
	return slices.DeleteFunc(all, func(p Point) bool { return len(p.Readings) < 2 })
}

func valueOf(o verdict.Observation) string {
	value := shorten(o.Seen[0].Value)
	if o.Varies || len(o.Seen) > 1 {
		value = fmt.Sprintf("%s (+%d)", value, len(o.Seen)-1)
	}
	return value
}

func (p *Point) add(value, target string) {
	i := slices.IndexFunc(p.Readings, func(r Reading) bool { return r.Value == value })
	if i < 0 {
		i = len(p.Readings)
		p.Readings = append(p.Readings, Reading{Value: value})
	}
	if !slices.Contains(p.Readings[i].Targets, target) {
		p.Readings[i].Targets = append(p.Readings[i].Targets, target)
	}
}
