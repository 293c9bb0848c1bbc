//go:build !js

package main

import (
	"fmt"
	"io"
	"slices"
	"time"
)

// measurement is what one line took once.
type measurement struct {
	took   time.Duration
	memory int64 // most bytes of memory; 0: not measured
	came   int64 // bytes over a slow line, the program's included; 0: not measured
}

// budgets are what the project has promised of a line, for print.
var budgets = map[string]string{
	lineInteractive:    "≤ 1 s",
	lineScreen:         "≤ 2 s",
	lineKnown:          "≤ 2 s",
	lineReopen:         "≤ 1 s",
	lineDrag:           "≤ 17 ms",
	lineDragWorst:      "≤ 33 ms",
	lineDragThread:     "≤ 17 ms",
	lineDragMost:       "≤ 33 ms",
	lineZoom:           "≤ 200 ms",
	lineHover:          "≤ 50 ms",
	lineCursor:         "≤ 100 ms",
	lineCursorLow:      "≤ 250 ms",
	lineEndNames:       "≤ 1 ms",
	lineZoomSeen:       "≤ 50 ms",
	lineMeans:          "≤ 100 ms",
	lineKey:            "≤ 50 ms",
	lineEmptyCard:      "≤ 200 ms",
	linePictures:       "≤ 1 s",
	lineGraph10:        "≤ 600 ms",
	lineGraph100:       "≤ 2 s",
	linePluginShown:    "≤ 300 ms",
	linePluginRoute:    "≤ 2 ms",
	lineGraphOpen:      "≤ 100 ms",
	lineGraphOpenFirst: "≤ 100 ms",
	lineGraphPan:       "≤ 17 ms",
	lineGraphPanFar:    "≤ 17 ms",
	lineGraphZoom:      "≤ 17 ms",
	linePointsRead:     "≤ 1.5 s",
	lineTurn:           "≤ 33 ms",
	linePCA:            "≤ 2 s",
	lineTSNE:           "≤ 333 ms",
	lineUMAP:           "≤ 15 s",
	lineNearest:        "≤ 200 ms",
	lineListGB:         "≤ 200 ms",
	lineTable:          "≤ 1 s",
	lineTableMany:      "≤ 3 s",
	lineSort:           "≤ 50 ms",
	lineFilter:         "≤ 50 ms",
	lineBrush:          "≤ 33 ms",
	lineSlicesWorst:    "≤ 33 ms",
	lineSliderWorst:    "≤ 33 ms",
	lineScrollWorst:    "≤ 33 ms",
}

type table struct {
	lines map[string][]string // by logdir, in the order in which they came
	got   map[[2]string][]measurement

	noPeer bool // TensorBoard is not measured
}

func newTable() *table {
	return &table{lines: map[string][]string{}, got: map[[2]string][]measurement{}}
}

func (t *table) add(l *logdir, line string, m measurement) {
	k := [2]string{l.name, line}
	if t.got[k] == nil {
		t.lines[l.name] = append(t.lines[l.name], line)
	}
	t.got[k] = append(t.got[k], m)
}

// median returns the median and the ends of a line's times, and its most memory.
func (t *table) median(logdir, line string) (m measurement, least, most time.Duration) {
	all := t.got[[2]string{logdir, line}]
	if len(all) == 0 {
		return
	}
	var times []time.Duration
	for _, x := range all {
		times = append(times, x.took)
		m.memory = max(m.memory, x.memory)
		m.came = max(m.came, x.came)
	}
	slices.Sort(times)
	m.took = times[len(times)/2]
	return m, times[0], times[len(times)-1]
}

// print prints the table. Only lines that read everything have a rate and a ratio.
func (t *table) print(w io.Writer, logs []logdir) {
	const head = "%-42s %9s %19s %7s %9s %8s %7s  %s\n"
	for _, l := range logs {
		if len(t.lines[l.name]) == 0 {
			continue
		}
		fmt.Fprintf(w, "%s: %.0f MB, %.1f M events, %d files\n", l.name, float64(l.bytes)/1e6, float64(l.size.Points())/1e6, l.size.Runs)
		fmt.Fprintf(w, head, "", "time", "least … most", "MB/s", "events/s", "peak MB", "× peer", "budget")
		peer, _, _ := t.median(l.name, peerLine(nil))
		for _, line := range t.lines[l.name] {
			m, least, most := t.median(l.name, line)
			var rate, events, memory, ratio string
			if reads[line] && m.took > 0 {
				rate = fmt.Sprintf("%.0f", float64(l.bytes)/1e6/m.took.Seconds())
				events = fmt.Sprintf("%.2f M", float64(l.size.Points())/1e6/m.took.Seconds())
				if peer.took > 0 {
					ratio = fmt.Sprintf("%.2f", peer.took.Seconds()/m.took.Seconds())
				}
			}
			if m.memory > 0 {
				memory = fmt.Sprintf("%.0f", float64(m.memory)/1e6)
			}
			note := budgets[line]
			if l.name == small && (line == lineScreen || line == lineKnown) {
				note = "≤ 500 ms"
			}
			if m.came > 0 {
				note = fmt.Sprintf("%.0f MB over the line", float64(m.came)/1e6)
			}
			fmt.Fprintf(w, head, line, show(m.took), show(least)+" … "+show(most), rate, events, memory, ratio, note)
		}
		fmt.Fprintln(w)
	}
	t.flat(w, logs)
}

// flat prints how the time to the first picture grows with the bytes, where two
// logdirs of the same number of files were measured.
func (t *table) flat(w io.Writer, logs []logdir) {
	for i, a := range logs {
		for _, b := range logs[i+1:] {
			if a.size.Runs != b.size.Runs || a.bytes == 0 {
				continue
			}
			x, _, _ := t.median(a.name, lineScreen)
			y, _, _ := t.median(b.name, lineScreen)
			if x.took > 0 && y.took > 0 {
				fmt.Fprintf(w, "%.1f × the bytes in as many files: every curve on screen in %.2f × the time (budget 1.5 × for 10 ×)\n",
					float64(b.bytes)/float64(a.bytes), y.took.Seconds()/x.took.Seconds())
			}
		}
	}
}

func show(d time.Duration) string {
	if d < time.Second {
		if d < 2*time.Millisecond {
			return fmt.Sprintf("%.1f ms", float64(d)/1e6)
		}
		return fmt.Sprintf("%.0f ms", float64(d)/1e6)
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}
