package storage

import (
	"errors"
	"syscall/js"

	"github.com/tensorbored/tensorbored-static/wasm/bridge"
)

// ErrNoLocal says that the browser has no localStorage for this page, or refuses it:
// site data are blocked, or the page stands in a sandbox.
var ErrNoLocal = errors.New("this browser keeps nothing for this page: site data are blocked")

// local returns localStorage. It is looked up at each use: a user may allow or block
// it at any time, and its getter throws where it is blocked.
func local() (js.Value, error) {
	v := bridge.Offered("localStorage")
	if !v.Truthy() {
		return v, ErrNoLocal
	}
	return v, nil
}

// LocalGet returns what localStorage keeps under key, "" if there is nothing.
func LocalGet(key string) (string, error) {
	s, err := local()
	if err != nil {
		return "", err
	}
	v, err := bridge.Try(func() js.Value { return s.Call("getItem", key) })
	if err != nil || v.Type() != js.TypeString {
		return "", err
	}
	return v.String(), nil
}

// LocalSet keeps text under key. The error is ErrNoLocal, or a *bridge.Error such as
// QuotaExceededError.
func LocalSet(key, text string) error {
	s, err := local()
	if err != nil {
		return err
	}
	_, err = bridge.Try(func() js.Value { return s.Call("setItem", key, text) })
	return err
}
