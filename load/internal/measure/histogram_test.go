package measure

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheScalesAreHdrHistograms(t *testing.T) {
	t.Parallel()
	values := 5000
	if testing.Short() { // with the race detector, which has nothing to find here
		values = 200
	}
	for _, s := range []*scale{fine, coarse} {
		library := hdrhistogram.New(1, top, s.digits)
		random := rand.New(rand.NewPCG(1, uint64(s.digits)))
		for range values {
			value := random.Int64N(top + 1)
			if random.IntN(2) == 0 { // small values as often as great ones
				value >>= random.IntN(30)
			}
			library.Reset()
			require.NoError(t, library.RecordValue(value))
			index := s.index(value)
			require.Equal(t, int64(1), library.Export().Counts[index], "value %d", value)
			require.Equal(t, library.Max(), s.highest(index))
			require.Equal(t, library.ValueAtPercentile(0), s.lowest(index))
		}
	}
}

func TestFiguresAreThoseOfTheLibrary(t *testing.T) {
	t.Parallel()
	library := hdrhistogram.New(1, top, fine.digits)
	var h Histogram
	random := rand.New(rand.NewPCG(7, 7))
	for range 20000 {
		d := time.Duration(random.ExpFloat64() * float64(40*time.Millisecond))
		h.Record(d)
		require.NoError(t, library.RecordValue(d.Microseconds()))
	}
	assert.Equal(t, library.TotalCount(), h.Count())
	for _, q := range []float64{0.0001, 0.01, 0.5, 0.9, 0.95, 0.99, 0.999, 0.9999, 1} {
		d, ok := h.Quantile(q)
		require.True(t, ok)
		assert.Equal(t, library.ValueAtPercentile(q*100), d.Microseconds(), "quantile %v", q)
	}
	mean, _ := h.Mean()
	assert.InEpsilon(t, library.Mean(), float64(mean)/1000, 1e-6)
}

func TestNothingHasNoQuantile(t *testing.T) {
	t.Parallel()
	for name, h := range map[string]*Histogram{"nil": nil, "empty": {}} {
		_, ok := h.Quantile(0.5)
		assert.False(t, ok, name)
		_, ok = h.Mean()
		assert.False(t, ok, name)
		_, ok = h.Max()
		assert.False(t, ok, name)
	}
}

func TestAQuantileTakesValuesEnough(t *testing.T) {
	t.Parallel()
	var h Histogram
	h.RecordN(time.Millisecond, 999)
	assert.True(t, h.Resolves(0.99))
	assert.False(t, h.Resolves(0.999))
	h.Record(time.Millisecond)
	assert.True(t, h.Resolves(0.999))
	assert.False(t, h.Resolves(1), "a maximum is never more than a maximum")
}

func TestWhatLiesOutsideIsClampedAndCounted(t *testing.T) {
	t.Parallel()
	var h Histogram
	h.Record(-time.Second)
	h.Record(time.Hour)
	h.Record(Highest)
	assert.EqualValues(t, 3, h.Count())
	assert.EqualValues(t, 2, h.clamped)
	least, _ := h.Quantile(0)
	assert.Zero(t, least)
	most, _ := h.Max()
	assert.InEpsilon(t, float64(Highest), float64(most), 0.001)
}

func TestMergingIsCountingTogether(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 9))
	var together, merged Histogram
	parts := make([]Histogram, 5)
	for range 10000 {
		d := time.Duration(random.Int64N(int64(20 * time.Minute)))
		together.Record(d)
		parts[random.IntN(len(parts))].Record(d)
	}
	for i := range parts {
		merged.Merge(&parts[i])
	}
	merged.Merge(nil)
	merged.Merge(&Histogram{})
	assert.Equal(t, together.buckets, merged.buckets)
	assert.Equal(t, together.count, merged.count)
	assert.Equal(t, together.clamped, merged.clamped)

	first, second := together.at(coarse), Histogram{scale: coarse}
	second.Merge(&together)
	assert.Equal(t, first, &second, "made coarser before or while it is merged")
	assert.Equal(t, together.count, first.count)
	for _, q := range []float64{0.1, 0.5, 0.99} {
		exact, _ := together.Quantile(q)
		rough, _ := first.Quantile(q)
		assert.InEpsilon(t, float64(exact), float64(rough), 0.01)
	}
}

func TestACloneSharesNothing(t *testing.T) {
	t.Parallel()
	var h Histogram
	h.Record(time.Second)
	clone := h.Clone()
	clone.Record(time.Second)
	assert.EqualValues(t, 1, h.buckets[0].n())
	assert.EqualValues(t, 2, clone.buckets[0].n())
}

func TestAHistogramSurvivesItsFile(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 5))
	for _, s := range []*scale{fine, coarse} {
		h := Histogram{scale: s}
		for range 3000 {
			h.Record(time.Duration(random.ExpFloat64() * float64(time.Second)))
		}
		h.Record(time.Hour)
		text, err := json.Marshal(&h)
		require.NoError(t, err)
		var back Histogram
		require.NoError(t, json.Unmarshal(text, &back))
		assert.Equal(t, h, back)
	}
	text, err := json.Marshal(&Histogram{})
	require.NoError(t, err)
	var back Histogram
	require.NoError(t, json.Unmarshal(text, &back))
	assert.Zero(t, back.Count())
	assert.NotContains(t, string(text), "ms")
}

func TestTheFileIsForOthersToRead(t *testing.T) {
	t.Parallel()
	var h Histogram
	for i := range 1000 {
		h.Record(time.Duration(i+1) * time.Millisecond)
	}
	text, err := json.Marshal(&h)
	require.NoError(t, err)
	var file struct {
		HDR    string
		Count  int64
		Millis map[string]float64 `json:"ms"`
	}
	require.NoError(t, json.Unmarshal(text, &file))
	library, err := hdrhistogram.Decode([]byte(file.HDR))
	require.NoError(t, err)
	assert.EqualValues(t, 1000, library.TotalCount())
	assert.InEpsilon(t, 500_000, library.ValueAtPercentile(50), 0.001)
	assert.EqualValues(t, 1000, file.Count)
	assert.InEpsilon(t, 990, file.Millis["p99"], 0.001)
	assert.True(t, strings.HasPrefix(file.HDR, "HISTF"))
}

func TestAnotherRangeIsRefused(t *testing.T) {
	t.Parallel()
	other := hdrhistogram.New(1, 3_600_000_000, 3)
	encoded, err := other.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	require.NoError(t, err)
	text, err := json.Marshal(map[string]string{"hdr": string(encoded)})
	require.NoError(t, err)
	require.ErrorContains(t, json.Unmarshal(text, new(Histogram)), "expected 1 to 600000000 µs")
	require.ErrorContains(t, json.Unmarshal([]byte(`{"hdr":"nonsense"}`), new(Histogram)), "field hdr")
}

func FuzzReadingAHistogram(f *testing.F) {
	f.Add([]byte(`{"hdr":"HISTFAAAAB542pNpmSzMwMDAwgABTBAKxGZgAAAA///iAwY=","count":1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var h Histogram
		if json.Unmarshal(text, &h) != nil {
			return
		}
		h.Quantile(0.99) // must not panic
	})
}

func TestZerosAreThoseOfNoTime(t *testing.T) {
	t.Parallel()
	var h Histogram
	assert.Zero(t, h.Zeros())
	h.RecordN(time.Microsecond, 5)
	assert.Zero(t, h.Zeros())
	h.RecordN(0, 3)
	h.Record(-time.Second)
	assert.EqualValues(t, 4, h.Zeros())
	assert.Zero(t, (*Histogram)(nil).Zeros())
}
