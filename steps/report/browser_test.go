package report

import (
	"context"
	"encoding/json"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/history"
	"github.com/pixcert/pixcert/steps/verdict"
)

// browser starts Chromium until the test ends. Without Chromium, it skips the test.
func browser(t *testing.T) context.Context {
	t.Helper()
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil && program == "" {
			program = found
		}
	}
	if program == "" {
		require.Empty(t, os.Getenv("PIXCERT_REQUIRE_ALL"), "Chromium is not installed")
		t.Skip("Chromium is not installed")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox)
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	require.NoError(t, chromedp.Do(ctx)) // starts it, without a deadline
	return ctx
}

// tab is a page in a browser.
type tab struct {
	*testing.T
	ctx context.Context
}

// open opens the page of a report in a new tab. before are actions before the page is loaded.
func open(t *testing.T, browser context.Context, file string, before ...chromedp.Action[chromedp.Void]) tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	require.NoError(t, chromedp.Do(ctx))
	ctx, cancel = context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(cancel)
	page := tab{t, ctx}
	page.do(append([]chromedp.Action[chromedp.Void]{chromedp.EmulateViewport(1200, 900)}, before...)...)
	page.do(chromedp.Navigate((&url.URL{Scheme: "file", Path: file}).String()))
	return page
}

func (p tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	require.NoError(p, chromedp.Do(p.ctx, steps...))
}

// eval returns the value of an expression in the page.
func eval[T any](p tab, expression string) T {
	p.Helper()
	value, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	require.NoError(p, err)
	return value
}

// scheme makes the page light or dark.
func scheme(name string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
		return err
	})
}

func withoutScripts(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
	_, err := cdp.Call(ctx, t, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	return chromedp.Void{}, err
}

// slash presses the key that moves to the search: what the page prevents is not typed, other than with chromedp.KeyEvent.
func slash(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
	_, err := cdp.Call(ctx, t, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "/", Code: "Slash", Text: "/"})
	return chromedp.Void{}, err
}

// element is one as assistive technology presents it.
type element struct {
	Role, Name string
	Level      int // of a heading
}

