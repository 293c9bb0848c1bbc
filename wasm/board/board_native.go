//go:build !js

package board

// Board is one dashboard.
type Board interface{ Model }
