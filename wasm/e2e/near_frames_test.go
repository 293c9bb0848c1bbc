//go:build !js

package e2e

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/near"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// deflated is a near.Deflate.
func deflated(pieces ...[]byte) []byte {
	var out bytes.Buffer
	w, _ := flate.NewWriter(&out, flate.DefaultCompression)
	for _, b := range pieces {
		w.Write(b)
	}
	w.Close()
	if out.Len() >= len(slices.Concat(pieces...)) {
		return nil
	}
	return out.Bytes()
}

// tight is the frame of e as it goes to a page.
func tight(e *wire.Envelope) []byte {
	c := near.Pack(e)
	c.Tighten(deflated)
	return slices.Concat(near.Tight(e, c, deflated)...)
}

// Frames are heard as they were packed, one after the other as they came, deflated or not; one that is broken
// ends its line, and nothing is heard of what comes after it.
func TestLineFrames(t *testing.T) {
	t.Parallel()
	message := func(id, words, head, bytes, body int) wire.Envelope {
		e := wire.Envelope{Op: wire.OpAnswer, ID: id, Head: []byte(strings.Repeat("é", head)), Bytes: []byte(strings.Repeat("xyz", bytes)), Body: []byte(strings.Repeat("tag ", body))}
		for i := range words {
			e.Words = append(e.Words, uint64(i*i)<<32|uint64(i*id))
		}
		return e
	}
	type frame struct {
		Data   string // base64
		header []byte
		e      wire.Envelope
	}
	var frames []frame
	for i, of := range [][4]int{
		{50_000, 2000, 0, 0}, // takes its time to be inflated
		{3, 1, 0, 0},
		{100, 0, 0, 0},
		{0, 3, 300, 1}, // pictures, and a word that the padding comes after
		{0, 0, 0, 400}, // a header alone
		{70, 1, 0, 400},
		{0, 0, 5, 0},
		{2, 0, 0, 300},
	} {
		e := message(i+1, of[0], of[1], of[2], of[3])
		plain := near.Append(nil, &e)
		header, _, _, err := near.Lengths(plain, len(plain))
		if err != nil {
			t.Fatal(err)
		}
		data := tight(&e)
		frames = append(frames, frame{base64.StdEncoding.EncodeToString(data), plain[near.Prefix:header], e})
	}
	last := message(9, 5000, 1, 0, 0)
	broken := tight(&last)
	for i := range broken[len(broken)-100:] {
		broken[len(broken)-100+i] = 0xff
	}
	last = message(10, 1, 0, 0, 0)
	frames = append(frames, frame{Data: base64.StdEncoding.EncodeToString(broken)}, frame{Data: base64.StdEncoding.EncodeToString(near.Append(nil, &last))})

	l := newLogs(t)
	l.run("r", map[string][]point{"x": curve(1, 0, 3)})
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := look(t, kind, l.dir)
			s.Allow("Failed to read data from the ReadableStream") // of the broken frame: Firefox says so by itself
			list, err := json.Marshal(frames)
			if err != nil {
				t.Fatal(err)
			}
			var said [][]string
			s.Eval(`(async (frames) => {
				await tbBoot.load("near");
				const made = [], real = WebSocket, said = [], text = (b) => btoa([...new Uint8Array(b)].map((c) => String.fromCharCode(c)).join(""));
				globalThis.WebSocket = class { constructor() { made.push(this); } send() {} close() {} };
				try {
					const over = new Promise((done) => tbNear("http://nowhere.invalid/near", () => {},
						(header, head, buffer) => said.push([text(header), head ?? "", text(buffer)]), (why) => done(said.push(["down", why]))));
					made[0].onmessage({data: "tensorbored " + document.querySelector("script[data-program]").dataset.program.split("/").pop() + "\nhost"});
					for (const f of frames) made[0].onmessage({data: Uint8Array.from(atob(f.Data), (c) => c.charCodeAt(0)).buffer});
					await over;
				} finally { globalThis.WebSocket = real; }
				await new Promise((done) => setTimeout(done));
				return said;
			})(`+string(list)+`)`, &said)
			var want [][]string
			text := base64.StdEncoding.EncodeToString
			for _, f := range frames[:len(frames)-2] {
				columns := f.e.Bytes
				for _, w := range f.e.Words {
					columns = binary.LittleEndian.AppendUint64(columns, w)
				}
				want = append(want, []string{text(f.header), string(f.e.Head), text(columns)})
			}
			want = append(want, []string{"down", ""})
			for i := range max(len(said), len(want)) {
				if i >= len(said) || i >= len(want) || !slices.Equal(said[i], want[i]) {
					t.Errorf("%d: %.200s, not %.200s", i, fmt.Sprint(said[min(i, len(said)):]), fmt.Sprint(want[min(i, len(want)):]))
					break
				}
			}
		})
	}
}
