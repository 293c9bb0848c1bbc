package main

import (
	"fmt"
	"io"
	"path"
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
}

func (f *pluginFlags) declare(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.dirs, "plugin-dir", nil, "`DIR`: plug-ins, a folder each; repeatable")
}

// pluginFlag marks a flag that a plug-in declares; its value is the name as declared.
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
	for _, p := range s.Plugins {
		for _, f := range p.Flags {
			for _, c := range commands {
				if c.Flags().Lookup(f.Name) != nil {
					continue // the program's own comes first
				}
				help := f.Help
				if help == "" {
					help = "of the plug-in " + p.Name
				}
				shown := ""
				if f.Default != nil {
					shown = fmt.Sprint(f.Default)
				}
				c.Flags().String(f.Name, shown, "`"+strings.ToUpper(f.Type)+"`: "+help)
				of := c.Flags().Lookup(f.Name)
				of.Annotations = map[string][]string{pluginFlag: {f.Name}}
				if f.Type == "bool" {
					of.NoOptDefVal = "true"
				}
			}
		}
	}
}

// givenFlags are the flags of plug-ins that were given.
func givenFlags(flags *pflag.FlagSet) map[string]string {
	given := map[string]string{}
	flags.Visit(func(f *pflag.Flag) {
		if name := f.Annotations[pluginFlag]; len(name) == 1 {
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
