package wording_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/wording"
)

func TestCount(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "0 rules", wording.Count(0, "rule"))
	assert.Equal(t, "1 rule", wording.Count(1, "rule"))
	assert.Equal(t, "2 rules", wording.Count(2, "rule"))
}

func TestChoose(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "does", wording.Choose(1, "does", "do"))
	assert.Equal(t, "do", wording.Choose(0, "does", "do"))
}
