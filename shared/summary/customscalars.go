package summary

// layoutTag is where readers look for a Layout.
const layoutTag = "custom_scalars__config__"

// Layout says which charts the custom scalars dashboard shows
// (tensorboard/plugins/custom_scalar/layout.proto). Readers join the layouts of
// all runs.
type Layout struct {
	Categories []Category
}

// Category is a group of charts.
type Category struct {
	Title  string
	Closed bool // folded at first
	Charts []Chart
}

// Chart is a line chart, or a margin chart if it has Margins.
type Chart struct {
	Title string
	// Lines are regular expressions (Python's), matched at the start of a tag;
	// every tag that matches becomes a line.
	Lines []string
	// Margins are bands around a line.
	Margins []Margin
}

// Margin names three tags that were written at the same steps. They are taken
// literally.
type Margin struct {
	Value, Lower, Upper string
}

// CustomScalars writes the layout of the custom scalars dashboard. A chart with
// both Lines and Margins is a *ValueError. Takes WallTime.
func (w *Writer) CustomScalars(l Layout, opts ...Option) error {
	s, err := gather("CustomScalars", layoutTag, setWallTime, opts)
	if err != nil {
		return err
	}
	var layout []byte
	for _, category := range l.Categories {
		c := putString(nil, 1, category.Title)
		for _, chart := range category.Charts {
			if len(chart.Lines) > 0 && len(chart.Margins) > 0 {
				return &ValueError{"CustomScalars", chart.Title, "the chart has both Lines and Margins: make two charts"}
			}
			c = mustBytes(c, 2, chart.encode())
		}
		layout = mustBytes(layout, 2, putBool(c, 3, category.Closed))
	}
	m := Metadata{Plugin: "custom_scalars"}
	return w.value(TensorValue(layoutTag, StringTensor(nil, string(layout)), m), 0, &s)
}

func (c Chart) encode() []byte {
	b := putString(nil, 1, c.Title)
	if len(c.Margins) > 0 {
		var content []byte
		for _, m := range c.Margins {
			content = mustBytes(content, 1, putString(putString(putString(nil, 1, m.Value), 2, m.Lower), 3, m.Upper))
		}
		return mustBytes(b, 3, content)
	}
	var content []byte
	for _, tag := range c.Lines {
		content = mustString(content, 1, tag)
	}
	return mustBytes(b, 2, content)
}
