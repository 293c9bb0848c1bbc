package plugin

// Flag is a flag of the command line that a plug-in declares. Its name begins with the
// plug-in's.
type Flag struct {
	Name     string   `json:"name"`
	Type     string   `json:"type"` // "string", "int", "float", "bool"
	Default  any      `json:"default,omitempty"`
	Help     string   `json:"help,omitempty"`
	Minimum  *float64 `json:"minimum,omitempty"`
	Maximum  *float64 `json:"maximum,omitempty"`
	Enum     []string `json:"enum,omitempty"`
	Pattern  string   `json:"pattern,omitempty"` // of the whole value, as in package regexp
	Required bool     `json:"required,omitempty"`
}

// Values are values of flags by their names: string, int64, float64 or bool.
type Values map[string]any
