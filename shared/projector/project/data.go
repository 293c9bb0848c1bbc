// Package project places points of many dimensions in few: PCA, t-SNE, UMAP, custom axes; and finds
// neighbours. All is done in turns: functions call a Turn every few milliseconds, which may let
// others work, and may end them.
//
// The methods are written here, since no library that is kept does them in a browser: gonum has
// PCA, by a full decomposition that needs the whole matrix as float64s and cannot be
// interrupted.
package project

import "math"

// Turn is called often. Its error ends what calls it.
type Turn func() error

// Matrix are points, row by row.
type Matrix struct {
	X    []float32
	N, D int
}

// Row is a point.
func (m Matrix) Row(i int) []float32 { return m.X[i*m.D : (i+1)*m.D : (i+1)*m.D] }

// Pick copies rows of all points.
func Pick(points []float32, dims int, rows []uint32) Matrix {
	m := Matrix{make([]float32, 0, len(rows)*dims), len(rows), dims}
	for _, r := range rows {
		m.X = append(m.X, points[int(r)*dims:][:dims]...)
	}
	return m
}

// Mean is the centre of rows.
func Mean(points []float32, dims int, rows []uint32) []float32 {
	sum := make([]float64, dims)
	for _, r := range rows {
		addTo(sum, points[int(r)*dims:][:dims])
	}
	mean := make([]float32, dims)
	for i := range mean {
		mean[i] = float32(sum[i] / float64(max(1, len(rows))))
	}
	return mean
}

//go:noinline
func addTo(sum []float64, row []float32) {
	sum = sum[:len(row)]
	for i, x := range row {
		sum[i] += float64(x)
	}
}

// Sphereize takes the mean away and scales each row to length 1, in place. The mean itself stays 0.
func (m Matrix) Sphereize() {
	all := make([]uint32, m.N)
	for i := range all {
		all[i] = uint32(i)
	}
	mean := Mean(m.X, m.D, all)
	for i := range m.N {
		row, sum := m.Row(i), 0.0
		for k := range row {
			row[k] -= mean[k]
			sum += float64(row[k]) * float64(row[k])
		}
		if sum > 0 {
			scale := float32(1 / math.Sqrt(sum))
			for k := range row {
				row[k] *= scale
			}
		}
	}
}

// square is the square of the distance of two points of the same length.
func square(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		d0, d1, d2, d3 := a[i]-b[i], a[i+1]-b[i+1], a[i+2]-b[i+2], a[i+3]-b[i+3]
		s0 += d0 * d0
		s1 += d1 * d1
		s2 += d2 * d2
		s3 += d3 * d3
	}
	for ; i < len(a); i++ {
		d := a[i] - b[i]
		s0 += d * d
	}
	return s0 + s1 + (s2 + s3)
}

func dot(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + (s2 + s3)
}
