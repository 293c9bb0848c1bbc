package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tensorbored/tensorbored-static/server/profiles"
	"github.com/tensorbored/tensorbored-static/shared/profile"
)

// newProfile returns the commands about profiles, the default one of a logdir above all.
func newProfile() *cobra.Command {
	c := &cobra.Command{
		Use:   "profile COMMAND",
		Short: "show, check and write views: pins, colours, filters, scales",
		Long: "A profile is a JSON file. LOGDIR/" + profile.DefaultPath + " is the view\n" +
			"that everybody gets at first. FILE may be - for stdin, or a logdir for its own.",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("say what to do: tensorbored-static profile show FILE; see tensorbored-static profile --help")
			}
			var names []string
			for _, sub := range c.Commands() {
				names = append(names, sub.Name())
			}
			near := nearest(args[0], names)
			if near == "" {
				near = strings.Join(names, ", ")
			}
			return fmt.Errorf("unknown command %q: did you mean %s?", args[0], near)
		},
		RunE: func(*cobra.Command, []string) error { return nil }, // Args lets nothing through
	}
	c.AddCommand(newProfileShow(), newProfileValidate(), newSetDefault(), newPin(false), newPin(true))
	return c
}

// arguments asks for so many, named in usage.
func arguments(usage string, least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < least || most > 0 && len(args) > most {
			return fmt.Errorf("write %s %s", c.CommandPath(), usage)
		}
		return nil
	}
}

func newProfileShow() *cobra.Command {
	c := &cobra.Command{Use: "show FILE|LOGDIR", Short: "say what a profile holds", Args: arguments("FILE|LOGDIR", 1, 1)}
	asJSON := c.Flags().Bool("json", false, "write it as JSON, in today's form")
	c.RunE = action(func(args []string, stdout, stderr io.Writer) int {
		p, problems, err := readProfile(args[0])
		if err != nil {
			return fail(stderr, exitFailed, err)
		}
		sayProblems(stderr, args[0], problems)
		if *asJSON {
			text, err := profile.Encode(p)
			if err != nil {
				return fail(stderr, exitFailed, err)
			}
			stdout.Write(text)
			return 0
		}
		showProfile(stdout, p)
		return 0
	})
	return c
}

func newProfileValidate() *cobra.Command {
	c := &cobra.Command{Use: "validate FILE|LOGDIR…", Short: "say what is wrong with profiles; code 1 if anything is", Args: arguments("FILE|LOGDIR…", 1, 0)}
	c.RunE = action(func(args []string, stdout, stderr io.Writer) int {
		code := 0
		for _, name := range args {
			p, problems, err := readProfile(name)
			if err != nil {
				code = fail(stderr, exitFailed, err)
				continue
			}
			if sayProblems(stderr, name, problems) {
				code = exitFailed
				continue
			}
			fmt.Fprintf(stdout, "%s: %q is right\n", name, p.Name)
		}
		return code
	})
	return c
}

func newSetDefault() *cobra.Command {
	c := &cobra.Command{Use: "set-default LOGDIR FILE", Short: "make a profile the view that everybody gets at first", Args: arguments("LOGDIR FILE", 2, 2)}
	merge := c.Flags().Bool("merge", false, "add it to the default profile that is there")
	name := c.Flags().String("name", "", "`TEXT`: call it so")
	c.RunE = action(func(args []string, stdout, stderr io.Writer) int {
		dir := expandHome(args[0])
		p, problems, err := readProfile(args[1])
		if err != nil {
			return fail(stderr, exitFailed, err)
		}
		if sayProblems(stderr, args[1], problems) {
			return fail(stderr, exitFailed, errors.New("nothing was written: correct the profile first"))
		}
		version := profiles.Any
		if *merge {
			var base *profile.Profile
			if base, version, err = defaultProfile(stderr, dir); err != nil {
				return fail(stderr, exitFailed, err)
			}
			if base != nil {
				p = profile.Merge(base, p)
			}
		}
		if *name != "" {
			p.Rename(*name)
		}
		return writeDefault(dir, p, version, stdout, stderr)
	})
	return c
}

// newPin returns the command pin, or unpin.
func newPin(un bool) *cobra.Command {
	verb, short := "pin", "pin cards in a logdir's default profile"
	if un {
		verb, short = "unpin", "unpin cards in a logdir's default profile"
	}
	var plugin, run string
	var sample int
	c := &cobra.Command{Use: verb + " LOGDIR TAG…", Short: short, Args: arguments("LOGDIR TAG…", 2, 0)}
	c.Flags().StringVar(&plugin, "plugin", "scalars", "`NAME`: what kind of card: scalars, histograms, images, …")
	c.Flags().StringVar(&run, "run", "", "`RUN`: of which run; kinds with a card for each run need it")
	c.Flags().IntVar(&sample, "sample", 0, "`N`: which one of a step's images, from 0")
	c.RunE = action(func(args []string, stdout, stderr io.Writer) int {
		dir := expandHome(args[0])
		if sample < 0 {
			return fail(stderr, exitUsage, fmt.Errorf("--sample %d: it counts from 0", sample))
		}
		p, version, err := defaultProfile(stderr, dir)
		if err != nil {
			return fail(stderr, exitFailed, err)
		}
		if p == nil {
			p = profile.New("Default")
		}
		for _, tag := range args[1:] {
			pin := profile.Pin{Plugin: plugin, Tag: tag, Run: profile.RunID(run), Sample: sample}
			switch {
			case !un:
				err = p.AddPin(pin)
			case !p.Unpin(pin):
				err = fmt.Errorf("%q is not pinned: see tensorbored-static profile show %s", tag, args[0])
			}
			if err != nil {
				return fail(stderr, exitFailed, err)
			}
		}
		return writeDefault(dir, p, version, stdout, stderr)
	})
	return c
}

