// Command pack builds static/dist, the site that is embedded into the server:
//
//	dist/index.html                 names the assets
//	dist/assets/NAME.HASH.EXT.br    HASH is that of the content, so they never change
//
// static.Forms gives the assets in the other forms, and the command pages writes what any
// static host can serve. It is run by `make build` from the root of the source tree. With -size it prints
// what a visitor downloads and fails over the budget. With -resolve FILE it makes a stack
// that a user reported readable, by the symbol file of the release (symbols.go).
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
)

func main() {
	o := Options{}
	flag.StringVar(&o.Root, "root", ".", "root of the source `tree`")
	flag.StringVar(&o.Program, "program", "./wasm", "`package` that becomes the WebAssembly program")
	flag.StringVar(&o.Dist, "dist", "static/dist", "`directory` to write")
	flag.StringVar(&o.Work, "work", "bin", "`directory` for what is not part of the site")
	flag.IntVar(&o.Brotli, "brotli", 11, "brotli `quality`, 0 to 11; 11 needs some 2 s per MB of program")
	flag.StringVar(&o.Version, "version", "", "`text` that the page says it was built from")
	size := flag.Bool("size", false, "print what a visitor downloads, and fail over the budget")
	resolve := flag.String("resolve", "", "add names and lines to the stack on standard input, by this symbol `file`")
	flag.Parse()
	if *resolve != "" {
		if err := printResolved(*resolve); err != nil {
			fmt.Fprintln(os.Stderr, "pack:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(o, *size); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func run(o Options, size bool) error {
	if err := Pack(o); err != nil {
		return err
	}
	if size {
		// The table also where the budget is exceeded: it says by what.
		return errors.Join(printSize(os.Stdout, o.Dist), printRooms(os.Stdout, o.Work))
	}
	return nil
}

func printResolved(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	known, err := readSymbols(f)
	if err != nil {
		return err
	}
	return known.resolve(os.Stdout, os.Stdin)
}
