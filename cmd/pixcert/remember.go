package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/alecthomas/kong"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/shell"
	"github.com/pixcert/pixcert/steps/verdict"
)

// pastReport is a report that was read. Anybody may have written it, so that what it says about its target (a profile,
// whose commands would run; an address, which would get a token; a directory of features) is used only if it is ours.
type pastReport struct {
	*verdict.Run
	dir  string
	ours bool // this machine wrote it, into that directory, and it has not changed since
}

func readPast(dir string) (pastReport, error) {
	past, source, err := report.ReadSource(dir)
	return pastReport{past, dir, err == nil && remembered(dir) == source}, err
}

// remember notes that this machine wrote the report in dir. Without a directory for that, as in some containers, a
// user has to name the target of the report again.
func remember(dir string) {
	file, err := memoryOf(dir)
	if err != nil {
		return
	}
	_, source, err := report.ReadSource(dir)
	if err != nil {
		return
	}
	if content, err := json.Marshal(source); err == nil && os.MkdirAll(filepath.Dir(file), 0o700) == nil {
		_ = os.WriteFile(file, content, 0o600)
	}
}

// remembered is the last report that this machine wrote into dir.
func remembered(dir string) (source report.Source) {
	file, err := memoryOf(dir)
	if err != nil {
		return report.Source{}
	}
	content, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(content, &source) != nil {
		return report.Source{}
	}
	return source
}

// memoryOf is the file that remembers the report in dir: below $XDG_STATE_HOME or the user's cache directory.
func memoryOf(dir string) (string, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if absolute, err = filepath.EvalSymlinks(absolute); err != nil {
		return "", err
	}
	state := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) { // as its specification says
		if state, err = os.UserCacheDir(); err != nil {
			return "", err
		}
	}
	sum := sha256.Sum256([]byte(absolute))
	return filepath.Join(state, "pixcert", "reports", hex.EncodeToString(sum[:])+".json"), nil
}

// target returns the flags with which the report's run selected its target, without secrets.
func (p pastReport) target() (gatewayFlags, error) {
	var made struct {
		gatewayFlags
		Report string // where exploring would write
	}
	parser, err := kong.New(&made, kong.Exit(func(int) {}), kong.Writers(io.Discard, io.Discard))
	if err != nil {
		return made.gatewayFlags, err
	}
	if _, err := parser.Parse(p.Arguments); err != nil {
		return made.gatewayFlags, fmt.Errorf("this version does not support the arguments %s of the report in %s; select the target with a profile or --url", exchange.Line(fmt.Sprintf("%q", p.Arguments)), p.dir)
	}
	return made.gatewayFlags, nil
}

// unnamed is the error for a report whose target the user has to name. command is the one that needs it.
func (p pastReport) unnamed(made gatewayFlags, what string, command []string) error {
	words := append(append([]string{"pixcert"}, command...), made.arguments()...)
	if p.dir != "" && report.UnlessDefault(p.dir) != "" {
		words = append(words, "--report", p.dir)
	}
	if p.Own != nil {
		words = append(words, "--features", p.Own.Directory)
	}
	return fmt.Errorf("the report in %s was not written here, or has changed since: its %s is not used, because anybody may have written it. If you trust it, name it yourself:\n  %s",
		p.dir, what, exchange.Visible(shell.Command(words...)))
}

// takeFrom selects the user's own features and the target of a report that this machine wrote, unless the flags do. Of
// another report it takes only that the target was the bundled reference; the user has to name everything else,
// also by the standard profile. command is the one that needs them.
func (f *gatewayFlags) takeFrom(past pastReport, features *featuresFlag, command ...string) error {
	made := *f
	if !f.selected() {
		var err error
		if made, err = past.target(); err != nil {
			return err
		}
	}
	features.takeFrom(past)
	if past.Own != nil && features.Features == nil {
		return past.unnamed(made, "directory of features", command)
	}
	switch {
	case f.selected():
		return nil
	case !past.ours && !made.named():
		f.Reference = true
		return nil
	case !past.ours && standardProfile() != "":
		return nil
	case !past.ours:
		return past.unnamed(made, "target", command)
	}
	f.Sink = cmp.Or(f.Sink, made.Sink)
	return f.use(made.targetFlags, past)
}

// use selects the target of a report that this machine wrote.
func (f *targetFlags) use(made targetFlags, past pastReport) error {
	if made.Profile != "" {
		if _, err := os.Stat(made.Profile); err != nil {
			return fmt.Errorf("cannot read the profile of %s, the target of the report in %s: %w; pass the profile or --url", exchange.Line(past.Target), past.dir, err)
		}
	}
	f.Profile, f.Image, f.URL, f.Reference = made.Profile, made.Image, made.URL, !made.named()
	if f.ControlURL == nil {
		f.ControlURL = made.ControlURL
	}
	if f.ControlToken == "" {
		f.ControlToken = made.ControlToken
	}
	return nil
}

// takeFrom selects the user's own features of a report that this machine wrote, unless the flag does.
func (f *featuresFlag) takeFrom(past pastReport) {
	if past.ours && past.Own != nil && f.Features == nil {
		f.Features = &past.Own.Directory
	}
}