// readProfile reads a profile from a file, stdin (-), or a logdir.
func readProfile(name string) (*profile.Profile, []profile.Problem, error) {
	if name == "-" {
		text, err := readSome(name, profile.MaxBytes+1)
		if err != nil {
			return nil, nil, err
		}
		return profile.Decode(text)
	}
	path := expandHome(name)
	fi, err := os.Stat(path)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: give a profile's file, or the logdir whose default profile it is", err)
	}
	if fi.IsDir() {
		p, problems, err := profiles.Read(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil, fmt.Errorf("%s has no default profile: write one with tensorbored-static profile set-default %s FILE", name, name)
		}
		return p, problems, named(name, err)
	}
	text, err := readSome(name, profile.MaxBytes+1)
	if err != nil {
		return nil, nil, err
	}
	p, problems, err := profile.Decode(text)
	return p, problems, named(name, err)
}

// readSome reads the beginning of a file, or of stdin (-): so many bytes at most.
func readSome(name string, most int64) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(io.LimitReader(os.Stdin, most))
	}
	f, err := os.Open(expandHome(name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}

// named puts the name of a file before what is wrong with it.
func named(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", name, err)
}

// defaultProfile reads the default profile of dir, nil if it has none, and its version.
// One that has something wrong is not taken: writing it again would lose that part.
func defaultProfile(stderr io.Writer, dir string) (*profile.Profile, string, error) {
	p, problems, version, err := profiles.ReadVersion(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", named(dir, err)
	}
	if sayProblems(stderr, dir, problems) {
		return nil, "", fmt.Errorf("the default profile of %s is not right and was left as it is: correct %s first", dir, profile.DefaultPath)
	}
	return p, version, nil
}

// writeDefault makes p the default profile of dir, where the one that stands there has
// the version that was read.
func writeDefault(dir string, p *profile.Profile, version string, stdout, stderr io.Writer) int {
	p.Touch(time.Now())
	if _, err := profiles.Replace(dir, p, version); err != nil {
		return fail(stderr, exitFailed, err)
	}
	fmt.Fprintf(stdout, "%q is the default profile of %s, with %s\n", p.Name, dir, counted(len(p.Pins), "pinned card"))
	return 0
}

// sayProblems names what is wrong and reports whether anything is that costs a part of
// the profile.
func sayProblems(stderr io.Writer, name string, problems []profile.Problem) (bad bool) {
	for _, p := range problems {
		kind := "note"
		if !p.Minor {
			kind, bad = "wrong", true
		}
		fmt.Fprintf(stderr, "%s: %s: %s\n", name, kind, p)
	}
	return bad
}

// showProfile says what p holds. Its strings are quoted: they come from others, and a
// terminal obeys what it reads.
func showProfile(w io.Writer, p *profile.Profile) {
	fmt.Fprintf(w, "%q", p.Name)
	if p.Modified != 0 {
		fmt.Fprintf(w, ", changed %s", time.UnixMilli(p.Modified).Format("2006-01-02 15:04"))
	}
	fmt.Fprintf(w, "\nsmoothing %v", p.Smoothing)
	for _, s := range []struct{ name, text string }{{"tag filter", p.TagFilter}, {"run filter", p.RunFilter}} {
		if s.text != "" {
			fmt.Fprintf(w, ", %s %q", s.name, s.text)
		}
	}
	for _, s := range []struct {
		name  string
		scale profile.Scale
	}{{"y axis", p.YScale}, {"x axis", p.XScale}} {
		if s.scale != "" {
			fmt.Fprintf(w, ", %s %s", s.name, s.scale)
		}
	}
	fmt.Fprintln(w)
	if len(p.Pins) > 0 {
		fmt.Fprintf(w, "%s\n", counted(len(p.Pins), "pinned card"))
	}
	for _, pin := range p.Pins {
		fmt.Fprintf(w, "  %q %q", pin.Plugin, pin.Tag)
		if pin.Run != "" {
			fmt.Fprintf(w, " of %q", profile.RunName(pin.Run))
		}
		if pin.Sample > 0 {
			fmt.Fprintf(w, ", sample %d", pin.Sample)
		}
		fmt.Fprintln(w)
	}
	for _, c := range p.Superimposed {
		fmt.Fprintf(w, "card %q with %q\n", c.Title, c.Tags)
	}
	for _, c := range p.RunColors {
		fmt.Fprintf(w, "run %q is %s\n", profile.RunName(c.Run), c.Color)
	}
	for _, r := range p.RunSelection {
		is := "hidden"
		if r.Selected {
			is = "shown"
		}
		fmt.Fprintf(w, "run %q is %s\n", profile.RunName(r.Run), is)
	}
	if g := p.GroupBy; g != nil {
		fmt.Fprintf(w, "colours by %s %q\n", strings.ToLower(string(g.Key)), g.Regex)
	}
	for _, n := range []struct {
		n    int
		what string
	}{{len(p.Descriptions), "description of tags"}, {len(p.TagScales), "tag with a scale of its own"}, {len(p.GroupColors), "colour of groups"}, {len(p.View), "other setting"}} {
		if n.n > 0 {
			fmt.Fprintf(w, "%d × %s\n", n.n, n.what)
		}
	}
	if d := p.Data; d != nil {
		fmt.Fprintf(w, "made for %q %s\n", d.Folder, d.URL)
	}
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
