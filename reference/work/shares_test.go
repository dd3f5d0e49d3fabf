package work

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// proven lets a webhook answer until its window is open.
func (s *shares) proven(webhook int64) {
	for range maxOfURL {
		s.answered(webhook, true)
	}
}

func TestWindowGrowsWithAnswersAndShrinksWithout(t *testing.T) {
	t.Parallel()
	s := newShares()
	assert.Equal(t, newWindow, s.window(1))
	for n := range 2 * maxOfURL {
		s.answered(1, true)
		assert.Equal(t, min(newWindow+n+1, maxOfURL), s.window(1))
	}
	for _, want := range []int{64, 32, 16, 8, 4, newWindow, newWindow} {
		s.answered(1, false)
		assert.Equal(t, want, s.window(1))
	}
	assert.Empty(t, s.windows)
}

// However many URLs take what they can and hold it, the next one still has its first
// delivery; and URLs that never answered leave half of the pool to those that do.
func TestNobodyTakesAll(t *testing.T) {
	t.Parallel()
	s := newShares()
	for webhook := range int64(maxURLs / 2) {
		require.Positive(t, s.take(holder{webhook: webhook, account: webhook}), "of URLs that are new")
	}
	assert.LessOrEqual(t, s.more, maxMore/2)
	for webhook := int64(maxURLs / 2); webhook < maxURLs-1; webhook++ {
		s.proven(webhook)
		granted := s.take(holder{webhook: webhook, account: webhook})
		require.Positive(t, granted, "of URLs that answer")
		if webhook == maxURLs/2 {
			assert.Equal(t, 1+maxMore/2/8, granted, "an eighth of what is left, for the first")
		}
	}
	assert.LessOrEqual(t, s.more, maxMore)
	assert.Positive(t, s.take(holder{webhook: maxURLs, account: maxURLs}))
	assert.Zero(t, s.take(holder{webhook: maxURLs + 1, account: maxURLs + 1}), "all have one")
}

// One account with many URLs has its part and no more.
func TestAccountHasItsShare(t *testing.T) {
	t.Parallel()
	s := newShares()
	for webhook := range int64(21) { // three URLs of each of seven types
		s.proven(webhook)
		require.Positive(t, s.take(holder{webhook: webhook, account: 1}))
	}
	assert.LessOrEqual(t, s.accounts[1], maxOfAccount)
	s.proven(22)
	assert.Equal(t, 1+(maxMore-maxOfAccount)/8, s.take(holder{webhook: 22, account: 2}), "an eighth of what is left")
}

// What comes back is there again, in whatever portions it was taken and given.
func TestSharesAreGivenBack(t *testing.T) {
	t.Parallel()
	s := newShares()
	holders := make([]holder, 300)
	for i := range holders {
		holders[i] = holder{webhook: int64(i), account: int64(i / 3)}
	}
	for range 20_000 {
		h := &holders[rand.IntN(len(holders))]
		switch rand.IntN(3) {
		case 0:
			h.out += s.take(*h)
		case 1:
			n := rand.IntN(h.out + 1)
			s.give(*h, n)
			h.out -= n
		case 2:
			s.answered(h.webhook, rand.IntN(4) > 0)
		}
		require.LessOrEqual(t, h.out, maxOfURL)
	}
	for i := range holders {
		s.give(holders[i], holders[i].out)
	}
	assert.Zero(t, s.urls)
	assert.Zero(t, s.more)
	assert.Empty(t, s.accounts)
}