// elements are the elements of the accessibility tree, in the order of the page.
func (p tab) elements() (all []element) {
	p.Helper()
	tree, err := chromedp.Run(p.ctx, func(ctx context.Context, t *chromedp.Target) (accessibility.GetFullAXTreeResult, error) {
		return cdp.Call(ctx, t, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	})
	require.NoError(p, err)
	text := func(v *accessibility.Value) (s string) {
		if v != nil {
			_ = json.Unmarshal(v.Value, &s) // of another type for other roles
		}
		return s
	}
	nodes := map[accessibility.NodeID]*accessibility.Node{}
	for _, n := range tree.Nodes {
		nodes[n.NodeID] = n
	}
	var visit func(accessibility.NodeID)
	visit = func(id accessibility.NodeID) {
		n := nodes[id]
		if n == nil {
			return
		}
		if !n.Ignored {
			e := element{Role: text(n.Role), Name: text(n.Name)}
			for _, property := range n.Properties {
				if property.Name == "level" {
					_ = json.Unmarshal(property.Value.Value, &e.Level)
				}
			}
			all = append(all, e)
		}
		for _, child := range n.ChildIDs {
			visit(child)
		}
	}
	visit(tree.Nodes[0].NodeID)
	return all
}

const openAll = `for (const d of document.querySelectorAll("details")) d.open = true; document.querySelectorAll("details").length`

// shownRun has everything that a page can show.
func shownRun() (*verdict.Run, *history.Trend) {
	run := knownRun()
	failed := sampleFailure()
	right := failed.Exchanges[2]
	right.Status, right.ResponseBody = 400, []byte(`{"code":"PIX_INSUFFICIENT_BALANCE"}`)
	failed.Name, failed.Reference, failed.Right, failed.Finding.Field = "Two cents short", &right, &right, "status"
	failed.Attempts = []verdict.Attempt{{Verdict: verdict.Fail}, {Verdict: verdict.Pass}}
	other := sampleFailure()
	other.Rule = "balance.total"
	run.Scenarios = append(run.Scenarios, failed, other)
	run.Statements = map[string][]verdict.Statement{"cash-out.covers-fee": {{ID: "OUT-001", Text: "One."}, {ID: "OUT-002", Text: "Two."}, {ID: "OUT-003", Text: "Three."}, {ID: "OUT-004", Text: "Four."}, {ID: "OUT-005", Text: hostileText}}}
	run.Rules[3].Subject = hostileText
	run.Unlocks = []verdict.Unlock{{Means: []string{"clock"}, Effort: "a control", Rules: []string{"cash-out.night-limit"}}}
	run.Latencies = []verdict.Latency{
		verdict.LatencyOf(hostileText, []time.Duration{time.Minute}), verdict.LatencyOf("cash-out", []time.Duration{time.Millisecond, 3 * time.Millisecond, 40 * time.Millisecond}), verdict.LatencyOf(verdict.OfWebhooks, []time.Duration{0, time.Second}),
	}
	var entries []history.Entry
	for i := range 8 {
		e := history.EntryOf(run, "")
		e.Started = began.AddDate(0, 0, i)
		e.P50Ms["cash-out"], e.P50Ms[hostileText] = float64(3+i), float64(i)
		e.Failing, e.Flaky = append(e.Failing, hostileText), append(e.Flaky, hostileText)
		if i%3 == 0 {
			e.Failing, e.Passing = e.Passing, append(e.Passing, e.Failing...)
		}
		entries = append(entries, e)
	}
	return run, history.TrendOf(entries, entries[0].Setting, []string{"history.jsonl:3: skipped a damaged line: " + hostileText})
}

// hostileText is what a report or a history from somebody else may have anywhere.
const hostileText = "\"><img src=x onerror=alert(1)><script>alert(2)</script>\x1b[2J"

// pageFileOf writes the page of a run.
func pageFileOf(t *testing.T, run *verdict.Run, trend *history.Trend) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, HTMLFile)
	require.NoError(t, Create(file, func(w io.Writer) error { return writeHTML(w, run, dir, trend, Words{}) }))
	return file
}

func TestThePageInABrowser(t *testing.T) {
	t.Parallel()
	chromium := browser(t)
	run, trend := shownRun()
	file := pageFileOf(t, run, trend)
	for name, test := range map[string]func(*testing.T, context.Context, string){
		"names, headings and landmarks": testAccessible, "contrast": testContrast, "keyboard": testKeyboard, "search": testSearch,
		"without scripts": testWithoutScripts, "narrow": testNarrow,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, chromium, file)
		})
	}
	t.Run("10,000 scenarios", func(t *testing.T) {
		t.Parallel()
		testLarge(t, chromium, pageFileOf(t, largeRun(10_000, 500), nil))
	})
}

// Every control has a name, headings skip no level, and the landmarks are in the order of the page.
func testAccessible(t *testing.T, chromium context.Context, file string) {
	page := open(t, chromium, file)
	require.Positive(t, eval[int](page, openAll))
	var landmarks []string
	level, controls := 0, 0
	for _, e := range page.elements() {
		switch e.Role {
		case "banner", "search", "main", "contentinfo":
			landmarks = append(landmarks, e.Role)
		case "navigation":
			assert.NotEmpty(t, e.Name)
			landmarks = append(landmarks, e.Role)
		case "heading":
			assert.NotEmpty(t, e.Name)
			assert.LessOrEqual(t, e.Level, level+1, "heading %q", e.Name)
			if level = e.Level; level == 1 {
				assert.Equal(t, "✗ Does not conform", e.Name)
			}
		case "button", "link", "searchbox", "DisclosureTriangle":
			assert.NotEmpty(t, e.Name, e.Role)
			controls++
		case "img", "image":
			assert.NotEmpty(t, e.Name, e.Role)
		}
	}
	assert.Equal(t, []string{"banner", "search", "navigation", "main", "contentinfo"}, landmarks)
	assert.Equal(t, eval[int](page, `[...document.querySelectorAll("a[href], button, input, summary")].filter(e => e.checkVisibility()).length`), controls)
}

