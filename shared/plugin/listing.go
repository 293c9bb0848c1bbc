package plugin

import "encoding/json"

// IndexPath is the address of a listing below a site's.
const IndexPath = "plugins/index.json"

// Listing is plugins/index.json: the plug-ins that a server or a static host offers.
type Listing struct {
	Version  int      `json:"version"`
	Plugins  []Listed `json:"plugins"`
	Problems []string `json:"problems,omitempty"` // plug-ins that were left out, in words
}

// Listed is a plug-in of a listing. Its files stand below the listing's address, in a folder of
// its name.
type Listed struct {
	Manifest
	Files  []string `json:"files"`            // relative paths, without plugin.json
	Values Values   `json:"values,omitempty"` // of its flags
	// Live is the address, relative to the listing, of what tells that the files have changed.
	Live string `json:"live,omitempty"`
	// Origin is the address of its folder at an origin of its own, for one that asks for it where
	// the server gives one; whoever answers there must know Key.
	Origin string `json:"origin,omitempty"`
	Key    string `json:"key,omitempty"`
}

// Append appends the listing's JSON.
func (l *Listing) Append(dst []byte) ([]byte, error) {
	l.Version = 1
	if l.Plugins == nil {
		l.Plugins = []Listed{}
	}
	text, err := json.Marshal(l)
	return append(dst, text...), err
}
