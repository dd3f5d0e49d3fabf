package ci

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/ci/pages"
)

// Links and pictures of every page lead somewhere, and every page can be reached from the README.
func TestThePagesLinkToWhatExists(t *testing.T) {
	t.Parallel()
	all, err := pages.Read("..")
	require.NoError(t, err)
	require.Greater(t, len(all), 15)
	reached, queue := map[string]bool{"README.md": true}, []string{"README.md"}
	for len(queue) > 0 {
		from := queue[0]
		queue = queue[1:]
		for _, target := range all[from].Links {
			to := resolved(from, target)
			if all[to].Anchors != nil && !reached[to] {
				reached[to] = true
				queue = append(queue, to)
			}
		}
	}
	for name, p := range all {
		assert.True(t, reached[name] || strings.HasPrefix(name, ".github/"), "no page that the README leads to links to %s", name)
		for _, target := range p.Links {
			if to := resolved(name, target); !exists(all, to, target) {
				t.Errorf("%s: the link %s leads nowhere", name, target)
			}
		}
	}
}

// The check finds what leads nowhere.
func TestBrokenLinksAreFound(t *testing.T) {
	t.Parallel()
	all := map[string]pages.Page{"features/a.md": pages.Parse("features/a.md", "# Uma página, `x` e (y)\n```\n# no heading\n```\n[self](#uma-página-x-e-y)")}
	require.Equal(t, []string{"#uma-página-x-e-y"}, all["features/a.md"].Links)
	for target, want := range map[string]bool{"#uma-página-x-e-y": true, "a.md#no-heading": false, "b.md": false, "openapi.yaml": true, "../README.md": true, "a.md#": false} {
		require.Equal(t, want, exists(all, resolved("features/a.md", target), target), target)
	}
}

// resolved is the file to which a link on a page leads, relative to the project's root.
func resolved(from, target string) string {
	file, _, _ := strings.Cut(target, "#")
	if file == "" {
		return from
	}
	return filepath.ToSlash(filepath.Join(filepath.Dir(from), file))
}

func exists(all map[string]pages.Page, to, target string) bool {
	if _, name, found := strings.Cut(target, "#"); found {
		return all[to].Anchors[name]
	}
	_, err := os.Stat(filepath.Join("..", to))
	return err == nil || all[to].Anchors != nil
}
