package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tensorbored/tensorbored-static/server/guard"
	"github.com/tensorbored/tensorbored-static/server/plugins"
	"github.com/tensorbored/tensorbored-static/shared/plugin"
	"github.com/tensorbored/tensorbored-static/static"
)

// pluginFlags are the directories with plug-ins, and what was given of their flags.
type pluginFlags struct {
	dirs  []string
	given map[string]string
	live  bool // tell the page when files change
	// own gives plug-ins that ask for it an origin of their own: "own", or a pattern as
	// "https://*.plugins.example.org"; "": none.
	own  string
	port portFlag
}

func (f *pluginFlags) declare(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.dirs, "plugin-dir", nil, "`DIR`: plug-ins; repeatable; with --help: their flags")
}

// declareOrigins adds the flags of plug-ins' own origins.
func (f *pluginFlags) declareOrigins(flags *pflag.FlagSet) {
	flags.StringVar(&f.own, "plugin-origin", "", "`URL`: own, or of plug-ins: https://*.A.B")
	flags.Var(&f.port, "plugin-port", "`N`: of those origins; the next free unless given")
	for _, name := range []string{"plugin-origin", "plugin-port"} { // the help of serve has one screen
		_ = flags.MarkHidden(name)
	}
}

// pluginFlag marks a flag that a plug-in declares; its values are the name as declared, and the plug-in's.
const pluginFlag = "plug-in"

// declarePluginFlags adds the flags of the plug-ins that args name to the commands that serve
// them. What is wrong with the plug-ins is said when they are opened.
func declarePluginFlags(root *cobra.Command, args []string) {
	var dirs []string
	for i, a := range args {
		name, value, ok := strings.Cut(a, "=")
		if hyphens(nil, name) != "--plugin-dir" {
			continue
		}
		if ok {
			dirs = append(dirs, value)
		} else if i+1 < len(args) {
			dirs = append(dirs, args[i+1])
		}
	}
	if len(dirs) == 0 {
		return
	}
	s, err := plugins.Open(expandAll(dirs))
	if err != nil {
		return
	}
	defer s.Close()
	commands := []*cobra.Command{root}
	for _, c := range root.Commands() {
		if n := c.Name(); n == "serve" || n == "pages" {
			commands = append(commands, c)
		}
	}
	for _, c := range commands {
		for _, name := range []string{"plugin-origin", "plugin-port"} {
			if f := c.Flags().Lookup(name); f != nil {
				f.Hidden = false
			}
		}
	}
	for _, p := range s.Plugins {
		for _, f := range p.Flags {
			for _, c := range commands {
				if c.Flags().Lookup(f.Name) != nil {
					continue // the program's own comes first
				}
				shown := ""
				if f.Default != nil {
					shown = fmt.Sprint(f.Default)
				}
				does := described(&f)
				if f.Type != "bool" {
					does = "`" + strings.ToUpper(f.Type) + "`: " + does
				}
				c.Flags().String(f.Name, shown, does)
				of := c.Flags().Lookup(f.Name)
				of.Annotations = map[string][]string{pluginFlag: {f.Name, p.Name}}
				if f.Type == "bool" {
					of.NoOptDefVal = "true"
				}
			}
		}
	}
}

// described is the help of a plug-in's flag: its own words, what it may be, and what it is unless given.
func described(f *plugin.Flag) string {
	var may []string
	if len(f.Enum) > 0 {
		may = append(may, strings.Join(f.Enum, ", "))
	}
	if f.Minimum != nil {
		may = append(may, fmt.Sprintf("%v or more", *f.Minimum))
	}
	if f.Maximum != nil {
		may = append(may, fmt.Sprintf("%v or less", *f.Maximum))
	}
	switch {
	case f.Required:
		may = append(may, "must be given")
	case f.Default != nil && f.Default != "":
		may = append(may, fmt.Sprintf("%v unless given", f.Default))
	}
	text := f.Help
	if len(may) > 0 {
		text = strings.TrimSpace(text + " (" + strings.Join(may, "; ") + ")")
	}
	return strings.ReplaceAll(text, "`", "'") // which are pflag's, for the name of the value
}

