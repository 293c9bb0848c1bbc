//go:build !js

package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// module writes a module with a package for each source and returns its directory.
func module(t *testing.T, sources map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module some.test/m\n\ngo 1.21\n")
	for name, body := range sources {
		write(name+"/x_test.go", "package x\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\n"+helpers+body)
	}
	return dir
}

// helpers are functions of the packages that are tested: nth counts how often a test has
// begun, in all runs.
const helpers = `
func nth(t *testing.T) int {
	f, err := os.OpenFile("count-"+t.Name(), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("x")
	f.Close()
	b, _ := os.ReadFile("count-"+t.Name())
	return len(b)
}

func fails(t *testing.T, times ...int) {
	n := nth(t)
	for _, bad := range times {
		if n == bad {
			t.Errorf("the %d. time of %s", n, t.Name())
		}
	}
}

`

func TestAgain(t *testing.T) {
	const passes = "func TestPasses(t *testing.T) { fails(t, 2) }\n"
	once := func(names ...string) (s string) {
		for _, n := range names {
			s += "func Test" + n + "(t *testing.T) { fails(t, 1) }\n"
		}
		return s
	}
	tests := []struct {
		name    string
		sources map[string]string
		timeout time.Duration
		strict  bool
		why     string   // part of the error; empty if all is well
		ends    []string // with which the output ends
		ran     map[string]int
	}{
		{
			name:    "all pass",
			sources: map[string]string{"a": passes, "b": passes},
			ends:    []string{"ok  \tsome.test/m/a\t1 tests passed", "ok  \tsome.test/m/b\t1 tests passed"},
			ran:     map[string]int{"a/count-TestPasses": 1, "b/count-TestPasses": 1},
		}, {
			name:    "one fails once",
			sources: map[string]string{"a": passes + once("Race") + "func TestRaceMore(t *testing.T) { fails(t, 2) }\n"},
			ends:    []string{"ok  \tsome.test/m/a\t3 tests passed, 1 of them when run again", "FLAKY: TestRace", "    x_test.go:24: the 1. time of TestRace"},
			ran:     map[string]int{"a/count-TestPasses": 1, "a/count-TestRace": 4, "a/count-TestRaceMore": 1},
		}, {
			name: "a part fails once",
			sources: map[string]string{"a": `func TestParts(t *testing.T) {
				n := nth(t)
				t.Run("one", func(t *testing.T) {})
				t.Run("two", func(t *testing.T) { if n == 1 { t.Error("in part") } })
			}`},
			ends: []string{"FLAKY: TestParts/two", "    x_test.go:32: in part"},
			ran:  map[string]int{"a/count-TestParts": 4},
		}, {
			name:    "three fail once, in two packages",
			sources: map[string]string{"a": passes + once("R1", "R2"), "b": once("R3")},
			ends:    []string{"FLAKY: TestR1", "    x_test.go:24: the 1. time of TestR1", "FLAKY: TestR2", "    x_test.go:24: the 1. time of TestR2", "FLAKY: TestR3", "    x_test.go:24: the 1. time of TestR3"},
		}, {
			name:    "four fail once",
			sources: map[string]string{"a": once("R1", "R2"), "b": once("R3", "R4")},
			why:     "TestR1, TestR2, TestR3, TestR4",
			ends:    []string{"FAILED: TestR1 of some.test/m/a", "    x_test.go:24: the 1. time of TestR1", "FAILED: TestR2 of some.test/m/a", "    x_test.go:24: the 1. time of TestR2", "FAILED: TestR3 of some.test/m/b", "    x_test.go:24: the 1. time of TestR3", "FAILED: TestR4 of some.test/m/b", "    x_test.go:24: the 1. time of TestR4"},
			ran:     map[string]int{"a/count-TestR1": 1},
		}, {
			name:    "one fails again the third time",
			sources: map[string]string{"a": passes + "func TestBad(t *testing.T) { fails(t, 1, 4) }\n"},
			why:     "TestBad of some.test/m/a failed",
			ends:    []string{"FAILED: TestBad of some.test/m/a", "    x_test.go:24: the 1. time of TestBad", "FAILED: TestBad of some.test/m/a", "    x_test.go:24: the 4. time of TestBad"},
			ran:     map[string]int{"a/count-TestBad": 4},
		}, {
			name:    "one fails always",
			sources: map[string]string{"a": passes + "func TestBad(t *testing.T) { fails(t, 1, 2, 3, 4) }\n"},
			why:     "TestBad of some.test/m/a failed",
			ran:     map[string]int{"a/count-TestBad": 2},
		}, {
			name:    "one is left out when run again",
			sources: map[string]string{"a": "func TestBad(t *testing.T) {\n\tif nth(t) == 1 { t.Fatal(\"x\") }\n\tt.Skip(\"not again\")\n}\n"},
			why:     "TestBad of some.test/m/a failed",
		}, {
			name:    "one panics once",
			sources: map[string]string{"a": passes + "func TestPanic(t *testing.T) { if nth(t) == 1 { panic(\"x\") } }\n"},
			why:     "some.test/m/a broke off",
		}, {
			name:    "one ends the program after another failed",
			sources: map[string]string{"a": once("Race") + "func TestExit(t *testing.T) { if nth(t) == 1 { os.Exit(3) } }\n" + passes},
			why:     "some.test/m/a broke off",
		}, {
			name:    "one hangs",
			sources: map[string]string{"a": passes + "func TestHangs(t *testing.T) { if nth(t) == 1 { <-make(chan int, len(os.Args)) } }\n"},
			timeout: time.Second,
			why:     "some.test/m/a broke off",
		}, {
			name:    "the end of a package fails",
			sources: map[string]string{"a": passes + "func TestMain(m *testing.M) { m.Run(); os.Exit(1) }\n"},
			why:     "some.test/m/a failed, and none of its tests did",
			ends:    []string{"FAILED: some.test/m/a", "    FAIL\tsome.test/m/a\t*"},
		}, {
			name:    "one cannot be built",
			sources: map[string]string{"a": passes + once("Race"), "b": "func TestB(t *testing.T) { unknown() }\n"},
			why:     "cannot be built: some.test/m/b",
			ends:    []string{"FAILED: some.test/m/b [some.test/m/b.test]", "    # some.test/m/b [some.test/m/b.test]", "    b/x_test.go:29:28: undefined: unknown", "FAILED: TestRace of some.test/m/a", "    x_test.go:24: the 1. time of TestRace"},
		}, {
			name:    "strict: all pass",
			sources: map[string]string{"a": passes},
			strict:  true,
			ends:    []string{"ok  \tsome.test/m/a\t1 tests passed"},
		}, {
			name:    "strict: one fails once",
			sources: map[string]string{"a": passes + once("Race"), "b": passes},
			strict:  true,
			why:     "these tests failed: TestRace",
			ends:    []string{"FAILED: TestRace of some.test/m/a", "    x_test.go:24: the 1. time of TestRace"},
			ran:     map[string]int{"a/count-TestRace": 1, "b/count-TestPasses": 1},
		}, {
			name:    "strict: one panics",
			sources: map[string]string{"a": "func TestPanic(t *testing.T) { t.Log(\"before\"); for i := 0; i < 90; i++ { println(i) }; panic(\"odd\") }\n"},
			strict:  true,
			why:     "some.test/m/a broke off",
			ends:    []string{"FAILED: some.test/m/a", "    FAIL\tsome.test/m/a\t*"},
		}, {
			name:    "there is no test",
			sources: map[string]string{"a": ""},
			why:     "no test has run",
		},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir := module(t, tc.sources)
			if tc.timeout == 0 {
				tc.timeout = stepTime
			}
			var out bytes.Buffer
			err := run(t.Context(), &out, tc.timeout, tc.strict, dir, []string{"./..."})
			var e *Error
			switch {
			case tc.why == "" && err != nil:
				t.Fatalf("it failed: %v\n%s", err, out.String())
			case tc.why != "" && (!errors.As(err, &e) || !strings.Contains(e.Why, tc.why)):
				t.Fatalf("the error is %v, not %q\n%s", err, tc.why, out.String())
			case !endsWith(out.String(), tc.ends):
				t.Errorf("the output does not end with %q:\n%s", tc.ends, out.String())
			case tc.why != "" && tc.why != "no test has run" && !strings.Contains(out.String(), "\nFAILED: "):
				t.Errorf("the output does not say what failed:\n%s", out.String())
			case tc.why != "" && strings.Contains(out.String(), "FLAKY"):
				t.Errorf("a run that failed calls a test flaky:\n%s", out.String())
			case tc.why == "" && strings.Count(out.String(), "\n--- PASS: ") == 0:
				t.Errorf("the output does not show that tests ran:\n%s", out.String())
			}
			for name, want := range tc.ran {
				if b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); err != nil || len(b) != want {
					t.Errorf("%s ran %d times, not %d (%v)", name, len(b), want, err)
				}
			}
		})
	}
}

// endsWith is whether these are the last lines; a line that ends with * begins so.
func endsWith(out string, lines []string) bool {
	got := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	got = got[max(0, len(got)-len(lines)):]
	return slices.EqualFunc(got, lines, func(got, want string) bool {
		begin, open := strings.CutSuffix(want, "*")
		return got == want || open && strings.HasPrefix(got, begin)
	})
}

// stepTime is how long the tests of a package that does not hang may take.
const stepTime = 5 * time.Minute

// What the go command says that is no event is shown, and so is a line that has no end.
func TestTakeOtherLines(t *testing.T) {
	var r results
	for line, want := range map[string]string{
		"go: finding module": "go: finding module\n",
		"{not an event":      "{not an event\n",
		`{"Action":"build-output","ImportPath":"x","Output":"# x\n"}`: "# x\n",
		`{"Action":"start","Package":"x"}`:                            "",
	} {
		if got := r.take([]byte(line)); got != want {
			t.Errorf("%q is shown as %q, not %q", line, got, want)
		}
	}
}
