// Package testing runs the built back end of a plug-in natively, on wazero, over data of a
// test's own: so it is tested without a browser. It is for tests; no program needs it.
//
//	back := testing.Build(t, "./myplugin", data)
//	status, body := back.Get("/tags")
package testing

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// Data answers a call of the back end: the result as a value for JSON, with raw bytes for what
// its {"$": […]} stand for; see package tbplugin.
type Data func(method string, args map[string]any) (result any, raw []byte, err error)

// Back is a back end that runs.
type Back struct {
	t      testing.TB
	ctx    context.Context
	module api.Module
	data   Data

	mu      sync.Mutex
	next    uint32
	calls   []pending
	answers map[uint32][]byte
}

type pending struct {
	id      uint32
	message []byte
}

// Build builds the program of a directory as a reactor, and starts it.
func Build(t testing.TB, dir string, data Data) *Back {
	t.Helper()
	out := filepath.Join(t.TempDir(), "backend.wasm")
	Compile(t, dir, out)
	program, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return Start(t, program, data)
}

// Compile builds the program of a directory as a reactor.
func Compile(t testing.TB, dir, out string) {
	t.Helper()
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-buildmode=c-shared", "-o", out, ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, text)
	}
}

// Start starts a reactor. It ends with the test.
func Start(t testing.TB, program []byte, data Data) *Back {
	t.Helper()
	b := &Back{t: t, ctx: context.Background(), data: data, answers: map[uint32][]byte{}}
	r := wazero.NewRuntime(b.ctx)
	t.Cleanup(func() { r.Close(b.ctx) })
	wasi_snapshot_preview1.MustInstantiate(b.ctx, r)
	take := func(m api.Module, p, n uint32) []byte {
		v, ok := m.Memory().Read(p, n)
		if !ok {
			t.Error("the back end gave bytes that it does not have")
		}
		return append([]byte(nil), v...)
	}
	_, err := r.NewHostModuleBuilder("tb").
		NewFunctionBuilder().WithFunc(func(_ context.Context, m api.Module, id, p, n uint32) { b.answers[id] = take(m, p, n) }).Export("respond").
		NewFunctionBuilder().WithFunc(func(_ context.Context, m api.Module, id, p, n uint32) {
		b.calls = append(b.calls, pending{id, take(m, p, n)})
	}).Export("call").Instantiate(b.ctx)
	if err != nil {
		t.Fatal(err)
	}
	b.module, err = r.InstantiateWithConfig(b.ctx, program, wazero.NewModuleConfig().WithStartFunctions("_initialize").WithSysWalltime().WithSysNanotime().WithStderr(os.Stderr))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// give calls an export with a message.
func (b *Back) give(name string, id uint32, message []byte) {
	b.t.Helper()
	p, err := b.module.ExportedFunction("alloc").Call(b.ctx, uint64(len(message)))
	if err != nil {
		b.t.Fatal(err)
	}
	if !b.module.Memory().Write(uint32(p[0]), message) {
		b.t.Fatal("the back end gave no room for a message")
	}
	if _, err := b.module.ExportedFunction(name).Call(b.ctx, uint64(id), p[0], uint64(len(message))); err != nil {
		b.t.Fatal(err)
	}
}

func message(head any, raw []byte) []byte {
	text, _ := json.Marshal(head)
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
	return append(append(out, text...), raw...)
}

func cut(m []byte) (head, raw []byte) {
	n := binary.LittleEndian.Uint32(m)
	return m[4 : 4+n], m[4+n:]
}

// Answer is what a request was answered.
type Answer struct {
	Status int               `json:"status"`
	Header map[string]string `json:"headers"`
	Result any               `json:"result"`
	Error  string            `json:"error"`
	Body   []byte            `json:"-"`
}

// Do sends a message's header ({"op", "method", "path", "query", "headers", "values"}) and body.
// One request may be sent at a time.
func (b *Back) Do(head map[string]any, body []byte) Answer {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.next++
	id := b.next
	b.give("request", id, message(head, body))
	for b.answers[id] == nil {
		if len(b.calls) == 0 {
			b.t.Fatal("the back end neither answers nor asks")
		}
		c := b.calls[0]
		b.calls = b.calls[1:]
		text, _ := cut(c.message)
		var ask struct {
			Method string         `json:"method"`
			Args   map[string]any `json:"args"`
		}
		if err := json.Unmarshal(text, &ask); err != nil {
			b.t.Fatal(err)
		}
		result, raw, err := b.data(ask.Method, ask.Args)
		answer := map[string]any{"result": result}
		if err != nil {
			answer = map[string]any{"error": err.Error()}
		}
		b.give("reply", c.id, message(answer, raw))
	}
	head1, raw := cut(b.answers[id])
	delete(b.answers, id)
	var a Answer
	if err := json.Unmarshal(head1, &a); err != nil {
		b.t.Fatal(err)
	}
	a.Body = raw
	return a
}

// Get sends a GET request: "/tags?run=a".
func (b *Back) Get(address string) (status int, body string) {
	b.t.Helper()
	path, query, _ := strings.Cut(address, "?")
	a := b.Do(map[string]any{"op": "request", "method": "GET", "path": path, "query": query}, nil)
	return a.Status, string(a.Body)
}
