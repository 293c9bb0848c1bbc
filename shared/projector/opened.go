package projector

// opened is a tensor that was loaded, under a key of the page's.
type opened struct{}

// job is a projection under way.
type job struct{}
