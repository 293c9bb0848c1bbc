package plugin

// checkFlags checks nothing in the page: flags are of a command line, whose program has checked
// them, and of a dropped plug-in only the defaults are handed on.
func (m *Manifest) checkFlags() error { return nil }
