package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/server/profiles"
	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/excerpt"
	"github.com/tensorbored/tensorbored-static/shared/excerpt/cut"
	"github.com/tensorbored/tensorbored-static/shared/hparams"
	"github.com/tensorbored/tensorbored-static/shared/kind/customscalars"
	"github.com/tensorbored/tensorbored-static/shared/kinds"
	"github.com/tensorbored/tensorbored-static/shared/profile"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/static"
)

// A report is one HTML file that opens from disk, without a network: the page with its
// scripts inside (static/lazy/reported), and event files of what was chosen (package excerpt), which
// the page reads as it reads a folder. Its policy lets it ask nobody for anything.

// reportFlags are what goes into a report.
type reportFlags struct {
	logdirs    []string
	out        string
	profile    string
	name       string
	intro      string   // file
	runs, tags []string // patterns
	points     int64
	values     int
	force      bool
	noFollow   bool
}

func newReport() *cobra.Command {
	var f reportFlags
	c := &cobra.Command{
		Use:   "report OUT.html --logdir DIR [flags]",
		Short: "write one HTML file with the page and chosen data, to mail",
		Long:  "It opens from disk, without a network. PATTERN: * is any text, ? one character;\nor /a regular expression/.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] == "" {
				return errors.New("give one file to write: tensorbored-static report OUT.html --logdir DIR")
			}
			return nil
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&f.logdirs, "logdir", nil, "`DIR`: take its data; repeatable")
	flags.StringVar(&f.profile, "profile", "", "`FILE`: the view, and with its filters what goes in")
	flags.StringVar(&f.name, "name", "", "`TEXT`: what the report is called; the file's name unless given")
	flags.StringVar(&f.intro, "introduction", "", "`FILE`: words in Markdown above the cards; - is stdin")
	flags.StringArrayVar(&f.runs, "run", nil, "`PATTERN`: of runs; repeatable")
	flags.StringArrayVar(&f.tags, "tag", nil, "`PATTERN`: of tags; repeatable")
	flags.Int64Var(&f.points, "points", 1000, "`N`: about how many points of a curve; 0 = all")
	flags.IntVar(&f.values, "values", 20, "`N`: of images, histograms, texts of a tag; 0 = all")
	flags.BoolVar(&f.force, "force", false, forceFlag)
	flags.BoolVar(&f.noFollow, "no-follow-symlinks", false, "leave symbolic links out")
	_ = c.MarkFlagDirname("logdir") // only helps the shell
	var plugins []string            // some know the flag from serve
	flags.StringArrayVar(&plugins, "plugin-dir", nil, "")
	_ = flags.MarkHidden("plugin-dir")
	c.RunE = action(func(args []string, stdout, stderr io.Writer) int {
		if len(plugins) > 0 {
			return fail(stderr, exitUsage, errors.New("a report shows no plug-ins: leave --plugin_dir out, or write a site with them by tensorbored-static pages OUT --logdir DIR --plugin_dir DIR"))
		}
		f.out = expandHome(args[0])
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		return report(ctx, f, static.Dist(), stdout, stderr)
	})
	return c
}

