//go:build !wasm

package catalog

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"
)

// The tests of the loop that only WebAssembly has (repeat_wasm_test.go), run where the others run.
func TestInWebAssembly(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "catalog.wasm")
	build := exec.Command("go", "test", "-c", "-ldflags=-s -w", "-o", out, ".")
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", build, err, text)
	}
	program, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	r := wazero.NewRuntime(ctx)
	defer r.Close(ctx)
	wasi_snapshot_preview1.MustInstantiate(ctx, r)
	var said bytes.Buffer
	_, err = r.InstantiateWithConfig(ctx, program, wazero.NewModuleConfig().
		WithArgs("catalog.test", "-test.v", "-test.run=^TestRepeats").WithEnv("SEED", os.Getenv("SEED")).
		WithStdout(&said).WithStderr(&said).WithSysWalltime().WithSysNanotime())
	if exit, ok := err.(*sys.ExitError); err != nil && !(ok && exit.ExitCode() == 0) {
		t.Fatalf("%v\n%s", err, said.String())
	}
	if n := bytes.Count(said.Bytes(), []byte("--- PASS: TestRepeats")); n != 2 {
		t.Errorf("%d tests passed:\n%s", n, said.String())
	}
	t.Log(said.String())
}
