package demo

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed" // the data set
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

//go:embed digits/digits.csv.gz
var digitsGz []byte

const (
	side    = 8 // pixels of a digit's edge
	pixels  = side * side
	classes = 10
	ink     = 16 // value of a black pixel in the file
	tested  = 360
)

// digit is one picture and what it shows.
type digit struct {
	pixels [pixels]float64 // 0 white … 1 black, row by row
	class  int
}

// digits is the data set, divided.
type digits struct {
	train, test []digit
}

// loadDigits unpacks the data set and divides it at random: tested digits are
// kept from training.
func loadDigits(seed uint64) (d digits, err error) {
	r, err := gzip.NewReader(bytes.NewReader(digitsGz))
	if err != nil {
		return d, fmt.Errorf("demo: the embedded digits: %w", err)
	}
	var all []digit
	for lines := bufio.NewScanner(r); lines.Scan(); {
		numbers := strings.Split(lines.Text(), ",")
		if len(numbers) != pixels+1 {
			return d, fmt.Errorf("demo: the embedded digits: line %d has %d numbers", len(all)+1, len(numbers))
		}
		var one digit
		for i, s := range numbers {
			n, err := strconv.Atoi(s)
			if err != nil {
				return d, fmt.Errorf("demo: the embedded digits: %w", err)
			}
			if i < pixels {
				one.pixels[i] = float64(n) / ink
			} else {
				one.class = n
			}
		}
		all = append(all, one)
	}
	rand.New(rand.NewPCG(seed, 1)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	if len(all) <= tested+batchSize {
		return d, fmt.Errorf("demo: the embedded digits: only %d of them", len(all))
	}
	return digits{all[tested:], all[:tested]}, nil
}

// batches goes through the training set in a new random order each time.
type batches struct {
	rng   *rand.Rand
	order []int
	at    int
}

func newBatches(n int, seed uint64) *batches {
	b := &batches{rng: rand.New(rand.NewPCG(seed, 2))}
	b.order = b.rng.Perm(n)
	return b
}

// next returns the indices of batchSize digits. They are only good until the
// next call.
func (b *batches) next() []int {
	if b.at+batchSize > len(b.order) {
		b.rng.Shuffle(len(b.order), func(i, j int) { b.order[i], b.order[j] = b.order[j], b.order[i] })
		b.at = 0
	}
	b.at += batchSize
	return b.order[b.at-batchSize : b.at]
}