// report writes a report. It returns 0 if all that was chosen is in it, 1 if something
// could not be read or nothing matches, 2 for what was asked for wrongly.
func report(ctx context.Context, f reportFlags, site fs.FS, stdout, stderr io.Writer) int {
	if len(f.logdirs) == 0 {
		return fail(stderr, exitUsage, errors.New("give a logdir: tensorbored-static report OUT.html --logdir DIR"))
	}
	if f.points < 0 || f.values < 0 {
		return fail(stderr, exitUsage, errors.New("--points and --values are numbers from 0 on, where 0 takes all"))
	}
	if f.name == "" {
		f.name = strings.TrimSuffix(filepath.Base(f.out), filepath.Ext(f.out))
	}
	r := reporter{ctx: ctx, flags: f, stderr: stderr}
	var err error
	if r.runs, err = choose(f.runs); err == nil {
		r.tags, err = choose(f.tags)
	}
	if err == nil {
		err = r.view()
	}
	if err == nil {
		r.words, err = introduction(f.intro)
	}
	if err != nil {
		return fail(stderr, exitUsage, err)
	}
	roots, err := logdirRoots(f.logdirs, "")
	if err != nil {
		return fail(stderr, exitUsage, err)
	}
	out, err := newOutput(f.out, stdout, roots, isReport, f.force)
	if err != nil {
		return fail(stderr, wrongOutput(err), err)
	}
	if r.store, err = openRoots(roots, files.Options{Name: f.name, Follow: !f.noFollow}); err != nil {
		return fail(stderr, exitUsage, err)
	}
	defer r.store.Close()
	if err := r.gather(); err != nil {
		return fail(stderr, exitFailed, err)
	}
	parts := map[string]bool{"graph": r.graphs, "graphwork": r.graphs, "graphwork.wasm": r.graphs, "mesh": r.meshes, "scene": r.meshes || r.tensors > 0}
	for _, name := range []string{"projector", "projwork", "projwork.wasm"} {
		parts[name] = r.tensors > 0
	}
	for _, name := range []string{"frame.html", "plugin", "plugins", "report", "reported"} {
		parts[name] = false // a page in a file has no frames of another origin, and makes no file of itself
	}
	page, err := reportPage(site, f.name, r.found, parts)
	if err == nil {
		err = out.open(ctx)
	}
	if err == nil {
		_, err = out.Write(page)
	}
	if err = out.done(err); err != nil {
		return fail(stderr, wrongOutput(err), err)
	}
	if out.place.Through() {
		stdout = stderr // or what is said would stand behind the page
	}
	t := r.taken
	fmt.Fprintf(stdout, "%s, %.1f MB: %d of %s in %s", f.out, float64(len(page))/1e6, t.Points, counted(int(t.Logged), "point"), counted(r.count, "run"))
	if t.Stored > 0 {
		fmt.Fprintf(stdout, ", %d of %d images, histograms, texts and the like", t.Values, t.Stored)
	}
	if r.tensors > 0 {
		fmt.Fprintf(stdout, ", %s", counted(r.tensors, "tensor"))
	}
	fmt.Fprintln(stdout)
	if r.missing {
		return exitFailed
	}
	return 0
}

// reporter gathers what goes into a report.
type reporter struct {
	ctx        context.Context
	flags      reportFlags
	stderr     io.Writer
	store      *files.Store
	runs, tags chosen
	profile    *profile.Profile // nil: none
	words      string           // the introduction that was given; "" none
	tagFilter  *regexp.Regexp   // the profile's; nil: all
	runFilter  *regexp.Regexp

	buf     []byte
	found   []reportFile
	taken   excerpt.Taken
	count   int // of runs in it
	missing bool
	graphs  bool  // there are some: what shows them goes with them
	meshes  bool  // the same
	tensors int   // how many
	in      names // what the report holds
	others  names // what it does not, as far as it was seen
	layouts []reportLayout
}

// names are those of runs and tags.
type names struct{ runs, tags map[string]bool }

func (n *names) add(run, tag string) {
	if n.runs == nil {
		n.runs, n.tags = map[string]bool{}, map[string]bool{}
	}
	if tag != "" {
		n.tags[tag] = true
	}
	if run != "" {
		n.runs[run] = true
	}
}

// reportLayout is a layout of charts that a run has logged.
type reportLayout struct {
	layout customscalars.Layout
	run    string
	wall   float64
	mtime  int64
}

// reportFile is a file in a report.
type reportFile struct {
	Path  string `json:"path"`
	Size  int    `json:"size"`
	MTime int64  `json:"mtime"` // milliseconds since 1970
	data  []byte
}

