package ui

import (
	"syscall/js"

	"github.com/tensorbored/tensorbored-static/wasm/bridge"
)

// aboutPage returns what there is to say of this page and its browser.
func aboutPage() about {
	a := about{Version: pageVersion()}
	global := js.Global()
	number := func(of js.Value, name string) float64 {
		if v, err := bridge.Property(of, name); err == nil && v.Type() == js.TypeNumber {
			return v.Float()
		}
		return 0
	}
	nav := global.Get("navigator")
	if v, err := bridge.Property(nav, "userAgent"); err == nil && v.Type() == js.TypeString {
		a.Browser = v.String()
	}
	a.Width, a.Height, a.Ratio = int(number(global, "innerWidth")), int(number(global, "innerHeight")), number(global, "devicePixelRatio")
	a.Workers, a.Memory = int(number(nav, "hardwareConcurrency")), number(nav, "deviceMemory")
	return a
}

// pageVersion is what the page was built from, "" if it does not say.
func pageVersion() string {
	if v := js.Global().Get("tbBoot").Get("version"); v.Type() == js.TypeString {
		return v.String()
	}
	return ""
}
