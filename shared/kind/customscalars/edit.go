package customscalars

import "strconv"

// Edit is what a user has made of the logged layout: the categories and charts as they are
// to be, and the Keys of logged charts that are not wanted. Logged charts that it does not
// know, because they came later, are shown behind the others of their category.
type Edit struct {
	Categories []Category `json:"categories,omitempty"`
	Gone       []string   `json:"gone,omitempty"`
}

// Fix bounds an edit that anybody may have written; ok is false for none at all.
func (e Edit) Fix() (Edit, bool) {
	left := MaxCharts
	for i := range e.Categories {
		c := &e.Categories[i]
		if len(c.Charts) > left {
			cut := *c
			cut.Charts = cut.Charts[:left]
			e.Categories = append(append([]Category{}, e.Categories[:i]...), cut)
			break
		}
		left -= len(c.Charts)
	}
	return e, len(e.Categories)+len(e.Gone) > 0
}

// Number is which chart of its title a chart is in its category, from 0 on: by category,
// title and number a chart is found again.
func (c *Category) Number(at int) (n int) {
	for i := range at {
		if c.Charts[i].Title == c.Charts[at].Title {
			n++
		}
	}
	return n
}

// Key names a logged chart.
func Key(category, title string, number int) string {
	key := category + "\n" + title
	if number > 0 {
		key += "\n" + strconv.Itoa(number)
	}
	return key
}

// Apply returns the layout that is shown, each chart with where it comes from.
func (e Edit) Apply(logged Layout) (out Layout) {
	known := map[string]bool{}
	for _, key := range e.Gone {
		known[key] = true
	}
	at := map[string]int{}
	place := map[string][2]int{} // of charts that follow the logged ones
	for i, c := range e.Categories {
		charts := append([]Chart(nil), c.Charts...)
		for k, chart := range charts {
			if chart.From != "" {
				known[chart.From] = true
				if !chart.Own {
					place[chart.From] = [2]int{i, k}
				}
			}
		}
		if c.Charts = charts; c.From != "" {
			at[c.From] = i
		}
		out.Categories = append(out.Categories, c)
	}
	for _, c := range logged.Categories {
		count := map[string]int{}
		for _, chart := range c.Charts {
			key := Key(c.Title, chart.Title, count[chart.Title])
			count[chart.Title]++
			if p, ok := place[key]; ok {
				mine := &out.Categories[p[0]].Charts[p[1]]
				mine.Lines, mine.Margins = chart.Lines, chart.Margins
			}
			if known[key] {
				continue
			}
			i, ok := at[c.Title]
			if !ok {
				i = len(out.Categories)
				at[c.Title] = i
				out.Categories = append(out.Categories, Category{Title: c.Title, Closed: c.Closed, From: c.Title})
			}
			chart.From = key
			out.Categories[i].Charts = append(out.Categories[i].Charts, chart)
		}
	}
	return out
}
