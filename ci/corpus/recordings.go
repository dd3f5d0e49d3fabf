package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/ci/mutants"
	"github.com/pixcert/pixcert/steps/target"
)

// size is how much to record.
type size struct {
	seeds, walks, mutants int
	seed                  int64
	until                 time.Time
}

// recording is a run to record.
type recording struct {
	name    string // of its directory: "mutants/cash-out.debit-debits-a-cash-out-twice"
	gateway gateway
	rule    string // the only one to run; empty for all
	seed    int64
	walks   int // of explore, instead of the features
	short   bool
}

// walksAtOnce is how many walks explore tries as one run.
const walksAtOnce = 64

// recordings lists the runs of a corpus. The kinds come in turn, so that one that is cut short has some of each.
func recordings(s size) []recording {
	reference := gateway{controls: true}
	var whole []recording
	for i := range s.seeds {
		whole = append(whole, recording{name: fmt.Sprintf("reference/new-accounts-seed-%d", s.seed+int64(i)), gateway: reference, seed: s.seed + int64(i)})
	}
	variants := []struct {
		name    string
		gateway gateway
	}{
		{"fixed-accounts", gateway{controls: true, fixed: true}},
		{"fees", gateway{controls: true, fixed: true, fees: target.Fees{CashOut: "0.35", CashIn: "0.20"}}},
		{"lag", gateway{controls: true, stale: 120 * time.Millisecond}},
		{"mutual-tls", gateway{controls: true, tls: true}},
		{"sandbox-scenarios-only", gateway{fixed: true}},
	}
	for _, v := range variants {
		whole = append(whole, recording{name: "reference/" + v.name, gateway: v.gateway, seed: s.seed})
	}
	kinds := [][]recording{whole, permitted(s), s.faulty("mutants", mutants.All()), s.faulty("deep", mutants.AllDeep()), s.explored(reference)}
	return inTurn(kinds)
}

// differencesAtOnce is how many permitted differences one gateway has.
const differencesAtOnce = 32

// permitted are whole runs of gateways with permitted differences. Neighbors, which may hide each other, are in different
// gateways.
func permitted(s size) (all []recording) {
	differences := mutants.Tolerated()
	n := (len(differences) + differencesAtOnce - 1) / differencesAtOnce
	batches := make([][]mutants.Mutant, n)
	for i, m := range differences {
		batches[i%n] = append(batches[i%n], m)
	}
	for i, batch := range batches {
		all = append(all, recording{
			name: fmt.Sprintf("permitted/%02d-of-%d", i+1, n), gateway: gateway{controls: true, mutant: mutants.Together(batch...)}, seed: s.seed,
		})
	}
	return all[:limited(len(all), s.mutants)]
}

// faulty are runs of mutants with the rule that each breaks, in random order.
func (s size) faulty(kind string, from []mutants.Mutant) (all []recording) {
	for _, m := range from {
		all = append(all, recording{
			name: kind + "/" + directory(m.Rule+" "+m.Name), gateway: gateway{controls: true, mutant: m.Seeded(s.seed)}, rule: m.Rule, seed: s.seed, short: true,
		})
	}
	random := rand.New(rand.NewPCG(uint64(s.seed), 0))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:limited(len(all), s.mutants)]
}

// explored are walks on the reference, and on a deep mutant every third time.
func (s size) explored(reference gateway) (all []recording) {
	deep := s.faulty("deep", mutants.AllDeep())
	for i := 0; i*walksAtOnce < s.walks; i++ {
		r := recording{name: fmt.Sprintf("walks/%03d", i+1), gateway: reference, seed: s.seed + int64(i), walks: min(walksAtOnce, s.walks-i*walksAtOnce)}
		if i%3 == 2 && i/3 < len(deep) {
			r.gateway = deep[i/3].gateway
			r.name += "-" + directory(r.gateway.mutant.Name)
		}
		all = append(all, r)
	}
	return all
}

func limited(n, most int) int {
	if most > 0 {
		return min(n, most)
	}
	return n
}

// inTurn interleaves lists so that each is spread over the whole.
func inTurn(lists [][]recording) (all []recording) {
	place := map[string]float64{}
	for _, list := range lists {
		for i, r := range list {
			place[r.name] = float64(i) / float64(len(list))
		}
		all = append(all, list...)
	}
	slices.SortStableFunc(all, func(a, b recording) int { return cmp.Compare(place[a.name], place[b.name]) })
	return all
}

var unusual = regexp.MustCompile(`[^A-Za-z0-9.,]+`)

// directory is a text as the name of a directory.
func directory(text string) string {
	name := strings.Trim(unusual.ReplaceAllString(text, "-"), "-")
	return name[:min(len(name), 120)]
}
