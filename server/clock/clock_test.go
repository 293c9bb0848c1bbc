package clock_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/server/clock"
)

// A clock that is wrong is wrong by the same for all that is measured.
func TestSkew(t *testing.T) {
	defer func() { clock.Skew = 0 }()
	clock.Skew = -36 * time.Hour
	begin := clock.Now()
	if ago := time.Since(begin); ago < 35*time.Hour {
		t.Errorf("the clock is behind by %v", ago)
	}
	if d := clock.Since(begin); d < 0 || d > time.Hour {
		t.Errorf("%v have passed", d)
	}
}

// The hub, its viewers and the listing of files know no other clock, so tests may set it.
func TestNoOtherClock(t *testing.T) {
	other := regexp.MustCompile(`\btime\.(Now|Since|Until)\(`)
	seen := 0
	for _, dir := range []string{"../hub", "../files"} {
		err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") ||
				strings.HasSuffix(path, "_test.go") || strings.Contains(path, "slurmtest") {
				return err
			}
			seen++
			text, err := os.ReadFile(path)
			if at := other.FindIndex(text); at != nil {
				t.Errorf("%s:%d reads the system's clock: use clock.Now", path, 1+strings.Count(string(text[:at[0]]), "\n"))
			}
			return err
		})
		if err != nil || seen == 0 {
			t.Fatal(seen, err)
		}
	}
}
