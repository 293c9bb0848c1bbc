package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/tensorbored/tensorbored-static/shared/demo"
)

// demoSpeed is how many steps per second the served demo makes: a curve is then
// seen growing, and the training takes two minutes.
const demoSpeed = 30

// demoAhead is how many steps are made before the address is printed, so that a page which
// is opened at once has curves to show. They take half a second.
const demoAhead = 100

// startDemo trains the demo into a new directory, beside the server, until ctx
// ends. It returns when there is something to see. end waits for the training's end and
// removes the directory.
func startDemo(ctx context.Context, stderr io.Writer) (dir string, end func(), err error) {
	dir, err = os.MkdirTemp("", "tensorbored-demo-")
	if err != nil {
		return "", nil, fmt.Errorf("no directory for the demo: %w: set TMPDIR to one that can be written to", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	begun, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		err := demo.Run(ctx, demo.Options{Dir: dir, Speed: demoSpeed, Ahead: demoAhead, Begun: func() { close(begun) }, Seed: 1})
		if err != nil && !errors.Is(err, context.Canceled) {
			fmt.Fprintln(stderr, "tensorbored-static: the demo ended:", err)
		}
	}()
	select {
	case <-begun:
	case <-done: // what it ended with has been said
	}
	return dir, func() {
		cancel()
		<-done
		if err := os.RemoveAll(dir); err != nil {
			fmt.Fprintln(stderr, "tensorbored-static:", err)
		}
	}, nil
}
