package project

import (
	"math"
	"math/rand/v2"
	"slices"
)

// jacobi finds all eigenvalues and vectors of a small symmetric matrix a (n × n, which it destroys), greatest
// first: cyclic rotations (Golub, Van Loan: Matrix Computations, 8.5). Vector i is the row i.
func jacobi(a []float64, n int, turn Turn) (values []float64, vectors []float64, err error) {
	v := make([]float64, n*n)
	for i := range n {
		v[i*n+i] = 1
	}
	total := 0.0
	for _, x := range a {
		total += x * x
	}
	for range 60 {
		off := 0.0
		for i := range n {
			for j := range i {
				off += a[i*n+j] * a[i*n+j]
			}
		}
		if off <= 1e-26*total {
			break
		}
		for p := range n {
			for q := p + 1; q < n; q++ {
				apq := a[p*n+q]
				if math.Abs(apq) <= 1e-18*math.Sqrt(total) {
					continue
				}
				tau := (a[q*n+q] - a[p*n+p]) / (2 * apq)
				t := 1 / (math.Abs(tau) + math.Sqrt(1+tau*tau))
				if tau < 0 {
					t = -t
				}
				c := 1 / math.Sqrt(1+t*t)
				s := t * c
				for k := range n {
					x, y := a[k*n+p], a[k*n+q]
					a[k*n+p], a[k*n+q] = c*x-s*y, s*x+c*y
				}
				rp, rq := a[p*n:(p+1)*n], a[q*n:(q+1)*n]
				for k, x := range rp {
					y := rq[k]
					rp[k], rq[k] = c*x-s*y, s*x+c*y
				}
				vp, vq := v[p*n:(p+1)*n], v[q*n:(q+1)*n]
				for k, x := range vp {
					y := vq[k]
					vp[k], vq[k] = c*x-s*y, s*x+c*y
				}
			}
			if err := turn(); err != nil {
				return nil, nil, err
			}
		}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int {
		switch {
		case a[x*n+x] > a[y*n+y]:
			return -1
		case a[x*n+x] < a[y*n+y]:
			return 1
		}
		return 0
	})
	for _, i := range order {
		values = append(values, a[i*n+i])
		vectors = append(vectors, v[i*n:(i+1)*n]...)
	}
	return values, vectors, nil
}

// product computes to = A·v for a symmetric A.
type product func(v, to []float64) error

// top finds the k greatest eigenvalues of a symmetric, positive semidefinite matrix of which only
// products are known, and their vectors, one a row: block Lanczos with full
// orthogonalisation, begun anew with the best that it has (Golub, Van Loan 10.3). It ends when each
// residual is below tolerance × the greatest value, or after rounds; exact says which.
func top(n, k int, mul product, tolerance float64, rounds int, seed uint64, turn Turn) (values, vectors []float64, exact bool, err error) {
	k = min(k, n)
	block := min(n, k+6)
	most := min(n, max(6*block, 60))
	random := rand.New(rand.NewPCG(seed, 11))
	var basis, images [][]float64
	add := func(v []float64) (bool, error) { // makes it orthogonal to the basis, and puts it there
		before := norm(v)
		for range 2 {
			for _, b := range basis {
				axpy(v, b, -dot64(v, b))
			}
		}
		if l := norm(v); l > 1e-10*before && l > 0 {
			for i := range v {
				v[i] /= l
			}
		} else {
			return false, nil
		}
		image := make([]float64, n)
		if err := mul(v, image); err != nil {
			return false, err
		}
		basis, images = append(basis, v), append(images, image)
		return true, turn()
	}
	for tries := 0; len(basis) < block && tries < 4*block; tries++ {
		v := make([]float64, n)
		for i := range v {
			v[i] = random.NormFloat64()
		}
		if _, err := add(v); err != nil {
			return nil, nil, false, err
		}
	}
	for round := 0; ; round++ {
		for at := max(0, len(basis)-block); at < len(basis) && len(basis) < most; at++ {
			if _, err := add(slices.Clone(images[at])); err != nil {
				return nil, nil, false, err
			}
		}
		m := len(basis)
		h := make([]float64, m*m)
		for i := range m {
			for j := range i + 1 {
				x := dot64(basis[i], images[j])
				h[i*m+j], h[j*m+i] = x, x
			}
			if err := turn(); err != nil {
				return nil, nil, false, err
			}
		}
		ritz, y, err := jacobi(h, m, turn)
		if err != nil {
			return nil, nil, false, err
		}
		keep := min(block, m)
		newBasis, newImages := make([][]float64, keep), make([][]float64, keep)
		worst := 0.0
		for i := range keep {
			v, w := make([]float64, n), make([]float64, n)
			for j := range m {
				axpy(v, basis[j], y[i*m+j])
				axpy(w, images[j], y[i*m+j])
			}
			if i < k {
				sum := 0.0
				for j := range v {
					d := w[j] - ritz[i]*v[j]
					sum += d * d
				}
				worst = max(worst, math.Sqrt(sum))
			}
			newBasis[i], newImages[i] = v, w
			if err := turn(); err != nil {
				return nil, nil, false, err
			}
		}
		exact = worst <= tolerance*max(ritz[0], 0) || m == n
		if exact || round >= rounds {
			for i := range min(k, keep) {
				values = append(values, max(0, ritz[i]))
				vectors = append(vectors, newBasis[i]...)
			}
			return values, vectors, exact, nil
		}
		// The next round's new vectors are residuals: what the images have beyond the basis.
		basis, images = newBasis, newImages
	}
}

func dot64(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
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

func axpy(to, v []float64, by float64) {
	v = v[:len(to)]
	for i := range to {
		to[i] += by * v[i]
	}
}

func norm(v []float64) float64 { return math.Sqrt(dot64(v, v)) }
