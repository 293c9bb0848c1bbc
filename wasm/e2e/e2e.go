//go:build !js

// Package e2e tests the whole program in real browsers: event files that the
// tests write, our server or a plain host, the page, and window.tensorbored, the
// way users and scripts have to the data. Nothing is replaced by a double.
//
// A test fails for everything that the page complains about on the console; see
// wasm/browsertest.
package e2e