// view reads the profile: the one that was given, or that of a logdir.
func (r *reporter) view() error {
	if r.flags.profile != "" {
		p, problems, err := readProfile(r.flags.profile)
		if err != nil {
			return err
		}
		if sayProblems(r.stderr, r.flags.profile, problems) {
			return errors.New("nothing was written: correct the profile first")
		}
		r.profile = p
	} else {
		for _, dir := range r.flags.logdirs {
			p, problems, err := profiles.Read(expandHome(dir))
			if err == nil {
				sayProblems(r.stderr, dir, problems)
				r.profile = p
				break
			}
		}
	}
	if r.profile == nil {
		return nil
	}
	for _, f := range []struct {
		to   **regexp.Regexp
		text string
	}{{&r.tagFilter, r.profile.TagFilter}, {&r.runFilter, r.profile.RunFilter}} {
		if f.text == "" {
			continue
		}
		re, err := regexp.Compile("(?i)" + f.text)
		if err != nil {
			// The page knows more forms than this; it filters in any case.
			fmt.Fprintf(r.stderr, "tensorbored-static: the profile's filter %q does not choose what goes into the report: %v\n", f.text, err)
			continue
		}
		*f.to = re
	}
	return nil
}

// introduction reads the words that a report begins with, from a file or stdin (-); "" where
// there is none.
func introduction(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	text, err := readSome(name, 4*session.MaxIntroduction+1)
	switch words := string(text); {
	case err != nil:
		return "", fmt.Errorf("%w: --introduction takes a file with words in Markdown", err)
	case !utf8.Valid(text) && len(text) <= 4*session.MaxIntroduction:
		return "", fmt.Errorf("%s: --introduction takes a text in UTF-8, and this is none", name)
	case strings.TrimSpace(words) == "":
		return "", fmt.Errorf("%s: there are no words in it: leave --introduction out, or write some", name)
	default:
		return words, profile.New("").Introduce("", words)
	}
}

// wantsRun says whether a run goes in: by the flags, and by the profile's selection.
func (r *reporter) wantsRun(name string) bool {
	if !r.runs.match(name) {
		return false
	}
	if r.profile == nil {
		return true
	}
	if r.runFilter != nil && !r.runFilter.MatchString(name) {
		return false
	}
	if len(r.profile.RunSelection) == 0 {
		return true
	}
	// A list names all that are shown, unless it names hidden ones alone.
	listed := false
	for _, s := range r.profile.RunSelection {
		if profile.RunName(s.Run) == name {
			return s.Selected
		}
		listed = listed || s.Selected
	}
	return !listed
}

// wantsTag says whether a tag goes in: by the flags, and by the profile's filter, which
// pinned cards and superimposed ones need not pass.
func (r *reporter) wantsTag(t *catalog.Tag) bool {
	if !r.tags.match(t.Shown) {
		return false
	}
	if r.tagFilter == nil || r.tagFilter.MatchString(t.Shown) || t.Plugin == customscalars.Name {
		return true // a layout of charts is needed whatever tags are looked for
	}
	for _, p := range r.profile.Pins {
		if p.Tag == t.Shown || slices.Contains(p.Tags, t.Shown) {
			return true
		}
	}
	for _, c := range r.profile.Superimposed {
		if slices.Contains(c.Tags, t.Shown) {
			return true
		}
	}
	return false
}

