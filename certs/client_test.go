package certs

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSignedAgainUntilAPlusCannotBeLost(t *testing.T) {
	t.Parallel()
	texts := [][]byte{{0, 0, 0}, {0xfb, 0xef, 0xbe}, {0xf8, 0, 0}, {0, 0, 0}} // AAAA, ++++, +AAA, AAAA in base64
	signed := 0
	der, text, err := withPlus(func() ([]byte, error) {
		signed++
		return texts[signed-1], nil
	})
	require.NoError(t, err)
	assert.Equal(t, 3, signed)
	assert.Equal(t, texts[2], der)
	assert.Contains(t, string(text), "+AAA")
}

func TestSigningThatFailsIsNotRepeated(t *testing.T) {
	t.Parallel()
	broken := errors.New("no entropy")
	_, _, err := withPlus(func() ([]byte, error) { return nil, broken })
	assert.ErrorIs(t, err, broken)
}
