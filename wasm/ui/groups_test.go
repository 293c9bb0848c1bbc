package ui

import (
	"fmt"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/runcolor"
)

func TestGroupRuns(t *testing.T) {
	by, err := runcolor.ByRegexp(`^(sgd|adam)_`)
	if err != nil {
		t.Fatal(err)
	}
	groups, none := groupRuns(by, []string{"sgd_1", "x", "adam_1", "sgd_2"})
	if got := fmt.Sprint(groups, none); got != `[{["sgd"] sgd [sgd_1 sgd_2]} {["adam"] adam [adam_1]}] 1` {
		t.Error(got)
	}
}
