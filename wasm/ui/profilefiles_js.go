package ui

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"syscall/js"
	"time"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/profile"
	"github.com/tensorbored/tensorbored-static/shared/profiles"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// Profiles come and go as files, as text that is pasted, and in links.

// listen takes profiles that are pasted.
func (d *desk) listen() {
	widget.Listen(widget.Page{}, "paste", func(ev dom.Event) {
		e := ev.Underlying()
		if e.Get("target").Call("matches", "input,textarea,select").Bool() {
			return
		}
		clip := e.Get("clipboardData")
		if !clip.Truthy() {
			return
		}
		if files := clip.Get("files"); files.Length() == 1 && isProfileFile(files.Index(0)) {
			ev.PreventDefault()
			d.take(files.Index(0))
			return
		}
		if text := clip.Call("getData", "text/plain").String(); strings.HasPrefix(strings.TrimSpace(text), "{") {
			ev.PreventDefault()
			d.read([]byte(text))
		}
	})
}

// isProfileFile reports whether a file's name is that of a profile.
func isProfileFile(file js.Value) bool {
	return strings.HasSuffix(strings.ToLower(textOf(file, "name")), ".json")
}

// Dropped takes what was dropped if it is a profile.
func (d *desk) dropped(transfer js.Value) bool {
	files, items := transfer.Get("files"), transfer.Get("items")
	if files.Length() != 1 || !isProfileFile(files.Index(0)) {
		return false
	}
	if items.Length() == 1 && items.Index(0).Get("webkitGetAsEntry").Type() == js.TypeFunction {
		if entry := items.Index(0).Call("webkitGetAsEntry"); entry.Truthy() && entry.Get("isDirectory").Bool() {
			return false
		}
	}
	d.take(files.Index(0))
	return true
}

// chooseFile asks for a file.
func (d *desk) chooseFile() {
	in := widget.New("input", "visually-hidden", widget.Attr{Key: "type", Value: "file"}, widget.Attr{Key: "accept", Value: ".json,application/json"},
		widget.Attr{Key: "aria-label", Value: "Profile file"}, widget.Attr{Key: "id", Value: "profile-file"}, widget.Attr{Key: "tabindex", Value: "-1"})
	if old := widget.Find("#profile-file"); old != nil {
		old.Remove()
	}
	widget.Body(in)
	widget.Listen(in, "change", func(dom.Event) {
		if files := widget.Get(in, "files"); files.Length() > 0 {
			d.take(files.Index(0))
		}
		in.Remove()
	})
	in.Click()
}

// take reads a file.
func (d *desk) take(file js.Value) {
	if size := file.Get("size").Float(); size > profile.MaxBytes {
		_, _, err := profile.Decode(make([]byte, profile.MaxBytes+1))
		if err != nil {
			widget.Say(textOf(file, "name") + ": " + err.Error())
		}
		return
	}
	d.do(func() {
		buffer, err := bridge.AwaitCall(file, "arrayBuffer")
		if err != nil {
			widget.Say(textOf(file, "name") + " cannot be read: " + err.Error())
			return
		}
		text := make([]byte, buffer.Get("byteLength").Int())
		js.CopyBytesToGo(text, js.Global().Get("Uint8Array").New(buffer))
		go d.read(text)
	})
}

// read keeps a profile that came from elsewhere, and shows it.
func (d *desk) read(text []byte) {
	p, problems, err := profile.Decode(text)
	if err != nil {
		widget.Say("No profile was imported. " + err.Error())
		return
	}
	before, base := d.app.state.Clone(), d.base
	d.do(func() {
		p.Rename(profile.UniqueName(p.Name, d.shelf.Has))
		said := "“" + p.Name + "” was imported and is shown"
		if err := d.shelf.Save(p, true); err != nil {
			if !errors.As(err, new(*profiles.SessionError)) {
				widget.Say("It was not imported: " + err.Error())
				return
			}
			said += "; " + err.Error()
		}
		d.show(p, profiles.OfSaved, "")
		d.app.notice.again()
		widget.Undo(said, d.restore(before, base))
		d.complain(problems)
	})
}

// export saves a profile as a file.
func (d *desk) export(p *profile.Profile) {
	text, err := profile.Encode(p)
	if err != nil {
		widget.Say(err.Error())
		return
	}
	blob := js.Global().Get("Blob").New([]any{string(text)}, map[string]any{"type": "application/json"})
	address := js.Global().Get("URL").Call("createObjectURL", blob)
	a := widget.New("a", "visually-hidden", widget.Attr{Key: "href", Value: address.String()}, widget.Attr{Key: "download", Value: profile.FileName(p.Name)})
	widget.Body(a)
	a.Click()
	a.Remove()
	time.AfterFunc(time.Minute, func() { js.Global().Get("URL").Call("revokeObjectURL", address) })
}

