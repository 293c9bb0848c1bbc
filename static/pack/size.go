package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/tensorbored/tensorbored-static/static"
)

// budget is what a first visit may download, in bytes, with brotli, with all dashboards: the
// goal for these is 1.75 MB, and this the least that has held. From one build to the next brotli
// differs by 10 KB where the code differs by two.
const budget = 1_660_000

// BudgetError says that the site has become too big.
type BudgetError struct{ Got, Budget int64 }

// Error names both sizes and the remedy.
func (e *BudgetError) Error() string {
	return fmt.Sprintf("a visitor downloads %d bytes, %d more than the budget of %d: look for a heavy import with `go list -deps`",
		e.Got, e.Got-e.Budget, e.Budget)
}

// lazyTag is where index.html names what is loaded when it is first needed.
var lazyTag = regexp.MustCompile(`data-lazy="([^"]*)"`)

// printSize prints every file of the site, plain, with gzip and with brotli, in bytes, and
// what a first visit downloads: all of them but those that are loaded when they are first
// needed, which stand below it. The error is a *BudgetError when brotli's sum is over
// the budget.
func printSize(w io.Writer, dist string) error {
	first, err := printFiles(w, dist)
	if err != nil {
		return err
	}
	if first > budget {
		return &BudgetError{first, budget}
	}
	fmt.Fprintf(w, "budget %d, used %.0f %%\n", budget, 100*float64(first)/budget)
	return nil
}

// printFiles prints every file of the site, and returns what a first visit downloads with brotli.
func printFiles(w io.Writer, dist string) (first int64, err error) {
	site := static.Forms(os.DirFS(dist))
	names, err := fs.Glob(site, "assets/*")
	if err != nil {
		return 0, err
	}
	var sum [3]int64
	line := func(name string, sizes [3]int64) {
		fmt.Fprintf(w, "%-40s %11d %11d %11d\n", name, sizes[0], sizes[1], sizes[2])
		for i := range sum {
			sum[i] += sizes[i]
		}
	}
	fmt.Fprintf(w, "%-40s %11s %11s %11s\n", "bytes", "plain", "gzip", "brotli")
	index, err := fs.ReadFile(site, "index.html")
	if err != nil {
		return 0, err
	}
	lazy := ""
	if m := lazyTag.FindSubmatch(index); m != nil {
		lazy = string(m[1])
	}
	page := int64(len(index))
	line("index.html", [3]int64{page, page, page}) // sent as it is
	var later []func()
	for _, n := range names {
		if strings.HasSuffix(n, ".br") || strings.HasSuffix(n, ".gz") {
			continue
		}
		var s [3]int64
		for i, ext := range []string{"", ".gz", ".br"} {
			form, err := fs.Stat(site, n+ext)
			if err != nil {
				return 0, err
			}
			s[i] = form.Size()
		}
		name := path.Base(n)
		if slices.Contains(strings.Fields(lazy), "assets/"+name) {
			later = append(later, func() { line(name+", when needed", s) })
			continue
		}
		line(name, s)
	}
	total := sum
	line("total", total)
	for _, more := range later {
		more()
	}
	return total[2], nil
}
