package main

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tensorbored/tensorbored-static/server"
	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/shared/api"
)

// nearFlags say where the files are read: in the page, or here, beside them. What reads them
// here stands in near_reader.go; a program that is built with the tag noreader has none of it.
type nearFlags struct {
	read   string // auto, browser, server, signed; "" is auto
	memory string // what reading may take; "" is the default
	remote bool   // they are in an object store, so that they come here first in any case
	cache  string // directory of what was read, or off; "" is the default
}

func (n *nearFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&n.read, "read", "auto", "`WHERE`: files are read: browser, server, signed, or auto")
	flags.StringVar(&n.memory, "memory", "", "`SIZE`: for reading here, as 4GB; a quarter unless given")
	flags.StringVar(&n.cache, "cache", "", "`DIR`: keeps what was read here; off keeps nothing")
}

// wrong says what is wrong with the flags.
func (n *nearFlags) wrong() error {
	switch n.read {
	case "", "auto", "browser", readSigned:
	case "server":
		if !hasReader {
			return errors.New("--read server: this program was built without the reader (-tags noreader): leave the flag out, or take the whole program")
		}
	default:
		return fmt.Errorf("--read %s: write auto, browser, server or signed", n.read)
	}
	_, err := n.bytes()
	return err
}

// readSigned is the --read by which browsers read the files of object stores there, at
// signed addresses.
const readSigned = "signed"

// browser reports whether pages read the files.
func (n *nearFlags) browser() bool { return n.read == "browser" || n.read == readSigned }

// minMemory is what reading needs at least.
const minMemory = 64 << 20

// fallbackMemory is how much a machine is taken to have that does not tell, in bytes.
const fallbackMemory = 8 << 30

// bytes is --memory; 0 if it is not given.
func (n *nearFlags) bytes() (int64, error) {
	text := strings.ToUpper(strings.TrimSpace(n.memory))
	if text == "" {
		return 0, nil
	}
	unit := 1.0
	for i, name := range []string{"K", "M", "G", "T"} {
		for _, end := range []string{name + "IB", name + "B", name} {
			if rest, ok := strings.CutSuffix(text, end); ok && unit == 1 {
				text, unit = rest, math.Pow(1024, float64(i+1))
			}
		}
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if v *= unit; err != nil || !(v >= minMemory && v < 1<<60) {
		return 0, fmt.Errorf("--memory %s: give a size from 64MB, as 500MB or 4GB", n.memory)
	}
	return int64(v), nil
}

// ask has the page told that files can be read here.
func (n *nearFlags) ask(p *api.Page) {
	if hasReader && !n.browser() {
		p.Near, p.NearAlways = server.NearPath, n.read == "server" || n.remote
	}
}

// readingHere is what reads here; nil: nothing does.
type readingHere struct {
	http.Handler
	end func()
}

func (r *readingHere) handler() http.Handler {
	if r == nil {
		return nil
	}
	return r.Handler
}

// Close ends it; it may be called again.
func (r *readingHere) Close() {
	if r != nil {
		r.end()
	}
}

// open makes what reads a store here. It reads nothing before a page asks.
func (n *nearFlags) open(store *files.Store, logdirs []string, spec string, page *api.Page, follow bool) (*readingHere, error) {
	if store == nil || !hasReader || n.browser() {
		return nil, nil
	}
	roots, err := logdirRoots(logdirs, spec)
	if err != nil {
		return nil, err
	}
	return n.reader(store, placesOf(roots), page, follow)
}

// viewerNear is what the hub's viewers read with.
func viewerNear(store *files.Store, roots, args []string) (http.Handler, func(), error) {
	var n nearFlags
	flags := pflag.NewFlagSet("tensorboard_args", pflag.ContinueOnError)
	flags.SetNormalizeFunc(hyphens)
	flags.ParseErrorsAllowlist.UnknownFlags = true
	n.add(flags)
	if err := flags.Parse(args); err != nil {
		return nil, nil, err
	}
	page, err := pageArgs(args)
	if err != nil {
		return nil, nil, err
	}
	r, err := n.open(store, roots, "", &page, true)
	if err != nil || r == nil {
		return nil, func() {}, err
	}
	return r.Handler, r.Close, nil
}
