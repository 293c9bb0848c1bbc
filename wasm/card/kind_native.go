//go:build !js

package card

// Kind is a kind of cards.
type Kind interface{ Model }
