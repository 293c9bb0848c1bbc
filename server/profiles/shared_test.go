package profiles_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/server/profiles"
	"github.com/tensorbored/tensorbored-static/shared/profile"
)

// More plans than make test tries: go test ./server/profiles -run TestSharedWriting -plans 500
var plans = flag.Int("plans", 3, "how many plans of shared writing are tried")

// Pages of two servers of one logdir set its default profile at once, some with what they
// have seen, some remove it: nothing that anybody was told is set is replaced by who has
// not seen it, readers see whole profiles alone, and no file is left behind. Each profile
// counts those before it, so one that was replaced unseen is missing in the end.
func TestSharedWriting(t *testing.T) {
	for seed := range uint64(*plans) {
		dir := t.TempDir()
		servers := []http.Handler{host(t, true, files.Root{Dir: dir}), host(t, true, files.Root{Dir: dir})}
		if w := ask(servers[0], "POST", counted(t, 0)); w.Code != 204 {
			t.Fatal(w.Code, w.Body)
		}
		var set, refused atomic.Int64
		var wait sync.WaitGroup
		for page := range uint64(4) {
			wait.Go(func() {
				r := rand.New(rand.NewPCG(seed, page))
				for range 5 {
					h := servers[r.IntN(2)]
					seen := ask(h, "GET", "")
					n, err := count(seen.Body.Bytes())
					if seen.Code != 200 || err != nil {
						t.Errorf("seed %d: read %d %s", seed, seen.Code, seen.Body)
						return
					}
					switch w := ask(servers[r.IntN(2)], "POST", counted(t, n+1), "If-Match", seen.Header().Get("ETag")); w.Code {
					case 204:
						set.Add(1)
					case 412:
						refused.Add(1)
						if now, err := count(w.Body.Bytes()); err != nil || now <= n {
							t.Errorf("seed %d: %d was seen, and refused for %d (%v)", seed, n, now, err)
						}
					default:
						t.Errorf("seed %d: %d %s", seed, w.Code, w.Body)
					}
				}
			})
		}
		wait.Wait()
		p, problems, err := profiles.Read(dir)
		if err != nil || len(problems) > 0 {
			t.Fatalf("seed %d: %v %v", seed, problems, err)
		}
		if p.Name != strconv.FormatInt(set.Load(), 10) {
			t.Fatalf("seed %d: %d were set, and that of %s stands there", seed, set.Load(), p.Name)
		}
		if set.Load()+refused.Load() != 20 {
			t.Errorf("seed %d: %d set, %d refused", seed, set.Load(), refused.Load())
		}
		if all, _ := os.ReadDir(filepath.Join(dir, ".tensorboard")); len(all) != 1 {
			t.Errorf("seed %d: left: %v", seed, all)
		}
	}
}

// counted is a profile of so many before it, long enough to be written in several pieces.
func counted(t *testing.T, n int) string {
	p := profile.New(strconv.Itoa(n))
	for i := range 50 {
		p.Describe(fmt.Sprint("tag", i), strings.Repeat(strconv.Itoa(n)+" ", 200))
	}
	text, err := profile.Encode(p)
	if err != nil {
		t.Error(err)
	}
	return string(text)
}

func count(text []byte) (int, error) {
	p, _, err := profile.Decode(text)
	if err != nil {
		return 0, err
	}
	if len(p.Descriptions) != 50 {
		return 0, fmt.Errorf("%d descriptions", len(p.Descriptions))
	}
	return strconv.Atoi(p.Name)
}
