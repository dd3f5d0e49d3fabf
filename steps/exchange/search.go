package exchange

// places finds the known secrets in a text, and pieces of them: as they are, escaped, or encoded in
// a word, which then counts as secret as a whole.
func (r *Redactor) places(s string) []secret {
	if r == nil || len(s) < shortestSecret {
		return nil
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	if len(r.index.secrets) == 0 {
		return nil
	}
	var found []secret
	text := []byte(s)
	var levels []level // from the original text to the fully unescaped one
	for depth := deepest; ; depth-- {
		if plain, at := joined(text); plain != nil {
			found = append(found, inText(r.index.find(text), levels)...)
			levels = append(levels, level{text, at})
			text = plain
		}
		found = append(found, inText(r.index.find(text), levels)...)
		plain, at := unescaped(text)
		if plain == nil || depth == 0 {
			return append(found, inText(r.index.coded(text, depth), levels)...)
		}
		levels = append(levels, level{text, at})
		text = plain
	}
}

// level is a text, with the position in it of each byte of the next level.
type level struct {
	text []byte
	at   []int32
}

// inText maps the positions of secrets back to the original text.
func inText(found []secret, levels []level) []secret {
	for i := len(levels) - 1; i >= 0; i-- {
		l := levels[i]
		for k, s := range found {
			last := int(l.at[s.to-1])
			_, length := unit(l.text[last:])
			found[k].from, found[k].to = int(l.at[s.from]), last+length
		}
	}
	return found
}

// coded finds the words of a text in hexadecimal or base64 that encode a secret.
func (x *index) coded(text []byte, depth int) []secret {
	var found []secret
	runs(text, &sextets, x.shortestCode(), func(from, to int) bool {
		if x.encodes(text[from:to], depth) {
			found = append(found, secret{from: from, to: to})
		}
		return false
	})
	return found
}

// encodes reports whether a word in the alphabet of base64 encodes a secret. The encoding may begin
// at any character, because the text before it may be in that alphabet, too.
func (x *index) encodes(word []byte, depth int) bool {
	if depth == 0 {
		return false
	}
	decoded := make([]byte, 0, len(word))
	for begin := range 4 {
		if x.holds(fromBase64(decoded, word[begin:]), depth-1) {
			return true
		}
	}
	return runs(word, &nibbles, 2*gram, func(from, to int) bool {
		return x.holds(fromHex(decoded, word[from:to]), depth-1) || x.holds(fromHex(decoded, word[from+1:to]), depth-1)
	})
}

// holds reports whether a decoded text contains a secret, or an encoding of one.
func (x *index) holds(text []byte, depth int) bool {
	for ; len(x.find(text)) == 0; depth-- {
		if plain, _ := joined(text); plain != nil {
			if len(x.find(plain)) > 0 {
				return true
			}
			text = plain
		}
		plain, _ := unescaped(text)
		if plain == nil || depth == 0 {
			return runs(text, &sextets, x.shortestCode(), func(from, to int) bool { return x.encodes(text[from:to], depth) })
		}
		text = plain
	}
	return true
}

// valuesAround extends secrets to the values that contain them: the quoted string, without its
// quotes, or else the word. found need not be sorted.
func valuesAround(s string, found []secret) []secret {
	var quote byte // of the string that is open, which begins at opened
	i, opened := 0, 0
	found = united(found)
	for k, f := range found {
		for ; i < f.from; i++ {
			switch c := s[i]; {
			case quote != 0 && c == '\\':
				i++
			case quote != 0 && c == quote:
				quote = 0
			case quote == 0 && (c == '"' || c == '\'' && i > 0 && s[i-1] == '='):
				quote, opened = c, i+1
			}
		}
		if quote != 0 {
			found[k].from, found[k].to = opened, closing(s, f.to, quote)
		} else {
			found[k].from, found[k].to = word(s, f.from, f.to)
		}
	}
	return found
}

// closing returns where a quoted string ends.
func closing(s string, from int, quote byte) int {
	for i := from; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case quote:
			return i
		}
	}
	return len(s)
}

func word(s string, from, to int) (int, int) {
	for from > 0 && inWord(s[from-1]) {
		from--
	}
	for to < len(s) && inWord(s[to]) {
		to++
	}
	return from, to
}

func inWord(c byte) bool {
	return isDigit(c) || isLetter(c) || c == '+' || c == '-' || c == '_' || c == '~' || c == '.' || c == '%'
}
