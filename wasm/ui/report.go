package ui

import (
	"fmt"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// about says which page it is, in which browser, for reports.
type about struct {
	Version, Browser string
	Width, Height    int     // of the window, in CSS pixels
	Ratio            float64 // device pixels to one of these
	Workers          int     // threads of the machine, as far as the browser tells
	Memory           float64 // GiB of the machine, the same; 0: not told
}

// String is one line for each fact.
func (a about) String() string {
	version := a.Version
	if version == "" {
		version = "of an unknown version"
	}
	s := fmt.Sprintf("tensorbored-static %s\n%s\nwindow %d × %d at %v, %d threads", version, a.Browser, a.Width, a.Height, a.Ratio, a.Workers)
	if a.Memory > 0 {
		s += fmt.Sprintf(", %v GiB", a.Memory)
	}
	return s + "\n"
}

// lossReport is the losses as text, for a message to who keeps the files.
func lossReport(a about, lost []wire.Loss) string {
	return a.String() + lossLines(lost, func(file string) string { return file })
}

// bugReport is what helps who mends the program: sizes, losses, what a worker said when
// it ended. Nothing of the data, and no name of a run, file or logdir, is in it.
func bugReport(a about, board string, s wire.Status) string {
	var b strings.Builder
	b.WriteString(a.String())
	fmt.Fprintf(&b, "board %s, phase %s: %d runs, %d files (%d not read whole), %d of %d bytes (%d cached), %d of %d points kept\n",
		board, s.Phase, s.Runs, s.Files, s.Unread, s.BytesRead, s.BytesTotal, s.BytesCached, s.Kept, s.Points)
	if s.Error != "" {
		b.WriteString("the logdir as a whole cannot be read\n")
	}
	numbers := map[string]int{}
	b.WriteString(lossLines(s.Lost, func(file string) string {
		if numbers[file] == 0 {
			numbers[file] = len(numbers) + 1
		}
		return fmt.Sprintf("file %d", numbers[file])
	}))
	return b.String()
}

func lossLines(lost []wire.Loss, name func(file string) string) string {
	var b strings.Builder
	for _, l := range lost {
		fmt.Fprintf(&b, "%s: %s at byte %d, %d bytes, %d times: %s\n", name(l.File), l.Kind, l.Offset, l.Bytes, l.Count, l.Remedy)
		if l.Details != "" {
			b.WriteString(l.Details + "\n")
		}
	}
	return b.String()
}
