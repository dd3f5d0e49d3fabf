package reftest

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func status(t *testing.T, url string) int {
	t.Helper()
	client := http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get(url)
	if err != nil {
		return 0
	}
	require.NoError(t, answer.Body.Close())
	return answer.StatusCode
}

func TestTargetServesAndComesBackAtTheSameAddresses(t *testing.T) {
	t.Parallel()
	target := StartDurable(t)
	url, controls := target.URL, target.ControlURL
	assert.Equal(t, http.StatusUnauthorized, status(t, url+"/accounts/balances"))
	assert.Equal(t, http.StatusOK, status(t, controls+"/controls"))

	target.Kill()
	assert.Zero(t, status(t, url+"/accounts/balances"))

	target.Restart()
	assert.Equal(t, http.StatusUnauthorized, status(t, url+"/accounts/balances"))
	assert.Equal(t, url, target.URL)
	assert.Equal(t, controls, target.ControlURL)
}
