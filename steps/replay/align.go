package replay

import (
	"bytes"
	"cmp"
	"net/http"
	"slices"

	"github.com/pixcert/pixcert/steps/exchange"
)

// align pairs the exchanges of two gateways in one step. Requests keep their order. Webhooks
// arrive at any time, so they are paired separately, after the requests.
func align(target, reference []exchange.Exchange) []Pair {
	requests := func(e exchange.Exchange) bool { return e.Party != exchange.Webhook }
	webhooks := func(e exchange.Exchange) bool { return e.Party == exchange.Webhook && !e.Unread }
	return append(
		alignKind(prepared(target, requests), prepared(reference, requests)),
		alignKind(prepared(target, webhooks), prepared(reference, webhooks))...)
}

// prepared returns the wanted exchanges without what is up to chance: how often something was
// polled until it changed, and in which order concurrent requests were answered.
func prepared(all []exchange.Exchange, wanted func(exchange.Exchange) bool) []*Exchange {
	var kept []*Exchange
	for _, e := range all {
		if !wanted(e) {
			continue
		}
		if n := len(kept); n > 0 && isSameRead(kept[n-1].Exchange, e) {
			times := kept[n-1].Times + 1
			kept[n-1] = shown(e)
			kept[n-1].Times = times
			continue
		}
		kept = append(kept, shown(e))
	}
	for from := 0; from < len(kept); {
		to := from + 1
		for to < len(kept) && areAtOnce(kept[to-1].Exchange, kept[to].Exchange) {
			to++
		}
		slices.SortStableFunc(kept[from:to], func(a, b *Exchange) int { return cmp.Compare(a.Status, b.Status) })
		from = to
	}
	return kept
}

func isSameRead(a, b exchange.Exchange) bool {
	return b.Method == http.MethodGet && b.Party != exchange.Webhook && keyOf(a) == keyOf(b) && a.URL == b.URL &&
		a.Other == b.Other && bytes.Equal(a.Body, b.Body)
}

// areAtOnce: b was sent before a was answered.
func areAtOnce(a, b exchange.Exchange) bool {
	return a.Party != exchange.Webhook && keyOf(a) == keyOf(b) && b.Sent.Before(a.Sent.Add(a.Took))
}

// keyOf identifies the same exchange with two gateways.
func keyOf(e exchange.Exchange) string { return string(e.Party) + " " + e.Method + " " + e.Operation }

// alignKind pairs the longest common sequence of exchanges. Exchanges in between remain single,
// except webhooks.
func alignKind(target, reference []*Exchange) []Pair {
	var pairs []Pair
	i, j := 0, 0
	for _, match := range common(target, reference) {
		pairs = append(pairs, between(target[i:match[0]], reference[j:match[1]])...)
		pairs = append(pairs, Pair{Target: target[match[0]], Reference: reference[match[1]]})
		i, j = match[0]+1, match[1]+1
	}
	return append(pairs, between(target[i:], reference[j:])...)
}

// between pairs webhooks of different names, in order: the name may be what is wrong. Other
// exchanges of different operations have nothing in common.
func between(target, reference []*Exchange) []Pair {
	var pairs []Pair
	for len(target) > 0 && len(reference) > 0 && target[0].Party == exchange.Webhook {
		pairs = append(pairs, Pair{Target: target[0], Reference: reference[0]})
		target, reference = target[1:], reference[1:]
	}
	for _, e := range target {
		pairs = append(pairs, Pair{Target: e})
	}
	for _, e := range reference {
		pairs = append(pairs, Pair{Reference: e})
	}
	return pairs
}

// common returns the longest common subsequence as pairs of indexes. A step has few exchanges;
// if it has very many, only the first ones are paired.
func common(target, reference []*Exchange) [][2]int {
	const most = 2000
	a, b := target[:min(len(target), most)], reference[:min(len(reference), most)]
	longest := make([][]int, len(a)+1) // of a[i:] and b[j:]
	for i := range longest {
		longest[i] = make([]int, len(b)+1)
	}
	same := func(i, j int) bool { return keyOf(a[i].Exchange) == keyOf(b[j].Exchange) }
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			if same(i, j) {
				longest[i][j] = longest[i+1][j+1] + 1
			}
		}
	}
	var pairs [][2]int
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case same(i, j):
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case longest[i+1][j] >= longest[i][j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}
