package widget

import (
	"encoding/json"
	"syscall/js"
)

// Answers is a function for a script of ours, which calls it with the name of what it asks or
// does, a wish as JSON, which is read into what fresh makes, and maybe more (tbKit.asks). What
// answer returns goes back as JSON, but for nil and what is JavaScript's already.
func Answers(fresh func() any, answer func(name string, wish any, more []js.Value) any) js.Func {
	return Func(func(_ js.Value, args []js.Value) any {
		wish := fresh()
		if len(args) > 1 {
			_ = json.Unmarshal([]byte(args[1].String()), wish) // the script is ours
		}
		out := answer(args[0].String(), wish, args[min(2, len(args)):])
		switch out.(type) {
		case nil, js.Value:
			return out
		}
		return JSON(out)
	})
}

// JSON is a value of ours for a script.
func JSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic("widget: internal error: " + err.Error())
	}
	return string(b)
}