// gather reads the logdir, one run at a time.
func (r *reporter) gather() error {
	listing, err := r.store.List(r.ctx, "")
	if err != nil {
		return err
	}
	for _, p := range listing.Problems {
		fmt.Fprintf(r.stderr, "tensorbored-static: not listed: %s: %q\n", p.Error, p.Path)
	}
	units, _ := inspectUnits(listing)
	units = slices.DeleteFunc(units, func(u unit) bool {
		name := catalog.Text(u.run)
		if !r.wantsRun(name) {
			r.others.add(name, "")
			return true
		}
		return false
	})
	total := int64(0)
	for _, u := range units {
		for _, f := range u.files {
			total += f.Size
		}
	}
	bar := newProgress(r.stderr, total)
	defer bar.end()
	for _, u := range units {
		if err := r.run(u, bar); err != nil {
			if r.ctx.Err() != nil {
				return errors.New("interrupted: no report was written")
			}
			return err
		}
	}
	if err := r.embeddings(listing); err != nil {
		return err
	}
	r.yaml(listing)
	if r.count == 0 {
		return errors.New("nothing matches: see tensorbored-static inspect for runs and tags; patterns must match the whole name")
	}
	in, tags := slices.Collect(maps.Keys(r.in.runs)), slices.Collect(maps.Keys(r.in.tags))
	left := cut.New(in, tags, append(slices.Collect(maps.Keys(r.others.runs)), slices.Collect(maps.Keys(r.others.tags))...))
	var view *profile.Profile
	if r.profile != nil {
		view = left.Profile(r.profile, r.flags.name)
		if len(view.Introductions()) < len(r.profile.Introductions()) {
			fmt.Fprintln(r.stderr, "tensorbored-static: an introduction of the profile names a run or tag that the report does not hold, and was left out: --introduction FILE puts in another")
		}
	}
	if r.words != "" {
		if view == nil {
			view = profile.New(r.flags.name)
		}
		if err := view.Introduce("", r.words); err != nil {
			return err
		}
	}
	for _, l := range r.layouts {
		data, err := excerpt.Layout(left.Layout(l.layout), l.wall)
		if err != nil {
			return err
		}
		r.add(path.Join(l.run, "events.out.tfevents.report.layout"), l.mtime, data)
	}
	if view == nil {
		return nil
	}
	text, err := profile.Encode(view)
	if err != nil {
		return err
	}
	r.add(profile.DefaultPath, view.Modified, text)
	return nil
}

func (r *reporter) add(path string, mtime int64, data []byte) {
	r.found = append(r.found, reportFile{path, len(data), mtime, data})
}

// run reads one run and takes an excerpt of it.
func (r *reporter) run(u unit, bar *progress) error {
	c := catalog.New()
	run := c.Run(u.run)
	limit, read, newest := int64(0), int64(0), int64(0)
	for _, file := range u.files {
		newest = max(newest, file.MTime/1e6)
		f := run.AddFile(file.Path)
		_, err := scan(r.ctx, r.store, f, &r.buf, bar, func() {
			if read++; read%64 == 0 && c.Weight() > exportPoints {
				limit = c.Fit(exportPoints, limit)
			}
		})
		if r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		if err != nil {
			bar.clear()
			r.missing = true
			fail(r.stderr, exitFailed, err)
		}
		for _, l := range f.Losses() {
			bar.clear()
			fmt.Fprintln(r.stderr, "tensorbored-static:", lossLine(l))
		}
	}
	name := catalog.Text(u.run)
	options := excerpt.Options{Points: r.flags.points, Values: r.flags.values, Tags: r.wantsTag, Read: r.read}
	options.Layout = func(l customscalars.Layout, wall float64) {
		r.layouts = append(r.layouts, reportLayout{l, name, wall, newest})
	}
	run.Tags(func(t *catalog.Tag, info wire.Tag) {
		if to := &r.others; !r.wantsTag(t) {
			to.add("", t.Shown)
		} else {
			r.in.add("", t.Shown)
			r.graphs = r.graphs || slices.Contains(kinds.Graphs(), info.Plugin)
			r.meshes = r.meshes || slices.Contains(kinds.Meshes(), info.Plugin)
		}
	})
	data, taken, err := excerpt.Run(run, options)
	for _, err := range taken.Missing {
		bar.clear()
		r.missing = true
		fail(r.stderr, exitFailed, fmt.Errorf("run %q: %w", catalog.Text(u.run), err))
	}
	if err != nil || data == nil {
		r.others.add(name, "")
		return err
	}
	r.count++
	r.in.add(name, "")
	r.taken.Add(taken)
	r.add(path.Join(catalog.Text(u.run), "events.out.tfevents.report"), newest, data)
	return nil
}

