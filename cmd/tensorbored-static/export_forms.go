package main

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/series"
)

// The columns of all forms: run, tag, step, wall_time (seconds since 1970), value.
// Numbers are written in the fewest digits that give them back exactly; those that are
// none as NaN, Infinity and -Infinity, which is what JSON's writers of others and
// pandas understand (in JSON as strings).

// csvHead is the first line of a CSV file.
const csvHead = "run,tag,step,wall_time,value"

type csvWriter struct {
	w      *csv.Writer
	record [5]string
	safe   bool
}

func newCSV(w io.Writer, safe bool) (pointWriter, error) {
	c := &csvWriter{w: csv.NewWriter(w), safe: safe}
	return c, c.w.Write(strings.Split(csvHead, ","))
}

func (c *csvWriter) points(run, tag string, p *series.Columns) error {
	if c.safe {
		run, tag = noFormula(run), noFormula(tag)
	}
	for i := range p.Step {
		c.record = [5]string{run, tag, strconv.FormatInt(series.Step(p.Step[i]), 10), decimal(p.Wall[i]), decimal(p.Value[i])}
		if err := c.w.Write(c.record[:]); err != nil {
			return err
		}
	}
	return nil
}

// noFormula is a name with an apostrophe before it if a spreadsheet would take it for a
// formula, which may ask others for something.
func noFormula(name string) string {
	if name != "" && strings.ContainsRune("=+-@\t\r", rune(name[0])) {
		return "'" + name
	}
	return name
}

func (c *csvWriter) end() error {
	c.w.Flush()
	return c.w.Error()
}

// decimal writes a number.
func decimal(v float64) string {
	switch {
	case v != v:
		return "NaN"
	case math.IsInf(v, 1):
		return "Infinity"
	case math.IsInf(v, -1):
		return "-Infinity"
	}
	return string(appendNumber(nil, v))
}

// appendNumber writes a finite number, with an exponent only where many zeros would
// stand there: wall times are read by people too.
func appendNumber(b []byte, v float64) []byte {
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.AppendFloat(b, v, 'e', -1, 64)
	}
	return strconv.AppendFloat(b, v, 'f', -1, 64)
}

type jsonLines struct {
	w    *bufio.Writer
	line []byte
}

func newJSONLines(w io.Writer) pointWriter { return &jsonLines{w: bufio.NewWriterSize(w, 64<<10)} }

func (j *jsonLines) points(run, tag string, p *series.Columns) error {
	names, err := json.Marshal([2]string{run, tag})
	if err != nil {
		return err
	}
	var parts [2]json.RawMessage
	if err := json.Unmarshal(names, &parts); err != nil {
		return err
	}
	head := append(append(append([]byte(`{"run":`), parts[0]...), `,"tag":`...), parts[1]...)
	for i := range p.Step {
		b := append(j.line[:0], head...)
		b = strconv.AppendInt(append(b, `,"step":`...), series.Step(p.Step[i]), 10)
		b = appendJSONNumber(append(b, `,"wall_time":`...), p.Wall[i])
		b = appendJSONNumber(append(b, `,"value":`...), p.Value[i])
		j.line = append(b, "}\n"...)
		if _, err := j.w.Write(j.line); err != nil {
			return err
		}
	}
	return nil
}

func appendJSONNumber(b []byte, v float64) []byte {
	if v-v != 0 {
		return strconv.AppendQuote(b, decimal(v))
	}
	return appendNumber(b, v)
}

func (j *jsonLines) end() error { return j.w.Flush() }