// givenFlags are the flags of plug-ins that were given.
func givenFlags(flags *pflag.FlagSet) map[string]string {
	given := map[string]string{}
	flags.Visit(func(f *pflag.Flag) {
		if name := f.Annotations[pluginFlag]; len(name) > 0 {
			given[name[0]] = f.Value.String()
		}
	})
	return given
}

func expandAll(dirs []string) []string {
	out := make([]string, len(dirs))
	for i, d := range dirs {
		out[i] = expandHome(d)
	}
	return out
}

// open opens the plug-ins, nil without a directory. What is wrong it has said, with the exit
// code; a wrong value of a flag as TensorBoard says it.
func (f *pluginFlags) open(stderr io.Writer) (*plugins.Store, int) {
	if len(f.dirs) == 0 {
		return nil, 0
	}
	s, err := plugins.Open(expandAll(f.dirs))
	if err != nil {
		return nil, fail(stderr, exitUsage, err)
	}
	for _, p := range s.Problems {
		fmt.Fprintln(stderr, "tensorbored-static:", p)
	}
	if err := s.SetValues(f.given); err != nil {
		s.Close()
		fmt.Fprintf(stderr, "Error: %v\n", err)
		return nil, exitFailed
	}
	s.Shim, s.Live = static.PluginShim, f.live
	return s, 0
}

// ownOrigins is what --plugin_origin says for origins on this machine.
const ownOrigins = "own"

// wrong finds flags that contradict each other.
func (f *pluginFlags) wrong() error {
	switch {
	case f.own != "" && len(f.dirs) == 0:
		return errors.New("--plugin_origin is about plug-ins: give --plugin_dir too")
	case f.port.given && f.own == "":
		return errors.New("--plugin_port is about --plugin_origin: give that too, own for instance")
	}
	return nil
}

// listen opens the port of plug-ins' own origins, which is beside that of the page, page; nil
// without one. Names on this machine are those below localhost, which browsers find by themselves.
func (f *pluginFlags) listen(ctx context.Context, s *plugins.Store, host string, page int, stderr io.Writer) (net.Listener, error) {
	if s == nil {
		return nil, nil
	}
	if f.live && slices.ContainsFunc(s.Plugins, func(p *plugins.Plugin) bool { return p.Isolation == plugin.Origin }) {
		f.own = ownOrigins
	}
	if f.own == "" {
		return nil, nil
	}
	here := f.own == ownOrigins
	if here {
		host = "127.0.0.1"
	}
	port := (page + 1) % 65536 // 0 takes any
	if f.port.given {
		port = f.port.port
	}
	l, err := listen(ctx, host, port, f.port.given)
	var busy *ListenError
	if errors.As(err, &busy) {
		busy.Remedy = strings.ReplaceAll(busy.Remedy, "--port", "--plugin_port")
	}
	if err != nil {
		return nil, err
	}
	at, lead := f.own, "; lead that to "+l.Addr().String()+"."
	if here {
		at, lead = "http://*.localhost:"+strconv.Itoa(l.Addr().(*net.TCPAddr).Port), "; a tunnel must forward that port, too."
	}
	if s.Own, err = plugins.NewOwn(s, at, static.PluginWorker); err != nil {
		l.Close()
		return nil, err
	}
	fmt.Fprintln(stderr, "Plug-ins that ask for an origin of their own are at", at+lead)
	return l, nil
}

// putPlugins writes the plug-ins into a site. Their documents have the shim and a policy in
// them, since a static host adds neither.
func (b *builder) putPlugins() error {
	if b.plugins == nil {
		return nil
	}
	for _, p := range b.plugins.Plugins {
		names, err := p.Files()
		if err != nil {
			return err
		}
		for _, name := range append(names, plugin.Entry) {
			data, err := b.plugins.Read(p, name, guard.PluginMetaPolicy)
			if err != nil {
				return err
			}
			if err := b.replace(path.Join("plugins", p.Name, name), data); err != nil {
				return err
			}
		}
	}
	l, err := b.plugins.Listing()
	if err != nil {
		return err
	}
	text, err := l.Append(nil)
	if err != nil {
		return err
	}
	return b.replace(plugin.IndexPath, text)
}

// replace is add for a file that an earlier run may have written otherwise.
func (b *builder) replace(name string, data []byte) error {
	if _, ours := b.old[name]; ours {
		return b.swap(name, data)
	}
	return b.add(name, data)
}