// contrasts returns the texts whose color is too close to what is behind it.
const contrasts = `(() => {
	const parse = c => { const m = c.match(/[\d.]+/g).map(Number); const s = c.startsWith("color(") ? 255 : 1; return [m[0]*s, m[1]*s, m[2]*s, m.length > 3 ? m[3] : 1]; };
	const over = (a, b) => [0, 1, 2].map(i => a[i]*a[3] + b[i]*(1 - a[3])).concat(1);
	const light = c => { const [r, g, b] = c.slice(0, 3).map(v => { v /= 255; return v <= .04045 ? v/12.92 : ((v + .055)/1.055)**2.4; }); return .2126*r + .7152*g + .0722*b; };
	const behind = e => { const all = []; for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); all.push(c); if (c[3] === 1) break; } return all.reverse().reduce((b, c) => over(c, b), [255, 255, 255, 1]); };
	const wrong = [];
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	let texts = 0;
	while (walk.nextNode()) {
		const e = walk.currentNode.parentElement;
		if (!walk.currentNode.data.trim() || e.closest("script, style") || !e.checkVisibility({visibilityProperty: true}) || e.closest(".hidden, .skip")) continue;
		texts++;
		const style = getComputedStyle(e), back = behind(e);
		const color = over(parse(e.closest("svg") ? style.fill : style.color), back);
		const [a, b] = [light(color), light(back)].sort((x, y) => y - x);
		const ratio = (a + .05)/(b + .05);
		if (ratio < 4.5) wrong.push(ratio.toFixed(2) + " " + e.className + ": " + walk.currentNode.data.trim().slice(0, 40));
	}
	return {texts, wrong};
})()`

func testContrast(t *testing.T, chromium context.Context, file string) {
	for _, mode := range []string{"light", "dark"} {
		page := open(t, chromium, file, scheme(mode))
		eval[int](page, openAll)
		eval[int](page, `for (const b of [...document.querySelectorAll("[data-show]")].slice(0, 1)) b.click(); for (const e of document.querySelectorAll("[hidden]:not(#none)")) e.hidden = false; 0`) // a pressed button, too
		found := eval[struct {
			Texts int
			Wrong []string
		}](page, contrasts)
		assert.Greater(t, found.Texts, 200)
		assert.Empty(t, found.Wrong, mode)
	}
}

// focused describes the element with the focus, and marks that it had it.
const focused = `(() => { const e = document.activeElement; e.dataset.seen = 1; return e.tagName + " " + e.textContent.trim().slice(0, 40); })()`

// Everything works with the keyboard alone.
func testKeyboard(t *testing.T, chromium context.Context, file string) {
	page := open(t, chromium, file)
	const controls = `[...document.querySelectorAll("a[href], button, input, summary, [tabindex='0']")].filter(e => e.checkVisibility())`
	total := eval[int](page, controls+`.length`)
	require.Greater(t, total, 40)
	page.do(chromedp.KeyEvent(kb.Tab))
	assert.Equal(t, "A Skip to the results", eval[string](page, focused), "the first stop")
	for range total + 5 {
		page.do(chromedp.KeyEvent(kb.Tab))
		eval[string](page, focused)
	}
	assert.Empty(t, eval[[]string](page, controls+`.filter(e => !e.dataset.seen).map(e => e.outerHTML.slice(0, 100))`), "never reached")

	eval[int](page, `document.querySelector(".cause .scenario > summary").focus(), 0`)
	page.do(chromedp.KeyEvent(kb.Enter))
	assert.True(t, eval[bool](page, `document.activeElement.parentElement.open`))
	eval[int](page, `document.querySelector("[data-show=fail]").focus(), 0`)
	page.do(chromedp.KeyEvent(" "))
	assert.Equal(t, "true", eval[string](page, `document.activeElement.getAttribute("aria-pressed")`))
}

