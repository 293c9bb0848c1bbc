package runcolor

// palette are the colours that are given, on a light and on a dark ground, in the order in
// which there are enough of them: any two of the first safe are told apart with the three
// common colour blindnesses too, any two of the first core easily, any two of all by a second
// look (least, below, on both grounds; a test holds them to it). They have a contrast of 3:1
// on white and 4:1 on the dark panel. No two are between 9 and 11 apart: two that are shown
// together are far apart, or so near that the list offers another colour.
//
// They were found by simulated annealing over lightness, chroma and hue (in OKLCH, the hue the
// same on both grounds) with those figures as penalties, the blindnesses by Machado's and by
// Brettel's matrices.
var palette = [...][2]string{
	{"#053cc7", "#3e79ff"}, // blue
	{"#f06e07", "#fe9962"}, // orange
	{"#279772", "#77d9b2"}, // teal
	{"#ae2680", "#cf65a4"}, // magenta
	{"#6e4cf5", "#8d8ad4"}, // violet
	{"#556700", "#71842e"}, // olive
	{"#b26fb5", "#fbb8fe"}, // orchid
	{"#832e43", "#f9226e"}, // wine
	{"#6b14a8", "#a351ed"}, // purple
	{"#0fa808", "#51e549"}, // green
	{"#0585b6", "#5bbff3"}, // azure
	{"#9b6207", "#ca841f"}, // ochre
	{"#566a9e", "#94a4cb"},
	{"#485b76", "#5f84ba"},
	{"#a60542", "#c9546d"},
	{"#6b2578", "#c53adf"},
	{"#900562", "#e32ea1"},
	{"#5d3ecc", "#8677f4"},
	{"#0c5652", "#218b86"},
	{"#745509", "#8d7b5a"},
	{"#418628", "#6ac849"},
	{"#588f92", "#5bb4b7"},
	{"#d32e91", "#f19dc6"},
	{"#976e67", "#edafa5"},
	{"#bf4ecd", "#c5abc8"},
	{"#a51cdf", "#d3a1f2"},
	{"#97824d", "#ddcb9e"},
	{"#ce0412", "#e74e44"},
	{"#1a5f24", "#1ba336"},
	{"#969409", "#d4d45b"},
}

// Few is how many colours are told apart by everybody, whichever of them are shown: as many
// runs have each its own from the beginning.
const Few = safe

const (
	safe = 8
	core = 12
	// TooClose is the distance (OKLab × 100) below which two lines are hard to tell apart
	// where up to core are shown.
	TooClose = 9
	// patterns is how many patterns of dashes there are, the first of which is none.
	patterns = 5
	// crowd is how many are more than colours and dashes can tell apart.
	crowd = len(palette) * (patterns - 1)
)

// sight is a colour as it is seen on both grounds.
type sight [2]Lab

// sightOf is that of a colour on a light and on a dark ground, each #rrggbb.
func sightOf(light, dark string) (s sight) {
	s[0], _ = LabOf(light)
	s[1], _ = LabOf(dark)
	return s
}

// apart is how far two colours are from each other where they are nearest, OKLab × 100.
func (s *sight) apart(o *sight) float64 {
	return 100 * min(Distance(s[0], o[0]), Distance(s[1], o[1]))
}

// blind has a bit for each colour of the palette from which a colour is less than 7 apart
// for somebody with protanopia, deuteranopia or tritanopia, by either simulation. A test
// works it out.
var blind = [len(palette)]uint32{
	0x1206b101, 0x34d00202, 0x5f00604, 0x65f808, 0x1312b410, 0x180a7920, 0x25e01440, 0x180dc080, 0xa8121, 0x24300606,
	0x3701654, 0x1b980828, 0x3723479, 0x1047b039, 0x180dc0a8, 0xfe199, 0x805e088, 0x1206b131, 0x100fe089, 0x1a0cc9a0,
	0x2cb01e16, 0x1f0164c, 0xbe0344e, 0x27f00846, 0x7e01c54, 0x3ca1c11, 0x25900246, 0x185948a0, 0x180e68b3, 0x24900242,
}

// sights are those of the palette, made when they are first needed.
var sights []sight

func sightAt(slot int) *sight {
	if sights == nil {
		for _, c := range palette {
			sights = append(sights, sightOf(c[0], c[1]))
		}
	}
	return &sights[slot%len(palette)]
}

// SlotHex is the colour of a slot on a light or dark ground.
func SlotHex(slot int, dark bool) string {
	return palette[slot%len(palette)][map[bool]int{true: 1}[dark]]
}

// SlotDash is the slot's pattern of dashes, 0 = none, for where so many lines are shown that
// colours alone do not suffice.
func SlotDash(slot int) int {
	dash := slot / len(palette)
	if slot >= core {
		dash++
	}
	return dash % patterns
}
