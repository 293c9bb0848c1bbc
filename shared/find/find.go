// Package find ranks names by a few letters that are typed, as a palette of commands
// does: it is no filter, but says what is meant most likely.
package find

import (
	"slices"
	"strings"
)

// How well a word fits a name, the best last.
const (
	none     = iota
	sequence // its letters follow one another, the first at the beginning of a word
	inside   // it stands somewhere
	initials // its letters begin words, one after the other: "tl" in "train/loss"
	start    // it begins a word
	prefix   // it begins the name
	whole    // it is the name
)

// Low is the form in which names and what is typed are compared.
func Low(s string) string { return strings.ToLower(s) }

// Rank returns the numbers of the names that fit what is typed, the best first; of equal
// ones the shorter, then the earlier. Each word, between spaces, must fit; a name is as
// good as the word that fits it least. Names and typed are in the form of Low. Nothing
// typed fits all, in their order. pause is called at each of many small steps and may never
// return; it may be nil.
func Rank(names []string, typed string, pause func()) []int {
	if pause == nil {
		pause = func() {}
	}
	words := strings.Fields(typed)
	at := make([]int, 0, len(names))
	score := make([]int, len(names))
	for i, name := range names {
		pause()
		least, sum := whole, 0
		for _, w := range words {
			f := fit(name, w)
			least, sum = min(least, f), sum+f
			if f == none {
				break
			}
		}
		if least > none {
			score[i] = least*1000 + sum
			at = append(at, i)
		}
	}
	if len(words) > 0 {
		slices.SortStableFunc(at, func(a, b int) int {
			pause()
			if score[a] != score[b] {
				return score[b] - score[a]
			}
			return len(names[a]) - len(names[b])
		})
	}
	return at
}

// begins reports whether a word begins at name[i].
func begins(name string, i int) bool { return i == 0 || letter(name[i]) && !letter(name[i-1]) }

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80 }

func fit(name, word string) int {
	switch {
	case name == word:
		return whole
	case strings.HasPrefix(name, word):
		return prefix
	}
	found := none
	for at := 0; ; {
		i := strings.Index(name[at:], word)
		if i < 0 {
			break
		}
		if begins(name, at+i) {
			return start
		}
		found = inside
		at += i + 1
	}
	// Letters at beginnings of words, and letters in a row.
	k, s := 0, 0
	for i := 0; i < len(name); i++ {
		b := begins(name, i)
		if k < len(word) && b && name[i] == word[k] {
			k++
		}
		if s < len(word) && name[i] == word[s] && (s > 0 || b) {
			s++
		}
	}
	switch {
	case k == len(word):
		return initials
	case found == none && s == len(word):
		return sequence
	}
	return found
}
