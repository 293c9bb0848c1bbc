package runcolor

import (
	"regexp"
	"slices"
	"strings"
)

// seedWords are what stands before the number of a repetition, as expressions, and the words
// of which one ends it; the weak ones count only where they make several groups.
var seedWords = []struct {
	word string
	weak bool
	ends []string
}{
	{"(?:random[-_]?)?(?:seed|state)", false, []string{"seed", "state"}},
	{"(?:rep|repeat|repetition|replica|replicate|fold|split)", false, []string{"rep", "repeat", "repetition", "replica", "replicate", "fold", "split"}},
	{"s", true, []string{"s"}},
}

// numbered reports whether one of the words stands before a number in a text. It is quick: an
// expression takes the program of a page that begins 10 ms.
func numbered(text string, words []string) bool {
	text = strings.ToLower(text)
	for _, w := range words {
		for rest := text; ; {
			_, after, ok := strings.Cut(rest, w)
			if !ok {
				break
			}
			rest = after
			for range 2 {
				if after != "" && strings.IndexByte("-_=: ", after[0]) >= 0 {
					after = after[1:]
				}
			}
			if after != "" && '0' <= after[0] && after[0] <= '9' {
				return true
			}
		}
	}
	return false
}

// Repeats finds runs that repeat each other: runs whose names are equal but for the number of
// a seed, a repetition or a fold. It returns an expression for ByRegexp whose groups are the
// runs of one name without that number, how many such groups of two or more there are, and how
// many runs the largest has; n is 0 where there are none, or where most runs are no repetition.
func Repeats(runs []string) (expression string, groups, n int) {
	for _, w := range seedWords {
		if !slices.ContainsFunc(runs, func(run string) bool { return numbered(run, w.ends) }) {
			continue
		}
		const name = `^(.*?)(?:^|[-_/. ,]+)`
		number := `(?i:` + w.word + `)[-_=: ]{0,2}\d+`
		re := regexp.MustCompile(name + number + `($|[-_/. ,].*)$`)
		count, rest, matched := map[[2]string]int{}, false, 0
		for _, run := range runs {
			if m := re.FindStringSubmatch(run); m != nil {
				matched++
				rest = rest || m[2] != ""
				count[[2]string{m[1], m[2]}]++
			}
		}
		groups, n = 0, 0
		for _, c := range count {
			if c > 1 {
				groups, n = groups+1, max(n, c)
			}
		}
		if groups == 0 || 2*matched < len(runs) || n < 3 && groups < 2 || w.weak && groups < 2 {
			continue
		}
		expression = name + number
		if rest {
			return expression + `($|[-_/. ,].*)$`, groups, n
		}
		return expression + `$`, groups, n
	}
	return "", 0, 0
}
