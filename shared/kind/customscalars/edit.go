package customscalars

import "strconv"

// Edit is what a user has made of the logged layout: the categories and charts as they are
// to be, and the Keys of logged charts that are not wanted. Logged charts that it does not
// know, because they came later, are shown behind the others of their category.
type Edit struct {
	Categories []Category `json:"categories,omitempty"`
	Gone       []string   `json:"gone,omitempty"`
}

// Fix refuses an edit that is none, or that is larger than any layout.
func (e Edit) Fix() (Edit, bool) {
	n := 0
	for i := range e.Categories {
		n += len(e.Categories[i].Charts)
	}
	return e, n <= MaxCharts && len(e.Categories)+len(e.Gone) > 0
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
