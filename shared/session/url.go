package session

import (
	"maps"
	"slices"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/internal/query"
)

// A link holds what two people must share to see the same: the board, and
// the settings that were declared with a key for links. The names are TensorBoard's
// where it has one. Only what differs from the default is written.
//
//	#timeseries&tagFilter=loss&runFilter=adam&smoothing=0.9&x=wall&y=log

// older are keys of TensorBoard's links that are called otherwise here.
var older = map[string]string{"_smoothingWeight": "smoothing", "pinnedCards": "pins"}

// theirs are dashboards of TensorBoard's links that are parts of one here: it had scalars alone
// before it had time series, and its links of both say the same.
var theirs = map[string]string{"scalars": "timeseries"}

// readable writes as they are what a fragment may hold.
var readable = strings.NewReplacer("+", "%20", "%2F", "/", "%2C", ",", "%3A", ":", "%21", "!")

// What plug-ins show stands in links as in TensorBoard's: p.NAME.key=value, one for each. It is
// read into one table.
const (
	pluginLink  = "p"
	pluginStart = pluginLink + "."
)

// Hash returns the state's part of the URL, from "#" on.
func (l Schema) Hash(s *State) string {
	var b strings.Builder
	b.WriteByte('#')
	b.WriteString(query.Escape(Board.Of(s)))
	for _, d := range l {
		if d.link == "" {
			continue
		}
		if m := PluginData.Of(s); d == PluginData.Decl && len(m) > 0 && d.text(s) != unlinked {
			for _, k := range slices.Sorted(maps.Keys(m)) {
				b.WriteString("&" + pluginStart + readable.Replace(query.Escape(k)) + "=" + readable.Replace(query.Escape(m[k])))
			}
			continue
		}
		if t := d.text(s); t != "" {
			b.WriteString("&" + d.link + "=" + readable.Replace(query.Escape(t)))
		}
	}
	return b.String()
}

// Full reports whether a list is too long for the address, which leaves it out.
func (l Schema) Full(s *State) bool {
	for _, d := range l {
		if d.keep != "" && d.text(s) == d.keep {
			return true
		}
	}
	return false
}

// ReadHash applies a URL's hash and query to the state. A link that names a dashboard, or
// any of a link's settings, stands for all of them, those it leaves out being the
// default: whoever opens it sees what its sender saw. One that names none
// changes none. Unknown names are left alone: others may use them.
func (l Schema) ReadHash(s *State, hash, query string) {
	board, got := l.linked(hash, query)
	if board != "" {
		Board.Set(s, board)
	} else if len(got) == 0 {
		return
	}
	for _, d := range l {
		if d.link != "" {
			d.parse(s, d.fits(got[d.link]))
		}
	}
}

// mostRead is how long a list of a link is read, in bytes. What Hash writes is far shorter;
// one of a hundred thousand items would hold the page for seconds.
const mostRead = 64 << 10

// Follow is the address to which a link of an introduction leads from another one: the settings
// that the link names are as it says, and all others stay as they are. So a link to a dashboard
// changes what is looked at, and not how.
func Follow(from, link string) string {
	head, rest := "", strings.Split(strings.TrimPrefix(link, "#"), "&")
	if !strings.Contains(rest[0], "=") {
		head, rest = rest[0], rest[1:]
	}
	parts := strings.Split(strings.TrimPrefix(from, "#"), "&")
	if head == "" && !strings.Contains(parts[0], "=") {
		head = parts[0]
	}
	named := map[string]bool{}
	for _, p := range rest {
		k, _, _ := strings.Cut(p, "=")
		named[k] = true
		if k, ok := older[k]; ok {
			named[k] = true
		}
	}
	out := []string{head}
	for _, p := range parts {
		if k, _, ok := strings.Cut(p, "="); ok && !named[k] {
			out = append(out, p)
		}
	}
	return "#" + strings.Join(append(out, rest...), "&")
}

// fits is the part of a list in a link that is read.
func (d *Decl) fits(text string) string {
	if d.keep == "" || len(text) <= mostRead {
		return text
	}
	return text[:max(0, strings.LastIndexByte(text[:mostRead], ','))]
}

// Cut names the lists of a link that are longer than what is read of them.
func (l Schema) Cut(hash string) (keys []string) {
	if len(hash) <= mostRead {
		return nil
	}
	_, got := l.linked(hash, "")
	for _, d := range l {
		if d.link != "" && d.fits(got[d.link]) != got[d.link] {
			keys = append(keys, d.link)
		}
	}
	return keys
}

// Names reports whether a link names any of a link's settings.
func (l Schema) Names(hash, query string) bool {
	_, got := l.linked(hash, query)
	return len(got) > 0
}

// BoardOf is the dashboard that a link names, "" if it names none.
func (l Schema) BoardOf(hash string) string {
	id, _ := l.linked(hash, "")
	return id
}

// linked are the dashboard that a link names, and its settings by their keys.
func (l Schema) linked(hash, search string) (id string, got map[string]string) {
	hash = strings.TrimPrefix(hash, "#")
	board, rest, _ := strings.Cut(hash, "&")
	if board != "" && !strings.Contains(board, "=") {
		if b, err := query.Unescape(board); err == nil {
			id = b
		}
		if name, ok := theirs[id]; ok {
			id = name
		}
	} else {
		rest = hash
	}
	ours := map[string]bool{}
	for _, d := range l {
		ours[d.link] = d.link != ""
	}
	// TensorBoard writes its parameters in the query; the hash wins.
	pairs := strings.Split(strings.TrimPrefix(search, "?"), "&")
	pairs = append(pairs, strings.Split(rest, "&")...)
	got = map[string]string{}
	for _, p := range pairs {
		k, v, ok := strings.Cut(p, "=")
		if !ok {
			continue
		}
		v, err := query.Unescape(v)
		if err != nil {
			continue
		}
		if name, ok := older[k]; ok {
			k = name
			if _, there := got[k]; there {
				continue
			}
		}
		if rest, ok := strings.CutPrefix(k, pluginStart); ok && strings.Contains(rest, ".") && ours[pluginLink] {
			if rest, err = query.Unescape(rest); err == nil && len(got[pluginLink]) < maxLinked {
				got[pluginLink] += "," + LinkItem(rest) + ":" + LinkItem(v)
			}
		} else if ours[k] {
			got[k] = v
		}
	}
	return id, got
}

// Query returns the query of an address without what ReadHash takes from it: once the
// state is in the hash, a parameter that stayed would come back when it was cleared.
func (l Schema) Query(query string) string {
	query, ok := strings.CutPrefix(query, "?")
	if !ok {
		return ""
	}
	ours := map[string]bool{}
	for _, d := range l {
		ours[d.link] = d.link != ""
	}
	var rest []string
	for _, p := range strings.Split(query, "&") {
		k, _, _ := strings.Cut(p, "=")
		if name, ok := older[k]; ok {
			k = name
		}
		if !ours[k] && p != "" && !strings.HasPrefix(k, pluginStart) {
			rest = append(rest, p)
		}
	}
	if len(rest) == 0 {
		return ""
	}
	return "?" + strings.Join(rest, "&")
}
