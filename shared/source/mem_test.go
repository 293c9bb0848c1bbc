package source_test

import (
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/source/sourcetest"
)

func TestMem(t *testing.T) {
	m := source.Mem(sourcetest.Files())
	o := &sourcetest.Origin{
		Logdir: m.Logdir(), Lists: true, Grows: true,
		Append: func(path string, data []byte) error { m[path] = append(m[path], data...); return nil },
		Remove: func(path string) error { delete(m, path); return nil },
	}
	for _, c := range sourcetest.Cases {
		t.Run(c.Name, func(t *testing.T) {
			if err := c.Run(t.Context(), o); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestRunOf(t *testing.T) {
	for path, run := range map[string]string{"tfevents": ".", "a/tfevents": "a", "a/b c/tfevents": "a/b c"} {
		if got := source.RunOf(path); got != run {
			t.Errorf("%q is of run %q, want %q", path, got, run)
		}
	}
	if source.HasData("a/tfevents.profile-empty") || !source.HasData("a/tfevents.profile-empty.1") {
		t.Error("which files hold data")
	}
}
