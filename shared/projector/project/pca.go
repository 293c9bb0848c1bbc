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
		for j, x := range m.Row(i) {
			d := float64(x - c.Mean[j])
			total += d * d
		}
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

// covariance is the sum of products of all pairs of columns, d × d. Columns of a block of rows stand
// one after the other, and four sums are made at a time.
func (m Matrix) covariance(mean []float32, turn Turn) ([]float64, error) {
	const block = 64
	d := m.D
	cov, columns := make([]float64, d*d), make([]float64, (d+1)*block)
	for r := 0; r < m.N; r += block {
		rows := min(block, m.N-r)
		for i := range rows {
			for j, x := range m.Row(r + i) {
				columns[j*block+i] = float64(x - mean[j])
			}
		}
		for j := range d {
			clear(columns[j*block+rows : (j+1)*block])
		}
		for i := 0; i < d; i += 2 {
			a0, a1 := columns[i*block:][:block:block], columns[(i+1)*block:][:block:block]
			for j := i; j < d; j += 2 {
				b0, b1 := columns[j*block:][:block:block], columns[(j+1)*block:][:block:block]
				var s00, s01, s10, s11 float64
				for k := range block {
					x0, x1, y0, y1 := a0[k], a1[k], b0[k], b1[k]
					s00 += x0 * y0
					s01 += x0 * y1
					s10 += x1 * y0
					s11 += x1 * y1
				}
				cov[i*d+j] += s00
				if j+1 < d {
					cov[i*d+j+1] += s01
				}
				if i+1 < d {
					cov[(i+1)*d+j] += s10
					if j+1 < d {
						cov[(i+1)*d+j+1] += s11
					}
				}
			}
			if i&63 == 0 {
				if err := turn(); err != nil {
					return nil, err
				}
			}
		}
	}
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
