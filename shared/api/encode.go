package api

import (
	"strconv"
	"unicode/utf8"
)

// Append appends l as JSON, one file a line so that a person can read it and a
// diff says what changed.
func (l *Listing) Append(dst []byte) []byte {
	dst = append(dst, `{"version":`...)
	dst = strconv.AppendInt(dst, Version, 10)
	dst = appendField(dst, `,"logdir":`, l.Logdir)
	dst = appendField(dst, `,"base":`, l.Base)
	if l.Batch != "" {
		dst = appendField(dst, `,"batch":`, l.Batch)
	}
	if l.ETag != "" {
		dst = appendField(dst, `,"etag":`, l.ETag)
	}
	if l.Partial {
		dst = append(dst, `,"partial":1`...)
	}
	dst = l.Page.Append(dst)
	dst = AppendFiles(append(dst, `,`...), l.Files, l.Problems)
	return append(dst, "}\n"...)
}

// AppendFiles appends the two list members of a listing, without the braces
// around them. A listing's ETag is a hash of exactly these bytes,
// behind what Page.Append writes.
func AppendFiles(dst []byte, files []File, problems []Problem) []byte {
	dst = append(dst, `"files":[`...)
	for i := range files {
		f := &files[i]
		dst = appendField(between(dst, i), `{"path":`, f.Path)
		dst = strconv.AppendInt(append(dst, `,"size":`...), f.Size, 10)
		dst = appendMillis(append(dst, `,"mtime":`...), f.MTime)
		dst = appendField(dst, `,"kind":`, string(f.Kind))
		if f.Version != "" {
			dst = appendField(dst, `,"version":`, f.Version)
		}
		dst = append(dst, '}')
	}
	dst = append(dst, `],"problems":[`...)
	for i, p := range problems {
		dst = appendField(between(dst, i), `{"path":`, p.Path)
		dst = appendField(dst, `,"error":`, p.Error)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// Append appends f as JSON.
func (f *Failure) Append(dst []byte) []byte {
	dst = appendField(dst, `{"error":`, f.Message)
	if f.Remedy != "" {
		dst = appendField(dst, `,"remedy":`, f.Remedy)
	}
	return append(dst, "}\n"...)
}

// appendMillis appends ns nanoseconds in milliseconds, exactly.
func appendMillis(dst []byte, ns int64) []byte {
	whole, rest := ns/1e6, ns%1e6
	if ns < 0 && whole == 0 {
		dst = append(dst, '-')
	}
	dst = strconv.AppendInt(dst, whole, 10)
	if rest == 0 {
		return dst
	}
	rest = max(rest, -rest)
	dst = append(dst, '.')
	for digit := int64(1e5); rest > 0; digit /= 10 {
		dst = append(dst, byte('0'+rest/digit))
		rest %= digit
	}
	return dst
}

func between(dst []byte, i int) []byte {
	if i > 0 {
		dst = append(dst, ',')
	}
	return append(dst, '\n')
}

func appendField(dst []byte, key, value string) []byte {
	return appendQuoted(append(dst, key...), value)
}

// appendQuoted appends s as a JSON string. Bytes that are not UTF-8 become
// U+FFFD: JSON has no form for them.
func appendQuoted(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c < 0x20 || c == 0x7f:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		case c < utf8.RuneSelf:
			dst = append(dst, c)
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			dst = utf8.AppendRune(dst, r) // RuneError is U+FFFD
			i += n
			continue
		}
		i++
	}
	return append(dst, '"')
}
