package profile

import "bytes"

// limits refuses a text that is too large or nested too deeply, before anything is made
// of it. It need not be JSON.
func limits(text []byte) error {
	if len(text) > MaxBytes {
		return refuse(ErrTooLarge, "The file has %d MB; a profile has at most %d. Is it the right file?", len(text)>>20, MaxBytes>>20)
	}
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = endOfString(text, i+1)
		case '{', '[':
			if depth++; depth > MaxDepth {
				return refuse(ErrTooDeep, "At byte %d the file has objects and lists in each other, more than %d deep; a profile has none of those.", i, MaxDepth)
			}
		case '}', ']':
			depth--
		}
	}
	return nil
}

// endOfString returns where the string ends whose content begins at i.
func endOfString(text []byte, i int) int {
	for i < len(text) {
		n := bytes.IndexAny(text[i:], `"\`)
		if n < 0 {
			break
		}
		if i += n; text[i] == '"' {
			return i
		}
		i += 2
	}
	return len(text)
}
