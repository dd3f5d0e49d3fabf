// Package pages reads the Markdown pages of the project for tests: their blocks, their prose and their links.
package pages

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
)

// Page is a page.
type Page struct {
	Blocks  []Block
	Prose   []string // the lines outside of blocks
	Links   []string // to this project, also those of pictures
	Anchors map[string]bool
}

// Block is a fenced block.
type Block struct {
	Page           string // relative to the project's root
	Line           int
	Language, Text string
	Mark, Value    string // of the comment above it, such as "exits" and "1"
}

// Read returns the pages below the project's root, by their path relative to it.
func Read(root string) (map[string]Page, error) {
	all := map[string]Page{}
	return all, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		name = filepath.ToSlash(name)
		all[name] = Parse(name, string(text))
		return err
	})
}

var comment = regexp.MustCompile(`^<!-- (\w+): (.*) -->$`)

// Parse returns the page with a name and a text.
func Parse(name, text string) Page {
	p := Page{Anchors: map[string]bool{}}
	var current *Block
	above, indent := "", ""
	for i, line := range strings.Split(text, "\n") {
		fence := strings.TrimLeft(line, " ")
		switch {
		case current == nil && strings.HasPrefix(fence, "```"):
			indent = line[:len(line)-len(fence)]
			current = &Block{Page: name, Line: i + 1, Language: strings.TrimPrefix(fence, "```")}
			if found := comment.FindStringSubmatch(above); found != nil {
				current.Mark, current.Value = found[1], found[2]
			}
		case current != nil && fence == "```":
			p.Blocks, current = append(p.Blocks, *current), nil
		case current != nil:
			current.Text += strings.TrimPrefix(line, indent) + "\n"
		default:
			p.read(line)
		}
		above = fence
	}
	return p
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)|<img src="([^"]+)"`)
	heading = regexp.MustCompile(`^#{1,6} (.*)$`)
)

// read adds a line outside of blocks.
func (p *Page) read(line string) {
	p.Prose = append(p.Prose, line)
	if found := heading.FindStringSubmatch(line); found != nil {
		p.Anchors[anchor(found[1])] = true
	}
	for _, found := range link.FindAllStringSubmatch(line, -1) {
		if target := found[1] + found[2]; !strings.Contains(target, "://") {
			p.Links = append(p.Links, target)
		}
	}
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
