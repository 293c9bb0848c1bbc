package runtable

import "encoding/json"

// ModelName is what a Keras model's JSON (model.to_json()) says of its name: "sequential_1
// (Sequential)", or the class alone where old versions keep no name. It is "" for what is
// no such JSON.
func ModelName(text string) string {
	var m struct {
		Class  string          `json:"class_name"`
		Config json.RawMessage `json:"config"` // once a list of layers
	}
	var config struct {
		Name string `json:"name"`
	}
	if json.Unmarshal([]byte(text), &m) != nil {
		return ""
	}
	_ = json.Unmarshal(m.Config, &config)
	switch {
	case config.Name == "":
		return m.Class
	case m.Class == "":
		return config.Name
	}
	return config.Name + " (" + m.Class + ")"
}
