package engine

import (
	"context"
	"errors"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/wasm/source/httprange"
)

// relist lists the logdir and tells the workers what is new.
func (e *Engine) relist(ctx context.Context) {
	gen, o, first := e.Gen(), e.origin, e.Listing()
	defer e.handed()
	begin := func(l *api.Listing) {
		if first {
			e.most = l.Page.Most(catalog.Points)
			e.choose(l)
		}
	}
	l, err := o.list(ctx, func(l *api.Listing) {
		// The first listing of a large folder: what has been found is read meanwhile.
		if e.Gen() == gen && first {
			begin(l)
			e.Partly(l)
			e.fresh = false
			e.handed()
		}
	})
	if e.Gen() != gen {
		return // another logdir has been opened
	}
	e.reload.done(err == nil)
	defer e.lookAgain()
	if errors.Is(err, httprange.ErrNoListing) && first && o.optional() {
		e.origin = nil // the page stands alone: the user will open something
		e.Leave()
		return
	}
	if err != nil {
		why := err.Error()
		if errors.Is(err, httprange.ErrNoListing) && first {
			why = o.none()
		}
		e.Unlisted(why)
		return
	}
	begin(l)
	e.Listed(l)
	e.fresh = false
}
