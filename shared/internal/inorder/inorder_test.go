package inorder

import (
	"slices"
	"testing"
)

func TestAppend(t *testing.T) {
	for _, c := range []struct {
		stay [7]int
		want []int
	}{
		{[7]int{3, 9, 4, -1, -1, -1, 12}, []int{3, 4, 9, 12}},
		{[7]int{0, 0, 0, -1, 0, -1, 0}, []int{0}},
		{[7]int{6, 5, 4, 3, 2, 1, 0}, []int{0, 1, 2, 3, 4, 5, 6}},
		{[7]int{-1, -1, -1, -1, -1, -1, -1}, nil},
	} {
		if got := Append([]int{99}, c.stay); !slices.Equal(got[1:], c.want) || got[0] != 99 {
			t.Errorf("%v: %v", c.stay, got)
		}
	}
}
