package api

import (
	"sort"
	"strconv"
)

// Page is what who serves a logdir asks of the page that shows it. All of it is
// optional; the page's user has the last word.
type Page struct {
	// Title stands in the window's title; "" leaves the page's own.
	Title string
	// Reload is the time between two looks for new data, in milliseconds; 0 leaves
	// it to the page, Never means that it looks once.
	Reload int64
	// SaveProfile is the URL to which a default profile can be posted, relative to the
	// listing's own; "" where nothing is written.
	SaveProfile string
	// Profile is the listed path of the default profile where that is not at the top: of
	// several logdirs that are one tree. "" where it is, or where there is none.
	Profile string
	// Near is the URL, relative to the listing's own, at which the server reads the files
	// itself, beside them, and says what is in them; "" where it does not. NearAlways says
	// that the page is to have it so; else it decides.
	Near       string
	NearAlways bool
	// Kept names the logdir in what a browser keeps of it, where its address does not: that of a
	// viewer that is another one each time. "" leaves it to the address.
	Kept string
	// Samples say how much of each kind the page keeps at most, one entry for each
	// plug-in, sorted by its name.
	Samples []Samples
}

// Never is the Reload of a logdir that is read once.
const Never = -1

// Samples is how many points or blobs of each tag the page keeps at most.
type Samples struct {
	Plugin string // as in a summary's metadata: "scalars", "images", …
	Most   int64  // 0 means all
}

// Most is how many points or blobs of each tag are kept of a plug-in at most; 0 means
// all.
func (p *Page) Most(plugin string) int64 {
	for _, s := range p.Samples {
		if s.Plugin == plugin {
			return s.Most
		}
	}
	return 0
}

// Append appends the members of a listing that hold p, each behind a comma:
//
//	,"title":"My runs", "reload":5000, "saveProfile":"profile", "samples":{"images":10,"scalars":0}
func (p *Page) Append(dst []byte) []byte {
	if p.Title != "" {
		dst = appendField(dst, `,"title":`, p.Title)
	}
	if p.Reload != 0 {
		dst = strconv.AppendInt(append(dst, `,"reload":`...), p.Reload, 10)
	}
	if p.SaveProfile != "" {
		dst = appendField(dst, `,"saveProfile":`, p.SaveProfile)
	}
	if p.Profile != "" {
		dst = appendField(dst, `,"profile":`, p.Profile)
	}
	if p.Near != "" {
		dst = appendField(dst, `,"near":`, p.Near)
		if p.NearAlways {
			dst = append(dst, `,"nearAlways":1`...)
		}
	}
	if p.Kept != "" {
		dst = appendField(dst, `,"kept":`, p.Kept)
	}
	for i, s := range p.Samples {
		if i == 0 {
			dst = append(dst, `,"samples":{`...)
		} else {
			dst = append(dst, ',')
		}
		dst = append(appendQuoted(dst, s.Plugin), ':')
		dst = strconv.AppendInt(dst, s.Most, 10)
		if i == len(p.Samples)-1 {
			dst = append(dst, '}')
		}
	}
	return dst
}

// member reads the member key if it is one of p's. A value that makes no sense is as
// if it were not there: it must not hide the files.
func (p *Page) member(key string, s *scanner) bool {
	switch key {
	case "title":
		p.Title = s.str()
	case "reload":
		if p.Reload = s.integer(); p.Reload < 0 {
			p.Reload = Never
		}
	case "saveProfile":
		p.SaveProfile = s.str()
	case "profile":
		p.Profile = s.str()
	case "near":
		p.Near = s.str()
	case "nearAlways":
		p.NearAlways = s.integer() != 0
	case "kept":
		p.Kept = s.str()
	case "samples":
		p.Samples = nil
		s.object(func(plugin string) {
			if most := s.integer(); most >= 0 {
				p.Samples = append(p.Samples, Samples{plugin, most})
			}
		})
		// Of a plug-in that is named twice the last one counts, as in JSON readers.
		sort.SliceStable(p.Samples, func(i, j int) bool { return p.Samples[i].Plugin < p.Samples[j].Plugin })
		kept := p.Samples[:0]
		for i, e := range p.Samples {
			if i+1 == len(p.Samples) || p.Samples[i+1].Plugin != e.Plugin {
				kept = append(kept, e)
			}
		}
		p.Samples = kept
		if len(kept) == 0 {
			p.Samples = nil
		}
	default:
		return false
	}
	return true
}
