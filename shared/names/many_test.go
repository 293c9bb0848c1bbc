package names

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func wide(s string) float64 { return float64(utf8.RuneCountInString(s)) }

// Of any number of names those on the screen fit, look different, leave out what all of them
// have, which Common says, and nothing else; and a row looks the same when the list is scrolled.
func TestMany(t *testing.T) {
	for _, n := range []int{30, 2000, 2001, 20000} {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf("model_resnet50,opt=%s,lr=%d.5e-05,warmup=1000,seed=%d", []string{"adam", "sgd"}[2*i/n], 1+i%9, i))
		}
		m := NewMany(list, 22, wide)
		for _, word := range []string{"model_resnet50", "warmup=1000", "lr", "seed"} {
			if !strings.Contains(m.Common, word) {
				t.Errorf("of %d names is common %q", n, m.Common)
			}
		}
		for _, word := range []string{"adam", "sgd", "9.5"} {
			if strings.Contains(m.Common, word) {
				t.Errorf("%d names do not all have %q", n, m.Common)
			}
		}
		if all := m.All(); (all != nil) != (n <= Most) || all != nil && len(all) != n {
			t.Errorf("of %d names there are all %d", n, len(all))
		}
		before := map[int]string{}
		for from := 0; from < min(n, 400); from += 10 {
			var at []int
			for i := from; i < min(n, from+45); i++ {
				at = append(at, i)
			}
			texts, seen := m.Texts(at), map[string]bool{}
			for k, text := range texts {
				if wide(text) > 22 || seen[text] {
					t.Fatalf("%q is %q of %d", list[at[k]], text, n)
				}
				if !strings.Contains(text, "adam") && !strings.Contains(text, "sgd") {
					t.Fatalf("%q is %q, though not all of %d have its opt", list[at[k]], text, n)
				}
				seen[text] = true
				if had, ok := before[at[k]]; ok && had != text {
					t.Fatalf("%q was %q", text, had)
				}
				before[at[k]] = text
			}
		}
	}
}

// Names of which a few alone are odd are fitted as one.
func TestManyOdd(t *testing.T) {
	var list []string
	for i := range 5000 {
		list = append(list, fmt.Sprintf("a_common_beginning/%s/seed_%d", strings.Repeat("x", i%7+1), i/7))
	}
	list[4321] = "something else that is quite long"
	m := NewMany(list, 12, wide)
	if m.Common != "" && strings.Contains(m.Common, "common") {
		t.Errorf("not all have %q", m.Common)
	}
	at := []int{0, 1, 2, 70, 700, 4320, 4321, 4322, 4999}
	texts := m.Texts(at)
	for k, text := range texts {
		if wide(text) > 12 || slices.Index(texts, text) != k {
			t.Errorf("%q is %q", list[at[k]], text)
		}
	}
	if len(sample(list)) > widest+spread+mostCut+2 {
		t.Errorf("%d names stand for all", len(sample(list)))
	}
}

func BenchmarkMany(b *testing.B) {
	var list []string
	for i := range 10000 {
		list = append(list, fmt.Sprintf("sweep-2024/resnet50_imagenet/relu_t0=2_kH=%.3f_lr=%.2e_seed=%d", 0.001*float64(i%7), 1e-5*float64(i), i%5))
	}
	for b.Loop() {
		NewMany(list, 24, wide).Texts([]int{1, 100})
	}
}