// The search finds rules, scenarios and open points, and opens where they are.
func testSearch(t *testing.T, chromium context.Context, file string) {
	page := open(t, chromium, file)
	const entries = `[...document.querySelectorAll(".entry")].filter(e => e.checkVisibility()).length`
	all := eval[int](page, entries)
	page.do(slash)
	assert.Equal(t, "find", eval[string](page, `document.activeElement.id`))
	page.do(chromedp.KeyEvent("two cents"))
	assert.True(t, eval[bool](page, `document.querySelector(".cause").checkVisibility()`))
	found := eval[int](page, entries)
	assert.Positive(t, found)
	assert.Less(t, found, all)
	page.do(chromedp.KeyEvent(kb.Enter))
	assert.Equal(t, "covers-fee", eval[string](page, `document.activeElement.closest(".entry").textContent.match(/covers-fee/)[0]`))

	for _, search := range []struct {
		words string
		shown bool
	}{{"fractions of a second", true}, {"with three digits", true}, {"no such thing", false}} {
		page.do(slash, chromedp.KeyEvent(kb.Escape))
		assert.Empty(t, eval[string](page, `document.getElementById("find").value`))
		page.do(chromedp.KeyEvent(search.words))
		assert.Equal(t, search.shown, eval[bool](page, `[...document.querySelectorAll("#points, .points .entry")].some(e => e.matches(".entry") && e.checkVisibility())`), search.words)
		assert.Equal(t, !search.shown, eval[bool](page, `document.getElementById("none").checkVisibility()`), search.words)
	}
	page.do(chromedp.KeyEvent(kb.Escape))
	assert.Equal(t, all, eval[int](page, entries), "as before")
}

// Everything essential can be read without scripts, and what a gateway sent does nothing.
func testWithoutScripts(t *testing.T, chromium context.Context, file string) {
	page := open(t, chromium, file, withoutScripts)
	var names []string
	for _, e := range page.elements() {
		names = append(names, e.Name)
		assert.NotEqual(t, "searchbox", e.Role, "it would do nothing")
	}
	text := strings.Join(names, "\n")
	for _, part := range []string{"Two cents short", "Response of the reference gateway: 400", "Rules by endpoint", "Latencies", "The statements of the specification"} {
		assert.Contains(t, text, part)
	}
	scripted := open(t, chromium, file)
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.False(t, strings.ContainsAny(string(content), "\x00\x1b\a\u202e"), "no character that acts")
	assert.Equal(t, []int{1, 0}, eval[[]int](scripted, `[document.scripts.length, document.images.length]`))
}

// On a phone, nothing is wider than the screen.
func testNarrow(t *testing.T, chromium context.Context, file string) {
	page := open(t, chromium, file)
	page.do(chromedp.EmulateViewport(360, 800))
	eval[int](page, openAll)
	assert.Empty(t, eval[[]string](page, `[...document.querySelectorAll("body *")].filter(e => e.checkVisibility() && !e.closest(".scrolls, .hidden, .skip") && e.getBoundingClientRect().right > innerWidth).map(e => e.outerHTML.slice(0, 120))`))
	assert.LessOrEqual(t, eval[int](page, `document.documentElement.scrollWidth`), 360)
}

// A page of a large run is short until somebody opens something.
func testLarge(t *testing.T, chromium context.Context, file string) {
	page := open(t, chromium, file)
	info, err := os.Stat(file)
	require.NoError(t, err)
	paint := eval[float64](page, `new Promise(done => { const seen = performance.getEntriesByName("first-contentful-paint")[0]; if (seen) done(seen.startTime); else new PerformanceObserver(list => done(list.getEntries()[0].startTime)).observe({type: "paint", buffered: true}); })`)
	t.Logf("%.1f MB, first contentful paint after %.0f ms", float64(info.Size())/1e6, paint)
	assert.Less(t, info.Size(), int64(8_000_000))
	assert.Less(t, eval[int](page, `document.documentElement.scrollHeight`), 60_000)
	assert.Equal(t, 10_000, eval[int](page, `document.querySelectorAll(".leaf").length`))
	page.do(slash, chromedp.KeyEvent("example 4711"))
	assert.Equal(t, 1, eval[int](page, `[...document.querySelectorAll(".row.entry")].filter(e => e.checkVisibility()).length`), "found")
}
