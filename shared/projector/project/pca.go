package project

// Components are what PCA found.
type Components struct {
	K         int
	Vectors   []float32 // k × columns
	Variance  []float64 // of each, as a share of the whole
	Mean      []float32
	Positions []float32 // n × k
	Exact     bool
}

// mostCovariance is how many columns a matrix of covariances is made for: beyond it the points are
// multiplied anew each time.
const mostCovariance = 1536

// PCA finds the k first principal components, exactly: eigenvectors of the covariance. The sign of each
// is such that its greatest coefficient is positive.
func PCA(m Matrix, k int, turn Turn) (*Components, error) {
	k = min(k, m.D, m.N)
	all := make([]uint32, m.N)
	for i := range all {
		all[i] = uint32(i)
	}
	c := &Components{K: k, Mean: Mean(m.X, m.D, all)}
	if err := turn(); err != nil {
		return nil, err
	}
	total := 0.0
	for i := range m.N {
		d := float64(square(m.Row(i), c.Mean))
		total += d
		if i&255 == 0 {
			if err := turn(); err != nil {
				return nil, err
			}
		}
	}
	mul := func(v, to []float64) error { return m.implicit(c.Mean, v, to, turn) }
	if m.D <= mostCovariance && m.D <= 4*m.N {
		cov, err := m.covariance(c.Mean, turn)
		if err != nil {
			return nil, err
		}
		mul = func(v, to []float64) error {
			for i := range to {
				to[i] = dot64(cov[i*m.D:(i+1)*m.D], v)
			}
			return turn()
		}
	}
	values, vectors, exact, err := top(m.D, k, mul, 1e-9, 60, 1, turn)
	if err != nil {
		return nil, err
	}
	c.Exact = exact
	for i, v := range values {
		share := 0.0
		if total > 0 {
			share = v / total
		}
		c.Variance = append(c.Variance, share)
		row := vectors[i*m.D : (i+1)*m.D]
		greatest := 0
		for j, x := range row {
			if x*x > row[greatest]*row[greatest]*(1+1e-9) {
				greatest = j
			}
		}
		sign := 1.0
		if row[greatest] < 0 {
			sign = -1
		}
		for _, x := range row {
			c.Vectors = append(c.Vectors, float32(sign*x))
		}
	}
	c.K = len(values)
	c.Positions = make([]float32, 0, m.N*c.K)
	centered := make([]float32, m.D)
	for i := range m.N {
		for j, x := range m.Row(i) {
			centered[j] = x - c.Mean[j]
		}
		for j := range c.K {
			c.Positions = append(c.Positions, dot(centered, c.Vectors[j*m.D:(j+1)*m.D]))
		}
		if i&255 == 0 {
			if err := turn(); err != nil {
				return nil, err
			}
		}
	}
	return c, nil
}

// block is how many rows are multiplied at a time.
const block = 64

// products adds to two rows of four sums the products of two columns and four. It is a function of its own
// since a browser makes fast code of a function only where it is called anew.
//
//go:noinline
func products(a0, a1, b0, b1, b2, b3 *[block]float64, c0, c1 *[4]float64) {
	var s00, s01, s02, s03, s10, s11, s12, s13 float64
	for k := range block {
		x0, x1 := a0[k], a1[k]
		y := b0[k]
		s00 += x0 * y
		s10 += x1 * y
		y = b1[k]
		s01 += x0 * y
		s11 += x1 * y
		y = b2[k]
		s02 += x0 * y
		s12 += x1 * y
		y = b3[k]
		s03 += x0 * y
		s13 += x1 * y
	}
	c0[0], c0[1], c0[2], c0[3] = c0[0]+s00, c0[1]+s01, c0[2]+s02, c0[3]+s03
	c1[0], c1[1], c1[2], c1[3] = c1[0]+s10, c1[1]+s11, c1[2]+s12, c1[3]+s13
}

// spread puts a row without its mean into columns.
//
//go:noinline
func spread(row, mean []float32, columns []float64) {
	mean = mean[:len(row)]
	for j, x := range row {
		columns[j*block] = float64(x - mean[j])
	}
}

// covariance is the sum of products of all pairs of columns, d × d. Columns of a block of rows stand
// one after the other, and eight sums are made at a time.
func (m Matrix) covariance(mean []float32, turn Turn) ([]float64, error) {
	d := m.D
	wide := (d + 3) &^ 3
	cov, columns := make([]float64, wide*wide), make([]float64, wide*block)
	column := func(j int) *[block]float64 { return (*[block]float64)(columns[j*block:]) }
	for r := 0; r < m.N; r += block {
		rows := min(block, m.N-r)
		for i := range rows {
			spread(m.Row(r+i), mean, columns[i:])
		}
		for j := range d {
			clear(columns[j*block+rows : (j+1)*block])
		}
		for i := 0; i < d; i += 2 {
			a0, a1 := column(i), column(i+1)
			for j := i &^ 3; j < d; j += 4 {
				products(a0, a1, column(j), column(j+1), column(j+2), column(j+3), (*[4]float64)(cov[i*wide+j:]), (*[4]float64)(cov[(i+1)*wide+j:]))
			}
			if i&63 == 0 {
				if err := turn(); err != nil {
					return nil, err
				}
			}
		}
	}
	for i := range d {
		copy(cov[i*d:(i+1)*d], cov[i*wide:]) // rows close up
	}
	cov = cov[:d*d]
	for i := range d {
		for j := range i {
			cov[i*d+j] = cov[j*d+i]
		}
	}
	return cov, nil
}

// implicit is the covariance times v, by two products with the points.
func (m Matrix) implicit(mean []float32, v, to []float64, turn Turn) error {
	clear(to)
	offset := 0.0
	for j, x := range v {
		offset += x * float64(mean[j])
	}
	sum := 0.0
	for i := range m.N {
		row, s := m.Row(i), -offset
		for j, x := range row {
			s += float64(x) * v[j]
		}
		for j, x := range row {
			to[j] += s * float64(x)
		}
		sum += s
		if i&63 == 0 {
			if err := turn(); err != nil {
				return err
			}
		}
	}
	for j := range to {
		to[j] -= sum * float64(mean[j])
	}
	return nil
}
