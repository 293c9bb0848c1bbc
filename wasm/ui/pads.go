package ui

import "strings"

// widestValue is how many characters a value has room for beside its run.
const widestValue = 8

// pads are what numbers of a column have less than others behind their points ("00"): it is
// drawn unseen after them, so that the points stand below each other. Where numbers have
// exponents, or not all would have room, none has any. Of a text only its first line counts.
func pads(texts []string) []string {
	out := make([]string, len(texts))
	whole, most := 0, 0
	for i, text := range texts {
		text, _, _ = strings.Cut(text, "\n")
		out[i] = text
		if strings.Trim(text, "-+≈ 0123456789.,") != "" {
			return make([]string, len(texts))
		}
		a, b, _ := strings.Cut(text, ".")
		whole, most = max(whole, len(a)), max(most, len(b))
	}
	if whole+1+most > widestValue {
		most = 0
	}
	for i, text := range out {
		_, b, point := strings.Cut(text, ".")
		switch out[i] = ""; {
		case len(b) >= most || text == "":
		case point:
			out[i] = strings.Repeat("0", most-len(b))
		default:
			out[i] = "." + strings.Repeat("0", most)
		}
	}
	return out
}
