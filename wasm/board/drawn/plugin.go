package drawn

import (
	"encoding/json"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
)

// Plugin is the dashboard of a plug-in: a list of boards may grow by it while the page is open.
// Its script is static/lazy/plugin. What it shows are texts by keys of its own, in the address
// as TensorBoard has them: p.NAME.key=value.
type Plugin struct {
	board.Info
	DisableReload bool // the page's reload is nothing to it
}

// About implements board.Model.
func (p Plugin) About() board.Info { return p.Info }

// Settings implements board.Model: what plug-ins show is one setting of the page's.
func (Plugin) Settings() session.Schema { return nil }

// shown is what the plug-in shows, as JSON.
func (p Plugin) shown(s *session.State) string {
	mine := map[string]string{}
	for k, v := range session.PluginData.Of(s) {
		if key, ok := strings.CutPrefix(k, p.ID+"."); ok {
			mine[key] = v
		}
	}
	b, err := json.Marshal(mine)
	if err != nil {
		return ""
	}
	return string(b)
}

// show sets it; what is no JSON of texts changes nothing.
func (p Plugin) show(s *session.State, text string) {
	var mine map[string]string
	if json.Unmarshal([]byte(text), &mine) != nil {
		return
	}
	all := map[string]string{}
	for k, v := range session.PluginData.Of(s) {
		if !strings.HasPrefix(k, p.ID+".") {
			all[k] = v
		}
	}
	for k, v := range mine {
		all[p.ID+"."+k] = v
	}
	session.PluginData.Set(s, all)
}
