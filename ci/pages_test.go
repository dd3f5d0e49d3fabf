package ci

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// page is a Markdown page of the project.
type page struct {
	links   []string
	anchors map[string]bool
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)|<img src="([^"]+)"`)
	heading = regexp.MustCompile(`^#{1,6} (.*)$`)
)

// Links and pictures of every page lead somewhere, and every page can be reached from the README.
func TestThePagesLinkToWhatExists(t *testing.T) {
	t.Parallel()
	pages := pagesIn(t, "..")
	reached, queue := map[string]bool{"README.md": true}, []string{"README.md"}
	for len(queue) > 0 {
		from := queue[0]
		queue = queue[1:]
		for _, target := range pages[from].links {
			to := resolved(from, target)
			if pages[to].anchors != nil && !reached[to] {
				reached[to] = true
				queue = append(queue, to)
			}
		}
	}
	for name, p := range pages {
		assert.True(t, reached[name] || strings.HasPrefix(name, ".github/"), "no page that the README leads to links to %s", name)
		for _, target := range p.links {
			if to := resolved(name, target); !exists(pages, to, target) {
				t.Errorf("%s: the link %s leads nowhere", name, target)
			}
		}
	}
}

// The check finds what leads nowhere.
func TestBrokenLinksAreFound(t *testing.T) {
	t.Parallel()
	pages := map[string]page{"features/a.md": read("# Uma página, `x` e (y)\n```\n# no heading\n```\n[self](#uma-página-x-e-y)")}
	require.Equal(t, []string{"#uma-página-x-e-y"}, pages["features/a.md"].links)
	for target, want := range map[string]bool{"#uma-página-x-e-y": true, "a.md#no-heading": false, "b.md": false, "openapi.yaml": true, "../README.md": true, "a.md#": false} {
		require.Equal(t, want, exists(pages, resolved("features/a.md", target), target), target)
	}
}

func pagesIn(t *testing.T, root string) map[string]page {
	t.Helper()
	pages := map[string]page{}
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		pages[filepath.ToSlash(name)] = read(string(text))
		return err
	}))
	require.Greater(t, len(pages), 15)
	return pages
}

func read(text string) page {
	p := page{anchors: map[string]bool{}}
	fenced := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			fenced = !fenced
		case fenced:
		default:
			if found := heading.FindStringSubmatch(line); found != nil {
				p.anchors[anchor(found[1])] = true
			}
			for _, found := range link.FindAllStringSubmatch(line, -1) {
				if target := found[1] + found[2]; !strings.Contains(target, "://") {
					p.links = append(p.links, target)
				}
			}
		}
	}
	return p
}

// anchor is the name that GitHub gives to a heading.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

// resolved is the file to which a link on a page leads, relative to the project's root.
func resolved(from, target string) string {
	file, _, _ := strings.Cut(target, "#")
	if file == "" {
		return from
	}
	return filepath.ToSlash(filepath.Join(filepath.Dir(from), file))
}

func exists(pages map[string]page, to, target string) bool {
	if _, name, found := strings.Cut(target, "#"); found {
		return pages[to].anchors[name]
	}
	_, err := os.Stat(filepath.Join("..", to))
	return err == nil || pages[to].anchors != nil
}
