package capacity

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestTheCurveFitsATerminal(t *testing.T) {
	t.Parallel()
	for name, target := range map[string]target{
		"queue": &queue{capacity: 1000}, "cliff": cliff(0), "weak": weak(700), "any": cliff(1e9),
	} {
		curve, _ := explore(ordinary, target)
		var out bytes.Buffer
		require.NoError(t, curve.Write(&out))
		text := out.String()
		require.True(t, strings.HasPrefix(text, curve.String()+"\n"), name)
		for line := range strings.Lines(text) {
			require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), 80, line)
		}
		for _, p := range curve.Points {
			require.Contains(t, text, p.Reason)
		}
	}
}

func TestATargetThatHoldsNothingSaysWhatItMissed(t *testing.T) {
	t.Parallel()
	curve, _ := explore(ordinary, cliff(0))
	require.Equal(t, NoneHeld, curve.Outcome)
	require.Regexp(t, `^no capacity found: even [\d.,]+/s failed: 100% failed, limit 0\.1%$`, curve.String())
}

// What a reader has to find: the limit that was missed, and how the bars stand to it.
func TestTheCurveShowsWhatHeldAndWhatDidNot(t *testing.T) {
	t.Parallel()
	curve, _ := explore(ordinary, &queue{capacity: 300})
	var out bytes.Buffer
	require.NoError(t, curve.Write(&out))
	bars := out.String()[strings.Index(out.String(), "p99 by rate"):]
	var rates int
	for line := range strings.Lines(bars) {
		if !strings.Contains(line, "█") {
			continue
		}
		rates++
		beyond := strings.Contains(line, "|█")
		require.Equal(t, strings.Contains(line[:11], "x"), beyond, line)
	}
	require.Equal(t, len(curve.Points), rates)
}

func TestAnEmptyCurveIsStillPrinted(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, Curve{Outcome: Interrupted}.Write(&out))
	require.Contains(t, out.String(), "interrupted")
	require.NoError(t, Curve{Outcome: Interrupted, Points: []Point{{Rate: 1}}}.Write(&out), "a point without latency")
}

func TestACurveSurvivesJSON(t *testing.T) {
	t.Parallel()
	curve, _ := explore(ordinary, &queue{capacity: 1000})
	data, err := json.Marshal(curve)
	require.NoError(t, err)
	var back Curve
	require.NoError(t, json.Unmarshal(data, &back))
	require.Equal(t, curve, back)
}

func TestDurationsAreBrief(t *testing.T) {
	t.Parallel()
	for d, text := range map[time.Duration]string{
		0: "-", 7: "7ns", 1234567: "1.23ms", 812 * time.Millisecond: "812ms", 1234 * time.Millisecond: "1.23s", 99 * time.Second: "1m39s",
	} {
		require.Equal(t, text, brief(d))
	}
}
