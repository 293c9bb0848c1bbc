package tensor

// Info is what is known of a stored tensor before it is read.
type Info struct {
	Name  string // as a user knows it
	Key   string // as the file has it, if that is another one
	DType DType
	Shape []int64
	Bytes int64    // as it is stored
	Step  int64    // of the checkpoint, -1 if none
	Wrong *Trouble // why it cannot be loaded
}

// Rows and dims of a tensor as points: the first dimension × the rest. A vector is n × 1.
func (i Info) Points() (rows, dims int64) {
	if len(i.Shape) == 0 {
		return 1, 1
	}
	n, ok := Elements(i.Shape[1:])
	if !ok {
		return 0, 0
	}
	return i.Shape[0], n
}

// Stored is a tensor in its file.
type Stored interface {
	Info() Info
	// Load reads the first rows of it, row by row; rows < 0 stands for all. turn is told how
	// many bytes of how many were read, and ends the reading by an error. What is wrong
	// beside which the numbers are good comes as problems.
	Load(rows int64, turn func(read, of int64) error) (points []float32, problems []*Trouble, err error)
}
