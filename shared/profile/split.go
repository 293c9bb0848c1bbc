package profile

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// Reading in one pass
//
// encoding/json goes over a text once to see whether it is right, and then over every part
// of it again for each depth at which that is read on its own: some eight times over a
// profile's entries, half a second of a page's time for 10,000 of them. So the whole text is
// checked once (outermost), and taken apart here by a scan that only looks for where values
// end. What it is given is known to be JSON.

// members calls f for each member of a list or an object, whose key is raw JSON; a list's are nil.
func members(raw json.RawMessage, f func(key, value json.RawMessage)) {
	object := raw[0] == '{'
	for i := skip(raw, 1); i < len(raw) && raw[i] != '}' && raw[i] != ']'; {
		var key json.RawMessage
		if object {
			end := endOfString(raw, i+1) + 1
			key = raw[i:end]
			i = skip(raw, skip(raw, end)+1) // the colon
		}
		end := endOfValue(raw, i)
		f(key, raw[i:end:end])
		if i = skip(raw, end); i < len(raw) && raw[i] == ',' {
			i = skip(raw, i+1)
		}
	}
}

// skip returns where something other than white space stands, from i on.
func skip(raw []byte, i int) int {
	for i < len(raw) && (raw[i] == ' ' || raw[i] == '\n' || raw[i] == '\t' || raw[i] == '\r') {
		i++
	}
	return i
}

// endOfValue returns where the value ends that begins at i.
func endOfValue(raw []byte, i int) int {
	switch raw[i] {
	case '"':
		return endOfString(raw, i+1) + 1
	case '{', '[':
		for depth := 0; i < len(raw); i++ {
			switch raw[i] {
			case '"':
				i = endOfString(raw, i+1)
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
		return len(raw)
	}
	for i < len(raw) && raw[i] != ',' && raw[i] != '}' && raw[i] != ']' && raw[i] > ' ' {
		i++
	}
	return i
}

// into reads raw, which is JSON, as json.Unmarshal does.
func into[T any](raw json.RawMessage, v *T) bool {
	switch v := any(v).(type) {
	case *Fields:
		if raw[0] != '{' {
			return false
		}
		*v = Fields{}
		members(raw, func(key, value json.RawMessage) {
			var k string
			if into(key, &k) {
				(*v)[k] = value
			}
		})
		return true
	case *[]json.RawMessage:
		if raw[0] != '[' {
			return false
		}
		*v = []json.RawMessage{}
		members(raw, func(_, value json.RawMessage) { *v = append(*v, value) })
		return true
	case *string:
		if raw[0] != '"' {
			return false
		}
		inner := raw[1 : len(raw)-1]
		for _, c := range inner {
			if c == '\\' || c >= utf8.RuneSelf {
				return json.Unmarshal(raw, v) == nil
			}
		}
		*v = string(inner)
		return true
	case *float64:
		if raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
			return false
		}
		x, err := strconv.ParseFloat(string(raw), 64)
		*v = x
		return err == nil
	case *bool:
		*v = raw[0] == 't'
		return raw[0] == 't' || raw[0] == 'f'
	}
	return json.Unmarshal(raw, v) == nil
}