// linkKey is a profile's key in a link: packed by deflate, in base64 of URLs.
const linkKey = "profile"

// maxLink is how long a profile may be in a link, in characters. Mail and chat cut longer
// ones.
const maxLink = 8000

// link shows the address that opens a profile.
func (d *desk) link(p *profile.Profile) {
	go func() {
		raw, err := profile.EncodeBare(p)
		var packed []byte
		if err == nil {
			packed, err = repack("CompressionStream", raw, profile.MaxBytes)
		}
		if err != nil {
			widget.Say("There is no link to it: " + err.Error())
			return
		}
		text := base64.RawURLEncoding.EncodeToString(packed)
		if len(text) > maxLink {
			widget.Say(fmt.Sprintf("“%s” is too large for a link (%d characters). Export it and send the file.", p.Name, len(text)))
			return
		}
		state := profiles.Apply(d.app.schema, p, &session.State{}, nil)
		board := session.Board.Of(&state)
		address := pageAddress() + "#" + board + "&" + linkKey + "=" + text
		in := widget.New("input", "text-field", widget.Attr{Key: "readonly", Value: ""}, widget.Attr{Key: "aria-label", Value: "Link"})
		widget.Set(in, "value", address)
		widget.Dialog("Link to “"+p.Name+"”", func() []any {
			return []any{widget.New("p", "quiet link-says", "Anyone who opens this link sees this view. The logs are not included. The address must lead to them, or they must be open there."),
				widget.New("div", "ask", in, widget.CopyButton("Copy", func() string { return address }))}
		})
		in.Underlying().Call("select")
	}()
}

// repack sends bytes through a stream of the browser's that packs or unpacks them.
func repack(stream string, data []byte, most int) ([]byte, error) {
	class := js.Global().Get(stream)
	if class.Type() != js.TypeFunction {
		return nil, errors.New("this browser cannot pack it")
	}
	body := js.Global().Get("Blob").New([]any{bridge.Bytes(data)}).Call("stream").Call("pipeThrough", class.New("deflate-raw"))
	reader := body.Call("getReader")
	var out []byte
	for {
		part, err := bridge.AwaitCall(reader, "read")
		if err != nil {
			return nil, errors.New("it is damaged")
		}
		if part.Get("done").Bool() {
			return out, nil
		}
		value := part.Get("value")
		n := value.Get("length").Int()
		if len(out)+n > most {
			reader.Call("cancel")
			return nil, errors.New("it is too large")
		}
		b := make([]byte, n)
		js.CopyBytesToGo(b, value)
		out = append(out, b...)
	}
}

// linkOf returns the profile in an address, as it stands there; "": there is none.
func linkOf(hash string) (text string) {
	for _, pair := range strings.Split(strings.TrimPrefix(hash, "#"), "&") {
		if v, ok := strings.CutPrefix(pair, linkKey+"="); ok {
			text = v
		}
	}
	return text
}

// openLink shows the profile of an address, if there is one in it.
func (d *desk) openLink(hash string) {
	if cut := d.app.schema.Cut(hash); len(cut) > 0 {
		widget.Say("A part of the link is left out: its lists are too long: " + strings.Join(cut, ", "))
	}
	text := linkOf(hash)
	if text == "" {
		return
	}
	d.do(func() {
		packed, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "="))
		var raw []byte
		if err == nil {
			raw, err = repack("DecompressionStream", packed, profile.MaxBytes)
			bridge.Yield()
		}
		var p *profile.Profile
		var problems []profile.Problem
		if err == nil {
			p, problems, err = profile.DecodeResting(raw, bridge.Yield)
			bridge.Yield() // as with a default profile: a large one takes a moment each
		}
		if err != nil {
			widget.Say("The profile in this link cannot be shown: the link was cut or changed on its way. Ask for the file instead.")
			return
		}
		d.keepBase(p, bridge.Yield)
		bridge.Yield()
		before, base := d.app.store.replaced(), d.base
		d.showKept(p, profiles.OfLink, "")
		bridge.Yield()
		d.app.store.flush()
		d.app.notice.again()
		if d.app.schema.Customised(&before) {
			widget.Undo("“"+p.Name+"” of the link is shown", d.restore(before, base))
		}
		d.complain(problems)
	})
}
