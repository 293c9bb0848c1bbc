package series

import "sort"

// find returns the number of the chunk that holds point n, len(chunks) behind the
// last one.
func (s *Scalars) find(n int64) int {
	return sort.Search(len(s.chunks), func(k int) bool { return s.chunks[k].first+s.chunks[k].span > n })
}

// Stretch returns where the stretch of points ends that begins with point from and is
// alike: either all of its chunks are kept whole, or points are gone from each. It
// looks no further than to the chunk in which most points have been passed.
func (s *Scalars) Stretch(from, most int64) (to int64, thinned bool) {
	to = from
	for k := s.find(from); k < len(s.chunks) && to-from < most; k++ {
		c := &s.chunks[k]
		if gone := int64(c.n) < c.span; to == from {
			thinned = gone
		} else if thinned != gone {
			break
		}
		to = c.first + c.span
	}
	return to, thinned
}

// Agrees reports whether c, said to be the points of s with numbers from from on, is
// so wherever s has kept one of them. NaNs are alike.
func (s *Scalars) Agrees(from int64, c *Columns) bool {
	for k := s.find(from); k < len(s.chunks) && s.chunks[k].first < from+int64(c.Len()); k++ {
		o := &s.chunks[k]
		wall := o.walls(nil)
		for i := range o.n {
			j := o.number(i) - from
			if j < 0 || j >= int64(c.Len()) {
				continue
			}
			if float64(o.step(i)) != c.Step[j] || !same(wall[i], c.Wall[j]) || !same(o.value(i), c.Value[j]) {
				return false
			}
		}
	}
	return true
}

func same(a, b float64) bool { return a == b || a != a && b != b }
