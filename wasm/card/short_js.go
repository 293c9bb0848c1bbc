package card

import (
	"encoding/json"
	"syscall/js"

	"github.com/tensorbored/tensorbored-static/shared/names"
)

// ShortNames lets scripts that draw cards make names fit, by shared/names: what these have in
// common comes last.
func ShortNames() {
	painter := js.Global().Get("tbPaint")
	if painter.Get("shorten").Truthy() {
		return
	}
	painter.Set("shorten", js.FuncOf(func(_ js.Value, args []js.Value) any {
		var list []string
		_ = json.Unmarshal([]byte(args[0].String()), &list) // the script wrote them
		out, common := names.Short(list, args[1].Int())
		text, _ := json.Marshal(append(out, common))
		return string(text)
	}))
}
