package session

import "encoding/json"

// Key is where the browser's storage keeps the state.
const Key = "tensorbored-static.session"

// version of the stored form. A newer form than this one is not read: what it
// means is not known here.
const version = 1

type stored struct {
	Version int `json:"version"`
	State
}

// Marshal returns the state for storage.
func (s State) Marshal() string {
	b, err := json.Marshal(stored{version, s})
	if err != nil {
		// Only NaN and infinities cannot be written, and Normalize has none.
		return ""
	}
	return string(b)
}

// Unmarshal reads what Marshal wrote. Fields that it does not have keep their
// default, and what cannot be read at all is the default state.
func Unmarshal(text string) State {
	v := stored{State: Default()}
	if text == "" || json.Unmarshal([]byte(text), &v) != nil || v.Version > version {
		return Default()
	}
	v.Normalize()
	return v.State
}
