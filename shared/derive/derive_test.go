package derive

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

var known = []string{"train/loss", "eval/loss", "loss", "train", "lr", "a-b", "a", "b", "odd {x}", "exp", "0/x", "2", "été", "f1 score"}

func values(e *Expr, of map[string]float64) float64 {
	v := make([]float64, len(e.Tags))
	for i, t := range e.Tags {
		v[i] = of[t]
	}
	return e.Eval(v)
}

func TestValues(t *testing.T) {
	of := map[string]float64{"train/loss": 2, "eval/loss": 3, "loss": 5, "train": 7, "lr": 0.5, "a-b": 11, "a": 13, "b": 17, "odd {x}": 19, "exp": 23, "0/x": 29, "2": 31, "été": 37, "f1 score": 41}
	for text, want := range map[string]float64{
		"train/loss":                      2,
		"train / loss":                    7.0 / 5, // with spaces they are two
		"train/loss - eval/loss":          -1,
		"exp(train/loss)":                 math.Exp(2),
		"exp":                             23, // without a bracket it is the tag
		"-lr^2":                           -0.25,
		"lr^-1":                           2,
		"lr^2^3":                          math.Pow(0.5, 8),
		"1 - 2 - lr":                      -1.5, // a number is a number, not a tag that is called so
		"1e1*lr":                          5,
		"(1+3)*lr % 1.5":                  0.5,
		"a-b":                             11, // the longest tag
		"a - b":                           -4,
		`{odd \{x\}} + été`:               56,
		"f1 score / 41":                   1,
		"0/x":                             29,
		"min(a, b, lr) + max(a,b)":        17.5,
		"pow(lr, 2)+sqrt(4)*pi*0":         0.25,
		"log10(1000*loss/loss) + abs(-a)": 16,
	} {
		canon, err := Canon(text, known)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		e, err := Of(Name(canon))
		if err != nil {
			t.Errorf("%s became %s: %v", text, canon, err)
			continue
		}
		if got := values(e, of); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s, or %s, is %g, want %g", text, canon, got, want)
		}
		if again, err := Canon(canon, nil); again != canon || err != nil {
			t.Errorf("%s changes to %s (%v)", canon, again, err)
		}
	}
}

// Errors are told where they are.
func TestErrors(t *testing.T) {
	for text, at := range map[string]int{
		"":                              0,
		"train/loss -":                  12,
		"train/loss eval/loss":          11,
		"exp(train/loss":                14,
		"nope + lr":                     0,
		"lr * nope(lr)":                 5,
		"pow(lr)":                       6,
		"{train/loss":                   0,
		"1 + 3":                         0,
		"lr + )":                        5,
		"lossy":                         0,
		"ref(loss)":                     0, // at which steps?
		"lr - ref(ref(loss))":           13,
		"lr - ref(loss, run)":           15,
		`lr - ref(loss, "run)`:          15,
		`lr - ref(loss, "run"`:          20,
		"lr - ref(3":                    10,
		strings.Repeat("(", 300) + "lr": 33,
		strings.Repeat("-", 300) + "lr": 98,
	} {
		_, err := Canon(text, known)
		var e *Error
		if !errors.As(err, &e) || e.At != at || e.Why == "" {
			t.Errorf("%.20q: %v, want an error at %d", text, e, at)
		}
	}
}

// What ref(…) holds is of other runs.
func TestRefs(t *testing.T) {
	canon, err := Canon(`loss - ref(exp(loss) + a, "run \"1\"") / ref(lr) + ref`, append(known, "ref"))
	if err != nil {
		t.Fatal(err)
	}
	e, err := Parse(canon)
	if err != nil {
		t.Fatal(err)
	}
	if want := []Ref{{"loss", `run "1"`}, {"a", `run "1"`}, {"lr", ""}}; !slices.Equal(e.Refs, want) || !slices.Equal(e.Tags, []string{"loss", "ref"}) {
		t.Errorf("%s is of %v and %v", canon, e.Tags, e.Refs)
	}
	if got, want := e.Eval([]float64{10, 100, 0, 4, 5}), 10-(1.+4)/5+100; got != want {
		t.Errorf("got %g, want %g", got, want)
	}
}

func TestText(t *testing.T) {
	for name, want := range map[string]string{
		"loss":                    "loss",
		"=exp({train/loss})":      "exp(train/loss)",
		"={a-b} - {x}":            "{a-b} - x",
		`={odd \{x\}}`:            `{odd \{x\}}`,
		`={a} - ref({a}, "b{c}")`: `a - ref(a, "b{c}")`,
		"={broken":                "{broken",
	} {
		if got := Text(name); got != want {
			t.Errorf("%s reads %s, want %s", name, got, want)
		}
	}
}

// Whatever a link or a profile holds: an error or an expression that comes back as itself.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"exp({a})-b", "{a}^-{b\\}}", "min(1,{a},2e3)%3", "((((", "{", "été*2", `{a}-ref({a},"b\"")`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		canon, err := Canon(text, known)
		Text("=" + text)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.At < 0 || e.At > len(text) {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		e, err := Parse(canon)
		if err != nil {
			t.Fatalf("%q became %q: %v", text, canon, err)
		}
		if again, err := Canon(canon, nil); err != nil || again != canon {
			t.Fatalf("%q changes to %q (%v)", canon, again, err)
		}
		e.Eval(slices.Repeat([]float64{2}, len(e.Tags)+len(e.Refs)))
	})
}
