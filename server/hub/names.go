package hub

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"strings"
)

// Words of made-up names, such as rarely-cute-man; Determined's instances have such.
var (
	adverbs    = strings.Fields("barely boldly briefly brightly calmly clearly daily deeply early easily evenly fairly fondly freely gently gladly greatly highly hugely keenly kindly largely lightly likely loosely mainly mildly mostly neatly nearly newly nicely openly partly plainly purely quickly quietly rarely readily really safely sharply simply slowly smoothly softly steadily surely tidily truly usually vastly warmly wholly widely wisely")
	adjectives = strings.Fields("able agile alert amber ample apt awake bold brave brief bright brisk busy calm clean clear clever close cool crisp curious cute deep eager early easy even exact fair fast fine firm fond fresh full gentle glad golden grand great green happy honest humble keen kind large light lively loyal lucky mellow merry mild modest neat new nice noble open patient plain polite prime proud quick quiet rapid rare ready rich robust round safe sharp shiny simple smart smooth snug soft solid sound steady still strong sunny sure sweet swift tall tame tender thorough tidy true vast vivid warm wide wise witty young")
	nouns      = strings.Fields("ant badger bat bear beaver bee bison bobcat buck camel cat chamois chough cod condor coot cormorant crab crane cricket crow deer dingo dolphin donkey dormouse dove duck eagle eel egret elk emu falcon fawn ferret finch firefly fox frog gazelle gecko gibbon goat goose grouse gull hare hawk hedgehog heron hippo hornet horse ibex ibis jackal jaguar jay kestrel kite kiwi koala lark lemur lion lizard llama lynx magpie mole moose moth mouse newt okapi orca oriole osprey otter owl ox oyster panda parrot peacock pelican penguin pigeon pony puffin quail rabbit raven robin rook salmon seal shark sheep shrew skunk sloth snail sparrow squid stork swallow swan swift tapir tern tiger toad trout turtle viper vole walrus wasp whale wolf wombat woodcock wren yak zebra")
)

// random is a random number below n, which is small.
func random(n int) int {
	var b [8]byte
	rand.Read(b[:]) // it never fails
	return int(binary.LittleEndian.Uint64(b[:]) % uint64(n))
}

// madeUp is a description for an instance without one.
func madeUp() string {
	return fmt.Sprintf("TensorBoard (%s-%s-%s)", adverbs[random(len(adverbs))], adjectives[random(len(adjectives))], nouns[random(len(nouns))])
}

// newID is a random UUID (RFC 9562, version 4).
func newID() string {
	var b [16]byte
	rand.Read(b[:])
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