// mostYAML is how many bytes of Lightning's hyperparameters go in; what is larger is none.
const mostYAML = 4 << 20

// yaml takes Lightning's hyperparameters of the runs that are in the report.
func (r *reporter) yaml(listing *api.Listing) {
	for _, f := range listing.Files {
		if f.Kind != api.Companion || path.Base(f.Path) != hparams.FileName || f.Size > mostYAML || !r.in.runs[catalog.Text(source.RunOf(f.Path))] {
			continue
		}
		data, err := r.read(source.Range{Path: f.Path, Length: f.Size})
		if err != nil {
			r.missing = true
			fail(r.stderr, exitFailed, fmt.Errorf("%s: %w", catalog.Text(f.Path), err))
			continue
		}
		r.add(path.Join(catalog.Text(source.RunOf(f.Path)), hparams.FileName), f.MTime/1e6, data)
	}
}

// read reads bytes of the logdir again.
func (r *reporter) read(at source.Range) ([]byte, error) {
	in, err := r.store.Open(r.ctx, at.Path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	// The file has so many bytes: what names them was read from it.
	data, err := io.ReadAll(io.NewSectionReader(in, at.Offset, at.Length))
	if err == nil && int64(len(data)) < at.Length {
		err = io.ErrUnexpectedEOF
	}
	return data, err
}

// Elements of our own index.html, as package pack writes it.
var (
	scriptTag = regexp.MustCompile(`<script src="([^"]+)"([^>]*)></script>\n?`)
	styleTag  = regexp.MustCompile(`<link rel="stylesheet" href="([^"]+)">\n?`)
	linkTag   = regexp.MustCompile(`<link rel="icon"[^>]*>\n?`)
	askTag    = regexp.MustCompile(`<script data-ask="[^"]*">[^<]*</script>\n?`)
	policyTag = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`)
	attribute = regexp.MustCompile(` data-(\w+)="([^"]*)"`)
	titleTag  = regexp.MustCompile(`<title>[^<]*</title>`)
)

// reportMark stands in the head of reports.
const reportMark = `<meta name="generator" content="tensorbored-static report">`

// opening is what is seen while a report is opened; see static/lazy/reported.
const opening = `<div id="tb-opening" class="boot"><p>Opening the report. If this stays, the file is not whole: ask for it again.</p></div>
`

