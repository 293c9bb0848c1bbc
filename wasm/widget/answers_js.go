package widget

import (
	"encoding/json"
	"syscall/js"
)

// Answers is a function for a script of ours, which calls it with the name of what it asks or
// does, a wish as JSON, and maybe more (tbKit.asks). What answer returns goes back as JSON, but
// for nil and what is JavaScript's already.
func Answers[W any](answer func(name string, wish *W, more []js.Value) any) js.Func {
	return Func(func(_ js.Value, args []js.Value) any {
		wish := new(W)
		if len(args) > 1 {
			_ = json.Unmarshal([]byte(args[1].String()), wish) // the script is ours
		}
		return written(answer(args[0].String(), wish, args[min(2, len(args)):]))
	})
}

func written(out any) any {
	switch out.(type) {
	case nil, js.Value:
		return out
	}
	b, err := json.Marshal(out)
	if err != nil {
		panic("widget: internal error: " + err.Error())
	}
	return string(b)
}
