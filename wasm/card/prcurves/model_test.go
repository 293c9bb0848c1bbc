package prcurves

import (
	"slices"
	"testing"
)

func TestUnion(t *testing.T) {
	if got := union([][]int64{{0, 10, 20}, {-5, 10, 30}, nil, {20, 20}}); !slices.Equal(got, []int64{-5, 0, 10, 20, 30}) {
		t.Error(got)
	}
	if got := union(nil); len(got) != 0 {
		t.Error(got)
	}
}