// reportPage puts the page of a site and files into one document. Scripts that are loaded later go with
// it, but those that wanted says are not needed: what shows graphs, meshes or embeddings goes with some.
func reportPage(site fs.FS, name string, found []reportFile, wanted map[string]bool) ([]byte, error) {
	index, err := fs.ReadFile(site, "index.html")
	if err != nil {
		return nil, errors.New("the page is not built into this program: run make in its source directory")
	}
	page := strings.Replace(string(index), "<head>", "<head>"+reportMark, 1)
	b := bundle{site: site, sources: map[string][]string{}}

	// Scripts stand at the end, behind the parts; but the theme's, for which the first
	// picture waits and which alone is not deferred. boot.js is the one with data.
	var head, scripts, parts strings.Builder
	for _, m := range scriptTag.FindAllStringSubmatch(page, -1) {
		data := map[string]string{}
		for _, a := range attribute.FindAllStringSubmatch(m[2], -1) {
			data[a[1]] = a[2]
		}
		to := &scripts
		if !strings.Contains(m[2], " defer") {
			to = &head
		}
		if program := data["program"]; program != "" {
			b.inline(&scripts, static.Report, "")
			b.part(&parts, `id="tb-program"`, b.read(program))
			b.part(&parts, `id="tb-worker"`, b.read(data["worker"]))
			lazy := static.Lazy(data["lazy"])
			for _, name := range slices.Sorted(maps.Keys(lazy)) {
				if is, ok := wanted[name]; ok && !is {
					continue
				}
				b.part(&parts, `data-lazy-part="`+html.EscapeString(name)+`"`, b.read(lazy[name]))
			}
			b.inline(to, string(b.read(m[1])), ` data-version="`+data["version"]+`"`)
			continue
		}
		b.inline(to, string(b.read(m[1])), "")
	}
	style := ""
	for _, m := range styleTag.FindAllStringSubmatch(page, -1) {
		text := string(b.read(m[1]))
		style += "<style>" + text + "</style>\n"
		b.source("style-src", text)
	}
	var all bytes.Buffer
	for _, f := range found {
		all.Write(f.data)
	}
	b.part(&parts, `id="tb-files"`, all.Bytes())
	list, err := json.Marshal(map[string]any{"name": name, "files": found})
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(&parts, "<script type=\"application/json\" id=\"tb-index\">%s</script>\n", list) // json escapes < and >
	if b.err != nil {
		return nil, b.err
	}

	page = scriptTag.ReplaceAllLiteralString(page, "")
	page = linkTag.ReplaceAllLiteralString(page, "")
	page = askTag.ReplaceAllLiteralString(page, "") // the program is a part of the document
	page = styleTag.ReplaceAllLiteralString(page, "")
	page = policyTag.ReplaceAllLiteralString(page, `<meta http-equiv="Content-Security-Policy" content="`+html.EscapeString(b.policy())+`">`)
	page = titleTag.ReplaceAllLiteralString(page, "<title>"+html.EscapeString(name)+"</title>")
	for _, at := range []struct{ mark, text string }{{reportMark, ""}, {"</head>", head.String() + style}, {"<div id=\"app\">", opening}, {"</body>", parts.String() + scripts.String()}} {
		if strings.Count(page, at.mark) != 1 {
			return nil, fmt.Errorf("the page in this program has not one %s: run make in its source directory", at.mark)
		}
		page = strings.Replace(page, at.mark, at.text+at.mark, 1) // before it
	}
	return []byte(page), nil
}

// bundle collects what a report's policy must allow. The first error sticks.
type bundle struct {
	site    fs.FS
	sources map[string][]string // hashes by directive
	err     error
}

func (b *bundle) read(address string) []byte {
	data, err := fs.ReadFile(b.site, html.UnescapeString(address))
	if err != nil && b.err == nil {
		b.err = err
	}
	return data
}

// source allows one inline text.
func (b *bundle) source(directive, text string) {
	sum := sha256.Sum256([]byte(text))
	b.sources[directive] = append(b.sources[directive], "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
}

// inline writes a script.
func (b *bundle) inline(to *strings.Builder, text, attributes string) {
	if low := strings.ToLower(text); (strings.Contains(low, "</script") || strings.Contains(low, "<!--")) && b.err == nil {
		b.err = errors.New("a script of the page holds what would end it: it can only be a part that is loaded later")
	}
	b.source("script-src", text)
	fmt.Fprintf(to, "<script%s>%s</script>\n", attributes, text)
}

// part writes data as static/lazy/reported reads it.
func (b *bundle) part(to *strings.Builder, attributes string, data []byte) {
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	w.Write(data)
	w.Close()
	fmt.Fprintf(to, "<script type=\"text/plain\" %s>%s</script>\n", attributes, base64.StdEncoding.EncodeToString(packed.Bytes()))
}

// policy is the report's: what is in it may run, and nobody can be asked for anything.
func (b *bundle) policy() string {
	return "default-src 'none'; script-src " + strings.Join(b.sources["script-src"], " ") + " 'wasm-unsafe-eval' blob:; style-src " +
		strings.Join(b.sources["style-src"], " ") + "; img-src blob: data:; media-src blob:; worker-src blob:; " +
		"base-uri 'none'; form-action 'none'; object-src 'none'; require-trusted-types-for 'script'; trusted-types app dompurify"
}
