package measure

import (
	"encoding/json"
	"fmt"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// top is the highest value, in microseconds.
var top = Highest.Microseconds()

// wire is a histogram in JSON.
type wire struct {
	HDR     string             `json:"hdr"`
	Count   int64              `json:"count"`
	Clamped int64              `json:"clamped,omitempty"`
	Millis  map[string]float64 `json:"ms,omitempty"`
}

// MarshalJSON writes the histogram in the format that its type documents.
func (h *Histogram) MarshalJSON() ([]byte, error) {
	if h == nil {
		return []byte("null"), nil
	}
	grid := h.grid()
	library := hdrhistogram.New(1, top, grid.digits)
	for _, b := range h.buckets {
		if err := library.RecordValues(grid.lowest(b.index()), b.n()); err != nil {
			return nil, fmt.Errorf("write a histogram: %w", err)
		}
	}
	encoded, err := library.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	if err != nil {
		return nil, fmt.Errorf("write a histogram: %w", err)
	}
	w := wire{HDR: string(encoded), Count: h.count, Clamped: h.clamped}
	if mean, any := h.Mean(); any && grid == fine {
		w.Millis = map[string]float64{"mean": float64(mean.Microseconds()) / 1000}
		for _, of := range Quantiles {
			d, _ := h.Quantile(of.Q)
			w.Millis[of.Name] = float64(d.Microseconds()) / 1000
		}
	}
	return json.Marshal(w)
}

// UnmarshalJSON reads the output of MarshalJSON, and any histogram of the same range in
// microseconds that an HdrHistogram library encoded.
func (h *Histogram) UnmarshalJSON(text []byte) error {
	var w wire
	if err := json.Unmarshal(text, &w); err != nil {
		return fmt.Errorf("read a histogram: %w", err)
	}
	library, err := hdrhistogram.Decode([]byte(w.HDR))
	if err != nil {
		return fmt.Errorf("read a histogram: field hdr: %w", err)
	}
	grid := scaleOf(int(library.SignificantFigures()))
	if grid == nil || library.LowestTrackableValue() != 1 || library.HighestTrackableValue() != top {
		return fmt.Errorf("read a histogram: expected 1 to %d µs with 2 or 3 digits, got %d to %d with %d",
			top, library.LowestTrackableValue(), library.HighestTrackableValue(), library.SignificantFigures())
	}
	*h = Histogram{scale: grid, clamped: w.Clamped}
	for index, n := range library.Export().Counts {
		if n > 0 {
			h.buckets = append(h.buckets, newBucket(uint16(index), n))
			h.count += n
		}
	}
	return nil
}
