//go:build !js

package httprange

// transport returns how requests are made, which only tests set outside of a browser.
func (h *Host) transport() transport { return h.via }
