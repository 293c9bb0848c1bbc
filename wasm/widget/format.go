package widget

import (
	"fmt"
	"time"
)

// Moment writes a time, seconds since 1970, in the reader's zone.
func Moment(wall float64) string {
	if !(wall > -6e10 && wall < 2e11) {
		return ""
	}
	return time.UnixMicro(int64(wall * 1e6)).Format("2006-01-02 15:04:05")
}

// Thousands writes a count with its thousands apart: 48,210.
func Thousands(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
