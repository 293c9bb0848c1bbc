package runcolor

import "regexp"

// seedWords are what stands before the number of a repetition, as expressions; the weak ones
// count only where they make several groups.
var seedWords = []struct {
	word string
	weak bool
}{
	{"(?:random[-_]?)?(?:seed|state)", false},
	{"(?:rep|repeat|repetition|replica|replicate|fold|split)", false},
	{"s", true},
}

// Repeats finds runs that repeat each other: runs whose names are equal but for the number of
// a seed, a repetition or a fold. It returns an expression for ByRegexp whose groups are the
// runs of one name without that number, how many such groups of two or more there are, and how
// many runs the largest has; n is 0 where there are none, or where most runs are no repetition.
func Repeats(runs []string) (expression string, groups, n int) {
	for _, w := range seedWords {
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
